"""`gaia email discover`, and `gaia email connect` without an address: what the machine names is not asked for."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.accounts.found import not_connected
from gaia_email.app.accounts.last_discovery import last_addresses
from gaia_email.app.documents.accounts import DiscoveredAccount, DiscoveredAccounts
from gaia_email.app.operations.operation import NoInput
from gaia_email.app.services.finding_accounts import now_connected
from gaia_email.app.services.regular_looks import look_when_due
from gaia_email.document import json_of
from gaia_email.interfaces.cli.commands import connect
from gaia_email.interfaces.cli.from_operation import OperationAnswer, print_document
from gaia_email.interfaces.cli.views import CANDIDATES
from gaia_email_registry.accounts import Account, store_account
from tests.cli.printed import Run, document


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and no variable of the tester's that names an account."""
    for name in ("EMAIL", "GMAIL_ADDRESS", "OUTLOOK_ACCOUNT", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / ".gaia"))
    return tmp_path


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Standard input as a terminal that gives these lines."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    lines = Terminal()
    monkeypatch.setattr(sys, "stdin", lines)
    return lines


def _mbsync(home: Path, *addresses: str) -> None:
    (home / ".mbsyncrc").write_text("".join(f"User {address}\n" for address in addresses))


def test_what_is_found_says_how_it_is_known(run: Run, home: Path) -> None:
    _mbsync(home, "ada@posteo.de")
    assert run("discover").out.splitlines()[1] == "ada@posteo.de\tposteo\thigh\tmbsync\t~/.mbsyncrc"
    found = document(run, "discover", "discover")
    assert [row["address"] for row in found["candidates"]] == ["ada@posteo.de"]


def _answer(document: dict[str, Any], *, verbose: bool) -> OperationAnswer:
    return OperationAnswer(document=document, asked=NoInput(), source="", given={"verbose": verbose})


