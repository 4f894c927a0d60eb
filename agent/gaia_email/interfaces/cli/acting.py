"""Asks the user on the terminal before a change to their mail. Entry: `TerminalPrompt`."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from gaia_email.interfaces.cli import person
from gaia_email.interfaces.cli.asked_lines import quote_untrusted, visible_person
from gaia_email.interfaces.cli.output import counter
from gaia_email.policy.gate import PromptAnswer
from gaia_email.policy.question import CallQuestion
from gaia_mail.asking.text import BAR, person_lines
from gaia_mail.printable import visible

INTERFACE: Final = "cli"
"""Name of this interface in the event log."""

PROGRESS_FROM = 200
"""Number of actions from which progress is shown."""


class TerminalPrompt:
    """A prompt on the terminal; without a user there, the question stays open for `gaia email approve`."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Show the proposed action and ask for a yes (`person.put`); anything else is a no."""
        for line in lines(asked):
            sys.stderr.write(line + "\n")
        sys.stderr.flush()
        terminal = person.open_terminal()
        if terminal is None:
            return "later"
        try:
            wanted = person.put(terminal, "Do it?")
            typed = await _line(terminal)
        except asyncio.CancelledError:
            terminal.show("\n")  # answered elsewhere, too late, or Ctrl-C
            raise
        finally:
            terminal.close()
        return "yes" if person.is_code(typed, wanted) else "no"


async def _line(terminal: person.Terminal) -> str:
    """Return the terminal's next line without blocking a caller that waits for an answer from elsewhere."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def readable() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(terminal.descriptor, readable)
    try:
        await ready
    finally:
        loop.remove_reader(terminal.descriptor)
    return terminal.line()


def lines(asked: CallQuestion) -> list[str]:
    """Return a question as terminal lines: the action, its recipients, its content, and the reason for asking.

    Untrusted text is behind a bar or alone on its line, so that it cannot pass for a line of the question.
    """
    found = [visible(asked.dry_run)]
    people = (*asked.recipients, *([asked.sender] if asked.sender else []))
    for one in people:
        first, *named = person_lines(f"{one.field:>9}", visible_person(one))
        found += [f"  {first}", *(f"           {name.strip()}" for name in named)]
    if asked.subject:
        found.append(f"    subject  {visible(asked.subject)}")
    found += [f"       file  {visible(name)}" for name in asked.files]
    found += quote_untrusted("       text", asked.text, "  ")
    found += quote_untrusted("  formatted version, as text", asked.html_text, "  ")
    found += quote_untrusted("  hidden in the formatted version", "\n".join(asked.hidden), "  ")
    found += [f"    message  {visible(subject) or '(no subject)'}" for subject in asked.messages]
    found += [f"       from  {visible(sender) or '(no sender)'}" for sender in asked.senders]
    found += [f"             {BAR}{visible(line)}" for line in asked.details]
    if asked.why:
        found.append(f"        why  {visible(asked.why)}")
    return found


acting_progress = counter("done", PROGRESS_FROM)
"""Progress of completed actions."""
