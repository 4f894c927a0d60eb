"""What reading mail costs on IMAP: commands read the copy, and ask for news and for bodies that are not here yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.printed import Run, runner
from tests.contract.suite.seed import write_message
from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

MESSAGES = 30

SESSION = ("CAPABILITY", "LOGIN", "ID", "ENABLE", "LOGOUT")
"""What opens and closes any connection; everything else asks for mail."""


class Counted:
    """Runs commands and tells what each asked of the server."""

    def __init__(self, run: Run, proxy: Proxy, account: str) -> None:
        self._run = run
        self._proxy = proxy
        self._account = account

    def __call__(self, *args: str) -> tuple[Any, list[str]]:
        self._proxy.commands.clear()
        ran = self._run(*args, "--account", self._account, "--json")
        assert ran.code == 0, ran.err
        asked = [line for line in self._proxy.commands if line.split(" ", 1)[0] not in SESSION]
        return json.loads(ran.out), asked


@pytest.fixture(name="counted")
def counted_fixture(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    home_of_its_own: Path,
    proxy: Proxy,
    other: OtherClient,
    user: str,
) -> Counted:
    """A connected account with mail in it."""
    monkeypatch.setenv("GAIA_VAULT", "file")
    for number in range(MESSAGES):
        other.append(write_message(number))
    run = runner(capsys, monkeypatch)
    connected = run(
        "connect", "--email", f"{user}@example.org", "--imap-user", user, "--imap-host", "127.0.0.1",
        "--imap-port", str(proxy.port), "--imap-security", "none", stdin=PASSWORD.encode() + b"\n",
    )  # fmt: skip
    assert connected.code == 0, connected.err
    return Counted(run, proxy, f"{user}@example.org")


def ids_in(document: Any) -> list[str]:
    """The messages that stand for the threads of an inbox."""
    return [row["id"] for rows in document["buckets"].values() for row in rows]


def test_a_first_inbox_lists_the_account_once(counted: Counted) -> None:
    document, asked = counted("inbox")
    assert document["total"] == MESSAGES
    assert len([line for line in asked if line.startswith("LIST")]) == 1
    assert len([line for line in asked if line.startswith("UID SEARCH")]) == 1


def test_a_second_inbox_takes_two_round_trips_and_says_the_same(counted: Counted) -> None:
    first, _ = counted("inbox")
    second, asked = counted("inbox")
    assert len(asked) <= 2, asked
    assert ids_in(second) == ids_in(first)


@pytest.mark.parametrize("command", ["why", "show"])
def test_one_message_is_looked_up_in_the_copy(counted: Counted, command: str) -> None:
    document, _ = counted("inbox")
    wanted = ids_in(document)[0]
    found, asked = counted(command, wanted)
    assert found["id"] == wanted
    assert len(asked) <= 2, asked


def test_one_new_message_costs_that_message(counted: Counted, other: OtherClient) -> None:
    counted("inbox")
    other.append(write_message(MESSAGES + 1))
    document, asked = counted("inbox")
    assert document["total"] == MESSAGES + 1
    fetched = [line for line in asked if "BODY.PEEK[]" in line]
    assert fetched and not any("1:" in line for line in fetched), asked


def test_a_message_that_another_program_moved_away_leaves_the_inbox(
    counted: Counted, other: OtherClient
) -> None:
    counted("inbox")
    other.move([1], "Archive")
    document, _ = counted("inbox")
    assert document["total"] == MESSAGES - 1
