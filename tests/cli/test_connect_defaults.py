"""`gaia email connect` of an account that a mail program of this machine has: its servers, its login, its aliases."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.accounts.connect import ConnectedAccount
from gaia_email.interfaces.cli.commands import connect
from gaia_email_registry.accounts import Account, read_accounts
from tests.cli.printed import Run, document, runner

ANN = "ann@berg-family.net"
WHOLE = {
    "imap_host": "imap.berg-family.net",
    "imap_port": "1143",
    "imap_security": "starttls",
    "smtp_host": "smtp.berg-family.net",
    "smtp_port": "587",
    "smtp_security": "starttls",
    "imap_user": "annb",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Every login succeeds, and nobody is asked where mail is."""
    monkeypatch.setenv("GAIA_VAULT", "file")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

    async def works(account: Account) -> ConnectedAccount:
        return ConnectedAccount(account=account, labels=3, can_send=True, problems=())

    def never(address: str) -> None:
        raise AssertionError(f"the domain of {address} was asked")

    monkeypatch.setattr("gaia_email.app.accounts.connect._try", works)
    monkeypatch.setattr("gaia_email.interfaces.cli.looking_up.looked_up", never)
    plain = runner(capsys, monkeypatch)
    return lambda *words: plain(*words, stdin=b"secret\n")


def thunderbird(
    home: Path,
    *addresses: str,
    host: str = "imap.berg-family.net",
    port: int = 1143,
    user: str = "annb",
) -> None:
    """An account of these identities, read by STARTTLS."""
    identities = {f"mail.identity.id{number}.useremail": one for number, one in enumerate(addresses)}
    prefs: Mapping[str, object] = {
        "mail.accountmanager.accounts": "account1",
        "mail.account.account1.server": "server1",
        "mail.account.account1.identities": ",".join(f"id{number}" for number in range(len(addresses))),
        "mail.server.server1.type": "imap",
        "mail.server.server1.hostname": host,
        "mail.server.server1.port": port,
        "mail.server.server1.socketType": 2,
        "mail.server.server1.userName": user,
        "mail.smtp.defaultserver": "smtp1",
        "mail.smtpserver.smtp1.hostname": "smtp.berg-family.net",
        "mail.smtpserver.smtp1.try_ssl": 2,
        **identities,
    }
    folder = home / ".thunderbird"
    (folder / "a").mkdir(parents=True)
    (folder / "profiles.ini").write_text("[Profile0]\nIsRelative=1\nPath=a\n")
    lines = [
        f'user_pref("{name}", {value});' if isinstance(value, int) else f'user_pref("{name}", "{value}");'
        for name, value in prefs.items()
    ]
    (folder / "a" / "prefs.js").write_text("\n".join(lines))


def stored() -> Account:
    (account,) = read_accounts(os.environ)
    return account


def test_what_a_mail_program_has_is_used_and_shown_and_the_domain_is_not_asked(
    run: Run, home_of_its_own: Path
) -> None:
    thunderbird(home_of_its_own, ANN)
    for _ in range(2):  # also when the account is connected anew, with another password
        told = run("connect", "--email", ANN.title())
        assert told.code == 0, told.err
        assert (
            "Thunderbird (~/.thunderbird/a/prefs.js) reads it at imap.berg-family.net:1143 (starttls), sends by "
            "smtp.berg-family.net:587 (starttls), logs in as annb. --imap-host, --imap-user and the like"
        ) in told.err
        assert (stored().provider, stored().settings, stored().aliases) == ("other", WHOLE, None)


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        ("--imap-user ann", {"imap_user": "ann"}),
        ("--imap-port 993 --imap-security tls", {"imap_port": "993", "imap_security": "tls"}),
        ("--imap-security tls", {"imap_port": None, "imap_security": "tls"}),
        (
            "--smtp-host mail.net",
            {"smtp_host": "mail.net", "smtp_port": None, "smtp_security": None},
        ),
        (
            "--imap-host mail.net",
            {**dict.fromkeys(WHOLE), "imap_host": "mail.net"},
        ),
    ],
)
def test_a_flag_says_otherwise(
    run: Run, home_of_its_own: Path, flags: str, changed: Mapping[str, str | None]
) -> None:
    thunderbird(home_of_its_own, ANN)
    assert run("connect", "--email", ANN, *flags.split()).code == 0
    expected = {name: value for name, value in {**WHOLE, **changed}.items() if value is not None}
    assert stored().settings == expected


@pytest.mark.parametrize(
    ("address", "host", "provider", "settings"),
    [
        ("ann@posteo.de", "posteo.de", "posteo", {"imap_user": "annb"}),
        ("ann@gmail.com", "imap.googlemail.com", "gmail", {"imap_user": "annb"}),
        (ANN, "imap.fastmail.com", "fastmail", {"imap_user": "annb"}),
        ("ann@proton.me", "127.0.0.1", "proton", {**WHOLE, "imap_host": "127.0.0.1"}),
    ],
)
def test_a_known_provider_stays_one_with_the_login_of_the_file(
    run: Run, home_of_its_own: Path, address: str, host: str, provider: str, settings: Mapping[str, str]
) -> None:
    thunderbird(home_of_its_own, address, host=host)
    assert run("connect", "--email", address).code == 0
    assert (stored().provider, stored().settings) == (provider, settings)


def test_an_address_of_ones_own_domain_at_microsoft_logs_in_on_its_page(
    run: Run, home_of_its_own: Path
) -> None:
    thunderbird(home_of_its_own, ANN, host="outlook.office365.com")
    told = run("connect", "--email", ANN)
    assert (told.code, read_accounts(os.environ)) == (4, ())
    assert "GAIA_GRAPH_CLIENT_ID" in told.err


def test_a_login_that_is_the_address_is_not_said_twice(run: Run, home_of_its_own: Path) -> None:
    thunderbird(home_of_its_own, "ann@posteo.de", host="posteo.de", user="ann@posteo.de")
    told = run("connect", "--email", "ann@posteo.de")
    assert (told.code, stored().settings) == (0, {})
    assert "Thunderbird" not in told.err


def test_identities_become_aliases_beside_those_that_are_known(run: Run, home_of_its_own: Path) -> None:
    thunderbird(home_of_its_own, ANN, "Berg@berg-family.net")
    told = run("connect", "--email", ANN)
    assert "also yours: Berg@berg-family.net." in told.err
    assert stored().aliases == ("berg@berg-family.net",)
    assert run("accounts", "--alias", "post@berg-family.net").code == 0
    assert run("connect", "--email", ANN).code == 0
    assert stored().aliases == ("post@berg-family.net", "berg@berg-family.net")


def test_an_account_whose_servers_a_file_names_is_taken_without_a_question(
    home_of_its_own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    thunderbird(home_of_its_own, ANN, "berg@berg-family.net")
    assert connect._address(App()) == ANN  # pyright: ignore[reportPrivateUsage]


def test_discover_shows_where_mail_is(run: Run, home_of_its_own: Path) -> None:
    thunderbird(home_of_its_own, ANN, "berg@berg-family.net")
    (row,) = document(run, "discover", "discover")["candidates"]
    assert row["imap"] == {"host": "imap.berg-family.net", "port": 1143, "security": "starttls"}
    assert row["smtp"] == {"host": "smtp.berg-family.net", "port": 587, "security": "starttls"}
    assert (row["login"], row["aliases"]) == ("annb", ["berg@berg-family.net"])
