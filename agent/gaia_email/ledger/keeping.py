"""What the ledger forgets: by age, and when the user says so. Entry points: `forget_older`, `holdings`, `purge`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, func, or_, select, update

from gaia_email.ledger.automation_tables import AUTOMATION_RUNS, AUTOMATION_TABLES, AUTOMATIONS
from gaia_email.ledger.automations import AutomationStore
from gaia_email.ledger.cache import MailCache
from gaia_email.ledger.control_store import ControlStore
from gaia_email.ledger.control_tables import CONTROL_TABLES
from gaia_email.ledger.event_log import EventLog, NewLedgerEvent
from gaia_email.ledger.tables import (
    ACTIONS,
    CONFIRMATIONS,
    CORRECTIONS,
    DOCUMENTS,
    EVENTS,
    MESSAGE_STATE,
    MESSAGES,
    MODEL_ANSWERS,
    PENDING,
    SENDER_REPUTATION,
)

DAY_S = 86_400.0

LABELS_DOCUMENT = "labels:"
"""How the names of documents begin that belong to the copy of mail: each holds an account's label names."""

RECEIVERS_DOCUMENT = "receivers:"
"""As for labels: where an account's server writes Authentication-Results, by a sample of its mail."""

NOTES_DOCUMENT = "notes:"
"""As for labels: what an account's messages ask and promise, in sentences of theirs."""

BRIEF_DOCUMENT = "brief:"
"""As for labels: an account's last scheduled brief."""

WATCH_DOCUMENT = "watch:"
"""As for labels: how far watches of an account have told its events."""

TIDIED = "tidied"
"""The document that says when old rows were last forgotten."""

KEPT_DOCUMENTS = ("switches", TIDIED)
"""Documents that a purge leaves: who had stopped the agent finds it stopped."""

Extent = Literal["mail", "everything"]
"""The copy of mail alone, or all that the ledger holds."""

_OF_ACCOUNTS: tuple[tuple[str, Table], ...] = (
    ("verdicts", MESSAGE_STATE),
    ("actions", ACTIONS),
    ("corrections", CORRECTIONS),
    ("senders", SENDER_REPUTATION),
    ("pending", PENDING),
    ("confirmations", CONFIRMATIONS),
    ("automations", AUTOMATIONS),
    ("automation_runs", AUTOMATION_RUNS),
)
_BESIDE_THEM = tuple(table for table in AUTOMATION_TABLES if table not in (AUTOMATIONS, AUTOMATION_RUNS))
"""Rows that go with them and are not counted by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgottenRows:
    """How many rows are gone; of actions, how many keep only the bare fact."""

    events: int = 0
    actions: int = 0
    answered: int = 0
    verdicts: int = 0


def forget_older(tx: Connection, events: EventLog, before: float) -> ForgottenRows:
    """Forget events, answered questions and verdicts on mail that is gone, all from before a time.

    Of finished actions the bare fact stays, so that none is done a second time; how to undo them and why they were done
    goes. What is still planned or open stays, and so do corrections, senders, documents and the copy of mail, which
    mirrors the mailbox.
    """
    done = ACTIONS.c
    actions = update(ACTIONS).where(
        done.timestamp < before, done.state != "planned", done.action_payload != "{}"
    )
    asked = delete(CONFIRMATIONS).where(CONFIRMATIONS.c.expires_at < before)
    items = delete(PENDING).where(PENDING.c.created_at < before, PENDING.c.state != "open")
    state, mail = MESSAGE_STATE.c, MESSAGES.c
    here = exists().where(mail.account_id == state.account_id, mail.message_id == state.message_id)
    verdicts = delete(MESSAGE_STATE).where(state.processed_at < before, ~here)
    tx.execute(delete(MODEL_ANSWERS).where(MODEL_ANSWERS.c.asked_at < before))
    AutomationStore.forget_older(tx, before)
    ControlStore.forget_older(tx, events, before)
    return ForgottenRows(
        actions=tx.execute(
            actions.values(action_payload="{}", reversal_payload=None, why="", error=None)
        ).rowcount,
        answered=tx.execute(asked).rowcount + tx.execute(items).rowcount,
        verdicts=tx.execute(verdicts).rowcount,
        events=events.prune(tx, before),
    )


def holdings(tx: Connection, extent: Extent, account_id: str | None = None) -> dict[str, int]:
    """What a purge would take, by name: how many rows of each."""
    counts = {"messages": _count(tx, MESSAGES, account_id)}
    if extent == "everything":
        counts.update((name, _count(tx, table, account_id)) for name, table in _OF_ACCOUNTS)
        counts["events"] = _count(tx, EVENTS, None)
        if account_id is None:
            settings = select(func.count()).select_from(DOCUMENTS)
            settings = settings.where(~_is_of_copy(None), DOCUMENTS.c.name.not_in(KEPT_DOCUMENTS))
            counts["settings"] = tx.execute(settings).scalar_one()
    return counts


def purge(
    tx: Connection,
    cache: MailCache,
    events: EventLog,
    extent: Extent,
    account_id: str | None = None,
    *,
    actor: str,
) -> dict[str, int]:
    """Delete what `holdings` counts; answers the same counts.

    The event log is one chain over all accounts: of it everything goes, and a sealed checkpoint stays. Settings go only
    where all accounts do; whether the agent is paused or stopped stays as it is.
    """
    counts = holdings(tx, extent, account_id)
    cache.clear(tx, account_id)
    tx.execute(delete(DOCUMENTS).where(_is_of_copy(account_id)))
    quoting = delete(MODEL_ANSWERS)  # an answer holds words of the mail
    tx.execute(quoting if account_id is None else quoting.where(MODEL_ANSWERS.c.account_id == account_id))
    if extent == "everything":
        for table in (*(table for _, table in _OF_ACCOUNTS), *_BESIDE_THEM):
            query = delete(table)
            tx.execute(query if account_id is None else query.where(table.c.account_id == account_id))
        if account_id is None:
            tx.execute(delete(DOCUMENTS).where(DOCUMENTS.c.name.not_in(KEPT_DOCUMENTS)))
            for table in CONTROL_TABLES:
                tx.execute(delete(table))
        ControlStore.forget_older(tx, events, float("inf"))
        events.prune(tx, float("inf"))
    events.append(
        tx, NewLedgerEvent(kind="ledger.purged", actor=actor, payload={"extent": extent, "rows": counts})
    )
    return counts


def _count(tx: Connection, table: Table, account_id: str | None) -> int:
    query = select(func.count()).select_from(table)
    return tx.execute(
        query if account_id is None else query.where(table.c.account_id == account_id)
    ).scalar_one()


def _is_of_copy(account_id: str | None) -> ColumnElement[bool]:
    name = DOCUMENTS.c.name
    prefixes = (LABELS_DOCUMENT, RECEIVERS_DOCUMENT, NOTES_DOCUMENT, BRIEF_DOCUMENT, WATCH_DOCUMENT)
    if account_id is None:
        return or_(*(name.startswith(prefix) for prefix in prefixes))
    return name.in_([prefix + account_id for prefix in prefixes])
