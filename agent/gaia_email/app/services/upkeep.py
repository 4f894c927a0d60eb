"""Maintenance of the ledger: integrity check, purge and export. Entry: `check_ledger`."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.accounts.last_discovery import forget
from gaia_email.document import Count, Document
from gaia_email.ledger import ChainBreak
from gaia_email.ledger.exporting import ExportSelection as ExportSelection
from gaia_email.ledger.exporting import export_rows
from gaia_email.ledger.keeping import Extent as Extent
from gaia_email.ledger.keeping import holdings
from gaia_email.ledger.plugin_tables import counted_rows
from gaia_email.mailbox.ref import HEADERS_INDEX
from gaia_email.plugins import load_parts
from gaia_email_registry import paths

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger


class LedgerCheck(Document, frozen=True, kw_only=True):
    """The result of checking the ledger.

    Attributes:
        intact: True if nothing is broken.
        events: The number of events in the log.
        last_event: The number of the last event.
        broken: The first event that differs from what was written, and the reason; None if all are intact.
        database: The damage that the database reports; None if there is none.
    """

    intact: bool
    events: Count
    last_event: Count
    broken: ChainBreak | None
    database: str | None


class PurgedRecords(Document, frozen=True, kw_only=True):
    """The number of records deleted, by kind."""

    extent: Extent
    account: str | None
    gone: dict[str, Count]


def check_ledger(app: App) -> LedgerCheck:
    """Read the whole ledger and verify the chain of its events."""
    with app.ledger(read_only=True) as ledger:
        database = ledger.check()
        with ledger.read() as tx:
            broken = ledger.events.verify(tx)
            return LedgerCheck(
                intact=broken is None and database is None,
                events=ledger.events.count(tx),
                last_event=ledger.events.last(tx),
                broken=broken,
                database=database,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """The extent of a purge: counts by kind, and the place."""

    extent: Extent
    account: str | None
    counts: Mapping[str, int]
    place: str
    _app: App
    _ledger: Ledger

    @property
    def is_empty(self) -> bool:
        """True if it would delete nothing of the account it is limited to."""
        return self.account is not None and not any(
            count for name, count in self.counts.items() if name != "events"
        )

    def carry_out(self) -> dict[str, int]:
        """Delete the records; return what was deleted, by kind.

        A purge of everything also deletes the results of searching this machine for accounts.

        Raises:
            MailError: Something cannot be deleted.
        """
        gone = dict(self._ledger.purge(self.extent, self.account))
        _forget_headers(self._app, self.account)
        if self.extent == "everything" and self.account is None:
            forget(self._app.environ)
            for purge_files in load_parts("purge_files"):
                purge_files(self._app)
        return gone


def plugin_words() -> dict[str, str]:
    """Return the descriptions of rows that plug-ins count in a purge, by the name of the count."""
    return {rows.name: rows.words for rows in counted_rows()}


def _forget_headers(app: App, account: str | None) -> None:
    """Delete the header index of mail files, of every mailbox or of one."""
    directory = paths.account_directory(app.environ, account or "")
    for folder in directory.parent.glob("*") if account is None else [directory]:
        (folder / HEADERS_INDEX).unlink(missing_ok=True)


@contextmanager
def planned_purge(app: App, extent: Extent, account: str | None) -> Generator[Purge, None, None]:
    """Yield what a purge would delete; nothing is deleted before `carry_out`."""
    with app.ledger() as ledger:
        with ledger.read() as tx:
            counts = holdings(tx, extent, account)
        yield Purge(
            extent=extent,
            account=account,
            counts=counts,
            place=str(ledger.file or "the ledger"),
            _app=app,
            _ledger=ledger,
        )


class Exporter:
    """Reads the ledger's tables row by row, in one consistent snapshot."""

    def __init__(self, tx: Connection) -> None:
        self._tx = tx

    @staticmethod
    @contextmanager
    def open(app: App) -> Generator[Exporter, None, None]:
        """Open an exporter on the user's ledger."""
        with app.ledger(read_only=True) as ledger, ledger.read() as tx:
            yield Exporter(tx)

    def rows(self, part: str, chosen: ExportSelection) -> Iterator[Mapping[str, object]]:
        """Return the rows of one part (`events`, `actions` …), oldest first."""
        return export_rows(self._tx, part, chosen)
