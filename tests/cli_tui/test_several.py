"""The inbox to live in over two mailboxes: each key acts in the mailbox of its row."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.tui.render import plain
from gaia_email.interfaces.cli.tui.state import ScreenState
from gaia_email.interfaces.cli.tui.work import MailboxWork
from tests.cli.test_connected_files import maildir


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MailboxWork:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "gaia"))
    sources = [
        SourceSpec(kind="maildir", path=str(maildir(tmp_path / name, subject)), user=("me@example.org",))
        for name, subject in (("Home", "Roof"), ("Work", "Fence"))
    ]
    return MailboxWork(App(), sources)


def files(folder: Path) -> int:
    """Messages that are in the inbox of a Maildir."""
    return sum(path.is_file() for name in ("new", "cur") for path in (folder / name).iterdir())


def test_a_row_names_its_mailbox_and_its_message_there(work: MailboxWork, tmp_path: Path) -> None:
    rows = {row.subject: row for row in work.load()}
    source, inside = work.locate(rows["Fence"].id)
    assert source.path == str(tmp_path / "Work")
    assert work.build_arguments(rows["Fence"].id) == [inside, "--maildir", str(tmp_path / "Work")]
    assert "Fence" in "\n".join(work.text(rows["Fence"].id, "show", 80))
    assert [line for line in plain(ScreenState(rows=tuple(rows.values()))) if "Work" in line]


def test_archiving_and_its_undo_touch_one_mailbox_only(work: MailboxWork, tmp_path: Path) -> None:
    rows = {row.subject: row for row in work.load()}
    work.archive(rows["Roof"].id)
    assert (files(tmp_path / "Home"), files(tmp_path / "Work")) == (0, 1)
    assert {row.subject for row in work.load()} == {"Fence"}
    work.undo()
    assert (files(tmp_path / "Home"), files(tmp_path / "Work")) == (1, 1)
    assert {row.subject for row in work.load()} == {"Roof", "Fence"}
