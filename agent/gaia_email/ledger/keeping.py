"""Deletes data from the ledger, by age or on request. Entry points: `forget_older`, `holdings`, `purge`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, func, or_, select, update

from gaia_email.ledger.cache import MailCache
from gaia_email.ledger.event_log import EventLog, NewLedgerEvent
from gaia_email.ledger.plugin_tables import PluginTables, counted_rows, installed_tables
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
"""Prefix of documents that belong to the copy of mail; each contains an account's label names."""

RECEIVERS_DOCUMENT = "receivers:"
"""Prefix of documents with the place where an account's server writes Authentication-Results, from sampled mail."""

NOTES_DOCUMENT = "notes:"
"""Prefix of documents with the requests and promises quoted from an account's messages."""

BRIEF_DOCUMENT = "brief:"
"""Prefix of documents with an account's last scheduled brief."""

WATCH_DOCUMENT = "watch:"
"""Prefix of documents with the cursor up to which an account's events were reported."""

TIDIED = "tidied"
"""The document that records when old rows were last deleted."""

KEPT_DOCUMENTS = ("switches", TIDIED)
"""Documents that survive a purge, so that a stopped agent stays stopped."""

Extent = Literal["mail", "everything"]
"""The copy of mail only, or everything in the ledger."""

_OF_ACCOUNTS: tuple[tuple[str, Table], ...] = (
    ("verdicts", MESSAGE_STATE),
    ("actions", ACTIONS),
    ("corrections", CORRECTIONS),
    ("senders", SENDER_REPUTATION),
    ("pending", PENDING),
    ("confirmations", CONFIRMATIONS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgottenRows:
    """Number of deleted rows; for `actions`, of those reduced to the bare fact."""

    events: int = 0
    actions: int = 0
    answered: int = 0
    verdicts: int = 0


def forget_older(tx: Connection, events: EventLog, before: float) -> ForgottenRows:
    """Delete events, answered questions and verdicts on deleted mail, all older than `before`.

    Finished actions keep the bare fact, so that none is repeated, but lose their undo and their reason. Planned and
    open rows stay, and so do corrections, senders, documents and the copy of mail, which mirrors the mailbox.
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
    for one in installed_tables().values():
        one.forget_older(tx, before)
    _prepare_pruning(tx, events, before)
    return ForgottenRows(
        actions=tx.execute(
            actions.values(action_payload="{}", reversal_payload=None, why="", error=None)
        ).rowcount,
        answered=tx.execute(asked).rowcount + tx.execute(items).rowcount,
        verdicts=tx.execute(verdicts).rowcount,
        events=events.prune(tx, before),
    )


def holdings(tx: Connection, extent: Extent, account_id: str | None = None) -> dict[str, int]:
    """Count the rows that a purge would delete, by name."""
    counts = {"messages": _count(tx, MESSAGES, account_id)}
    if extent == "everything":
        counts.update((name, _count(tx, table, account_id)) for name, table in _OF_ACCOUNTS)
        counts.update((rows.name, _count(tx, rows.table, account_id)) for rows in counted_rows())
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
    """Delete everything that `holdings` counts, and return the same counts.

    The event log is one chain for all accounts, so all of it is deleted and a sealed checkpoint stays. Settings are
    deleted only if all accounts are; a paused or stopped agent stays so.
    """
    counts = holdings(tx, extent, account_id)
    cache.clear(tx, account_id)
    tx.execute(delete(DOCUMENTS).where(_is_of_copy(account_id)))
    quoting = delete(MODEL_ANSWERS)  # answers quote mail
    tx.execute(quoting if account_id is None else quoting.where(MODEL_ANSWERS.c.account_id == account_id))
    if extent == "everything":
        plugins = installed_tables().values()
        for table in (*(table for _, table in _OF_ACCOUNTS), *_of_accounts(plugins)):
            query = delete(table)
            tx.execute(query if account_id is None else query.where(table.c.account_id == account_id))
        if account_id is None:
            tx.execute(delete(DOCUMENTS).where(DOCUMENTS.c.name.not_in(KEPT_DOCUMENTS)))
            for table in (table for one in plugins for table in one.purged_with_everything):
                tx.execute(delete(table))
        _prepare_pruning(tx, events, float("inf"))
        events.prune(tx, float("inf"))
    events.append(
        tx, NewLedgerEvent(kind="ledger.purged", actor=actor, payload={"extent": extent, "rows": counts})
    )
    return counts


def _of_accounts(plugins: Iterable[PluginTables]) -> Iterator[Table]:
    for one in plugins:
        yield from (rows.table for rows in one.counted)
        yield from one.purged_by_account


def _prepare_pruning(tx: Connection, events: EventLog, before: float) -> None:
    for one in installed_tables().values():
        one.before_pruning(tx, events, before)


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
