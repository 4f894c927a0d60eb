"""A conversation's prompt on the terminal, imported at the first question. Entry: `LazyPrompt`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaia_email.policy.gate import PromptAnswer
    from gaia_email.policy.question import CallQuestion


class LazyPrompt:
    """The terminal's prompt, created when needed, so that a conversation starts without delay."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Return the user's answer."""
        from gaia_email.interfaces.cli.acting import TerminalPrompt

        return await TerminalPrompt().ask(asked)
