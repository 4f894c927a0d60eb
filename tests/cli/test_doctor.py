"""`gaia email doctor`: each thing that can be wrong is found, and the command that mends it is named."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app.accounts import checks
from gaia_email.app.accounts.certificates import check_certificate, endpoints_of
from gaia_email_registry.accounts import Account
from gaia_email_registry.paths import home
from gaia_email_registry.providers import Endpoint
from tests.certificates import make_certificate
from tests.cli.printed import Run, document
from tests.cli.test_connected_files import maildir


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return home(os.environ)


def wrong(run: Run, *options: str) -> dict[str, dict[str, Any]]:
    """What is wrong, by what was looked at; the exit code says whether anything is."""
    told = json.loads(run("doctor", "--json", *options).out)
    found = {one["check"]: one for one in told["findings"] if not one["ok"]}
    assert told["wrong"] == len([one for one in told["findings"] if not one["ok"]])
    assert run("doctor", "--json", *options).code == (1 if found else 0)
    assert all(one["mend"] for one in found.values())
    return found


def test_a_new_machine_has_nothing_to_mend_and_nothing_is_made(run: Run, place: Path) -> None:
    assert wrong(run) == {}
    assert not place.exists()
    assert document(run, "doctor", "doctor")["wrong"] == 0


def test_a_connected_mailbox_opens(run: Run, place: Path, tmp_path: Path) -> None:
    run("connect", "--maildir", str(maildir(tmp_path / "Mail", "Roof")))
    assert wrong(run) == {}
    assert any(
        one["check"].startswith("login ") for one in json.loads(run("doctor", "--json").out)["findings"]
    )


def test_a_mailbox_that_is_gone_is_named(run: Run, place: Path, tmp_path: Path) -> None:
    folder = maildir(tmp_path / "Mail", "Roof")
    run("connect", "--maildir", str(folder))
    shutil.rmtree(folder)
    (found,) = wrong(run).values()
    assert str(folder) in found["check"]
    assert wrong(run, "--offline") == {}


def test_a_full_disk_and_a_clock_that_went_back_are_found(
    run: Run, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("connect", "--maildir", str(maildir(tmp_path / "Mail", "Roof")))
    run("inbox", "--json")
    monkeypatch.setattr(checks, "LEAST_FREE", 1 << 60)
    ahead = time.time() + 3600
    os.utime(place / "email" / "ledger.db", (ahead, ahead))
    found = wrong(run)
    assert "purge --mail" in found["disk"]["mend"]
    assert "59 minutes" in found["clock"]["says"] or "60 minutes" in found["clock"]["says"]


def test_what_others_can_read_is_named_with_the_command_that_ends_it(
    run: Run, place: Path, tmp_path: Path
) -> None:
    run("connect", "--maildir", str(maildir(tmp_path / "Mail", "Roof")))
    (place / "accounts.json").chmod(0o644)
    assert wrong(run)["file modes"]["mend"] == f"chmod go-rwx {place / 'accounts.json'}"


def test_a_list_of_accounts_that_cannot_be_read_is_one_finding(run: Run, place: Path) -> None:
    place.mkdir(mode=0o700)
    (place / "accounts.json").write_text("{")
    (place / "accounts.json").chmod(0o600)
    assert set(wrong(run)) == {"accounts"}


def test_a_ledger_that_was_changed_past_this_program_is_found(run: Run, place: Path, tmp_path: Path) -> None:
    run("connect", "--maildir", str(maildir(tmp_path / "Mail", "Roof")), "--user", "me@example.org")
    run("triage", "--apply", "--yes")
    with closing(sqlite3.connect(place / "email" / "ledger.db")) as ledger:
        ledger.execute("UPDATE events SET payload = '{}' WHERE seq = 1")
        ledger.commit()
    assert "Event 1 is broken" in wrong(run)["ledger"]["says"]


def test_a_schedule_that_nobody_runs_is_found(run: Run, place: Path, tmp_path: Path) -> None:
    folder = str(maildir(tmp_path / "Mail", "Roof"))
    run("schedule", "add", "triage", "--maildir", folder, "--cron", "0 7 * * *", "--zone", "UTC")
    assert wrong(run)["schedule"]["mend"] == "gaia email worker"


@pytest.mark.parametrize("content", ['{"mcpServers": []}', "not JSON", '{"mcpServers": {"x": 3}}', ""])
def test_a_clients_file_of_any_kind_is_no_problem_of_ours(
    run: Run, place: Path, tmp_path: Path, content: str
) -> None:
    (tmp_path / ".claude.json").write_text(content)
    assert wrong(run) == {}


def test_a_client_that_starts_a_program_of_ours_that_is_gone_is_found(
    run: Run, place: Path, tmp_path: Path
) -> None:
    gone = str(tmp_path / "old-venv" / "bin" / "gaia-imap-mcp")
    servers = {"mail": {"command": gone}, "other": {"command": "/nowhere/else"}}
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": servers}))
    mend = "gaia email servers remove claude-code --name mail, then gaia email servers install claude-code"
    assert wrong(run)["Claude Code"]["mend"] == mend


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[Endpoint, Path]]:
    """A server on loopback that shows a certificate good for one more day, and the certificate."""
    shown = make_certificate(tmp_path / "server.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listening.accept()
                with suppress(OSError), context.wrap_socket(plain, server_side=True) as one:
                    one.recv(1)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield Endpoint("127.0.0.1", listening.getsockname()[1], "tls"), shown
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join(5)


def test_a_certificate_is_looked_at_as_this_machine_trusts(secure: tuple[Endpoint, Path]) -> None:
    where, shown = secure
    assert "not to be trusted" in check_certificate(where).says
    trusting = ssl.create_default_context(cafile=str(shown))
    about_to_end = check_certificate(where, trusting)
    assert not about_to_end.ok and "ends in 0 days" in about_to_end.says


def test_a_server_that_is_not_there_is_said_to_be_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "cannot be reached" in check_certificate(Endpoint("127.0.0.1", port, "tls")).says


@pytest.mark.parametrize(
    ("settings", "provider", "expected"),
    [
        ({}, "posteo", [("posteo.de", 993), ("posteo.de", 465)]),
        ({"imap_host": "mail.example.org"}, "other", [("mail.example.org", 993)]),
        ({"imap_host": "mail.example.org", "imap_port": "1993"}, "other", [("mail.example.org", 1993)]),
        (
            {"imap_host": "mail.example.org", "imap_security": "starttls"},
            "other",
            [("mail.example.org", 143)],
        ),
        ({"imap_host": "mail.example.org"}, "icloud", [("mail.example.org", 993), ("smtp.mail.me.com", 587)]),
        ({"smtp_host": "send.example.org", "smtp_port": "587"}, "other", [("send.example.org", 587)]),
        ({"imap_host": "mail.example.org", "imap_security": "none"}, "other", []),
        ({}, "proton", []),
    ],
)
def test_the_servers_of_an_account_are_those_it_was_connected_with(
    settings: dict[str, str], provider: str, expected: list[tuple[str, int]]
) -> None:
    account = Account(
        id="me@example.org", provider=provider, address="me@example.org", server="imap", settings=settings
    )
    assert [(one.host, one.port) for one in endpoints_of(account)] == expected
