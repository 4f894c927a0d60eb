"""Marks verdicts of another version, a model or the rules to be judged again. Entries: `reopen`, `catch_up`."""

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
"""The name for judgement without a model."""


class RetriagedMailbox(Document, frozen=True, kw_only=True):
    """Messages of a mailbox that were or will be judged again, and the number of the model's answers deleted."""

    account: str
    messages: Count
    forgotten: Count = 0


class RetriagedMailboxes(Document, frozen=True, kw_only=True):
    """The mailboxes judged again or, if a model was named, the messages that the next triage judges again."""

    mailboxes: list[RetriagedMailbox]


def reopen(app: App, source: SourceSpec, made_by: str) -> RetriagedMailbox:
    """Make the next triage judge again what `made_by` took part in: a model by its name, or `rules`.

    Messages that triage acted on stay handled: use undo for those.

    Raises:
        NotFound: Nothing is stored from that model; the error lists those that took part.
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
    """Judge again the messages that another version of the program judged."""
    from gaia_email.app.services.reading import read_inbox

    inbox = read_inbox(app, source, progress=progress, ask=False)
    return RetriagedMailbox(account=inbox.account, messages=inbox.total)
