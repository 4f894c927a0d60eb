"""`gaia email servers add`, `remove`, `import` and `list`, and a mailbox that is reached over HTTP."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from gaia_email_registry.client_files import CLIENTS, client_file
from gaia_email_registry.paths import servers_file
from gaia_email_registry.vault import open_vault
from tests.cli.printed import Run
from tests.cli.test_connected_files import maildir, subjects

STRANGER = str(Path(__file__).with_name("stranger.py"))
KEPT = """{
    // what I use
    "mcpServers": {
        "weather": {"command": "/nowhere", "args": []},   /* old */
    },
    "theirs": {"b": 1, "a": 2}
}
"""


@pytest.fixture(autouse=True)
def home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("GAIA_VAULT", "file")


def secrets_in_files(folder: Path, secret: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def test_a_server_is_added_listed_and_removed_and_the_file_is_as_before(run: Run, tmp_path: Path) -> None:
    path = servers_file(os.environ)
    path.parent.mkdir(parents=True)
    path.write_text(KEPT, encoding="utf-8")
    told = run(
        *("servers", "add", "sky", "--env", "PLAIN=1", "--secret", "SKY_KEY"),
        *("--", sys.executable, STRANGER),
        stdin="hunter2\n",
    )
    assert told.code == 0, told.err
    assert "no mailbox" in told.err
    rows = {row["name"]: row for row in json.loads(run("servers", "list", "--json").out)["servers"]}
    assert set(rows) == {"weather", "sky"} and rows["sky"]["tools"] == rows["sky"]["new"] == 1
    assert secrets_in_files(tmp_path, "hunter2") == []
    assert open_vault(os.environ).get("file:server/sky/SKY_KEY") == "hunter2"
    assert run("servers", "remove", "sky").code == 0
    assert path.read_text(encoding="utf-8") == KEPT
    assert path.with_name(f"{path.name}.backup").read_text(encoding="utf-8") == KEPT
    with pytest.raises(Exception, match="not in the vault"):
        open_vault(os.environ).get("file:server/sky/SKY_KEY")


def test_what_cannot_be_added_is_said_and_changes_nothing(run: Run) -> None:
    for words, told in (
        (("add", "x"), "Say what starts it"),
        (("add", "x", "--url", "ftp://h"), "must begin with http"),
        (("add", "cursor", "--", "y"), "name of a client"),
        (("add", "no good", "--", "y"), "letters, digits"),
        (("add", "x", "--token", "--", "y"), "--token with --url"),
        (("add", "x", "--env", "API_TOKEN=b", "--", "y"), "--secret API_TOKEN asks for it"),
        (("add", "x", "--secret", "KEY", "--", "y"), "No value of KEY"),
        (("remove", "x"), "no MCP server 'x'"),
        (("tools", "x"), "servers add NAME"),
    ):
        ran = run("servers", *words)
        assert ran.code != 0 and told in " ".join(ran.err.split()), ran.err
    assert not servers_file(os.environ).exists()


@pytest.mark.parametrize("client", CLIENTS)
def test_the_servers_of_a_client_are_taken_over_with_their_secrets_in_the_vault(
    client: str, run: Run, tmp_path: Path
) -> None:
    theirs = client_file(client, tmp_path / "user", sys.platform)
    theirs.parent.mkdir(parents=True, exist_ok=True)
    entries: dict[str, dict[str, object]] = {
        "files": {"command": "npx", "args": ["-y", "x"], "env": {"API_KEY": "abc123", "PLAIN": "1"}},
        "web": {"url": "https://host.net/mcp", "headers": {"Authorization": "Bearer xyz789"}, "type": "http"},
        "mail": {"command": "/opt/gaia-local-mcp", "args": []},
    }
    content = json.dumps({CLIENTS[client].section: entries})
    theirs.write_text(content, encoding="utf-8")
    told = run("servers", "import", client, "--yes")
    assert told.code == 0, told.err
    assert "files" in told.err and "into the vault" in told.err
    rows = {row["name"] for row in json.loads(run("servers", "list", "--json").out)["servers"]}
    assert rows == {"files", "web"}
    assert theirs.read_text(encoding="utf-8") == content
    for secret in ("abc123", "xyz789"):
        assert secrets_in_files(tmp_path / "home", secret) == []
    assert open_vault(os.environ).get("file:server/web/Authorization") == "xyz789"
    assert "no server that is new" in run("servers", "import", client, "--yes").err


def test_what_only_the_client_can_do_is_left_out_and_nothing_of_it_is_kept(run: Run, tmp_path: Path) -> None:
    theirs = client_file("vscode", tmp_path / "user", sys.platform)
    theirs.parent.mkdir(parents=True, exist_ok=True)
    entries: dict[str, dict[str, object]] = {
        "asks": {"command": "npx", "env": {"API_KEY": "${input:key}"}},
        "there": {"command": "npx", "cwd": "/srv"},
        "open": {"command": "npx", "args": ["--api-key", "abc123"]},
        "off": {"command": "npx", "disabled": True},
        "odd": {"command": "npx", "env": {"GH": "ghp_abc123abc123abc123abc1"}},
    }
    theirs.write_text(json.dumps({"servers": entries}), encoding="utf-8")
    told = run("servers", "import", "vscode", "--yes").err
    assert "asks was left out: it names ${input:key}" in told and "--secret VARIABLE" in told
    assert "there was left out: it is started in a folder of its own" in told
    assert "open was left out" in told and "other programs see a command's arguments" in told
    assert "off" not in {line.split()[0] for line in told.splitlines()}
    rows = [row["name"] for row in json.loads(run("servers", "list", "--json").out)["servers"]]
    assert rows == ["odd"]
    assert secrets_in_files(tmp_path / "home", "abc123") == []
    with pytest.raises(Exception, match="not in the vault"):
        open_vault(os.environ).get("file:server/asks/API_KEY")


def test_adding_a_server_that_is_there_keeps_its_secret(run: Run) -> None:
    words = ("servers", "add", "sky", "--secret", "SKY_KEY", "--", sys.executable, STRANGER)
    assert run(*words, stdin="the-first\n").code == 0
    refused = run(*words, stdin="the-second\n")
    assert refused.code != 0 and "There is a server 'sky' already" in refused.err
    assert open_vault(os.environ).get("file:server/sky/SKY_KEY") == "the-first"


@pytest.mark.parametrize("number", range(40))
def test_an_entry_added_and_taken_out_leaves_every_byte(number: int, run: Run, tmp_path: Path) -> None:
    """Forty files of four clients: their own spellings, indents, line ends, comments and order."""
    from gaia_email_registry.client_files import install, uninstall

    client = list(CLIENTS)[number % 4]
    section = CLIENTS[client].section
    ending = "\r\n" if number % 3 == 0 else "\n"
    indent = ("  ", "\t", "    ", "")[number // 4 % 4]
    entry = '"a": {"command": "x", "args": ["é", "\\u00e9"], "env": {"K": "{}//,"}}'
    inside = [f"{entry}", f'{entry},{ending}{indent * 2}"b": {{"url": "http://h"}}', ""][number % 3]
    comment = f"{indent}// mine{ending}" if number % 2 and client == "vscode" else ""
    other = f',{ending}{indent}"other": [1, 2.50, null]' if number % 5 else ""
    text = (
        f'{{{ending}{comment}{indent}"{section}": {{{ending}{indent * 2}{inside}{ending}{indent}}}{other}{ending}}}'
        f"{ending * (number % 2)}"
    )
    path = tmp_path / "file.json"
    before = text.encode("utf-8-sig" if number % 7 == 6 else "utf-8")
    path.write_bytes(before)
    install(path, client, "ours", {"command": "gaia-local-mcp", "args": ["--maildir", "/x"]})
    assert path.read_bytes() != before
    uninstall(path, client, "ours")
    assert path.read_bytes() == before


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def serving(command: Sequence[str], home: Path) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """A server in another process, which wants a token: its address, and the process."""
    port = free_port()
    environ = {**os.environ, "GAIA_HTTP_TOKEN": "a-long-secret", "GAIA_HOME": str(home)}
    with subprocess.Popen(
        [sys.executable, "-m", *command, "--http", f"127.0.0.1:{port}"],
        env=environ,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            until = time.monotonic() + 40
            while time.monotonic() < until:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    assert process.poll() is None
            yield f"http://127.0.0.1:{port}/mcp", process
        finally:
            process.kill()


@pytest.fixture
def reached(tmp_path: Path) -> Iterator[str]:
    """The address of a local server."""
    folder = maildir(tmp_path / "Mail", "Roof", "Fence")
    with serving(["gaia_local_mcp.server", "--maildir", str(folder)], tmp_path / "theirs") as (url, _):
        yield url


@pytest.mark.parametrize("program", ["gaia_local_mcp.server", "gaia_email.interfaces.mcp.server"])
def test_sigterm_ends_a_server_over_http_with_0(program: str, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    about = ["--maildir", str(folder)] if "local" in program else ["--demo"]
    with serving([program, *about], tmp_path / "theirs") as (_, process):
        process.terminate()
        assert process.wait(30) == 0


def test_a_mailbox_over_http_is_sorted_changed_and_undone(run: Run, reached: str, tmp_path: Path) -> None:
    told = run("servers", "add", "far", "--url", reached, "--token", stdin="a-long-secret\n")
    assert "a mailbox: gaia email inbox --server far" in told.err, told.err
    assert secrets_in_files(tmp_path / "home", "a-long-secret") == []
    shown = run("inbox", "--server", "far", "--user", "me@example.org", "--json")
    assert subjects(shown.out) == {"Roof", "Fence"}
    rows = [row for found in json.loads(shown.out)["buckets"].values() for row in found]
    assert run("snooze", rows[0]["id"], "--until", "3d", "--server", "far").code == 0
    assert len(subjects(run("inbox", "--server", "far", "--user", "me@example.org", "--json").out)) == 1
    assert run("undo", "--server", "far").code == 0
    assert subjects(run("inbox", "--server", "far", "--user", "me@example.org", "--json").out) == {
        "Roof",
        "Fence",
    }
