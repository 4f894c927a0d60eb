"""A mailbox on a disk that cannot be written: sentences, nothing lost, and no action settled wrongly."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from gaia_email.actions.kinds import BY_TRIAGE, MAKE_LABEL, UNDO
from gaia_email.ledger import Selection, open_ledger
from gaia_mail.files.maildir import parse_name
from tests.cli.printed import Run, document
from tests.local_mcp.disk import Disk


@pytest.fixture
def mail(sample_maildir: Path, tmp_path: Path) -> Path:
    """Some of the sample mailbox."""
    folder = tmp_path / "Mail"
    shutil.copytree(sample_maildir, folder)
    for number, path in enumerate(sorted(folder.glob("cur/*"))):
        if number % 10:
            path.unlink()
    return folder


def files(mail: Path) -> list[tuple[str, str, str]]:
    """Every message's folder, name and flags, whether a program has seen it or not."""
    found = [path for path in mail.rglob("*") if path.parent.name in ("cur", "new")]
    return sorted((str(path.parent.parent.relative_to(mail)), *parse_name(path.name)) for path in found)


def states(*types: str) -> set[tuple[str, str | None]]:
    """How actions of these types ended."""
    with open_ledger() as ledger, ledger.read() as tx:
        chosen = ledger.actions.select(tx, Selection(types=types))
        return {(action.state, action.error) for action in chosen}


def test_a_triage_on_a_full_disk_says_so_and_the_next_one_does_it(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    before = files(mail)
    with Disk(mail, errno.ENOSPC, bool).in_place():
        refused = run("triage", "--apply", "--yes", *source)
    assert files(mail) == before
    assert refused.code == 1
    assert "the disk is full. Free some space" in refused.err
    assert "Traceback" not in refused.err and "inside gaia email" not in refused.err
    assert not states(*BY_TRIAGE) and {state for state, _ in states(MAKE_LABEL)} == {"planned"}
    done = document(run, "triage-apply", "triage", "--apply", "--yes", *source)
    assert len(done["done"]) == done["modes"]["apply"] > 0
    assert states(*BY_TRIAGE) == {("applied", None)}


def test_an_undo_that_the_disk_refuses_says_why_and_works_when_it_does_not(run: Run, mail: Path) -> None:
    source = ("--maildir", str(mail))
    before = files(mail)
    done = document(run, "triage-apply", "triage", "--apply", "--yes", *source)
    after = files(mail)
    with Disk(mail, errno.EROFS, bool).in_place():
        refused = document(run, "undo", "undo", "--run", done["run_id"], *source, code=3)
    assert files(mail) == after
    assert not refused["taken_back"] and len(refused["kept"]) == len(done["done"])
    assert all("read-only file system" in kept["reason"] for kept in refused["kept"])
    assert {state for state, _ in states(UNDO)} == {"failed"}
    assert states(*BY_TRIAGE) == {("applied", None)}
    document(run, "undo", "undo", "--run", done["run_id"], *source)
    assert files(mail) == before
