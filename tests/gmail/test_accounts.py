"""`gaia email connect --provider gmail`, `accounts`, `disconnect` and `--account`, on an emulated Google."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gaia_email_registry.accounts import Account, find_account, store_account
from gaia_email_registry.errors import NeedsAuth
from gaia_email_registry.vault import open_vault
from gaia_gmail_mcp.server import SERVER, main
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.cli.printed import Run
from tests.contract.suite import write_message
from tests.gmail.emulator.emulator import EVERY_SCOPE
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.program import CONNECT, Google, point_to


def texts_below(folder: Path) -> Mapping[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_account_is_connected_listed_triaged_and_forgotten(run: Run, google: Google, home: Path) -> None:
    for number in range(3):
        google.do(google.emulator.deliver(write_message(number, subject=f"Can you call me at {number}?")))
    ran = run(*CONNECT, "--email", "me@example.org")
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert "connected me@example.org" in ran.err and "--no-send" in ran.err
    assert google.emulator.oauth.consents[0]["login_hint"] == "me@example.org"
    (row,) = json.loads(run("accounts", "--json").out)["accounts"]
    assert (row["id"], row["provider"], row["server"], row["password"]) == (
        "me@example.org",
        "gmail",
        "gmail",
        "vault",
    )
    triaged = run("triage", "--account", "me@example.org", "--json")
    assert triaged.code == 0, triaged.err
    assert json.loads(triaged.out)["account"] == "me@example.org"
    assert triaged.out.count("Can you call me at") >= 3
    assert run("inbox", "--json").code == 0, "with one account nobody has to name it"
    gone = run("disconnect", "me@example.org")
    assert "Google has revoked its login" in " ".join(gone.err.split()) and google.emulator.oauth.revoked
    assert gone.code == 0 and json.loads(run("accounts", "--json").out)["accounts"] == []


def test_no_token_lies_open_or_is_shown(run: Run, google: Google, home: Path) -> None:
    ran = run(*CONNECT)
    assert ran.code == 0, ran.err
    shown = ran.out + ran.err + run("accounts", "--json").out + run("triage", "--json").out
    tokens = [*google.emulator.oauth.access, google.emulator.oauth.refresh_token]
    for path, content in texts_below(home / ".gaia").items():
        assert not any(token.encode() in content for token in tokens), path
        assert path.stat().st_mode & 0o077 == 0, path
    assert not any(token in shown for token in tokens)
    assert not (home / ".gmail-mcp" / "credentials.json").exists()


def test_a_rotated_token_is_kept_in_the_vault(run: Run, google: Google, home: Path) -> None:
    assert run(*CONNECT).code == 0
    google.emulator.oauth.rotates = True
    for _ in range(2):
        google.emulator.oauth.expire()
        ran = run("inbox", "--json")
        assert ran.code == 0, ran.err
    assert google.emulator.oauth.refreshes == 2
    secret = find_account(None, {"GAIA_HOME": str(home / ".gaia")}).secret.removeprefix("vault:")
    kept = json.loads(open_vault({"GAIA_HOME": str(home / ".gaia"), "GAIA_VAULT": "file"}).get(secret))
    assert kept["refresh_token"] == google.emulator.oauth.refresh_token


def test_a_login_that_google_takes_back_names_the_command(run: Run, google: Google, home: Path) -> None:
    assert run(*CONNECT).code == 0
    google.emulator.oauth.expire()
    google.emulator.oauth.revoked = True
    ran = run("inbox")
    assert ran.code != 0
    assert "gaia email connect --provider gmail --email me@example.org" in " ".join(ran.err.split())


def test_another_account_than_was_meant_changes_nothing(run: Run, google: Google, home: Path) -> None:
    ran = run(*CONNECT, "--email", "you@example.org")
    assert ran.code != 0 and "logged in me@example.org, not you@example.org" in ran.err
    assert not (home / ".gaia" / "vault").exists() and not (home / ".gaia" / "accounts.json").exists()


def test_what_does_not_work_leaves_the_login_there_was(run: Run, google: Google, home: Path) -> None:
    assert run(*CONNECT).code == 0
    google.emulator.fail(Fault(method="labels.list", error=ApiError(403, "no", "insufficientPermissions")))
    assert run(*CONNECT).code != 0
    assert run("inbox").code == 0


def stored(home: Path, google: Google) -> Path:
    """The file that the archived server leaves behind after a login."""
    oauth = google.emulator.oauth
    tokens = {
        "refresh_token": oauth.refresh_token,
        "scope": EVERY_SCOPE,
        "token_type": "Bearer",
        "expiry_date": 1,
    }
    path = home / ".gmail-mcp" / "credentials.json"
    path.write_text(json.dumps(tokens), encoding="utf-8")
    return path


def test_a_login_that_lay_unencrypted_is_taken_into_the_vault(run: Run, google: Google, home: Path) -> None:
    path = stored(home, google)
    ran = run("connect", "--provider", "gmail", "--stored-login")
    assert ran.code == 0, ran.err
    assert "connected me@example.org" in ran.err and "has to log in again" in " ".join(ran.err.split())
    assert not path.exists() and not google.emulator.oauth.consents
    assert google.emulator.oauth.refresh_token.encode() not in b"".join(texts_below(home).values())
    assert run("inbox", "--json").code == 0


def test_an_unencrypted_login_that_cannot_be_taken_stays(run: Run, google: Google, home: Path) -> None:
    path = stored(home, google)
    ran = run("connect", "--provider", "gmail", "--stored-login", "--email", "you@example.org")
    assert ran.code != 0 and "logged in me@example.org, not you@example.org" in ran.err
    assert path.exists()
    path.write_text('{"refresh_token": "x", "scope": "openid"}', encoding="utf-8")
    ran = run("connect", "--provider", "gmail", "--stored-login")
    assert ran.code != 0 and "contains no login that can read mail" in " ".join(ran.err.split())
    assert path.exists()


def test_without_a_client_file_it_says_what_to_do_before_anything_opens(
    run: Run, google: Google, home: Path
) -> None:
    (home / ".gmail-mcp" / "gcp-oauth.keys.json").unlink()
    ran = run(*CONNECT)
    assert ran.code != 0 and "no Google OAuth key file" in ran.err
    assert not google.emulator.oauth.consents


def test_flags_of_one_way_are_refused_on_the_other(run: Run, home: Path) -> None:
    ran = run("connect", "--email", "a@posteo.de", "--scopes", "readonly")
    assert ran.code == 2 and "--provider gmail" in ran.err


def test_tools_are_those_that_were_granted_without_opening_the_vault(
    run: Run, google: Google, home: Path
) -> None:
    google.emulator.oauth.scope = "https://www.googleapis.com/auth/gmail.readonly"
    assert run(*CONNECT, "--scopes", "readonly").code == 0
    (home / ".gaia" / "vault").unlink()
    mailbox = SERVER.source(SERVER.login_of("me@example.org", {"GAIA_HOME": str(home / ".gaia")}))
    assert mailbox.capabilities == frozenset()
    google.emulator.oauth.scope = EVERY_SCOPE
    assert run(*CONNECT, "--scopes", "full,calendar-readonly").code == 0
    mailbox = SERVER.source(SERVER.login_of("ME@example.org", {"GAIA_HOME": str(home / ".gaia")}))
    assert {Capability.DELETE, Capability.CALENDAR} <= mailbox.capabilities


def account(name: str, *, enabled: bool = True) -> Account:
    return Account(
        id=name, provider="gmail", address=name, server="gmail", secret=f"vault:file:{name}", enabled=enabled
    )


def served(environ: Mapping[str, str], *given: str) -> list[str]:
    options = argparse.Namespace(account=given)
    return list(SERVER.serve(options, environ, SurfaceSettings()).sources)


def test_without_a_name_the_old_credentials_are_served_else_every_connected_account(
    home: Path, tmp_path: Path
) -> None:
    environ = {"GAIA_HOME": str(tmp_path)}
    assert served(environ) == [""]
    for found in (
        account("a@example.org"),
        account("b@example.org"),
        account("c@example.org", enabled=False),
    ):
        store_account(found, environ)
    store_account(Account(id="i@x.example", provider="other", address="i@x.example", server="imap"), environ)
    assert served(environ) == ["a@example.org", "b@example.org"]
    assert served(environ, "c@example.org") == ["c@example.org"]
    (home / ".gmail-mcp" / "credentials.json").write_text("{}")
    assert served(environ) == [""]


def test_an_account_whose_secret_is_gone_says_so_when_it_is_used(home: Path, tmp_path: Path) -> None:
    environ = {"GAIA_HOME": str(tmp_path), "GAIA_VAULT": "file"}
    store_account(account("a@example.org"), environ)
    storage = SERVER.login_of("a@example.org", environ).storage
    assert storage is not None
    with pytest.raises(NeedsAuth, match="not in the vault"):
        storage.read()


def test_two_accounts_are_told_apart_by_name(
    run: Run, google: Google, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fastmcp import Client

    other = Google("you@example.org")
    try:
        google.do(google.emulator.deliver(write_message(1, subject="For me")))
        other.do(other.emulator.deliver(write_message(2, subject="For you")))
        assert run(*CONNECT).code == 0
        point_to(other, monkeypatch)
        assert run(*CONNECT).code == 0
        environ = {"GAIA_HOME": str(home / ".gaia"), "GAIA_VAULT": "file"}
        mailboxes: dict[str, MailboxSource] = {}
        for place in (google, other):
            name = place.emulator.account.address
            roots = dict.fromkeys(("GAIA_GMAIL_API_ROOT", "GAIA_GOOGLE_OAUTH_ROOT"), place.emulator.root)
            mailboxes[name] = SERVER.source(SERVER.login_of(name, {**environ, **roots}), read_only=True)
        server = create_server(mailboxes)

        async def ask() -> list[str]:
            async with Client(server) as client:
                hits: list[str] = []
                for arguments in ({}, {"account": "you@example.org"}):
                    found = await client.call_tool("search_emails", {"query": "For", **arguments})
                    answer: Any = found.structured_content
                    hits += [str(hit["subject"]) for hit in answer["emails"]]
                return hits

        assert asyncio.run(ask()) == ["For me", "For you"]
    finally:
        other.close()


def test_a_server_says_that_a_list_of_accounts_is_broken(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".gaia").mkdir(exist_ok=True)
    (home / ".gaia" / "accounts.json").write_text("{")
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2 and "accounts.json" in capsys.readouterr().err
