"""`gaia email connect`, `accounts`, `disconnect` and `--account`, on a real Dovecot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.printed import Ran, Run, fits, runner
from tests.contract.suite.seed import write_message
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.smtp_sink import SmtpSink


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("GAIA_VAULT", "file")

    plain = runner(capsys, monkeypatch)

    def call(*args: str, stdin: str = "") -> Ran:
        return plain(*args, stdin=stdin.encode())

    return call


@pytest.fixture
def home(home_of_its_own: Path) -> Path:
    return home_of_its_own / ".gaia"


@pytest.fixture
def arguments(dovecot: Dovecot, user: str, smtp: SmtpSink) -> list[str]:
    return [
        "connect", "--email", f"{user}@example.org", "--imap-user", user, "--imap-host", "127.0.0.1",
        "--imap-port", str(dovecot.port), "--imap-security", "none", "--smtp-host", "127.0.0.1",
        "--smtp-port", str(smtp.port), "--smtp-security", "none",
    ]  # fmt: skip


def test_an_account_is_connected_listed_read_and_forgotten(
    run: Run, arguments: list[str], home: Path, user: str, other: OtherClient
) -> None:
    other.append(write_message(1, subject="Can you call me today?"))
    address = f"{user}@example.org"
    ran = run(*arguments, stdin=PASSWORD + "\n")
    assert (ran.code, ran.out) == (0, "")
    assert f"connected {address}" in ran.err and "but:" not in ran.err
    listed = run("accounts", "--json")
    document = json.loads(listed.out)
    fits(document, "accounts")
    (row,) = document["accounts"]
    assert (row["id"], row["provider"], row["password"]) == (address, "other", "vault")
    for extra in (["--account", address], []):
        inbox = run("inbox", "--json", *extra)
        assert inbox.code == 0, inbox.err
        assert json.loads(inbox.out)["account"] == address
        assert "Can you call me today?" in inbox.out
    (id_,) = [row["id"] for rows in json.loads(inbox.out)["buckets"].values() for row in rows]
    for command in ("why", "show"):
        assert run(command, id_, "--account", address, "--json").code == 0
    assert "Can you call me today?" in run("triage", "--jsonl").out
    assert run("disconnect", address).code == 0
    assert json.loads(run("accounts", "--json").out)["accounts"] == []
    assert run("inbox").code == 4
    assert not (home / "accounts").exists() or not list((home / "accounts").iterdir())
    everything = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in everything and b"call me" not in everything
    assert len(other.held()) == 1


def test_a_wrong_password_is_one_sentence_and_nothing_is_kept(
    run: Run, dovecot: Dovecot, user: str, home: Path
) -> None:
    arguments = [
        "connect", "--email", f"{user}@example.org", "--imap-user", user, "--imap-host", "127.0.0.1",
        "--imap-port", str(dovecot.port), "--imap-security", "none",
    ]  # fmt: skip
    ran = run(*arguments, stdin="hunter2\n")
    assert ran.code == 4
    assert ran.err.count("does not accept the password") == 1
    assert "hunter2" not in ran.err + ran.out
    assert run(*arguments, stdin=PASSWORD + "\n").code == 0
    before = (home / "accounts.json").read_text()
    assert run(*arguments, stdin="hunter2\n").code == 4
    assert (home / "accounts.json").read_text() == before
    assert run("inbox", "--json").code == 0, "the password that worked is still there"


def test_a_server_that_cannot_send_is_said_and_the_account_is_connected(
    run: Run, arguments: list[str], smtp: SmtpSink
) -> None:
    arguments[arguments.index(str(smtp.port))] = "1"
    ran = run(*arguments, stdin=PASSWORD + "\n")
    assert ran.code == 0
    assert "nothing can be sent" in ran.err and "but: 127.0.0.1:1 cannot be reached" in ran.err


def test_a_password_from_a_command_or_file_is_not_kept_here(
    run: Run, arguments: list[str], home: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(PASSWORD + "\n")
    secret.chmod(0o600)
    for option, kind in (
        (["--password-command", f"cat {secret}"], "command"),
        (["--password-file", str(secret)], "file"),
    ):
        assert run(*arguments, *option).code == 0
        assert json.loads(run("accounts", "--json").out)["accounts"][0]["password"] == kind
        assert run("inbox", "--json").code == 0
        assert not (home / "vault").exists()


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ([], 2, "Name the account"),
        (["--email", "ida"], 2, "is not an address"),
        (["--email", "ida@own.example", "--no-lookup"], 2, "are not known here"),
        (["--email", "ida@posteo.de"], 4, "no password came"),
        (["--email", "ida@posteo.de", "--password-command", "x", "--password-file", "y"], 2, "not both"),
        (["--email", "ida@posteo.de", "--password-command", "false"], 4, "exit code 1"),
    ],
)
def test_what_is_missing_is_said(run: Run, home: Path, options: list[str], code: int, said: str) -> None:
    ran = run("connect", *options)
    assert (ran.code, said in ran.err) == (code, True), ran.err
    assert not (home / "accounts.json").exists()


def test_an_account_that_is_not_connected_is_said(run: Run) -> None:
    for arguments in (["inbox", "--account", "ida@x.example"], ["disconnect", "ida@x.example"]):
        ran = run(*arguments)
        assert ran.code == 4
        assert "gaia email connect" in ran.err
    ran = run("inbox", "--account", "a", "--maildir", "b")
    assert ran.code == 2
