"""Tells a conversation's interface what the gate asks, before it is asked. Entry point: `TellingPrompt`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gaia_email.documents.talk_events import NeedsConfirmation, TalkEvent

if TYPE_CHECKING:
    from gaia_email.policy.gate import Prompt, PromptAnswer
    from gaia_email.policy.question import CallQuestion


class TellingPrompt:
    """The interface's way to ask, with the event that goes before."""

    def __init__(self, prompt: Prompt, emit: Callable[[TalkEvent], None], run_id: str) -> None:
        self._prompt = prompt
        self._emit = emit
        self._run_id = run_id

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Tell what is asked, and ask it."""
        self._emit(NeedsConfirmation(run_id=self._run_id, action=asked.tool, summary=asked.dry_run))
        return await self._prompt.ask(asked)
