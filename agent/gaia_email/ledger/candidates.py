"""Which messages a plan finds, newest first: `candidates`, the numbers of their rows, a page a statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from sqlalchemy import Connection

from gaia_email.ledger.full_text import matching
from gaia_email.ledger.query_plan import QueryPlan
from gaia_email.ledger.sql import DatabaseRow, Sql, filled, joined, rows

RankedRow: TypeAlias = DatabaseRow
"""The row of a candidate, and, where it is ranked, its date and rank."""

LEAST, MOST = 128, 4096
"""Numbers asked for at first and at most at once."""

BEYOND = 1 << 62
"""Greater than the number of any row."""


def candidates(
    tx: Connection, plan: QueryPlan, account_id: str | None, *, ranked: bool, wanted: int
) -> Iterator[Sequence[RankedRow]]:
    """Pages of what the plan finds; more are asked for at once when the first, of about `wanted`, are not enough."""
    high, most = BEYOND, min(max(wanted, LEAST), MOST)
    while True:
        page = rows(tx, _statement(plan, account_id, tx.dialect.name, high, most, ranked=ranked))
        yield page
        if len(page) < most:
            return
        high, most = page[-1][0], min(most * 4, MOST)


def _statement(
    plan: QueryPlan, account_id: str | None, dialect: str, high: int, most: int, *, ranked: bool
) -> Sql:
    """What finds the newest rows below `high`; rows grow with the date, so newest first costs no sorting."""
    conditions = [] if plan.where is None else [plan.where]
    if account_id is not None:
        conditions.append(Sql("message_marks.account_id = ?", (account_id,)))
    columns, row, source = Sql("message_marks.row"), "message_marks.row", "message_marks"
    if plan.words is not None:
        found = matching(plan.words, dialect)
        row = found.row
        columns = filled(f"{row}, message_marks.date, {{}}", found.rank) if ranked else Sql(row)
        source = f"message_words JOIN message_marks ON message_marks.row = {row}"
        conditions = [found.condition, *conditions]
    conditions.append(Sql(f"{row} < ?", (high,)))
    return filled(
        f"SELECT {{}} FROM {source} WHERE {{}} ORDER BY 1 DESC LIMIT {{}}",
        columns,
        joined(" AND ", conditions),
        Sql("?", (most,)),
    )
