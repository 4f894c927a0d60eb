"""`gaia email servers`: an entry in a client's config file, and out of it again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from gaia_email_registry.accounts import Account, store_account
from tests.cli.printed import Run

ADA = "ada@posteo.de"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cursor's file in a home with one account."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / ".gaia"))
    store_account(
        Account(id=ADA, provider="posteo", address=ADA, server="imap"), {"GAIA_HOME": str(tmp_path / ".gaia")}
    )
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{\n  "mcpServers": {}\n}\n')
    return path


def test_the_entry_has_an_absolute_command_and_goes_without_a_trace(run: Run, config: Path) -> None:
    before = config.read_bytes()
    added = run("servers", "install", "cursor", "--yes")
    assert added.code == 0, added.err
    entry = json.loads(config.read_text())["mcpServers"]["mail"]
    assert entry == {
        "command": str(Path(sys.executable).with_name("gaia-imap-mcp")),
        "args": ["--account", ADA],
    }
    assert run("servers", "remove", "cursor").code == 0
    assert config.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "kept"),
    [([], ["--read-only"]), (["--read-only"], ["--read-only"]), (["--read-write"], [])],
)
@pytest.mark.parametrize(("option", "kind"), [("--maildir", "maildir"), ("--mbox", "mbox")])
def test_mail_files_are_only_read_by_a_client_unless_told_otherwise(
    run: Run, config: Path, tmp_path: Path, option: str, kind: str, given: list[str], kept: list[str]
) -> None:
    mail = tmp_path / "mail"
    if kind == "maildir":
        for part in ("cur", "new", "tmp"):
            (mail / part).mkdir(parents=True)
    else:
        mail.write_text("From a@b.example Mon Mar  2 09:00:00 2026\nSubject: x\nFrom: a@b.example\n\nx\n")
    connected = run("connect", option, str(mail))
    assert connected.code == 0, connected.err
    accounts = json.loads(run("accounts", "--json").out)["accounts"]
    (files,) = [each["id"] for each in accounts if each["id"] != ADA]
    added = run("servers", "install", "cursor", "--account", files, *given, "--yes")
    assert added.code == 0, added.err
    entry = json.loads(config.read_text())["mcpServers"]["mail"]
    assert entry["args"] == [option, str(mail), "--account", files, *kept]
    assert ("--read-write lets it change it" in added.err) == (not given)


def test_any_account_can_be_installed_for_reading_alone(run: Run, config: Path) -> None:
    assert run("servers", "install", "cursor", "--read-only", "--yes").code == 0
    assert run("servers", "install", "cursor", "--agent", "--read-only", "--yes").code == 0
    entries = json.loads(config.read_text())["mcpServers"]
    assert entries["mail"]["args"] == entries["gaia-email"]["args"] == ["--account", ADA, "--read-only"]


def test_without_a_terminal_and_without_yes_the_change_is_shown_and_not_made(run: Run, config: Path) -> None:
    before = config.read_bytes()
    refused = run("servers", "install", "cursor", stdin=b"y\n")
    assert refused.code == 2
    assert '+ "mail": {"command"' in refused.err.splitlines()[1]
    assert "--yes" in refused.err
    assert config.read_bytes() == before


def test_the_agent_itself_is_installed_for_an_account_and_for_the_sample(run: Run, config: Path) -> None:
    program = str(Path(sys.executable).with_name("gaia-email-mcp"))
    assert run("servers", "install", "cursor", "--yes").code == 0, "the mail server stands beside the agent"
    added = run("servers", "install", "cursor", "--agent", "--yes")
    assert added.code == 0
    assert "gaia email servers remove cursor --name gaia-email takes it out" in added.err
    assert run("servers", "install", "cursor", "--agent", "--demo", "--name", "sample", "--yes").code == 0
    entries = json.loads(config.read_text())["mcpServers"]
    assert entries["gaia-email"] == {"command": program, "args": ["--account", ADA]}
    assert entries["sample"] == {"command": program, "args": ["--demo"]}
    assert run("servers", "install", "cursor", "--demo", "--yes").code == 2
