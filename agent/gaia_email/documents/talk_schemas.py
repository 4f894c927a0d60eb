"""The JSON Schemas of what `draft` and `remember` print. Entry point: `TALK_SCHEMAS`."""

from __future__ import annotations

from gaia_email.documents.schema_parts import COUNT, FLAG, TEXT, VERSION, Schema, listed, one_of, record

DRAFT = record(
    schema_version=VERSION,
    id=TEXT,
    to=TEXT,
    subject=TEXT,
    body=TEXT,
    questions=listed(TEXT),
    questions_left_out=COUNT,
    to_finish=FLAG,
    voice=record(messages=COUNT, greeting=TEXT, formal=FLAG),
    warnings=listed(one_of("phishing", "injection", "spam")),
    by=TEXT,
    saved=FLAG,
)
REMEMBER = record(schema_version=VERSION, sentences=listed(record(n=COUNT, text=TEXT, said_in=TEXT)))

TALK_SCHEMAS: dict[str, Schema] = {"draft": DRAFT, "remember": REMEMBER}
