"""The document of `export`, which is written in pieces. Entries: `export_head`, `export_text`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypedDict, get_args

from gaia_email.document import Version
from gaia_email_registry.clock import utc_now
from gaia_mail.printable import safe_json


class ExportHead(TypedDict):
    """The fields at the start of an export."""

    schema_version: Version
    exported_at: str
    account: str | None
    with_bodies: bool
    with_people: bool


class ExportDocument(ExportHead):
    """The document of `export`: the rows of each table."""

    tables: dict[str, list[dict[str, object]]]


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


def export_head(*, account: str | None, bodies: bool, people: bool) -> ExportHead:
    """Return the start of an export, before its `tables`."""
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
    """Yield an export as JSON in pieces, one row per line, so that memory does not grow with the mailbox."""
    yield safe_json(json.dumps(head, ensure_ascii=False))[:-1] + ', "tables": {'
    for number, (name, rows) in enumerate(tables):
        yield f'{"," if number else ""}\n"{name}": ['
        for index, row in enumerate(rows):
            yield ("," if index else "") + "\n" + safe_json(json.dumps(row, ensure_ascii=False))
        yield "]"
    yield "}}\n"