def test_verbose_shows_every_trace_and_else_only_the_best(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _mbsync(home, "ada@posteo.de")
    (home / ".gitconfig").write_text("[user]\nemail = ada@posteo.de\n")
    candidates = [DiscoveredAccount.of(one) for one in not_connected(os.environ)]
    document = json_of(DiscoveredAccounts(candidates=candidates))
    print_document(_answer(document, verbose=False), CANDIDATES, "card")
    short = capsys.readouterr().out
    print_document(_answer(document, verbose=True), CANDIDATES, "card")
    whole = capsys.readouterr().out
    assert "~/.mbsyncrc" in short
    assert "~/.gitconfig" not in short
    assert "~/.gitconfig" in whole


def test_an_account_already_connected_is_not_offered_again(run: Run, home: Path) -> None:
    _mbsync(home, "ada@posteo.de")
    environ = {"GAIA_HOME": str(home / ".gaia")}
    store_account(
        Account(id="ada@posteo.de", provider="posteo", address="Ada@posteo.de", server="imap"), environ
    )
    assert document(run, "discover", "discover")["candidates"] == []


def test_without_a_terminal_nothing_is_assumed_and_the_command_is_named(run: Run, home: Path) -> None:
    _mbsync(home, "ada@posteo.de")
    result = run("connect", stdin=b"a-password\n")
    assert result.code == 2
    assert "gaia email connect --email ada@posteo.de" in result.err
    assert not (home / ".gaia" / "accounts.json").exists()


@pytest.mark.usefixtures("terminal")
def test_the_only_account_of_a_mail_program_is_taken_without_a_question(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _mbsync(home, "ada@posteo.de")
    (home / ".gitconfig").write_text("[user]\nemail = other@company.dev\n")
    assert connect._address(App()) == "ada@posteo.de"  # pyright: ignore[reportPrivateUsage]
    assert "found ada@posteo.de in mbsync (~/.mbsyncrc)" in capsys.readouterr().err


@pytest.mark.parametrize(("typed", "expected"), [("\n", "ada@posteo.de"), ("bob@web.de\n", "bob@web.de")])
def test_of_several_accounts_the_likeliest_is_taken_by_enter(
    home: Path, terminal: io.StringIO, typed: str, expected: str
) -> None:
    _mbsync(home, "ada@posteo.de", "bob@web.de")
    terminal.write(typed)
    terminal.seek(0)
    assert connect._address(App()) == expected  # pyright: ignore[reportPrivateUsage]


def test_an_address_that_only_git_names_is_asked_about(home: Path, terminal: io.StringIO) -> None:
    (home / ".gitconfig").write_text("[user]\nemail = ada@posteo.de\n")
    terminal.write("ada@gmx.de\n")
    terminal.seek(0)
    assert connect._address(App()) == "ada@gmx.de"  # pyright: ignore[reportPrivateUsage]


WEEK_S = 7 * 86_400.0
NOW = 1_795_000_000.0


def looked(now: float) -> list[str]:
    """What the regular look at that time says."""
    said: list[str] = []
    asyncio.run(look_when_due(App(), said.append, clock=lambda: now))
    return said


def notes(run: Run) -> list[str]:
    return [row["asked"] for row in document(run, "pending", "pending")["items"] if row["type"] == "notify"]


def test_what_was_found_is_kept_for_its_owner_only(run: Run, home: Path) -> None:
    _mbsync(home, "ada@gmail.com", "ada@firm-ada.net")
    assert run("discover").code == 0
    path = home / ".gaia" / "email" / "discovery.json"
    assert path.stat().st_mode & 0o077 == 0
    last_addresses = json.loads(path.read_text())
    assert last_addresses["schema_version"] == 1
    assert last_addresses["candidates"] == [
        {
            "email": "ada@gmail.com",
            "provider": "gmail",
            "adapter": "gmail",
            "source": "mbsync",
            "confidence": "high",
        },
        {
            "email": "ada@firm-ada.net",
            "provider": "",
            "adapter": "imap",
            "source": "mbsync",
            "confidence": "high",
        },
    ]


def test_browsers_are_looked_at_when_that_is_switched_on(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = home / ".mozilla" / "firefox" / "x.default"
    profile.mkdir(parents=True)
    (profile / "signedInUser.json").write_text('{"accountData": {"email": "ada@posteo.de"}}')
    assert document(run, "discover", "discover")["candidates"] == []
    monkeypatch.setenv("GAIA_DISCOVER_BROWSERS", "1")
    (found,) = document(run, "discover", "discover")["candidates"]
    assert (found["address"], found["source"]) == ("ada@posteo.de", "Firefox")
    monkeypatch.setenv("GAIA_DISCOVER_BROWSERS", "perhaps")
    assert run("discover").code == 2


def test_a_new_account_is_told_once_a_week_when_that_is_switched_on(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _mbsync(home, "ada@posteo.de")
    assert looked(NOW) == []
    assert not (home / ".gaia").exists(), "nothing is looked at, and nothing kept"
    monkeypatch.setenv("GAIA_DISCOVER_WEEKLY", "1")
    assert looked(NOW) == [], "what the first look finds is no news"
    _mbsync(home, "ada@posteo.de", "ada@gmx.de")
    assert looked(NOW + WEEK_S - 1) == []
    (said,) = looked(NOW + WEEK_S)
    told = "ada@gmx.de is not connected: gaia email connect --email ada@gmx.de"
    assert said == f"mbsync knows a new account. {told}"
    assert notes(run) == [told]
    assert looked(NOW + 2 * WEEK_S) == []
    assert notes(run) == [told]


def test_the_note_goes_when_the_account_is_connected(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_DISCOVER_WEEKLY", "1")
    looked(NOW)
    _mbsync(home, "ada@posteo.de", "ada@gmx.de")
    looked(NOW + WEEK_S)
    assert len(notes(run)) == 2
    now_connected(App(), "Ada@posteo.de")
    assert len(notes(run)) == 1
    environ = {"GAIA_HOME": str(home / ".gaia")}
    store_account(
        Account(
            id="ada@gmx.de",
            provider="gmx",
            address="ada@gmx.de",
            server="imap",
            settings={},
            secret="",
            added_at="2026-11-01T00:00:00Z",
        ),
        environ,
    )
    assert looked(NOW + 2 * WEEK_S) == []
    assert notes(run) == []


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"candidates": 3}', b"\xff", b'{"candidates": [3]}'])
def test_a_damaged_file_of_an_earlier_look_is_as_good_as_an_empty_one(home: Path, content: bytes) -> None:
    path = home / ".gaia" / "email" / "discovery.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert not last_addresses(os.environ)
