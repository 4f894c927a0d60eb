"""Whether a person sits here, and their yes. Entries: `need_person`, `need_yes`, `says_yes`.

A program that runs commands for the user can pipe words and set variables, so neither is a yes. A person reads a code
that is written to the controlling terminal alone, and types it there; then they are known until the program ends.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.services.scripts import scripts_may_answer
from gaia_email_registry.errors import NeedsApproval

LETTERS = "bcdfghjkmnpqrstvwxz"
"""No vowels, so that no code is a word, and none of the letters that look alike."""
CODE_LENGTH = 5

NOBODY = "This needs you at a terminal; nothing was done."
FOR_SCRIPTS = "type the same in a terminal. A script of yours may answer after gaia email policy scripts on."


@dataclass(frozen=True, slots=True)
class Terminal:
    """The terminal that this program was started at, whatever its output is connected to."""

    descriptor: int

    def show(self, text: str) -> None:
        """Write on the screen only."""
        os.write(self.descriptor, text.encode("utf-8", "replace"))

    def line(self) -> str:
        """What is typed up to Enter; empty when the terminal went away."""
        with suppress(OSError):
            return os.read(self.descriptor, 4096).decode("utf-8", "replace").strip()
        return ""

    def forget_typed(self) -> None:
        """Drop what was sent before anything was shown."""
        with suppress(ImportError, OSError):
            import termios

            termios.tcflush(self.descriptor, termios.TCIFLUSH)

    def close(self) -> None:
        """Let go of it."""
        os.close(self.descriptor)


@dataclass(slots=True)
class PersonKnown:
    """Whether the person typed a code in this program."""

    person: bool = False


known = PersonKnown()


def open_terminal() -> Terminal | None:
    """The controlling terminal where the keyboard is one too; else nobody can be asked."""
    if not sys.stdin.isatty():
        return None
    try:
        return Terminal(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return None


def need_person(app: App) -> None:
    """Return where a person sits at a terminal, or let scripts answer for them.

    Raises:
        NeedsApproval: Neither is so.
    """
    terminal = open_terminal()
    if terminal is not None:
        terminal.close()
    elif not scripts_may_answer(app):
        raise NeedsApproval(NOBODY, hint=FOR_SCRIPTS)


def need_yes(app: App, what: str, *, scripts: bool = True) -> None:
    """Return once a person said yes, by the code on their terminal, or lets scripts answer for them.

    Args:
        app: The running program.
        what: What they agree to, as `Let the agent work again`.
        scripts: Whether the leave for scripts counts.

    Raises:
        NeedsApproval: Nobody is there, or the answer was something else.
    """
    if scripts and scripts_may_answer(app):
        return
    terminal = open_terminal()
    if terminal is None:
        raise NeedsApproval(NOBODY, hint=FOR_SCRIPTS if scripts else "type the same in a terminal.")
    try:
        if known.person:
            return
        wanted = put(terminal, f"{what}?")
        if not is_code(terminal.line(), wanted):
            raise NeedsApproval("That was not the code, so nothing was done.")
    finally:
        terminal.close()


def script_says(app: App, said: bool) -> bool:
    """Whether the command line says yes, and scripts may."""
    return said and scripts_may_answer(app)


def says_yes(app: App, question: str, *, said: bool) -> bool:
    """Ask a question that only a person answers.

    Args:
        app: The running program.
        question: As `Save this?`
        said: The command line says yes; that counts where scripts may answer.

    Raises:
        NeedsApproval: The command line says yes, and nobody is there to say it.
    """
    if script_says(app, said):
        return True
    terminal = open_terminal()
    if terminal is None:
        if said:
            raise NeedsApproval(NOBODY, hint=FOR_SCRIPTS)
        return False
    try:
        wanted = put(terminal, question)
        return is_code(terminal.line(), wanted)
    finally:
        terminal.close()


def put(terminal: Terminal, question: str) -> str:
    """Show a question on the terminal with what says yes to it, which is returned; a known person says `y`."""
    terminal.forget_typed()
    if known.person:
        terminal.show(f"{question} [y/N]: ")
        return "y"
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    terminal.show(f"{question} Type {code} for yes: ")
    return code


def is_code(typed: str, wanted: str) -> bool:
    """Whether what was typed is the yes that was shown; a code makes its person known until the program ends."""
    given = typed.strip().lower()
    if wanted == "y":
        return given in ("y", "yes")
    known.person = known.person or given == wanted
    return given == wanted
