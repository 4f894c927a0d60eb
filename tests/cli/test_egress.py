"""`gaia email egress`: sums, connections, filters, deletion; what strangers put into it steers nothing."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace

import pytest

from gaia_email_registry.accounts import Account, store_account
from gaia_email_registry.egress.rows import DAY_S, EgressRow, add, ledger_file
from tests.cli.printed import Run, document, runner

ROW = EgressRow(
    id="a1",
    at=0.0,
    until=0.0,
    program="gaia",
    account="me@example.org",
    host="imap.example.org",
    port=993,
    via="",
    why="mail",
    sent=100,
    received=2_000,
    open=False,
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


@pytest.fixture
def now() -> float:
    """Now; four connections before it, one of them for another account, one ten days ago."""
    found = time.time()
    for row in (
        replace(ROW, id="a1", at=found - 10 * DAY_S, until=found - 10 * DAY_S),
        replace(ROW, id="b2", at=found - 60, until=found - 50, program="gaia-imap-mcp"),
        replace(ROW, id="c3", at=found - 50, until=found - 40, host="smtp.example.org", port=465, why="send"),
        replace(ROW, id="d4", at=found - 40, until=found - 30, account="ann@example.org", open=True, sent=7),
    ):
        add(ledger_file(os.environ), row)
    return found


def test_it_sums_by_server_and_reason(run: Run, now: float) -> None:
    told = document(run, "egress", "egress")
    assert [(one["host"], one["why"], one["connections"], one["sent"]) for one in told["totals"]] == [
        ("imap.example.org", "mail", 3, 207),
        ("smtp.example.org", "send", 1, 100),
    ]
    assert told["totals"][0]["accounts"] == ["ann@example.org", "me@example.org"]
    assert told["totals"][0]["programs"] == ["gaia", "gaia-imap-mcp"]
    assert (told["sent"], told["received"], told["connections"]) == (307, 8_000, None)


def test_all_lists_each_connection_the_newest_first(run: Run, now: float) -> None:
    told = document(run, "egress", "egress", "--all")
    assert [one["sent"] for one in told["connections"]] == [7, 100, 100, 100]
    assert [one["open"] for one in told["connections"]] == [True, False, False, False]
    lines = run("egress", "--all").out.splitlines()
    assert lines[0].split("\t")[:4] == ["at", "program", "account", "host"] and len(lines) == 5


def test_since_and_account_leave_the_others_out(run: Run, now: float) -> None:
    assert document(run, "egress", "egress", "--since", "7d")["sent"] == 207
    assert document(run, "egress", "egress", "--account", "Ann@example.org")["sent"] == 7
    account = Account(id="work", provider="imap", address="ann@example.org", server="imap")
    store_account(account, os.environ)
    assert document(run, "egress", "egress", "--account", "work")["sent"] == 7
    assert document(run, "egress", "egress", "--account", "nobody")["totals"] == []


def test_without_a_ledger_there_is_nothing(run: Run) -> None:
    told = document(run, "egress", "egress")
    assert (told["totals"], told["sent"], told["since"]) == ([], 0, None)
    assert run("egress", "purge").err == "The egress ledger is empty.\n"


def test_purge_asks_and_deletes(run: Run, now: float) -> None:
    refused = run("egress", "purge")
    assert refused.code == 5 and "--yes" in refused.err
    assert document(run, "egress", "egress")["sent"] == 307
    assert "4 connections" in run("egress", "purge", "--yes").err
    assert document(run, "egress", "egress")["totals"] == []


def test_a_host_out_of_a_mail_steers_no_terminal(
    run: Run, now: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_email.interfaces.cli.output.is_terminal", lambda: True)
    hostile = "evil\x1b[2J\u202e.example"
    add(ledger_file(os.environ), replace(ROW, id="e5", at=now, until=now, host=hostile, why="unsubscribe"))
    for words in (("egress",), ("egress", "--all")):
        told = run(*words)
        assert "evil" in told.out and "\x1b[2J" not in told.out and "\u202e" not in told.out
        assert "100 B" in told.out and "2.0 kB" in told.out


def test_a_ledger_that_cannot_be_read_is_said(run: Run) -> None:
    ledger_file(os.environ).mkdir(parents=True)
    told = run("egress", "--json")
    assert told.code == 1 and "cannot be read" in told.err


def test_a_line_of_it_has_the_fields_that_were_asked_for(run: Run, now: float) -> None:
    lines = run("egress", "--jsonl", "--fields", "host,sent").out.splitlines()
    assert json.loads(lines[0]) == {"host": "imap.example.org", "sent": 207}
