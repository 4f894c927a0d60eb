"""`--server NAME`: an MCP server in another process is a mailbox; one that is none says why."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from gaia_email_registry.paths import servers_file
from tests.cli.printed import Run
from tests.cli.test_connected_files import maildir, subjects

HERE = Path(__file__).resolve().parent


@pytest.fixture
def box(run: Run, tmp_path: Path) -> Path:
    """A Maildir that a local server of another process serves under the name `post`, and a server that is none."""
    folder = maildir(tmp_path / "Mail", "Roof", "Fence")
    program = "import sys; from gaia_local_mcp.server import main; sys.exit(main())"
    entries = {
        "post": {"command": sys.executable, "args": ["-c", program, "--maildir", str(folder)]},
        "weather": {"command": sys.executable, "args": [str(HERE / "stranger.py")]},
        "gone": {"command": str(tmp_path / "no-such-program")},
    }
    path = servers_file(os.environ)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    return folder


USER = ("--user", "me@example.org")


def test_a_server_of_another_process_is_sorted_explained_and_searched(run: Run, box: Path) -> None:
    told = run("inbox", "--server", "post", *USER, "--json")
    assert subjects(told.out) == {"Roof", "Fence"}
    rows = [row for rows in json.loads(told.out)["buckets"].values() for row in rows]
    roof = next(row["id"] for row in rows if row["subject"] == "Roof")
    assert json.loads(run("why", roof, "--server", "post", *USER, "--json").out)["subject"] == "Roof"
    assert json.loads(run("search", "fence", "--server", "post", "--json").out)["shown"] == 1


def test_a_triage_over_it_acts_and_is_undone(run: Run, box: Path) -> None:
    rows = json.loads(run("inbox", "--server", "post", *USER, "--json").out)["buckets"]
    message = next(row["id"] for found in rows.values() for row in found)
    assert run("snooze", message, "--until", "3d", "--server", "post").code == 0
    left = subjects(run("inbox", "--server", "post", *USER, "--json").out)
    assert len(left) == 1
    assert run("undo", "--server", "post").code == 0
    assert subjects(run("inbox", "--server", "post", *USER, "--json").out) == {"Roof", "Fence"}


def test_a_server_that_is_no_mailbox_says_what_it_lacks(run: Run, box: Path) -> None:
    told = run("inbox", "--server", "weather")
    assert told.code != 0
    assert "it has no server_status, list_emails" in told.err


def test_a_server_that_cannot_be_started_or_is_not_listed_is_named(run: Run, box: Path) -> None:
    assert "cannot be started" in run("inbox", "--server", "gone").err
    told = run("inbox", "--server", "other")
    assert "There are gone, post, weather." in told.err and "mcp_servers.json" in told.err


def test_two_mailboxes_are_not_named_at_once(run: Run, box: Path) -> None:
    assert "not several" in run("inbox", "--server", "post", "--maildir", str(box)).err
