"""The part of the review screen for mail servers' questions. Entry point: `review_servers`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text

from gaia_email.actions.pending.questions import ServerQuestions
from gaia_email.app.documents.pending import confirmation_row
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.pending_lines import confirmation_lines
from gaia_email_registry.approvals import Approval
from gaia_email_registry.errors import MailError


@dataclass(slots=True)
class ReviewedServers:
    """The result; `quit` if the user left before the end."""

    answered: int = 0
    skipped: int = 0
    left: int = 0
    quit: bool = False


def review_servers(
    questions: ServerQuestions, waiting: Sequence[Approval], read_key: Callable[[], str]
) -> ReviewedServers:
    """Go through the servers' questions, answered with one key each; each answer counts at once."""
    done = ReviewedServers()
    for place, one in enumerate(waiting):
        done.left = len(waiting) - place
        _put("")
        _show(confirmation_lines(confirmation_row(one)))
        key = _key(read_key)
        while key == "v":
            _show(confirmation_lines(confirmation_row(one), whole=True))
            key = _key(read_key)
        if key == "q":
            done.quit = True
            return done
        if key == "s":
            done.skipped += 1
            _put("skipped; it waits until its time is over.", "dim")
            continue
        try:
            given = questions.approve(one.approval_id) if key == "a" else questions.reject(one.approval_id)
        except MailError as error:
            _put(f"Not noted: {error.message}", "bold")
            continue
        done.answered += given.counts
        words = "approved." if given.result == "approved" else "rejected; nothing was done."
        _put(
            " ".join(filter(None, (words if given.counts else "", given.reason))),
            "green" if given.counts else "bold",
        )
    done.left = 0
    return done


def _key(read_key: Callable[[], str]) -> str:
    while True:
        _put("[a] approve  [r] reject  [v] view all of it  [s] skip  [q] quit", "bold")
        key = read_key().lower()
        if not key or key == "\x04":
            return "q"
        if key in ("a", "r", "v", "s", "q"):
            return key
        _put("That is none of the keys below.", "dim")


def _show(lines: Sequence[str]) -> None:
    for number, line in enumerate(lines):
        _put(line, "bold red" if number == 0 else "default")


def _put(line: str, style: str = "default") -> None:
    """Print without cutting, since a mark that is cut off would be lost."""
    console().print(Text(line, style=style), soft_wrap=True)
