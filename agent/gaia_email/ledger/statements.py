"""Statements that several stores need: `rows_of`, `first_of`, `upsert`, `chunks`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, Table
from sqlalchemy.dialects import postgresql, sqlite

Item = TypeVar("Item")

AT_ONCE = 500
"""Values of an IN list; SQLite takes 32,766 parameters in one statement, older ones 999."""


def chunks(items: Iterable[Item], size: int = AT_ONCE) -> Iterator[list[Item]]:
    """The items in lists of at most `size`."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def rows_of(tx: Connection, query: Select[Any]) -> list[dict[str, Any]]:
    """What a query finds, by column name."""
    result = tx.execute(query)
    names = list(result.keys())
    return [dict(zip(names, row, strict=True)) for row in result]


def first_of(tx: Connection, query: Select[Any]) -> dict[str, Any] | None:
    """The first row a query finds, by column name."""
    return next(iter(rows_of(tx, query.limit(1))), None)


def upsert(tx: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert the rows; where the primary key is there already, the given columns replace what it holds.

    Every row gives the same columns. SQLite and PostgreSQL spell it alike, but SQLAlchemy has it in their dialects.
    """
    if not rows:
        return
    dialect = postgresql if tx.dialect.name == "postgresql" else sqlite
    keys = [column.name for column in table.primary_key]
    insert = dialect.insert(table)
    replaced = {name: insert.excluded[name] for name in rows[0] if name not in keys}
    tx.execute(insert.on_conflict_do_update(index_elements=keys, set_=replaced), list(rows))
