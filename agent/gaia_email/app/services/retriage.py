"""Has what another version, a model or the rules alone sorted be sorted again. Entries: `reopen`, `catch_up`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.services.opening import account_of
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec

RULES = "rules"
"""What stands for no model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenedVerdicts:
    """How many verdicts will be made again, and how many answers of the model were forgotten for it."""

    account: str
    verdicts: int
    answers: int


def reopen(app: App, source: SourceSpec, made_by: str) -> ReopenedVerdicts:
    """Have the next triage judge again what `made_by` had a word in: a model by its name, or `rules`.

    What triage acted upon stays handled: undo takes that back.

    Raises:
        NotFound: Nothing is kept of that model; the error names those that had a word.
        MailError: The mailbox or the ledger cannot be opened.
    """
    account = account_of(app, source)
    with app.ledger() as ledger, ledger.write() as tx:
        verdicts, answers = ledger.verdicts.makers(tx, account), ledger.answers.counts(tx, account)
        model = None if made_by == RULES else made_by
        if model not in verdicts and model not in answers:
            known = sorted({RULES if name is None else name for name in verdicts} | set(answers))
            there = (
                f"These had a word: {', '.join(known)}."
                if known
                else "Nothing was sorted by triage --apply yet."
            )
            raise NotFound(f"{made_by[:80]} sorted nothing in {account}. {there}", argument="made_by")
        forgotten = ledger.answers.forget(tx, account, model) if model is not None else 0
        return ReopenedVerdicts(
            account=account, verdicts=ledger.verdicts.reopen(tx, account, model), answers=forgotten
        )


def catch_up(app: App, source: SourceSpec, *, progress: Callable[[int, int], None]) -> tuple[str, int]:
    """Judge what still stands as another version of the program judged it; whose inbox it is, and its messages.

    Raises:
        MailError: The mailbox or the ledger cannot be read.
    """
    from gaia_email.app.services.reading import read_inbox

    inbox = read_inbox(app, source, progress=progress, ask=False)
    return inbox.account, inbox.total
