"""The verdict on each cached message, stored as long as it holds: `CachedVerdicts`.

Only a copy of what judging gives again: it goes with its message, and a verdict of another basis replaces it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from gaia_email.ledger.statements import chunks, upsert
from gaia_email.ledger.tables import KEPT_LOOKS, KEPT_VERDICTS, MESSAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedVerdict:
    """A verdict as it is stored.

    Attributes:
        basis: A digest of all that it depends on but time.
        age: The age of the message when it was judged, in seconds.
        after: The age from which, excluded, it holds.
        until: The age up to which, excluded, it holds.
        value: The verdict, JSON.
        look: What the message looks like to lessons, packed; None where it is not given, or no lesson may move it.
    """

    message_id: str
    basis: str
    age: float
    after: float
    until: float
    value: str
    look: bytes | None = None

    def holds(self, basis: str, age: float) -> bool:
        """Whether judging now would give the same."""
        return self.basis == basis and (age == self.age or self.after < age < self.until)


class CachedVerdicts:
    """All methods take the connection of `Ledger.write()`, or of `Ledger.read()` where they only read."""

    def get(self, tx: Connection, account_id: str, ids: Iterable[str]) -> dict[str, CachedVerdict]:
        """Those of the messages that are here with a verdict, by id."""
        table, kept = MESSAGES.c, KEPT_VERDICTS.c
        query = (
            select(table.message_id, kept.basis, kept.age, kept.after, kept.until, kept.value)
            .join_from(MESSAGES, KEPT_VERDICTS, table.row == kept.row)
            .where(table.account_id == account_id)
        )
        found: dict[str, CachedVerdict] = {}
        for some in chunks(ids):
            for id_, basis, age, after, until, value in tx.execute(query.where(table.message_id.in_(some))):
                found[id_] = CachedVerdict(
                    message_id=id_, basis=basis, age=age, after=after, until=until, value=value
                )
        return found

    def put(self, tx: Connection, account_id: str, verdicts: Sequence[CachedVerdict]) -> None:
        """Store these, of messages that are here; each replaces the one on the same message."""
        table = MESSAGES.c
        by_id = {one.message_id: one for one in verdicts}
        for some in chunks(by_id):
            query = select(table.row, table.message_id).where(
                table.account_id == account_id, table.message_id.in_(some)
            )
            rows = [(number, by_id[id_]) for number, id_ in tx.execute(query)]
            upsert(tx, KEPT_VERDICTS, [_row(number, one) for number, one in rows])
            looks = [{"row": number, "look": one.look} for number, one in rows if one.look is not None]
            upsert(tx, KEPT_LOOKS, looks)
            gone = [number for number, one in rows if one.look is None]
            tx.execute(delete(KEPT_LOOKS).where(KEPT_LOOKS.c.row.in_(gone)))


def _row(number: int, one: CachedVerdict) -> dict[str, object]:
    return {
        "row": number,
        "basis": one.basis,
        "age": one.age,
        "after": one.after,
        "until": one.until,
        "value": one.value,
    }
