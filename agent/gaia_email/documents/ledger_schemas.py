"""The JSON Schemas of what `search`, `export`, `purge` and `ledger` print. Entry point: `LEDGER_SCHEMAS`."""

from __future__ import annotations

from gaia_email.documents.schema_parts import (
    ADDRESS,
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    VERSION,
    Schema,
    listed,
    one_of,
    optional,
    record,
)

HIT = record(
    id=TEXT,
    thread_id=TEXT,
    message_id=TEXT,
    from_=ADDRESS,
    subject=TEXT,
    date=optional(TEXT),
    labels=listed(TEXT),
    unread=FLAG,
    has_attachments=FLAG,
    snippet=TEXT,
    marks=listed(listed(COUNT)),
    score=NUMBER,
)
SEARCH = record(
    schema_version=VERSION,
    account=TEXT,
    query=TEXT,
    order=one_of("best", "newest"),
    shown=COUNT,
    total=COUNT,
    total_is_exact=FLAG,
    searched=COUNT,
    as_of=optional(TEXT),
    up_to_date=FLAG,
    problem=optional(TEXT),
    hits=listed(HIT),
)
COUNTS: Schema = {"type": "object", "additionalProperties": COUNT}
ROWS: Schema = {"type": "array", "items": {"type": "object"}}
EXPORT: Schema = {
    "type": "object",
    "properties": {
        "schema_version": VERSION,
        "exported_at": TEXT,
        "account": optional(TEXT),
        "with_bodies": FLAG,
        "with_people": FLAG,
        "tables": {"type": "object", "additionalProperties": ROWS},
    },
    "required": ["schema_version", "exported_at", "account", "with_bodies", "with_people", "tables"],
    "additionalProperties": False,
}
PURGE = record(
    schema_version=VERSION, extent=one_of("mail", "everything"), account=optional(TEXT), gone=COUNTS
)
VERIFY = record(
    schema_version=VERSION,
    intact=FLAG,
    events=COUNT,
    last_event=COUNT,
    broken=optional(record(seq=COUNT, reason=TEXT)),
    database=optional(TEXT),
)

LEDGER_SCHEMAS: dict[str, Schema] = {"search": SEARCH, "export": EXPORT, "purge": PURGE, "ledger": VERIFY}
"""Command name → what its `--json` prints; `ledger` is `ledger verify`."""
