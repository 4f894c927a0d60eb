"""A tool's answer as a generic card, for hosts that do not know ours. Entry: `generic_card`.

Uses two generic kinds of a GAIA host: `table {title?, columns, rows}` and `key_value {title?, items}`;
scalars only.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.app.documents.fields import object_of, rows_of
from gaia_email.document import clean
from gaia_mail.printable import visible

Json = dict[str, object]

MOST_ITEMS = 500
"""Maximum number of rows of a table, or of items of a key-value list; the rest is only in the answer itself."""

MOST_CHARS = 300

LISTS = ("rows", "hits", "messages", "items", "sentences", "signals")
"""Names under which an answer lists things."""


def generic_card(data: Mapping[str, object]) -> Json:
    """Return the answer as a table of its list, or as keys and values if it has none."""
    title = _text(data.get("subject") or data.get("query") or data.get("bucket") or "")
    named = {"title": title} if title else {}
    rows = next((found for name in LISTS if (found := rows_of(data, name))), list[Json]())
    flat = [_flat(row) for row in rows[:MOST_ITEMS]]
    if columns := list(dict.fromkeys(name for row in flat for name in row)):
        cells = [[row.get(column, "") for column in columns] for row in flat]
        return {"render": "table", "data": {**named, "columns": columns, "rows": cells}}
    items = [{"key": key, "value": value} for key, value in _flat(data).items()]
    return {"render": "key_value", "data": {**named, "items": items[:MOST_ITEMS]}}


def _flat(row: Mapping[str, object]) -> Json:
    """Return a row's scalars, and its sender as one text."""
    found: Json = {}
    for name, value in row.items():
        if isinstance(value, bool | int | float):
            found[name] = value
        elif isinstance(value, str):
            found[name] = _text(value)
        elif name == "from":
            person = object_of(row, "from")
            found[name] = _text(person.get("name") or person.get("address") or "")
    return found


def _text(value: object) -> str:
    text = visible(" ".join(clean(str(value)).split()))
    return text if len(text) <= MOST_CHARS else f"{text[: MOST_CHARS - 1]}…"
