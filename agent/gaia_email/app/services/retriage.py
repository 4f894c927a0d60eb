"""Has what another version, a model or the rules alone sorted be sorted again. Entries: `reopen`, `catch_up`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.services.opening import account_of
from gaia_email.document import Count, Document
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec

RULES = "rules"
"""What stands for no model."""


class RetriagedMailbox(Document, frozen=True, kw_only=True):
    """Messages of a mailbox that were sorted again or will be, and how many answers of the model were forgotten."""

    account: str
    messages: Count
    forgotten: Count = 0


class RetriagedMailboxes(Document, frozen=True, kw_only=True):
    """What was sorted again; where a model was named, what the next triage sorts again."""

    mailboxes: list[RetriagedMailbox]


def reopen(app: App, source: SourceSpec, made_by: str) -> RetriagedMailbox:
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
        return RetriagedMailbox(
            account=account, messages=ledger.verdicts.reopen(tx, account, model), forgotten=forgotten
        )


def catch_up(app: App, source: SourceSpec, *, progress: Callable[[int, int], None]) -> RetriagedMailbox:
    """Judge what still stands as another version of the program judged it.

    Raises:
        MailError: The mailbox or the ledger cannot be read.
    """
    from gaia_email.app.services.reading import read_inbox

    inbox = read_inbox(app, source, progress=progress, ask=False)
    return RetriagedMailbox(account=inbox.account, messages=inbox.total)
