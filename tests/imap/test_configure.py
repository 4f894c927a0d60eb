"""Which account a command line and an environment name, and what the server says when they name none."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gaia_email_registry.accounts import Account, store_account
from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth
from gaia_email_registry.vault import open_vault
from gaia_imap_mcp.configure import Configured, configure
from gaia_imap_mcp.server import mailbox_source, main, open_server
from gaia_mail_mcp.mailbox import Capability


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"GAIA_HOME": str(tmp_path / "gaia"), "GAIA_VAULT": "file"}


def stored(environ: Mapping[str, str], address: str = "ida@fastmail.com", **settings: str) -> Account:
    account = Account(
        id=address,
        provider="other" if settings else "fastmail",
        address=address,
        server="imap",
        settings=settings,
        secret="vault:" + open_vault(environ).put(address, "kept"),
    )
    store_account(account, environ)
    return account


def servers(found: Configured) -> tuple[object, ...]:
    smtp = found.smtp and (found.smtp.endpoint.host, found.smtp.endpoint.port, found.smtp.endpoint.security)
    return found.imap.host, found.imap.port, found.imap.security, smtp


def test_the_environment_names_an_account(environ: dict[str, str]) -> None:
    environ |= {"GAIA_IMAP_HOST": "mail.example.org", "GAIA_IMAP_USER": "ida", "GAIA_IMAP_PASSWORD": "secret"}
    found = configure({}, environ)
    assert servers(found) == ("mail.example.org", 993, "tls", None)
    assert (found.imap.user, found.imap.address, found.imap.secret(False).value) == ("ida", "ida", "secret")
    environ |= {
        "GAIA_IMAP_SECURITY": "starttls",
        "GAIA_SMTP_HOST": "smtp.example.org",
        "GAIA_SMTP_PORT": "587",
    }
    found = configure({"account": "ida@example.org", "imap_port": "1143"}, environ)
    assert servers(found) == (
        "mail.example.org",
        1143,
        "starttls",
        ("smtp.example.org", 587, "starttls"),
    )
    assert found.imap.address == "ida@example.org"
    assert found.smtp is not None and found.smtp.secret() == "secret"


def test_an_address_of_a_known_provider_is_enough(environ: dict[str, str]) -> None:
    found = configure({"imap_user": "ida@gmail.com", "imap_password_command": "echo secret"}, environ)
    assert servers(found) == ("imap.gmail.com", 993, "tls", ("smtp.gmail.com", 465, "tls"))
    assert found.files_sent
    assert found.imap.secret(False).value == "secret"
    found = configure({"imap_user": "ida@gmail.com", "imap_host": "127.0.0.1"}, environ)
    assert servers(found) == ("127.0.0.1", 993, "tls", None)
    found = configure({"imap_user": "ida@own.example", "imap_provider": "posteo"}, environ)
    assert servers(found)[0] == "posteo.de"


def test_a_connected_account_is_used_as_it_was_connected(environ: dict[str, str]) -> None:
    stored(environ)
    found = configure({}, environ)
    assert servers(found) == ("imap.fastmail.com", 993, "tls", ("smtp.fastmail.com", 465, "tls"))
    assert found.imap.secret(False).value == "kept"
    environ |= {"GAIA_IMAP_HOST": "other.example", "GAIA_IMAP_USER": "bo", "GAIA_IMAP_PASSWORD": "bo's"}
    assert servers(configure({}, environ))[0] == "other.example"
    named = configure({"account": "ida@fastmail.com", "imap_port": "1993"}, environ)
    assert servers(named)[:2] == ("imap.fastmail.com", 1993)
    assert (named.imap.user, named.imap.secret(False).value) == ("ida@fastmail.com", "kept")


def test_two_accounts_have_an_index_each_and_none_when_it_is_not_wanted(environ: dict[str, str]) -> None:
    stored(environ)
    stored(environ, "bo@fastmail.com", imap_host="mail.example", imap_security="starttls")
    found = [configure({"account": name}, environ).imap for name in ("ida@fastmail.com", "bo@fastmail.com")]
    assert len({one.cache for one in found}) == 2
    assert all(one.cache is not None and str(one.cache).startswith(environ["GAIA_HOME"]) for one in found)
    assert not Path(environ["GAIA_HOME"], "accounts").exists()
    assert configure({"account": "bo@fastmail.com", "imap_no_index": True}, environ).imap.cache is None


@pytest.mark.parametrize(
    ("flags", "kind", "said"),
    [
        ({}, NeedsAuth, "No account is connected"),
        ({"account": "dora@example.org"}, NeedsAuth, "dora@example.org"),
        ({"imap_host": "mail.example"}, NeedsAuth, "No user"),
        ({"imap_user": "ida@own.example"}, BadArgument, "--imap-host"),
        ({"imap_user": "ida", "imap_host": "h", "imap_port": "0"}, BadArgument, "number from 1"),
        ({"imap_user": "ida", "imap_host": "h", "imap_idle_minutes": "30"}, BadArgument, "1 to 28"),
        ({"imap_user": "ida", "imap_host": "h", "imap_security": "ssl"}, BadArgument, "tls, starttls"),
        ({"imap_user": "ida", "imap_host": "h", "imap_security": "none"}, BadArgument, "encryption"),
        ({"imap_user": "ida@x", "imap_provider": "nobody"}, BadArgument, "There is no provider"),
    ],
)
def test_what_is_missing_or_wrong_is_said(
    environ: dict[str, str], flags: dict[str, object], kind: type[MailError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        configure(flags, environ)


def test_a_missing_password_is_said_when_it_is_needed(environ: dict[str, str]) -> None:
    found = configure({"imap_user": "ida@posteo.de"}, environ)
    with pytest.raises(NeedsAuth, match="no password"):
        found.imap.secret(False)


def test_a_password_is_asked_once_and_a_token_each_time(environ: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "count"
    script.write_text(f"echo x >> {tmp_path}/asked; wc -l < {tmp_path}/asked\n")
    flags = {"imap_user": "ida@posteo.de", "imap_password_command": f"sh {script}"}
    secret = configure(flags, environ).imap.secret
    assert [secret(False).value.strip() for _ in range(2)] == ["1", "1"]
    secret = configure({**flags, "imap_auth": "xoauth2"}, environ).imap.secret
    assert [secret(False).value.strip() for _ in range(2)] == ["2", "3"]
    assert secret(True).kind == "xoauth2"


def test_the_settings_never_show_the_password(environ: dict[str, str]) -> None:
    environ |= {"GAIA_IMAP_USER": "ida@posteo.de", "GAIA_IMAP_PASSWORD": "hunter2"}
    found = configure({}, environ)
    found.imap.secret(False)
    assert "hunter2" not in repr(found) + str(found) + repr(found.imap.secret(False))


def test_without_a_server_to_send_by_nothing_is_offered_that_sends(environ: dict[str, str]) -> None:
    flags = {"imap_user": "ida", "imap_host": "mail.example"}
    assert Capability.SEND not in mailbox_source(flags, environ).capabilities
    assert Capability.SEND in mailbox_source({**flags, "smtp_host": "smtp.example"}, environ).capabilities


def test_without_an_account_the_tools_are_listed_and_the_first_answer_says_how_to_connect() -> None:
    from fastmcp import Client

    async def scenario() -> None:
        async with Client(open_server({})) as client:
            names = {tool.name for tool in await client.list_tools()}
            assert {"read_emails", "send_email", "trash_email", "snooze_email"} <= names
            assert not names & {"create_filter", "list_calendar_events"}
            answer = await client.call_tool("list_emails", {}, raise_on_error=False)
            assert answer.is_error
            assert "gaia email connect" in json.dumps(answer.structured_content)
            status = await client.call_tool("server_status", {}, raise_on_error=False)
            assert "gaia email connect" in json.dumps(status.structured_content)

    asyncio.run(asyncio.wait_for(scenario(), 20))


def test_a_wrong_command_line_is_one_sentence_and_exit_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--imap-user", "ida@own.example"])
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("gaia-imap-mcp: The mail server of")


def test_there_is_no_flag_for_a_password(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--imap-password", "--smtp-password", "--password"):
        with pytest.raises(SystemExit):
            main([f"{flag}=hunter2"])
    assert "hunter2" not in capsys.readouterr().out


def test_opening_a_server_connects_nowhere_and_imports_no_mail_code() -> None:
    program = (
        "import sys\n"
        "from gaia_imap_mcp.server import mailbox_source\n"
        "mailbox_source({'imap_user': 'ida@posteo.de'}, {'GAIA_HOME': '/nowhere'})\n"
        "heavy = {'imapclient', 'smtplib', 'ssl', 'sqlite3', 'keyring', 'cryptography', 'email', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert found.stdout.strip() == "[]"
