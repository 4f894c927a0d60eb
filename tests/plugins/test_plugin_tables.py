"""Tables of a plug-in: made when it is new, upgraded step by step, purged and forgotten with the ledger's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Column, Connection, Float, Table, Text, insert, inspect, select

from gaia_email.app.services.upkeep import plugin_words
from gaia_email.ledger import Ledger, open_ledger, plugin_tables
from gaia_email.ledger.failures import LedgerNewer
from gaia_email.ledger.keeping import holdings
from gaia_email.ledger.plugin_tables import CountedRows, PluginTables, installed_tables, recorded_versions
from gaia_email.ledger.tables import METADATA
from gaia_email.plugins import Plugin
from tests.ledger.conftest import START

Install = Callable[..., Table]


def forget(tx: Connection, before: float) -> None:
    table = METADATA.tables["diary"]
    tx.execute(table.delete().where(table.c.at < before))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a plug-in with these upgrades instead of all others, and returns its table."""
    made: list[Table] = []

    def install_it(*upgrades: Callable[[Connection], None]) -> Table:
        if not made:
            columns = (Column("account_id", Text), Column("text", Text), Column("at", Float))
            made.append(Table("diary", METADATA, *columns))
        module = type(sys)("gaia_email_diary")
        module.TABLES = PluginTables(  # type: ignore[attr-defined]
            tables=made,
            upgrades=upgrades,
            counted=[CountedRows(name="entries", table=made[0], words="entries of the diary")],
            forget_older=forget,
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
        plugin = Plugin(name="diary", package=module.__name__, tables="gaia_email_diary:TABLES")
        monkeypatch.setattr(plugin_tables, "installed_plugins", lambda: (plugin,))
        installed_tables.cache_clear()
        return made[0]

    monkeypatch.setattr(plugin_tables, "installed_plugins", lambda: ())
    installed_tables.cache_clear()
    yield install_it
    installed_tables.cache_clear()
    for table in made:
        METADATA.remove(table)


def versions(ledger: Ledger) -> dict[str, int]:
    with ledger.read() as tx:
        return recorded_versions(tx)


def add_mood(tx: Connection) -> None:
    tx.exec_driver_sql("ALTER TABLE diary ADD COLUMN mood TEXT")


def feel_fine(tx: Connection) -> None:
    tx.exec_driver_sql("UPDATE diary SET mood = 'fine'")


def test_a_new_ledger_has_the_tables_of_every_plugin_in_their_newest_version(install: Install) -> None:
    install(add_mood)
    with open_ledger() as ledger, ledger.read() as tx:
        assert recorded_versions(tx) == {"diary": 2}
        assert inspect(tx).has_table("diary")


def test_a_plugin_installed_later_gets_its_tables_and_none_of_the_upgrades(install: Install) -> None:
    with open_ledger() as ledger:
        assert versions(ledger) == {}
    install(add_mood)
    with open_ledger() as ledger, ledger.read() as tx:
        assert recorded_versions(tx) == {"diary": 2}
        assert [column["name"] for column in inspect(tx).get_columns("diary")] == ["account_id", "text", "at"]
        assert ledger.file is not None
        assert list(ledger.file.parent.glob("*.before-*")) == []


def test_upgrades_run_once_after_a_copy_and_only_those_that_are_missing(
    install: Install,
) -> None:
    diary = install()
    with open_ledger() as ledger, ledger.write() as tx:
        tx.execute(insert(diary), {"text": "Dear diary"})
    install(add_mood)
    with open_ledger(read_only=True) as ledger:
        assert versions(ledger) == {"diary": 2}
    install(add_mood, feel_fine)
    with open_ledger() as ledger, ledger.read() as tx:
        assert recorded_versions(tx) == {"diary": 3}
        assert tx.exec_driver_sql("SELECT text, mood FROM diary").all() == [("Dear diary", "fine")]
        assert ledger.file is not None
        copies = {one.name.partition("before-")[2] for one in ledger.file.parent.glob("*.before-*")}
    assert copies == {"diary-2-from-1", "diary-3-from-2"}


def test_a_ledger_of_a_plugin_that_was_removed_opens_without_it(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    open_ledger().close()
    monkeypatch.setattr(plugin_tables, "installed_plugins", lambda: ())
    installed_tables.cache_clear()
    with open_ledger() as ledger:
        assert versions(ledger) == {"diary": 1}


def test_a_ledger_of_a_newer_plugin_is_refused_and_left_as_it_is(install: Install) -> None:
    install(add_mood)
    open_ledger().close()
    install()
    for read_only in (False, True):
        with pytest.raises(LedgerNewer, match=r"newer plug-in diary .*'2'.* knows 1.*nothing was changed"):
            open_ledger(read_only=read_only)
    install(add_mood)
    with open_ledger() as ledger:
        assert versions(ledger) == {"diary": 2}


def test_a_purge_counts_and_deletes_a_plugins_rows_by_account(install: Install) -> None:
    diary = install()
    with open_ledger() as ledger:
        with ledger.write() as tx:
            tx.execute(insert(diary), [{"account_id": "a"}, {"account_id": "a"}, {"account_id": "b"}])
            assert holdings(tx, "everything", "a")["entries"] == 2
        assert ledger.purge("everything", "a")["entries"] == 2
        with ledger.read() as tx:
            assert tx.execute(select(diary.c.account_id)).scalars().all() == ["b"]
    assert plugin_words() == {"entries": "entries of the diary"}


def test_rows_that_a_plugin_calls_old_go_with_the_ledgers_own(install: Install) -> None:
    diary = install()
    with open_ledger(clock=lambda: START) as ledger:
        ledger.retention_days = 1.0
        with ledger.write() as tx:
            tx.execute(insert(diary), [{"at": START - 90_000.0}, {"at": START}])
        ledger.tidy()
        with ledger.read() as tx:
            assert tx.execute(select(diary.c.at)).scalars().all() == [START]
