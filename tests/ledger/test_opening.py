"""Opening a ledger: made once by many, upgraded with a backup, refused when newer or damaged, and never lost."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from gaia_email.ledger import Ledger, LedgerDamaged, NewLedgerEvent, ledger_file, migrating, open_ledger
from gaia_email.ledger.search import search
from gaia_email.ledger.tables import METADATA
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_mail.query.grammar import parse_query
from tests.ledger.conftest import Clock

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.ledger.workers"])

NEWEST = migrating.HEAD

VERSIONS = Path(__file__).parent / "versions"

LATER = '''
"""A later step, for tests."""
import os, signal
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = {newest!r}

def upgrade():
    op.create_table("later", sa.Column("one", sa.Integer))
    op.execute("UPDATE documents SET name = 'moved'")
    if os.path.exists({flag!r}):
        os.kill(os.getpid(), signal.SIGKILL)
    op.execute("INSERT INTO later SELECT count(*) FROM events")
'''


def finished(process: BaseProcess) -> int | None:
    process.join(30)
    return process.exitcode


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(statement).fetchall()


@pytest.fixture
def path() -> Path:
    return ledger_file(os.environ)


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An older ledger, and a program with one migration more, in which it is killed while the file given exists."""
    with open_ledger() as ledger:
        note(ledger)
    folder, flag = tmp_path / "migrations", tmp_path / "kill"
    shutil.copytree(migrating.SCRIPTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    step = LATER.format(flag=str(flag), newest=NEWEST)
    (folder / "versions" / "v9999_later.py").write_text(step, encoding="utf-8")
    monkeypatch.setattr(migrating, "SCRIPTS", folder)
    monkeypatch.setattr(migrating, "HEAD", "9999")
    yield flag


def note(ledger: Ledger) -> None:
    with ledger.write() as tx:
        ledger.events.append(tx, NewLedgerEvent(kind="run.started"))
        ledger.documents.write(tx, "policy", {}, 0)


def test_a_new_ledger_is_readable_by_its_owner_only(ledger: Ledger, path: Path) -> None:
    note(ledger)
    files = sorted(path.parent.iterdir())
    assert {file.name for file in files} >= {"ledger.db", "ledger.db-wal"}
    assert {oct(file.stat().st_mode & 0o777) for file in files} == {"0o600"}
    assert oct(path.parent.stat().st_mode & 0o777) == "0o700"


def test_the_newest_migration_gives_the_tables_of_the_program(ledger: Ledger) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrating.SCRIPTS))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [migrating.HEAD]
    with ledger.read() as tx:
        context = MigrationContext.configure(tx)
        differences = compare_metadata(context, METADATA)
        kept = [one for one in differences if "message_words" not in str(one)]
        assert kept == []


