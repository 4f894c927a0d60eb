"""Disconnecting has Google revoke the login (RFC 7009), and forgets the account here whatever Google says."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from gaia_email.app.accounts.connect import disconnect
from gaia_email_registry.accounts import Account, read_accounts, store_account
from gaia_email_registry.errors import NeedsAuth
from gaia_email_registry.vault import open_vault
from gaia_gmail_mcp.endpoints import Endpoints
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.program import Google

LOGIN = {"access_token": "ya29.kept", "refresh_token": "1//refresh-0", "scope": "", "token_type": "Bearer"}
BY_HAND = "myaccount.google.com/permissions"


@pytest.fixture(name="environ")
def environ_fixture(tmp_path: Path) -> dict[str, str]:
    """A home with two accounts connected; Google is nowhere yet."""
    environ = {
        "GAIA_HOME": str(tmp_path),
        "GAIA_VAULT": "file",
        "GAIA_GOOGLE_OAUTH_ROOT": "http://127.0.0.1:9",
    }
    for name in ("me@example.org", "you@example.org"):
        reference = open_vault(environ).put(name, json.dumps(LOGIN))
        store_account(
            Account(id=name, provider="gmail", address=name, server="gmail", secret=f"vault:{reference}"),
            environ,
        )
    return environ


def check_forgotten(environ: dict[str, str]) -> None:
    assert [account.id for account in read_accounts(environ)] == ["you@example.org"]
    with pytest.raises(NeedsAuth, match="not in the vault"):
        open_vault(environ).get("file:me@example.org")
    assert json.loads(open_vault(environ).get("file:you@example.org")) == LOGIN


def test_google_is_told_and_says_that_the_login_is_revoked(environ: dict[str, str]) -> None:
    google = Google("me@example.org")
    try:
        environ["GAIA_GOOGLE_OAUTH_ROOT"] = google.emulator.root
        told = disconnect("me@example.org", environ).told
        assert told.startswith("Google has revoked its login")
        assert google.emulator.oauth.revoked
        (seen,) = google.emulator.requests
        assert (seen.method, seen.path) == ("POST", "/revoke")
        assert LOGIN["refresh_token"] not in seen.path + str(seen.headers)
        check_forgotten(environ)
        assert disconnect("you@example.org", environ).told == "Google did not know its login any more."
    finally:
        google.close()


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500, 503])
def test_a_refusal_is_told_and_the_account_is_forgotten_here(environ: dict[str, str], status: int) -> None:
    google = Google("me@example.org")
    try:
        environ["GAIA_GOOGLE_OAUTH_ROOT"] = google.emulator.root
        google.emulator.fail(Fault(method="revoke", error=ApiError(status, "no")))
        told = disconnect("me@example.org", environ).told
        assert f"did not revoke its login ({status})" in told and BY_HAND in told
        assert len(google.emulator.requests) == 1, "it is tried once"
        check_forgotten(environ)
    finally:
        google.close()


def test_silence_is_waited_for_no_longer_than_allowed(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_mail_mcp.web.revoke.REVOKE_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environ["GAIA_GOOGLE_OAUTH_ROOT"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        told = disconnect("me@example.org", environ).told
    assert told.startswith("Google could not be told") and BY_HAND in told
    check_forgotten(environ)


def test_nobody_there_or_no_login_or_a_wrong_address_hinders_nothing(environ: dict[str, str]) -> None:
    nobody = disconnect("me@example.org", environ).told
    assert nobody.startswith("Google could not be told") and BY_HAND in nobody
    check_forgotten(environ)
    open_vault(environ).remove("file:you@example.org")
    assert "cannot be read" in disconnect("you@example.org", environ).told
    assert read_accounts(environ) == ()
    for secret, root in (("command:true", "http://127.0.0.1:9"), ("vault:file:x", "http://far.example")):
        store_account(
            Account(id="i", provider="gmail", address="i@example.org", server="gmail", secret=secret), environ
        )
        environ["GAIA_GOOGLE_OAUTH_ROOT"] = root
        assert "not revoked" in disconnect("i", environ).told
        assert read_accounts(environ) == ()


def test_a_login_of_another_kind_is_not_told_to_google(environ: dict[str, str]) -> None:
    store_account(Account(id="i@x.example", provider="other", address="i@x.example", server="imap"), environ)
    assert disconnect("i@x.example", environ).told == ""


def test_where_logins_are_revoked_follows_googles_login() -> None:
    assert Endpoints.from_environment({}).revoke == ("https://oauth2.googleapis.com/revoke",)
    elsewhere = Endpoints.from_environment({"GAIA_GOOGLE_OAUTH_ROOT": "https://gate.example/google"})
    assert elsewhere.revoke[0] == "https://gate.example/google/revoke"
