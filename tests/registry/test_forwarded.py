"""Logins that a host forwards stand among the accounts of one data directory, in memory alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.accounts import (
    Account,
    accounts_file,
    check_enabled,
    find_account,
    read_accounts,
    remove_account,
    set_enabled,
    store_account,
)
from gaia_email_registry.errors import NeedsApproval, NeedsAuth
from gaia_email_registry.forwarded import ForwardedLogin, forward, forwarded_login, withdraw, withdraw_all

LOGIN = ForwardedLogin(
    provider="google",
    account_id="ann@example.org",
    address="ann@example.org",
    server="gmail",
    access_token="ya29.secret",
    expires_at=100.0,
    host="Corridor",
)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"GAIA_HOME": str(tmp_path)}


def test_it_is_listed_found_and_changed_as_any_account_and_never_written(environ: dict[str, str]) -> None:
    own = Account(id="me@example.org", provider="gmail", address="me@example.org", server="gmail")
    store_account(own, environ)
    before = accounts_file(environ).read_bytes()
    forward(LOGIN, environ)
    assert [one.id for one in read_accounts(environ)] == ["me@example.org", "ann@example.org"]
    account = find_account("Ann@example.org", environ)
    assert account.is_forwarded and "ya29" not in repr((account, LOGIN))
    store_account(replace(account, aliases=("a@example.org",)), environ)
    set_enabled("ann@example.org", False, environ)
    with pytest.raises(NeedsApproval, match="switched off"):
        check_enabled("ann@example.org", environ)
    assert find_account("ann@example.org", environ, disabled_too=True).aliases == ("a@example.org",)
    assert accounts_file(environ).read_bytes() == before
    store_account(replace(own, provider="other"), environ)
    assert b"ann@example.org" not in accounts_file(environ).read_bytes()
    withdraw("ann@example.org", environ)
    assert [one.id for one in read_accounts(environ)] == ["me@example.org"]


def test_another_login_of_a_provider_takes_the_place_of_the_one_before(environ: dict[str, str]) -> None:
    forward(LOGIN, environ)
    forward(replace(LOGIN, access_token="newer", expires_at=200.0), environ)
    assert [one.id for one in read_accounts(environ)] == ["ann@example.org"]
    found = forwarded_login("ann@example.org", environ)
    assert found is not None and found.usable("Google", 150.0) == "newer"
    forward(replace(LOGIN, account_id="bo@example.org", address="bo@example.org"), environ)
    assert [one.id for one in read_accounts(environ)] == ["bo@example.org"]
    remove_account("bo@example.org", environ)
    withdraw_all(environ)
    assert not read_accounts(environ) and not accounts_file(environ).exists()


def test_another_data_directory_knows_nothing_of_it(environ: dict[str, str], tmp_path: Path) -> None:
    forward(LOGIN, environ)
    other = {"GAIA_HOME": str(tmp_path / "other")}
    assert not read_accounts(other) and forwarded_login("ann@example.org", other) is None
    withdraw_all(environ)


def test_one_that_has_ended_says_who_has_to_forward_it_again() -> None:
    assert LOGIN.usable("Google", 99.0) == "ya29.secret"
    with pytest.raises(NeedsAuth, match="Corridor") as refused:
        LOGIN.usable("Google", 100.0)
    assert "Corridor" in str(refused.value.hint) and "ya29" not in str(refused.value)
