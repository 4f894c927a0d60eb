"""Which messages a plan finds, newest first: `candidates`, the numbers of their rows, a page a statement.

A page ends the statement as soon as it is full. What is rare is not looked for among all messages: when the newest
ones do not fill the page, the indexes over marks and sizes say which can be meant, if they are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlalchemy import Connection

from gaia_email.ledger.full_text import Without, Words, matching
from gaia_email.ledger.query_plan import Plan
from gaia_email.ledger.sql import Bound, Found, Sql, filled, joined, marks, rows

Number: TypeAlias = Found
"""The row of a candidate, and, where it is ranked, its date and rank."""

LEAST, MOST = 128, 4096
"""Numbers asked for at first and at most at once."""

REACH = 2048
"""The newest rows that are looked at before it is asked what is rare."""

FEW = 1024
"""Rows that are few, beside 50,000; where words are looked for, too, four times as many are."""

KINDS = 500
"""Values of marks that are looked through for those with some bit."""

BEYOND = 1 << 62
"""Greater than the number of any row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """One alternative of a plan; `few` finds the only rows that can be meant, where these are few."""

    plan: Plan
    few: Sql | None = None


def candidates(
    tx: Connection, plan: Plan, account_id: str | None, *, ranked: bool, wanted: int
) -> Iterator[Sequence[Number]]:
    """Pages of what the plan finds; more are asked for at once when the first, of about `wanted`, are not enough."""
    sources = [_Source(plan=one) for one in plan.either or (plan,)]
    # A compound statement is merged row by row on SQLite, but PostgreSQL sorts all of it first.
    slices = plan.nested or (tx.dialect.name == "postgresql" and _is_compound(sources))
    unsettled = any(one.plan.has or one.plan.sizes for one in sources)
    reach = REACH if slices or unsettled else 0
    high, most = BEYOND, min(max(wanted, LEAST), MOST)
    while sources:
        low = _row_below(tx, high, reach) if reach else 0
        statement = _statement(sources, account_id, tx.dialect.name, ranked=ranked, bounded=slices or low > 0)
        page = rows(tx, statement, {Bound.LOW: low, Bound.HIGH: high, Bound.MOST: most})
        yield page
        if len(page) == most:
            high, most = page[-1][0], min(most * 4, MOST)
        elif low:
            high, most = low, most - len(page)
            if unsettled:
                sources = _settled(tx, sources)
            unsettled = False
            reach = reach * 4 if slices else 0
        else:
            return


def _is_compound(sources: Sequence[_Source]) -> bool:
    return len(sources) > 1 or any(one.plan.without and not one.plan.words for one in sources)


def _row_below(tx: Connection, high: int, count: int) -> int:
    """The row so many rows below another; 0 where there are not so many."""
    found = rows(tx, Sql(_ROW_BELOW, (high, count)))
    return int(found[0][0]) if found else 0


_ROW_BELOW = (
    "SELECT message_marks.row FROM message_marks WHERE message_marks.row < ? "
    "ORDER BY message_marks.row DESC LIMIT 1 OFFSET ?"
)


def _statement(
    sources: Sequence[_Source], account_id: str | None, dialect: str, *, ranked: bool, bounded: bool
) -> Sql:
    """What finds the rows between the bounds, newest first."""
    alone = len(sources) == 1
    selects = [
        _select(one, account_id, dialect, ranked=ranked, bounded=bounded, alone=alone) for one in sources
    ]
    return filled("{} ORDER BY 1 DESC LIMIT {}", joined(" UNION ", selects), Sql("?", (Bound.MOST,)))


def _select(
    source: _Source, account_id: str | None, dialect: str, *, ranked: bool, bounded: bool, alone: bool
) -> Sql:
    plan, few = source.plan, source.few
    conditions = [] if plan.where is None else [plan.where]
    if account_id is not None:
        conditions.append(Sql("message_marks.account_id = ?", (account_id,)))
    if few is not None and not ranked and (alone or plan.words is None):
        of_marks = _of_marks([filled("message_marks.row IN ({})", few), *conditions], bounded)
        if plan.words is None:
            return _without(of_marks, plan.without, dialect, bounded)
        return joined(" INTERSECT ", [of_marks, _of_words(_wanted(plan, plan.words), dialect, bounded)])
    if plan.words is None:
        return _without(_of_marks(conditions, bounded), plan.without, dialect, bounded)
    if ranked or conditions:
        return _joined_words(plan, plan.words, conditions, dialect, ranked=ranked, bounded=bounded)
    return _of_words(_wanted(plan, plan.words), dialect, bounded)