@pytest.mark.parametrize("dump", sorted(VERSIONS.glob("*.sql")), ids=lambda dump: dump.stem)
def test_every_older_version_is_brought_to_the_newest_with_all_it_held(dump: Path, path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as old:
        old.executescript(dump.read_text(encoding="utf-8"))
    before = rows(path, "SELECT seq, kind, hash FROM events ORDER BY seq")
    with open_ledger(clock=Clock()) as ledger, ledger.read() as tx:
        assert tx.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == migrating.HEAD
        assert ledger.events.verify(tx) is None
        assert [(event.seq, event.kind, event.hash) for event in ledger.events.since(tx)] == before
        assert len(before) >= 3
        assert [action.state for action in ledger.actions.open(tx)] == ["planned"]
        document = ledger.documents.read(tx, "policy")
        assert document is not None
        assert document.value == {"levels": {"vip": 2}}
        assert ledger.verdicts.get(tx, "ann@example.com", ["m0"])["m0"].bucket == "low_priority"
        for query, subjects in (
            ("rechnung", ["Rechnung 0"]),
            ("label:work-big-deals in:spam", ["Rechnung 1"]),
        ):
            found = search(tx, parse_query(query), now=0.0)
            assert [hit.message.subject for hit in found.hits] == subjects
    backups = [one.name for one in path.parent.glob("*.before-*")]
    version = dump.stem
    assert backups == ([] if version == NEWEST else [f"ledger.db.before-{NEWEST}-from-{version}"])


def test_there_is_a_stored_database_of_every_version() -> None:
    migrations = (migrating.SCRIPTS / "versions").glob("v*.py")
    assert {dump.stem for dump in VERSIONS.glob("*.sql")} == {one.stem[1:5] for one in migrations}


def test_eight_processes_that_start_at_once_share_one_ledger(path: Path) -> None:
    from tests.ledger.workers import start_and_note

    barrier = PROCESSES.Barrier(8)
    started = [
        PROCESSES.Process(target=start_and_note, args=(barrier, dict(os.environ), number))
        for number in range(8)
    ]
    for process in started:
        process.start()
    assert [finished(process) for process in started] == [0] * 8
    with open_ledger() as ledger, ledger.read() as tx:
        assert ledger.events.verify(tx) is None
        assert ledger.events.last(tx) == 8 * 25
    assert sorted(file.name for file in path.parent.iterdir() if "before" in file.name) == []


def test_an_older_ledger_is_copied_before_it_is_changed(path: Path, later: Path) -> None:
    with open_ledger() as ledger, ledger.read() as tx:
        assert tx.execute(text("SELECT one FROM later")).scalar_one() == 1
    backup = path.with_name(f"ledger.db.before-9999-from-{NEWEST}")
    assert oct(backup.stat().st_mode & 0o777) == "0o600"
    assert rows(backup, "SELECT name FROM documents") == [("policy",)]
    assert rows(backup, "SELECT version_num FROM alembic_version") == [(NEWEST,)]


def test_a_program_killed_while_it_upgrades_leaves_the_older_ledger_whole(path: Path, later: Path) -> None:
    from tests.ledger.workers import upgrade

    later.touch()
    process = PROCESSES.Process(target=upgrade, args=(dict(os.environ), str(migrating.SCRIPTS), "9999"))
    process.start()
    assert finished(process) == -signal.SIGKILL
    assert rows(path, "SELECT name FROM documents") == [("policy",)]
    assert rows(path, "SELECT version_num FROM alembic_version") == [(NEWEST,)]
    later.unlink()
    with open_ledger() as ledger, ledger.read() as tx:
        assert tx.execute(text("SELECT one FROM later")).scalar_one() == 1
        assert tx.execute(text("SELECT name FROM documents")).scalar_one() == "moved"


def test_a_newer_ledger_is_refused_and_left_as_it_is(path: Path) -> None:
    with open_ledger() as ledger, ledger.write() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '0417'"))
    with pytest.raises(BadArgument, match=r"newer gaia email.*'0417'.*nothing was changed") as refused:
        open_ledger()
    assert refused.value.hint is not None
    assert rows(path, "SELECT version_num FROM alembic_version") == [("0417",)]


def test_a_ledger_from_before_the_first_release_is_refused_and_left_as_it_is(path: Path) -> None:
    with open_ledger() as ledger, ledger.write() as tx:
        tx.execute(text("UPDATE alembic_version SET version_num = '0003'"))
    with pytest.raises(
        BadArgument, match=r"before the first release.*'0003'.*nothing was changed"
    ) as refused:
        open_ledger()
    assert "move it" in (refused.value.hint or "")
    assert rows(path, "SELECT version_num FROM alembic_version") == [("0003",)]


def overwrite(path: Path) -> None:
    path.write_bytes(b"From ann@example.com\n" * 1000)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 3000)


def scribble(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 4000)


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE diary (entry TEXT)")


def lose_the_last_event(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM events")
        database.commit()


@pytest.mark.parametrize("harm", [overwrite, cut, scribble, foreign, lose_the_last_event])
def test_a_damaged_ledger_is_refused_with_a_sentence_and_left_as_it_is(
    path: Path, harm: Callable[[Path], None]
) -> None:
    with open_ledger() as ledger:
        note(ledger)
    harm(path)
    kept = path.read_bytes()
    with pytest.raises(LedgerDamaged, match=r"is damaged .* was left as it is") as refused:
        open_ledger()
    assert "backup" in (refused.value.hint or "")
    assert path.read_bytes() == kept


def test_a_full_disk_is_a_sentence_and_loses_nothing(ledger: Ledger) -> None:
    note(ledger)
    with ledger.write() as tx:
        pages = tx.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ProviderError, match=r"disk is full.*nothing in it was lost"), ledger.write() as tx:
        for _ in range(50):
            ledger.events.append(tx, NewLedgerEvent(kind="x", subject="long " * 2000))
    with ledger.read() as tx:
        assert ledger.events.verify(tx) is None
        assert ledger.events.last(tx) == 1


def test_a_home_that_cannot_be_written_is_a_sentence(path: Path) -> None:
    from tests.ledger.workers import open_as_nobody

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        answers = PROCESSES.Queue()
        process = PROCESSES.Process(target=open_as_nobody, args=(answers, folder))
        process.start()
        told = answers.get(timeout=30)
        assert finished(process) == 0
    assert "cannot be opened" in told
    assert "GAIA_HOME" in told or "writable" in told


def test_an_error_of_the_caller_is_not_taken_for_one_of_the_database(ledger: Ledger) -> None:
    with pytest.raises(FileNotFoundError), ledger.write() as tx:
        ledger.events.append(tx, NewLedgerEvent(kind="x"))
        raise FileNotFoundError("no such draft")
    with ledger.read() as tx:
        assert ledger.events.last(tx) == 0


@pytest.mark.parametrize("url", ["mysql://host/db", "no url", "sqlite://"])
def test_a_database_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(BadArgument, match="GAIA_EMAIL_DATABASE_URL"):
        open_ledger(url=url)
