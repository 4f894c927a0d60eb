"""A ledger that one program has open twice loses nothing when another program opens and closes it meanwhile."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gaia_email.ledger import Ledger, LedgerDamaged, ledger_file, open_ledger
from gaia_email_registry.private_file import make_private
from gaia_imap_mcp.index.schema import open_database

ANOTHER = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); print(*d.execute(sys.argv[2]).fetchone()); d.close()"


def seen_by_another(path: Path, statement: str) -> str:
    """What a program reads that opens the database, and closes it as if it were the last one."""
    command = [sys.executable, "-c", ANOTHER, str(path), statement]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def write(ledger: Ledger, number: int) -> None:
    with ledger.write() as tx:
        found = ledger.documents.read(tx, "d")
        ledger.documents.write(tx, "d", {"number": number}, found.version if found else 0)


def opened_again(path: Path) -> None:
    open_ledger().close()


def made_ready_again(path: Path) -> None:
    make_private(path)


@pytest.mark.parametrize("again", [opened_again, made_ready_again])
def test_what_is_written_after_another_program_closed_it_is_kept(again: Callable[[Path], None]) -> None:
    path = ledger_file(os.environ)
    with open_ledger() as ledger:
        write(ledger, 1)
        again(path)
        number = "SELECT value FROM documents WHERE name = 'd'"
        assert "1" in seen_by_another(path, number)
        write(ledger, 2)
        assert "2" in seen_by_another(path, number)


def test_the_index_of_an_account_too_can_be_opened_twice(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    first, _ = open_database(path, "ann")
    with closing(first):
        second, _ = open_database(path, "ann")
        second.close()
        value = "SELECT value FROM meta WHERE key = 'seq'"
        assert seen_by_another(path, value) == "0"
        first.execute("UPDATE meta SET value = 7 WHERE key = 'seq'")
        assert seen_by_another(path, value) == "7"


def test_a_file_that_was_cut_is_found_as_soon_as_nobody_here_has_it_open() -> None:
    path = ledger_file(os.environ)
    with open_ledger() as ledger:
        write(ledger, 1)
        with open_ledger():
            pass
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    os.truncate(path, 4096)
    for _ in range(2):
        with pytest.raises(LedgerDamaged, match="its end is missing"):
            open_ledger()
