"""Detects a person at the terminal and gets their yes. Entries: `need_person`, `need_yes`, `says_yes`.

A program that runs commands for the user can pipe text and set variables, so neither counts as a yes. A person reads a
code that is written only to the controlling terminal, and types it there; then they are known until the program ends.
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
"""Letters of a code: no vowels, so that no code is a word, and none that look alike."""
CODE_LENGTH = 5

NOBODY = "This needs you at a terminal; nothing was done."
FOR_SCRIPTS = "type the same in a terminal. A script of yours may answer after gaia email policy scripts on."


@dataclass(frozen=True, slots=True)
class Terminal:
    """The controlling terminal of this program, regardless of redirected output."""

    descriptor: int

    def show(self, text: str) -> None:
        """Write only on the screen."""
        os.write(self.descriptor, text.encode("utf-8", "replace"))

    def line(self) -> str:
        """Return the next typed line; empty if the terminal has gone."""
        with suppress(OSError):
            return os.read(self.descriptor, 4096).decode("utf-8", "replace").strip()
        return ""

    def forget_typed(self) -> None:
        """Discard input typed before anything was shown."""
        with suppress(ImportError, OSError):
            import termios

            termios.tcflush(self.descriptor, termios.TCIFLUSH)

    def close(self) -> None:
        """Close the terminal."""
        os.close(self.descriptor)


@dataclass(slots=True)
class PersonKnown:
    """True in `person` after the person has typed a code in this program."""

    person: bool = False


known = PersonKnown()


def open_terminal() -> Terminal | None:
    """Return the controlling terminal if standard input is a terminal; otherwise nobody can be asked."""
    if not sys.stdin.isatty():
        return None
    try:
        return Terminal(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return None


def need_person(app: App) -> None:
    """Return if a person is at a terminal, or scripts may answer for them.

    Raises:
        NeedsApproval: Neither is the case.
    """
    terminal = open_terminal()
    if terminal is not None:
        terminal.close()
    elif not scripts_may_answer(app):
        raise NeedsApproval(NOBODY, hint=FOR_SCRIPTS)


def need_yes(app: App, what: str, *, scripts: bool = True) -> None:
    """Return after a person said yes with the code on their terminal, or if scripts may answer for them.

    Args:
        app: The running program.
        what: The action to agree to, such as `Let the agent work again`.
        scripts: True if the permission for scripts counts.

    Raises:
        NeedsApproval: Nobody is present, or the answer was not a yes.
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
    """Return True if --yes was given and scripts may approve."""
    return said and scripts_may_answer(app)


def says_yes(app: App, question: str, *, said: bool) -> bool:
    """Ask a question that only a person can answer.

    Args:
        app: The running program.
        question: The question, such as `Save this?`
        said: True if the command line says yes; that counts only if scripts may answer.

    Raises:
        NeedsApproval: The command line says yes, and nobody is present to confirm it.
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
    """Show a question on the terminal and return the text that means yes; for a known person that is `y`."""
    terminal.forget_typed()
    if known.person:
        terminal.show(f"{question} [y/N]: ")
        return "y"
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    terminal.show(f"{question} Type {code} for yes: ")
    return code


def is_code(typed: str, wanted: str) -> bool:
    """Return True if the typed text is the requested yes; a code makes its person known until the program ends."""
    given = typed.strip().lower()
    if wanted == "y":
        return given in ("y", "yes")
    known.person = known.person or given == wanted
    return given == wanted
