"""Exports everything in the ledger as plain rows for other programs. Entry points: `TABLES`, `export_rows`.

Bodies are exported only on request: texts of messages, and payload fields called `body`, `text` or `html`, such as
those of drafts. The same applies to senders and subjects in the event log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, select

from gaia_email.ledger.statements import from_lines
from gaia_email.ledger.tables import (
    ACTIONS,
    CHECKPOINTS,
    CONFIRMATIONS,
    CORRECTIONS,
    DOCUMENTS,
    EVENTS,
    MESSAGE_STATE,
    MESSAGE_TEXT,
    MESSAGES,
    PENDING,
    SENDER_REPUTATION,
    SYNC_STATE,
)

TABLES: dict[str, Table] = {
    "events": EVENTS,
    "checkpoints": CHECKPOINTS,
    "actions": ACTIONS,
    "verdicts": MESSAGE_STATE,
    "corrections": CORRECTIONS,
    "senders": SENDER_REPUTATION,
    "pending": PENDING,
    "confirmations": CONFIRMATIONS,
    "documents": DOCUMENTS,
    "accounts": SYNC_STATE,
    "messages": MESSAGES,
}
"""Exportable tables by name."""

_TIMES = {
    "events": "at",
    "actions": "timestamp",
    "verdicts": "processed_at",
    "corrections": "timestamp",
    "pending": "created_at",
    "confirmations": "created_at",
    "messages": "date",
}
_JSON = (
    "payload",
    "action_payload",
    "reversal_payload",
    "features",
    "proposal",
    "answer",
    "arguments",
    "shown",
    "value",
)
_LINES = ("labels", "flags", "filenames")
_BODIES = frozenset(("body", "text", "html", "html_body"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSelection:
    """The rows to export: one account's, since a time (epoch seconds), with bodies, with people in the event log."""

    account_id: str | None = None
    since: float | None = None
    bodies: bool = False
    people: bool = False


def export_rows(tx: Connection, name: str, chosen: ExportSelection) -> Iterator[dict[str, Any]]:
    """Yield the rows of one of `TABLES`, oldest first."""
    table = TABLES[name]
    columns: list[Any] = [column for column in table.c if column.name not in ("row", "generation")]
    query: Any = select(*columns)
    if name == "messages" and chosen.bodies:
        query = select(*columns, MESSAGE_TEXT.c.text).outerjoin_from(
            MESSAGES, MESSAGE_TEXT, MESSAGES.c.row == MESSAGE_TEXT.c.row
        )
    if chosen.account_id is not None and "account_id" in table.c:
        query = query.where(table.c.account_id == chosen.account_id)
    if chosen.since is not None and name in _TIMES:
        query = query.where(table.c[_TIMES[name]] >= chosen.since)
    order = table.c["seq"] if "seq" in table.c else next(iter(table.primary_key))
    result = tx.execute(query.order_by(order).execution_options(yield_per=500))
    keys = list(result.keys())
    for found in result:
        yield _plain(name, dict(zip(keys, found, strict=True)), chosen)


def _plain(name: str, row: dict[str, Any], chosen: ExportSelection) -> dict[str, Any]:
    if name == "messages":
        row.update(json.loads(row.pop("recipients")))
    for column in _LINES:
        if column in row:
            row[column] = list(from_lines(row[column]))
    for column in _JSON:
        if row.get(column) is not None:
            value = json.loads(row[column])
            row[column] = value if chosen.bodies else without_bodies(value)
    if name == "events" and not chosen.people:
        row["sender"] = row["subject"] = None
    return row


def without_bodies(value: Any) -> Any:
    """Return the JSON value without fields named like a body, at any depth."""
    if isinstance(value, dict):
        return {key: without_bodies(inner) for key, inner in value.items() if key not in _BODIES}  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if isinstance(value, list):
        return [without_bodies(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value
