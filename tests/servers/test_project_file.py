"""A `mcp_servers.json` of the working directory starts nothing before a person at a terminal agreed to it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from gaia_email.mailbox.project_servers import listed_server
from gaia_email_registry.errors import NeedsApproval
from tests.cli.test_person import at_terminal, shell


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the server of the file makes when it is started."""
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))
    found = tmp_path / "started"
    write(tmp_path, f"open({str(found)!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    return found


def write(folder: Path, program: str) -> None:
    theirs = {"theirs": {"command": sys.executable, "args": ["-c", program]}}
    (folder / "mcp_servers.json").write_text(json.dumps({"mcpServers": theirs}), encoding="utf-8")


def test_without_a_terminal_nothing_of_it_is_started_and_the_sentence_says_how(marker: Path) -> None:
    for command in (
        ("inbox", "--server", "theirs"),
        ("servers", "test", "theirs"),
        ("servers", "tools", "theirs"),
        ("watch", "--server", "theirs", "--once"),
        ("triage", "--server", "theirs", "--apply", "--yes"),
    ):
        code, shown = shell(*command, typed=b"y\nyes\n")
        assert code != 0 and "in a terminal" in shown and "agreed" in shown, (command, shown)
    assert not marker.exists()


def test_at_a_terminal_it_is_shown_and_asked_about_once_for_what_it_holds(
    marker: Path, tmp_path: Path
) -> None:
    code, shown = at_terminal("servers", "test", "theirs", types="yes\n")
    assert code == 5 and "theirs: " in shown and not marker.exists()
    code, shown = at_terminal("servers", "test", "theirs", types="{code}\n")
    assert code == 1 and marker.exists(), shown
    marker.unlink()
    assert shell("servers", "test", "theirs")[0] == 1
    assert marker.exists()
    marker.unlink()
    write(tmp_path, f"open({str(marker)!r}, 'a')")
    assert "agreed" in shell("servers", "test", "theirs")[1]
    assert not marker.exists()


def test_a_copy_of_it_elsewhere_is_another_file(
    marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert at_terminal("servers", "test", "theirs", types="{code}\n")[0] == 1
    other = tmp_path / "other"
    other.mkdir()
    (other / "mcp_servers.json").write_bytes((tmp_path / "mcp_servers.json").read_bytes())
    assert listed_server("theirs", environ=os.environ)
    monkeypatch.chdir(other)
    with pytest.raises(NeedsApproval, match="you have not agreed"):
        listed_server("theirs", environ=os.environ)
