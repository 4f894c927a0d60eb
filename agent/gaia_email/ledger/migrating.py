"""Upgrades a database to the tables of this program: `migrate`. Alembic is imported only for an older database.

An upgrade is one transaction that starts with a lock, so programs that start together run it once. A database with
data is first copied to a backup file.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, inspect, text

from gaia_email.ledger import search_index
from gaia_email.ledger.engine import database_title, file_of, use_wal, writing
from gaia_email.ledger.failures import LedgerNewer, damage_error
from gaia_email.ledger.plugin_tables import (
    are_current,
    installed_tables,
    record_versions,
    recorded_versions,
    upgrade_plugin,
)
from gaia_email.ledger.tables import METADATA
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.paths import ensure_private_directory
from gaia_email_registry.private_file import lock_file, make_private

HEAD = "0015"
"""The newest migration in `migrations/versions`."""

BACKUPS_KEPT = 3

_VERSIONS = MetaData()
_VERSION = Table("alembic_version", _VERSIONS, Column("version_num", String(32), primary_key=True))
"""Alembic's own table (https://alembic.sqlalchemy.org/en/latest/tutorial.html), written here for a new database."""

SCRIPTS = Path(__file__).parent / "migrations"


def migrate(engine: Engine) -> None:
    """Create or upgrade the database; does nothing if it is current.

    Raises:
        BadArgument: A newer program wrote it.
        LedgerDamaged: The file is broken.
        DBAPIError: It cannot be read or written.
        OSError: The file cannot be created.
    """
    path = file_of(engine)
    if path is None:
        with engine.connect() as connection:
            ready = has_tables(connection)
        if not ready:
            _refuse_foreign(engine)
            _upgrade(engine, path)
        return
    if path.exists() and path.stat().st_size and _is_ready(engine):
        return
    ensure_private_directory(path.parent)
    with lock_file(path):
        make_private(path)
        _refuse_foreign(engine)
        use_wal(engine)
        _upgrade(engine, path)


def has_tables(connection: Connection) -> bool:
    """Return True if the database has the tables of this program's version and of the installed plug-ins."""
    return _revision(connection) == HEAD and are_current(recorded_versions(connection))


def _is_ready(engine: Engine) -> bool:
    with engine.connect() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        return mode == "wal" and has_tables(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _refuse_foreign(engine: Engine) -> None:
    with engine.connect() as connection:
        if _revision(connection) is None and inspect(connection).get_table_names():
            raise damage_error(database_title(engine), "it holds tables but does not say of which version")


def _upgrade(engine: Engine, path: Path | None) -> None:
    with writing(engine) as connection:
        current = _revision(connection)
        if current is None:
            _create(connection)
        elif current != HEAD:
            _bring_up(connection, current, path)
        _bring_up_plugins(connection, path if current == HEAD else None)


def _create(connection: Connection) -> None:
    plugins = installed_tables()  # before `METADATA` is read: importing them adds their tables
    METADATA.create_all(connection)
    search_index.create(connection)
    _VERSIONS.create_all(connection)
    connection.execute(_VERSION.insert(), {"version_num": HEAD})
    record_versions(connection, plugins)


def _bring_up(connection: Connection, current: str, path: Path | None) -> None:
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    known = [revision.revision for revision in reversed(list(script.walk_revisions()))]
    if current not in known:
        engine = connection.engine
        raise _older(engine, current) if current < HEAD else _newer(engine, current, "gaia email", HEAD)
    if path is not None:
        _back_up(path, HEAD, current)
    context = MigrationContext.configure(connection)
    with Operations.context(context):
        for step in known[known.index(current) + 1 :]:
            _run(script.get_revision(step).module.upgrade)
            context.stamp(script, step)


def _bring_up_plugins(connection: Connection, path: Path | None) -> None:
    """Create or upgrade the plug-ins' tables; `path` is None if the file was already copied or needs no copy."""
    recorded = recorded_versions(connection)
    for name, tables in installed_tables().items():
        found = recorded.get(name)
        if found == tables.version:
            continue
        if found is not None and found > tables.version:
            raise _newer(connection.engine, str(found), f"plug-in {name}", str(tables.version))
        if found is not None and path is not None:
            _back_up(path, f"{name}-{tables.version}", str(found))
        upgrade_plugin(connection, name, found)


def _run(upgrade: object) -> None:
    assert callable(upgrade)
    upgrade()


def _older(engine: Engine, found: str) -> BadArgument:
    return BadArgument(
        f"{database_title(engine)} was written before the first release (its version is {found[:20]!r}, the "
        "first is 0007); nothing was changed.",
        hint="move it elsewhere; what was done stays in it, and the mail is copied anew.",
    )


def _newer(engine: Engine, found: str, program: str, known: str) -> LedgerNewer:
    return LedgerNewer(
        f"{database_title(engine)} was written by a newer {program} (its version is {found[:20]!r}, this one "
        f"knows {known}); nothing was changed.",
        hint="update gaia-email, or set GAIA_HOME to another folder.",
    )


def _back_up(path: Path, new: str, current: str) -> None:
    """Write a full copy next to the file; it is complete on disk before it gets its name."""
    target = path.with_name(f"{path.name}.before-{new}-from-{current}")
    unfinished = target.with_name(target.name + ".part")
    unfinished.unlink(missing_ok=True)
    make_private(unfinished)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(unfinished)) as copy:
        source.backup(copy)
    with open(unfinished, "rb") as written:
        os.fsync(written.fileno())
    os.replace(unfinished, target)
    backups = sorted(path.parent.glob(f"{path.name}.before-*"), key=lambda one: one.stat().st_mtime)
    for old in backups[:-BACKUPS_KEPT]:
        old.unlink()
