"""`accounts.json`, and which provider an address belongs to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gaia_email_registry.accounts import (
    Account,
    accounts_file,
    check_enabled,
    find_account,
    now_text,
    read_accounts,
    remove_account,
    set_enabled,
    store_account,
)
from gaia_email_registry.errors import (
    BadArgument,
    MailError,
    NeedsApproval,
    NeedsAuth,
    NotFound,
    ProviderError,
)
from gaia_email_registry.providers import PROVIDERS, provider_of


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"GAIA_HOME": str(tmp_path / "gaia")}


def account(address: str = "ida@example.org", *, enabled: bool = True) -> Account:
    return Account(
        id=address,
        provider="other",
        address=address,
        server="imap",
        settings={"imap_host": "mail.example.org"},
        secret=f"vault:file:{address}",
        enabled=enabled,
        added_at=now_text(),
    )


def test_accounts_are_kept_in_the_order_they_came_and_replaced_by_id(environ: dict[str, str]) -> None:
    assert read_accounts(environ) == ()
    first, second = account(), account("bo@example.net")
    store_account(first, environ)
    store_account(second, environ)
    changed = account(enabled=False)
    store_account(changed, environ)
    assert read_accounts(environ) == (changed, second)
    remove_account(first.id, environ)
    assert read_accounts(environ) == (second,)


def test_the_file_is_private_and_of_the_published_form(environ: dict[str, str]) -> None:
    store_account(account(), environ)
    path = accounts_file(environ)
    assert path.stat().st_mode & 0o777 == 0o600
    document = json.loads(path.read_text())
    assert document["schema_version"] == 1
    assert list(document["accounts"][0]) == [
        "id", "provider", "address", "server", "settings", "secret", "enabled", "added_at",
    ]  # fmt: skip
    assert not [other for other in path.parent.iterdir() if other.name.startswith(".")]


def test_an_account_is_found_by_name_or_because_it_is_the_only_one(environ: dict[str, str]) -> None:
    with pytest.raises(NeedsAuth, match="No account is connected"):
        find_account(None, environ)
    store_account(account(), environ)
    store_account(account("bo@example.net", enabled=False), environ)
    assert find_account(None, environ).id == "ida@example.org"
    assert find_account("BO@example.net", environ, disabled_too=True).id == "bo@example.net"
    store_account(account("cy@example.net"), environ)
    with pytest.raises(BadArgument, match=r"ida@example\.org, cy@example\.net"):
        find_account(None, environ)
    with pytest.raises(NeedsAuth, match=r"bo@example\.net"):
        find_account("dora@example.net", environ)


def test_an_account_that_is_switched_off_is_not_opened_and_says_how_to_switch_it_on(
    environ: dict[str, str],
) -> None:
    store_account(account(), environ)
    store_account(account("bo@example.net"), environ)
    assert [one.id for one in set_enabled("IDA@example.org", False, environ)] == ["ida@example.org"]
    assert set_enabled("ida@example.org", False, environ) == ()
    for refused in (
        lambda: find_account("ida@example.org", environ),
        lambda: check_enabled("ida@example.org", environ),
    ):
        with pytest.raises(NeedsApproval) as told:
            refused()
        assert "gaia email enable --account ida@example.org" in (told.value.hint or "")
    assert find_account(None, environ).id == "bo@example.net"
    check_enabled("bo@example.net", environ)
    set_enabled(None, False, environ)
    with pytest.raises(NeedsApproval):
        find_account(None, environ)
    assert len(set_enabled(None, True, environ)) == 2
    assert find_account("ida@example.org", environ).settings == account().settings


def test_switching_an_account_that_is_not_there_changes_nothing(environ: dict[str, str]) -> None:
    store_account(account(), environ)
    with pytest.raises(NotFound, match="nobody"):
        set_enabled("nobody", False, environ)
    assert read_accounts(environ)[0].enabled


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("{", BadArgument, "not JSON"),
        ("[" * 100_000, BadArgument, "not JSON"),
        ("[]", BadArgument, "braces"),
        ("{}", BadArgument, "schema_version"),
        ('{"schema_version": 2, "accounts": []}', ProviderError, "newer"),
        ('{"schema_version": 1}', BadArgument, "list"),
        ('{"schema_version": 1, "accounts": [{}]}', BadArgument, "account 1: id"),
        ('{"schema_version": 1, "accounts": [1]}', BadArgument, "account 1"),
        (
            '{"schema_version": 1, "accounts": [{"id": "a", "provider": "b", "address": "c", "server": "d", '
            '"settings": {"port": 1}}]}',
            BadArgument,
            "texts only",
        ),
    ],
)
def test_a_damaged_file_is_said_and_left_as_it_is(
    environ: dict[str, str], text: str, kind: type[MailError], said: str
) -> None:
    path = accounts_file(environ)
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(kind, match=said):
        read_accounts(environ)
    with pytest.raises(kind, match=said):
        store_account(account(), environ)
    assert path.read_text() == text


def test_a_write_that_fails_leaves_the_old_file(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store_account(account(), environ)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(ProviderError, match="No space left"):
        store_account(account("bo@example.net"), environ)
    assert [found.id for found in read_accounts(environ)] == ["ida@example.org"]
    assert {path.name for path in accounts_file(environ).parent.iterdir()} == {
        "accounts.json",
        "accounts.json.lock",
    }


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("ida@gmail.com", "gmail"),
        ("Ida@GoogleMail.com", "gmail"),
        ("ida@hotmail.com", "outlook"),
        ("ida@contoso.onmicrosoft.com", "microsoft365"),
        ("ida@yahoo.co.uk", "yahoo"),
        ("ida@fastmail.com", "fastmail"),
        ("ida@icloud.com", "icloud"),
        ("ida@gmx.at", "gmx"),
        ("ida@web.de", "web.de"),
        ("ida@posteo.de", "posteo"),
        ("ida@mailbox.org.", "mailbox.org"),
        ("ida@proton.me", "proton"),
        ("ida@evil-gmail.com", None),
        ("ida@gmail.com.evil.example", None),
        ("ida@onmicrosoft.com", None),
        ("ida", None),
        ("", None),
    ],
)
def test_the_domain_says_the_provider(address: str, provider: str | None) -> None:
    found = provider_of(address)
    assert (found.id if found else None) == provider


def test_every_provider_is_reached_over_tls_unless_it_is_on_this_machine() -> None:
    domains = [domain for provider in PROVIDERS.values() for domain in provider.domains]
    assert len(domains) == len(set(domains)) > 40
    for provider in PROVIDERS.values():
        assert provider.imap.port in (993, 1143) and provider.smtp.port in (465, 587, 1025)
        for endpoint in (provider.imap, provider.smtp):
            assert endpoint.security in ("tls", "starttls")
            assert "." in endpoint.host and endpoint.host == endpoint.host.lower().strip()
        assert not provider.note or provider.note.endswith(".")
