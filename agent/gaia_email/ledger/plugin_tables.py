"""Tables that plug-ins keep in the ledger. Entries: `PluginTables`, `installed_tables`.

The ledger records the version of each plug-in's tables in `PLUGIN_VERSIONS`. A plug-in that the ledger does not know
yet gets its tables when the ledger is opened; one that was removed leaves its tables, and the ledger opens without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name

from sqlalchemy import Connection, Table, select

from gaia_email.ledger.event_log import EventLog
from gaia_email.ledger.statements import rows_of, upsert
from gaia_email.ledger.tables import METADATA, PLUGIN_VERSIONS
from gaia_email.plugins import installed_plugins


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRows:
    """Rows of a table that a purge counts.

    Attributes:
        name: Name of the count, in the answer of a purge.
        table: Its table, with a column `account_id`.
        words: Description of the rows, in the question before a purge.
    """

    name: str
    table: Table
    words: str


def _forget_nothing(tx: Connection, before: float) -> None:
    pass


def _keep_nothing(tx: Connection, events: EventLog, before: float) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginTables:
    """A plug-in's tables in the ledger.

    Attributes:
        tables: All its tables, defined on the ledger's `METADATA`, so that a new ledger gets them.
        upgrades: Steps that change the tables of an existing ledger, each in the transaction of the upgrade. The first
            step turns version 1 into version 2.
        counted: Tables that are purged by account and counted.
        purged_by_account: Tables that are purged by account as well but not counted; each has a column `account_id`.
        purged_with_everything: Tables that are purged only with everything of all accounts.
        forget_older: Deletes rows older than a time, in epoch seconds, which the retention period has passed.
        before_pruning: Called before events older than a time are deleted from the log, also by a purge.
    """

    tables: Sequence[Table]
    upgrades: Sequence[Callable[[Connection], None]] = ()
    counted: Sequence[CountedRows] = ()
    purged_by_account: Sequence[Table] = ()
    purged_with_everything: Sequence[Table] = ()
    forget_older: Callable[[Connection, float], None] = _forget_nothing
    before_pruning: Callable[[Connection, EventLog, float], None] = _keep_nothing

    @property
    def version(self) -> int:
        """The newest version of the tables."""
        return 1 + len(self.upgrades)


@cache
def installed_tables() -> Mapping[str, PluginTables]:
    """Return the tables of the installed plug-ins, by the plug-in's name; importing them adds them to `METADATA`."""
    return {one.name: resolve_name(one.tables) for one in installed_plugins() if one.tables}


def counted_rows() -> list[CountedRows]:
    """Return the rows of all plug-ins that a purge counts."""
    return [rows for tables in installed_tables().values() for rows in tables.counted]


def recorded_versions(tx: Connection) -> dict[str, int]:
    """Return the versions of tables that the ledger has, also of plug-ins that are not installed, by name."""
    return {row["name"]: row["version"] for row in rows_of(tx, select(PLUGIN_VERSIONS))}


def are_current(recorded: Mapping[str, int]) -> bool:
    """Return True if the ledger needs no change for any installed plug-in."""
    return all(recorded.get(name) == tables.version for name, tables in installed_tables().items())


def upgrade_plugin(tx: Connection, name: str, recorded: int | None) -> None:
    """Create a plug-in's tables if `recorded` is None, or else upgrade them from that version; record the new one."""
    tables = installed_tables()[name]
    if recorded is None:
        METADATA.create_all(tx, tables=list(tables.tables))
    else:
        for step in tables.upgrades[recorded - 1 :]:
            step(tx)
    record_versions(tx, [name])


def record_versions(tx: Connection, names: Iterable[str]) -> None:
    """Record that the ledger has the newest tables of these plug-ins."""
    rows = [{"name": name, "version": installed_tables()[name].version} for name in names]
    upsert(tx, PLUGIN_VERSIONS, rows)
