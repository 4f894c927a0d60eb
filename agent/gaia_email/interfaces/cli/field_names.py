"""Checks that a command prints the fields named by `--fields`, before it does any work. Entry: `check_fields`.

The schema of the output lists the fields of the document, or of one of its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from click import UsageError

from gaia_email.app.documents.schemas import document_names, schema
from gaia_email.document import COMMAND_DOCUMENTS, Schema

_PRINTS = {"demo": ("inbox",), "triage": ("triage", "triage-apply")}
"""Commands that print the documents of other commands, or one of two documents."""
_WITH_BUCKET = frozenset({"inbox", "demo", "triage"})
"""Commands whose lines include the bucket, by which the document groups them."""


def check_fields(command: str, fields: Sequence[str]) -> None:
    """Refuse a field that neither the document nor a line of this command has; skip commands without a schema.

    Raises:
        UsageError: The field does not exist; the error lists those that do.
    """
    printed = (*document_names(), *COMMAND_DOCUMENTS)
    schemas = [schema(name) for name in _PRINTS.get(command, (command,)) if name in printed]
    if not fields or not schemas:
        return
    records = [record for one in schemas for record in _records(one)]
    if command in _WITH_BUCKET:
        line: Mapping[str, object] = max(records, key=len)
        records.append({"bucket": {}, **line})
    for field in fields:
        _check(field, records)


def _check(field: str, records: Sequence[Mapping[str, object]]) -> None:
    for key in field.split("."):
        if not records:
            return
        below = [record[key] for record in records if key in record]
        if not below:
            names = max(records, key=len)
            raise UsageError(f"There is no field {field[:80]!r} here; there are {', '.join(names)}.")
        records = [record for one in below for record in _own(one)]


def _own(one: object) -> list[Mapping[str, object]]:
    """Return the properties of a possibly nullable record; empty if any property is allowed."""
    return [
        properties for part in (one, *_parts(one, "anyOf")) if (properties := _mapping(part, "properties"))
    ]


def _records(one: object) -> Iterator[Mapping[str, object]]:
    """Yield the properties of every record in a schema."""
    if properties := _mapping(one, "properties"):
        yield properties
    for part in (*properties.values(), *_parts(one, "anyOf"), *_parts(one, "oneOf")):
        yield from _records(part)
    for key in ("items", "additionalProperties"):
        if below := _mapping(one, key):
            yield from _records(below)


def _mapping(one: object, key: str) -> Schema:
    value: object = one.get(key) if isinstance(one, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _parts(one: object, key: str) -> list[object]:
    value: object = one.get(key) if isinstance(one, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