def _wanted(plan: Plan, words: Words) -> Words:
    return words if plan.without is None else Without(part=words, other=plan.without)


def _between(row: str, bounded: bool) -> list[Sql]:
    below = Sql(f"{row} < ?", (Bound.HIGH,))
    return [below, Sql(f"{row} >= ?", (Bound.LOW,))] if bounded else [below]


def _of_marks(conditions: Sequence[Sql], bounded: bool) -> Sql:
    where = joined(" AND ", [*conditions, *_between("message_marks.row", bounded)])
    return filled("SELECT message_marks.row FROM message_marks WHERE {}", where)


def _of_words(words: Words, dialect: str, bounded: bool) -> Sql:
    found = matching(words, dialect)
    where = joined(" AND ", [found.condition, *_between(found.row, bounded)])
    return filled(f"SELECT {found.row} FROM message_words WHERE {{}}", where)


def _without(found: Sql, words: Words | None, dialect: str, bounded: bool) -> Sql:
    return found if words is None else joined(" EXCEPT ", [found, _of_words(words, dialect, bounded)])


def _joined_words(
    plan: Plan, words: Words, conditions: Sequence[Sql], dialect: str, *, ranked: bool, bounded: bool
) -> Sql:
    found = matching(_wanted(plan, words), dialect)
    rank = matching(words, dialect).rank
    columns = filled(f"{found.row}, message_marks.date, {{}}", rank) if ranked else Sql(found.row)
    return filled(
        f"SELECT {{}} FROM message_words JOIN message_marks ON message_marks.row = {found.row} WHERE {{}}",
        columns,
        joined(" AND ", [found.condition, *conditions, *_between(found.row, bounded)]),
    )


def _settled(tx: Connection, sources: Sequence[_Source]) -> list[_Source]:
    """The sources with their few rows; those that find nothing at all are left out."""
    settled: list[_Source] = []
    for source in sources:
        most = 4 * FEW if source.plan.words else FEW
        few: Sql | None = None
        for condition in _telling(tx, source.plan):
            rare = filled("SELECT message_marks.row FROM message_marks WHERE {}", condition)
            count = _count(tx, rare, most)
            if count <= most:
                few = rare
                most = count - 1
            if not count:
                break
        if most >= 0:
            settled.append(replace(source, few=few))
    return settled


def _telling(tx: Connection, plan: Plan) -> Iterator[Sql]:
    """Conditions that every message of a plan fulfils and that an index knows how to find."""
    yield from plan.sizes
    if plan.has:
        kinds = _kinds(tx, max(plan.has, key=_lowest))
        if kinds is not None:
            meant = [kind for kind in kinds if all(kind & bits for bits in plan.has)]
            yield Sql(f"message_marks.marks IN ({marks(len(meant))})", tuple(meant)) if meant else _NEVER


_NEVER = Sql("1 = 0")
_KINDS = """WITH RECURSIVE kinds(kind) AS (
        SELECT min(marks) FROM message_marks WHERE marks >= ?
        UNION ALL
        SELECT (SELECT min(marks) FROM message_marks WHERE marks >=
            CASE WHEN kinds.kind & ? != 0 THEN kinds.kind + 1 ELSE ((kinds.kind >> ?) | 1) << ? END)
        FROM kinds WHERE kinds.kind IS NOT NULL
    ) SELECT kind FROM kinds WHERE kind IS NOT NULL LIMIT ?"""


def _lowest(bits: int) -> int:
    """The place of the lowest bit."""
    return (bits & -bits).bit_length() - 1


def _kinds(tx: Connection, bits: int) -> list[int] | None:
    """The values of marks with one of the bits, and some others; None where they are many.

    Each is one look into the index: from a value without the bits to the smallest that can have one.
    """
    lowest = _lowest(bits)
    found = rows(tx, Sql(_KINDS, (1 << lowest, bits, lowest, lowest, KINDS + 1)))
    return [int(row[0]) for row in found] if len(found) <= KINDS else None


def _count(tx: Connection, found: Sql, most: int) -> int:
    """How many rows a statement finds, or one more than `most`."""
    statement = filled("SELECT count(*) FROM ({} LIMIT {}) AS found", found, Sql("?", (most + 1,)))
    return int(rows(tx, statement)[0][0])
