"""Accounts of a machine are found from the files of its mail programs, and from nowhere else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email_registry.discovery import browsers
from gaia_email_registry.discovery.look import COLLECTORS, AccountCandidate, discover
from gaia_email_registry.discovery.machine import AccountTrace, Machine

PREFS = """// Mozilla User Preferences
user_pref("mail.accountmanager.accounts", "account1,account2,account3");
user_pref("mail.accountmanager.defaultaccount", "account3");
user_pref("mail.account.account1.identities", "id1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.account.account2.server", "server2");
user_pref("mail.account.account3.identities", "id3");
user_pref("mail.account.account3.server", "server3");
user_pref("mail.identity.id1.useremail", "ada@gmx.de");
user_pref("mail.identity.id3.useremail", "ada@Posteo.de");
user_pref("mail.server.server1.type", "imap");
user_pref("mail.server.server2.type", "none");
user_pref("mail.server.server3.type", "imap");
"""
PROFILES = "[Profile0]\nName=default\nIsRelative=1\nPath=Profiles/x.default\n"


def _write(home: Path, name: str, text: str) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _found(home: Path, platform: str = "linux", **environ: str) -> tuple[AccountCandidate, ...]:
    return discover(Machine(home=home, platform=platform, environ=environ))


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", ".thunderbird"),
        ("linux", "snap/thunderbird/common/.thunderbird"),
        ("linux", ".var/app/org.mozilla.Thunderbird/.thunderbird"),
        ("darwin", "Library/Thunderbird"),
        ("win32", "AppData/Roaming/Thunderbird"),
    ],
)
def test_thunderbirds_default_account_comes_first_on_every_platform(
    tmp_path: Path, platform: str, folder: str
) -> None:
    _write(tmp_path, f"{folder}/profiles.ini", PROFILES)
    _write(tmp_path, f"{folder}/Profiles/x.default/prefs.js", PREFS)
    found = _found(tmp_path, platform)
    assert [(one.address, one.provider) for one in found] == [
        ("ada@posteo.de", "posteo"),
        ("ada@gmx.de", "gmx"),
    ]
    assert found[0].signals[0].where == f"~/{folder}/Profiles/x.default/prefs.js"


@pytest.mark.parametrize(
    ("name", "text", "source"),
    [
        (
            ".config/goa-1.0/accounts.conf",
            "[Account account_1]\nProvider=google\nIdentity=ada@gmail.com\nMailEnabled=true\n",
            "GNOME Online Accounts",
        ),
        (
            ".config/evolution/sources/a.source",
            "[Data Source]\nEnabled=true\n[Mail Identity]\nAddress=ada@gmail.com\n",
            "Evolution",
        ),
        (".mbsyncrc", "IMAPAccount g\nHost imap.gmail.com\nUser ada@gmail.com\nPass secret\n", "mbsync"),
        (".msmtprc", "account g\nhost smtp.gmail.com\nfrom ada@gmail.com\npassword secret\n", "msmtp"),
        (".muttrc", 'set from = "Ada <ada@gmail.com>"\nset imap_pass = "secret"\n', "mutt"),
        (".config/aerc/accounts.conf", "[g]\nfrom = Ada <ada@gmail.com>\n", "aerc"),
        (".config/himalaya/config.toml", '[accounts.g]\nemail = "ada@gmail.com"\n', "himalaya"),
        (".gitconfig", "[user]\n\tname = Ada\n\temail = ada@gmail.com\n", "git"),
        (".config/git/config", '[sendemail]\n\tsmtpUser = "ada@gmail.com"\n', "git"),
    ],
)
def test_each_program_names_its_account_and_never_a_password(
    tmp_path: Path, name: str, text: str, source: str
) -> None:
    _write(tmp_path, name, text)
    found = _found(tmp_path)
    assert [(one.address, one.provider, one.signals[0].source) for one in found] == [
        ("ada@gmail.com", "gmail", source)
    ]
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".gitconfig", "[user]\n\temail = 1+ada@users.noreply.github.com\n"),
        (".gitconfig", "[user]\n\temail = root@laptop.local\n"),
        (".gitconfig", "[core]\n\temail = ada@gmail.com\n"),
        (".muttrc", "# set from = ada@gmail.com\n"),
        (".muttrc", "set from = you@example.org\n"),
        (".config/goa-1.0/accounts.conf", "[Account a]\nIdentity=ada@gmail.com\nMailEnabled=false\n"),
        (".config/goa-1.0/accounts.conf", "Identity=ada@gmail.com\nMailEnabled=true\n"),
        (
            ".config/evolution/sources/a.source",
            "[Data Source]\nEnabled=false\n[Mail Identity]\nAddress=ada@gmail.com\n",
        ),
        (".config/himalaya/config.toml", "[accounts\nemail = 'ada@gmail.com'"),
        (".mbsyncrc", "\x00\xff" * 100),
    ],
)
def test_nothing_is_invented_from_files_that_name_no_account(tmp_path: Path, name: str, text: str) -> None:
    _write(tmp_path, name, text)
    assert _found(tmp_path) == ()


def test_no_file_outside_the_home_is_read_whether_by_link_or_by_setting(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    _write(outside, "gitconfig", "[user]\nemail = eve@gmail.com\n")
    _write(outside, "git/config", "[user]\nemail = eve@gmail.com\n")
    _write(outside, "evolution/sources/a.source", "[Mail Identity]\nAddress=eve@gmail.com\n")
    _write(outside, "prefs.js", PREFS)
    _write(home, ".thunderbird/profiles.ini", f"[Profile0]\nIsRelative=0\nPath={outside}\n")
    (home / ".gitconfig").symlink_to(outside / "gitconfig")
    assert _found(home, XDG_CONFIG_HOME=str(outside)) == ()


def test_an_account_that_several_programs_name_is_one_and_stands_before_a_weaker_signal(
    tmp_path: Path,
) -> None:
    _write(tmp_path, ".gitconfig", "[user]\nemail = work@company.example.dev\n")
    _write(tmp_path, ".mbsyncrc", "User bob@posteo.de\n")
    _write(tmp_path, ".muttrc", "set from = ada@web.de\n")
    _write(tmp_path, ".msmtprc", "from Ada@web.de\n")
    found = _found(tmp_path, EMAIL="ada@web.de")
    assert [one.address.casefold() for one in found] == [
        "ada@web.de",
        "bob@posteo.de",
        "work@company.example.dev",
    ]
    assert {signal.source for signal in found[0].signals} == {"mutt", "msmtp", "environment"}
    assert found[0].confidence == "high"
    assert found[2].provider == ""


def test_a_collector_that_fails_or_hangs_costs_only_its_own_findings(tmp_path: Path) -> None:
    _write(tmp_path, ".mbsyncrc", "User ada@posteo.de\n")
    release = threading.Event()

    def failing(machine: Machine) -> Iterator[AccountTrace]:
        raise RuntimeError(machine.platform)

    def hanging(machine: Machine) -> Iterator[AccountTrace]:
        release.wait(60)
        yield AccountTrace(address="late@gmail.com", source=machine.platform, where="", confidence="high")

    try:
        found = discover(Machine(home=tmp_path), (failing, *COLLECTORS, hanging), deadline_s=0.5)
    finally:
        release.set()
    assert [one.address for one in found] == ["ada@posteo.de"]


def test_a_file_too_large_to_be_a_configuration_is_left_alone(tmp_path: Path) -> None:
    _write(tmp_path, ".mbsyncrc", "User ada@posteo.de\n" + "#" * 1_000_001)
    assert _found(tmp_path) == ()


CHROME = json.dumps(
    {
        "profile": {
            "info_cache": {
                "Default": {"user_name": "ada@gmail.com", "name": "Ada"},
                "Profile 1": {"user_name": ""},
                "Profile 2": {"user_name": ["not", "text"]},
                "Profile 3": "damaged",
            }
        }
    }
)
FIREFOX = json.dumps({"version": 1, "accountData": {"email": "ada@posteo.de", "sessionToken": "secret"}})


@pytest.mark.parametrize(
    ("platform", "chrome", "firefox"),
    [
        ("linux", ".config/google-chrome", ".mozilla/firefox"),
        (
            "darwin",
            "Library/Application Support/Google/Chrome",
            "Library/Application Support/Firefox/Profiles",
        ),
        ("win32", "AppData/Local/Google/Chrome/User Data", "AppData/Roaming/Mozilla/Firefox/Profiles"),
    ],
)
def test_browsers_are_looked_at_only_where_that_is_asked_for(
    tmp_path: Path, platform: str, chrome: str, firefox: str
) -> None:
    _write(tmp_path, f"{chrome}/Local State", CHROME)
    _write(tmp_path, f"{firefox}/x.default/signedInUser.json", FIREFOX)
    assert _found(tmp_path, platform) == ()
    found = discover(Machine(home=tmp_path, platform=platform), (*COLLECTORS, browsers.collect))
    told = [(one.address, one.signals[0].source, one.confidence) for one in found]
    assert told == [("ada@gmail.com", "Chrome", "medium"), ("ada@posteo.de", "Firefox", "medium")]
    assert "secret" not in repr(found)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"profile": 3}', "[" * 100_000])
def test_a_damaged_profile_of_a_browser_names_nobody(tmp_path: Path, text: str) -> None:
    _write(tmp_path, ".config/google-chrome/Local State", text)
    _write(tmp_path, ".mozilla/firefox/x.default/signedInUser.json", text)
    assert list(browsers.collect(Machine(home=tmp_path))) == []
