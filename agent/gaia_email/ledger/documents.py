"""Small named JSON documents with a version, such as the policy and the switches. Entry point: `DocumentStore`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from gaia_email.ledger.failures import LostRace
from gaia_email.ledger.statements import object_of
from gaia_email.ledger.tables import DOCUMENTS
from gaia_email.ledger.text import Json, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A stored document; `version` counts its writes from 1."""

    name: str
    version: int
    value: dict[str, Json]
    updated_at: float


class DocumentStore:
    """Store of documents. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def read(self, tx: Connection, name: str) -> StoredDocument | None:
        """Return the current document, or None if it was never written."""
        return object_of(tx, StoredDocument, select(DOCUMENTS).where(DOCUMENTS.c.name == name))

    def write(self, tx: Connection, name: str, value: Mapping[str, object], expected_version: int) -> int:
        """Replace a document if it still has the expected version (0: does not exist). Returns its new version.

        Raises:
            LostRace: The document was written since it was read.
        """
        row = {"value": to_json(value), "updated_at": float(self._clock()), "version": expected_version + 1}
        if expected_version:
            table = DOCUMENTS.c
            query = update(DOCUMENTS).where(table.name == name, table.version == expected_version)
            written = tx.execute(query.values(**row)).rowcount == 1
        else:
            written = self.read(tx, name) is None
            if written:
                tx.execute(insert(DOCUMENTS), {"name": name, **row})
        if not written:
            raise LostRace(f"The {name} was changed meanwhile; look at it again, then repeat the change.")
        return expected_version + 1

    def names(self, tx: Connection) -> list[str]:
        """Return the names of all documents."""
        return list(tx.execute(select(DOCUMENTS.c.name).order_by(DOCUMENTS.c.name)).scalars())
