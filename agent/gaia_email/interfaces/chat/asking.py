"""Events that a conversation emits before it asks the user. Entries: `TellingPrompt`, `archive_proposed`."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from gaia_email.app.documents.talk_events import NeedsConfirmation, NeedsInput, TalkEvent

if TYPE_CHECKING:
    from gaia_email.policy.gate import Prompt, PromptAnswer
    from gaia_email.policy.question import CallQuestion

YES = frozenset({"yes", "y", "yes please", "do it", "ok", "okay", "go ahead"})
NO = frozenset({"no", "n", "no thanks", "leave it", "leave them", "don't", "cancel"})


class TellingPrompt:
    """A prompt of the interface that first emits the question as an event."""

    def __init__(self, prompt: Prompt, emit: Callable[[TalkEvent], None], run_id: str) -> None:
        self._prompt = prompt
        self._emit = emit
        self._run_id = run_id

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Emit the question, then ask it."""
        self._emit(
            NeedsConfirmation(
                run_id=self._run_id,
                action=asked.tool,
                summary=asked.plain_text(),
                question_id=asked.confirmation_id,
            )
        )
        return await self._prompt.ask(asked)


def archive_proposed(run_id: str, count: int, listing: str) -> tuple[TalkEvent, TalkEvent]:
    """Return the events that ask whether to archive the messages in `listing`; only the user's next line can agree."""
    what = "this message" if count == 1 else f"these {count} messages"
    return (
        NeedsConfirmation(
            run_id=run_id, action="archive", summary=f"Would take {what} out of the inbox:\n{listing}"
        ),
        NeedsInput(
            run_id=run_id,
            request_id=str(uuid.uuid4()),
            question=f"Archive {what}? Nothing was done yet.\n{listing}",
            options=["yes", "no"],
        ),
    )
