"""Helpers for statements of several stores: `rows_of`, `objects_of`, `upsert`, `chunks`, `only`."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects import sqlite

from gaia_email.document import Document, Timestamp
from gaia_email.ledger.text import from_json
from gaia_email_registry.errors import NotFound
from gaia_email_registry.origin import RequestOrigin, origin_from_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Item = TypeVar("Item")
Stored = TypeVar("Stored")

AT_ONCE = 500
"""Values in an IN list; SQLite accepts 32,766 parameters per statement, older versions 999."""


def chunks(items: Iterable[Item], size: int = AT_ONCE) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def only(
    found: Collection[Item],
    beginning: str,
    *,
    none: str,
    several: str,
    argument: str,
    hint: str | None = None,
) -> Item:
    """Return the single item found for an ID prefix.

    Args:
        found: The items found.
        beginning: The prefix that was searched for; an empty one matches nothing.
        none: Start of the error if there is none, such as `"No run has"`.
        several: Start of the error if there are several, such as `"More than one run has"`.
        argument: The argument to name in the error.
        hint: What to do next.

    Raises:
        NotFound: There is none, or more than one.
    """
    if len(found) == 1 and beginning:
        return next(iter(found))
    what = several if found else none
    raise NotFound(f"{what} an id that begins with {beginning[:60]!r}.", argument=argument, hint=hint)


def columns_of(row: DataclassInstance | Document) -> dict[str, object]:
    """Return the fields of a flat type by name. `dataclasses.asdict` would copy each value."""
    names = row.__struct_fields__ if isinstance(row, Document) else row.__dataclass_fields__
    return {name: getattr(row, name) for name in names}


def rows_of(
    tx: Connection, query: Executable, parameters: Mapping[str, object] | None = None
) -> list[dict[str, Any]]:
    """Return the rows a query finds, by column name."""
    result = tx.execute(query, parameters)
    names = list(result.keys())
    return [dict(zip(names, row, strict=True)) for row in result]


def first_of(tx: Connection, query: Executable) -> dict[str, Any] | None:
    """Return the first row a query finds by column name, or None."""
    return next(iter(rows_of(tx, query)), None)


def objects_of(tx: Connection, kind: type[Stored], query: Executable) -> list[Stored]:
    """Run a query and convert its rows with `from_row`."""
    return [from_row(kind, row) for row in rows_of(tx, query)]


def object_of(tx: Connection, kind: type[Stored], query: Executable) -> Stored | None:
    """Run a query and convert its first row with `from_row`; None if there is none."""
    return next(iter(objects_of(tx, kind, query)), None)


def from_row(kind: type[Stored], row: Mapping[str, Any]) -> Stored:
    """Build `kind` from the columns named like its fields. JSON, timestamps and origins are decoded by field type."""
    values = dict(row)
    for name, read in _readers(cast("Hashable", kind)):
        if values[name] is not None:
            values[name] = read(values[name])
    return kind(**values)


@lru_cache(maxsize=64)
def _readers(kind: type[object]) -> list[tuple[str, Callable[[Any], object]]]:
    found: list[tuple[str, Callable[[Any], object]]] = []
    for name, hint in get_type_hints(kind).items():
        kinds = {get_origin(one) or one for one in (hint, *get_args(hint))}
        if RequestOrigin in kinds:
            found.append((name, origin_from_text))
        elif Timestamp in kinds:
            found.append((name, Timestamp))
        elif dict in kinds or Mapping in kinds:
            found.append((name, from_json))
        elif list in kinds:
            found.append((name, json.loads))
    return found


def upsert(tx: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows; if a primary key exists, the given columns replace the stored values.

    All rows must have the same columns. SQLite and PostgreSQL share the syntax, but SQLAlchemy has it per dialect.
    """
    if not rows:
        return
    keys = [column.name for column in table.primary_key]
    if tx.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # loads the driver, which users of a file do not need

        insert: sqlite.Insert | postgresql.Insert = postgresql.insert(table)
    else:
        insert = sqlite.insert(table)
    replaced = {name: insert.excluded[name] for name in rows[0] if name not in keys}
    tx.execute(insert.on_conflict_do_update(index_elements=keys, set_=replaced), list(rows))


def to_lines(items: Iterable[str]) -> str:
    """Join items as lines, with a line feed before and after each; empty for no items."""
    joined = "\n".join(items)
    return f"\n{joined}\n" if joined else ""


def from_lines(text: str) -> tuple[str, ...]:
    """Return the items passed to `to_lines`."""
    return tuple(text[1:-1].split("\n")) if text else ()
