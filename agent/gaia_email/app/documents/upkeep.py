"""Documents of `ledger verify`, `purge` and `export`. Entries: `check_document`, `purge_document`, `export_text`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypedDict, get_args

from gaia_email.document import Count, Version
from gaia_email_registry.clock import utc_now
from gaia_mail.printable import safe_json


class ChainBreakRow(TypedDict):
    """Where the chain of events breaks, and why."""

    seq: Count
    reason: str


class VerifyDocument(TypedDict):
    """What `ledger verify` prints."""

    schema_version: Version
    intact: bool
    events: Count
    last_event: Count
    broken: ChainBreakRow | None
    database: str | None


class PurgeDocument(TypedDict):
    """What `purge` prints."""

    schema_version: Version
    extent: Literal["mail", "everything"]
    account: str | None
    gone: dict[str, Count]


class ExportHead(TypedDict):
    """How an export begins."""

    schema_version: Version
    exported_at: str
    account: str | None
    with_bodies: bool
    with_people: bool


class ExportDocument(ExportHead):
    """What `export` writes: the rows of each table."""

    tables: dict[str, list[dict[str, object]]]


class RetriagedRow(TypedDict):
    """Messages of a mailbox that were sorted again or will be, and how many answers of the model were forgotten."""

    account: str
    messages: Count
    forgotten: Count


class RetriagedDocument(TypedDict):
    """What was sorted again; where a model was named, what the next triage sorts again."""

    schema_version: Version
    mailboxes: list[RetriagedRow]


class LicencesDocument(TypedDict):
    """What `gaia licenses --json` prints: name, version, licence and page of every library."""

    schema_version: Version
    licenses: list[dict[str, str]]


ExportPart = Literal[
    "events",
    "checkpoints",
    "actions",
    "verdicts",
    "corrections",
    "senders",
    "pending",
    "confirmations",
    "documents",
    "accounts",
    "messages",
]
EXPORT_PARTS: tuple[ExportPart, ...] = get_args(ExportPart)

UPKEEP_DOCUMENTS: dict[str, object] = {
    "export": ExportDocument,
    "purge": PurgeDocument,
    "ledger": VerifyDocument,
}
"""By command; `ledger` is `ledger verify`."""


def check_document(
    *, events: int, last_event: int, broken: tuple[int, str] | None, database: str | None
) -> VerifyDocument:
    """What a walk through the ledger found."""
    return {
        "schema_version": 1,
        "intact": broken is None and database is None,
        "events": events,
        "last_event": last_event,
        "broken": None if broken is None else {"seq": broken[0], "reason": broken[1]},
        "database": database,
    }


def purge_document(
    extent: Literal["mail", "everything"], account: str | None, gone: Mapping[str, int]
) -> PurgeDocument:
    """What was deleted, by kind."""
    return {"schema_version": 1, "extent": extent, "account": account, "gone": dict(gone)}


def licences_document(rows: Sequence[dict[str, str]]) -> LicencesDocument:
    """What `gaia licenses` prints: name, version, licence and page of every library."""
    return {"schema_version": 1, "licenses": list(rows)}


def export_head(*, account: str | None, bodies: bool, people: bool) -> ExportHead:
    """The beginning of an export, before its `tables`."""
    return {
        "schema_version": 1,
        "exported_at": utc_now().isoformat(timespec="seconds"),
        "account": account,
        "with_bodies": bodies,
        "with_people": people,
    }


def export_text(
    head: ExportHead, tables: Iterable[tuple[str, Iterable[Mapping[str, object]]]]
) -> Iterator[str]:
    """An export as JSON, piece by piece, a row a line, so that a mailbox of any size goes through."""
    yield safe_json(json.dumps(head, ensure_ascii=False))[:-1] + ', "tables": {'
    for number, (name, rows) in enumerate(tables):
        yield f'{"," if number else ""}\n"{name}": ['
        for index, row in enumerate(rows):
            yield ("," if index else "") + "\n" + safe_json(json.dumps(row, ensure_ascii=False))
        yield "]"
    yield "}}\n"
