"""Pieces of SQL that searches are put together from, each with the values of its question marks: `Sql`.

Searches are written as text for the driver: an expression of SQLAlchemy costs more to build and to compile than most
searches cost to run. Values never become part of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row

DatabaseRow: TypeAlias = "Row[*tuple[Any, ...]]"
"""A row as the driver gives it."""


Value: TypeAlias = int | float | str
"""What a question mark stands for."""


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of a statement, the same for SQLite and PostgreSQL, and the values of its question marks, in order."""

    text: str
    values: tuple[Value, ...] = ()


def joined(between: str, pieces: Sequence[Sql]) -> Sql:
    """One piece of several, with the text `between` them."""
    if len(pieces) == 1:
        return pieces[0]
    return Sql(
        between.join(piece.text for piece in pieces),
        tuple(value for piece in pieces for value in piece.values),
    )


def filled(pattern: str, *pieces: Sql) -> Sql:
    """The pieces in the places of a pattern for `str.format`."""
    values = tuple(value for piece in pieces for value in piece.values)
    return Sql(pattern.format(*(piece.text for piece in pieces)), values)


def one_of(pieces: Sequence[Sql]) -> Sql:
    """What holds where one of the conditions does."""
    return filled("({})", joined(" OR ", pieces))


def marks(count: int) -> str:
    """So many question marks, for an IN list."""
    return ", ".join("?" * count)


def rows(tx: Connection, sql: Sql) -> Sequence[DatabaseRow]:
    """What a statement finds."""
    text = sql.text.replace("?", "%s") if tx.dialect.name == "postgresql" else sql.text
    return tx.exec_driver_sql(text, sql.values).all()
