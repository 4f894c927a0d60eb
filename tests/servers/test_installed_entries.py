"""What `servers install` writes into a client's file starts there, and `doctor` praises nothing that does not."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app.services.client_entries import ClientEntry
from gaia_email_registry.accounts import Account, store_account
from gaia_email_registry.client_files import CLIENTS, client_file
from gaia_email_registry.vault import open_vault
from tests.cli.printed import Run, runner
from tests.cli.test_connected_files import maildir

KINDS = ("maildir", "mbox", "eml", "imap", "gmail", "graph", "agent")
OWN = Path(sys.executable).parent


@pytest.fixture(name="run")
def in_process(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line, with a data directory that is not the default one."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GAIA_VAULT", "file")
    (tmp_path / "user").mkdir()
    return runner(capsys, monkeypatch)


def connected(kind: str, run: Run, folder: Path) -> str:
    """Have an account of that kind; answers what it is called."""
    mail = maildir(folder / "Mail", "Roof")
    if kind in ("imap", "gmail", "graph"):
        address = f"ada@{kind}.test"
        login = {"refresh_token": "r", "client_id": "c", "client_secret": "s", "scope": ""}
        secret = f"vault:{open_vault(os.environ).put(address, json.dumps(login))}"
        store_account(
            Account(
                id=address,
                provider="posteo" if kind == "imap" else kind,
                address=address,
                server=kind,
                secret=secret,
            ),
            os.environ,
        )
        return address
    path = mail
    if kind == "mbox":
        path = folder / "box.mbox"
        path.write_bytes(b"From a@b.net Thu Jan  1 00:00:00 2026\nFrom: a@b.net\nSubject: Roof\n\nhi\n")
    if kind == "eml":
        path = folder / "eml"
        path.mkdir()
        (path / "1.eml").write_bytes(b"From: a@b.net\nSubject: Roof\n\nhi\n")
    kind = "maildir" if kind == "agent" else kind
    assert run("connect", f"--{kind}", str(path)).code == 0
    return f"{kind}:{path}"


async def served(entry: dict[str, Any]) -> tuple[set[str], str]:
    """The tools of an entry, started by an MCP client as the entry says, and what its mailbox lists."""
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    given = StdioServerParameters(command=entry["command"], args=entry["args"], env=entry.get("env"))
    with open(os.devnull, "w") as nowhere:
        async with Client(stdio_client(given, errlog=nowhere)) as client:
            tools = {tool.name for tool in (await client.session.list_tools()).tools}
            if "server_status" not in tools:
                return tools, ""
            answer = (
                await client.session.call_tool("list_emails", {}) if "local" in entry["command"] else None
            )
            return tools, str(answer.structured_content) if answer else ""


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_of_any_client_for_any_account_starts_and_lists_its_tools(
    client: str, kind: str, run: Run, tmp_path: Path
) -> None:
    name = connected(kind, run, tmp_path)
    agent = ("--agent",) if kind == "agent" else ()
    told = run("servers", "install", client, *agent, "--yes")
    assert told.code == 0, told.err
    assert "added: it starts and lists" in told.err
    file = client_file(client, tmp_path / "user", sys.platform)
    (entry,) = json.loads(file.read_text())[CLIENTS[client].section].values()
    assert entry["env"] == {"GAIA_HOME": str(tmp_path / "elsewhere")}
    assert name in entry["args"]
    tools, mail = asyncio.run(served(entry))
    assert ("classify_email" if kind == "agent" else "read_emails") in tools
    assert "Roof" in mail or kind in ("imap", "gmail", "graph", "agent")
    findings = json.loads(run("doctor", "--offline", "--json").out)["findings"]
    (found,) = [one for one in findings if one["check"] == CLIENTS[client].title]
    assert found["ok"] and "starts and lists" in found["says"]


@pytest.mark.parametrize(
    ("program", "args", "says"),
    [
        ("gaia-local-mcp", ["--account", "maildir:/mail"], "does not start: gaia-local-mcp: Give one path"),
        ("gaia-local-mcp", ["--maildir", "/nowhere/mail"], "serves /nowhere/mail, which is not there"),
        ("gaia-email-mcp", ["--account", "mbox:/nowhere/m"], "serves /nowhere/m, which is not there"),
        ("gaia-imap-mcp", ["--account", "gone@posteo.de"], "gone@posteo.de, which is not connected in"),
        ("gaia-imap-mcp", ["--no-such-flag"], "unrecognized arguments"),
        ("gaia-gone-mcp", [], "which is not there"),
    ],
)
def test_doctor_finds_an_entry_that_serves_nothing_by_its_own_arguments(
    run: Run, tmp_path: Path, program: str, args: list[str], says: str
) -> None:
    entry = {"command": str(OWN / program), "args": args}
    file = client_file("vscode", tmp_path / "user", sys.platform)
    file.parent.mkdir(parents=True)
    file.write_text(f'{{ // mine\n "servers": {{"post": {json.dumps(entry)}}} }}')
    findings = json.loads(run("doctor", "--offline", "--json").out)["findings"]
    (found,) = [one for one in findings if one["check"] == "VS Code"]
    assert not found["ok"] and says in found["says"]
    assert found["mend"].startswith("gaia email servers remove vscode --name post")


def test_an_entry_of_ours_is_replaced_in_place_of_a_second_one_and_nobody_elses_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.app.services.client_entries.starts", _starts)
    place = connected("maildir", run, tmp_path)
    path = client_file("cursor", tmp_path / "user", sys.platform)
    path.parent.mkdir(parents=True)
    theirs = {"command": "npx", "args": ["-y", "some-server"]}
    old = {"command": "/old/bin/gaia-imap-mcp", "args": ["--account", "ada@imap.test"]}
    path.write_text(json.dumps({"mcpServers": {"mail": old, "theirs": theirs}, "x": 1}), encoding="utf-8")
    told = run("servers", "install", "cursor", "--account", place, "--yes")
    assert told.code == 0 and "replaced" in told.err and "/old/bin/gaia-imap-mcp" in told.err
    held = json.loads(path.read_text(encoding="utf-8"))
    assert held["x"] == 1 and held["mcpServers"]["theirs"] == theirs
    assert Path(held["mcpServers"]["mail"]["command"]).name == "gaia-local-mcp"
    assert set(held["mcpServers"]) == {"mail", "theirs"}
    refused = run("servers", "install", "cursor", "--account", place, "--name", "theirs", "--yes")
    assert refused.code != 0 and "an entry 'theirs' already exists" in refused.err
    assert json.loads(path.read_text(encoding="utf-8")) == held


def _starts(entry: ClientEntry) -> int:
    return len(entry.command)


def test_what_does_not_start_is_not_written_and_a_sentence_says_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected("imap", run, tmp_path)
    broken = tmp_path / "bin"
    broken.mkdir()
    program = broken / "gaia-imap-mcp"
    program.write_text("#!/bin/sh\necho 'no licence for this' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken / "python"))
    told = run("servers", "install", "cursor", "--yes")
    assert told.code == 1
    assert "Nothing was added" in told.err and "no licence for this" in told.err
    assert not client_file("cursor", tmp_path / "user", sys.platform).exists()


def test_a_program_that_never_answers_is_given_up_in_time_and_nothing_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected("imap", run, tmp_path)
    program = tmp_path / "gaia-imap-mcp"
    program.write_text("#!/bin/sh\nwhile read -r line; do :; done\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr("gaia_email.app.services.client_entries.TRIAL_S", 1.0)
    told = run("servers", "install", "cursor", "--yes")
    assert told.code == 1 and "lists no tools within 1 seconds" in told.err
    assert not client_file("cursor", tmp_path / "user", sys.platform).exists()
