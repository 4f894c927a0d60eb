"""Where mail is, and who logs in, as the file of each mail program says it; what is switched off is no account."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gaia_email_registry.discovery.look import AccountCandidate, discover
from gaia_email_registry.discovery.machine import Machine
from gaia_email_registry.discovery.servers import endpoint, endpoint_of_url
from gaia_email_registry.providers import AccountServers, Endpoint
from tests.registry.homes import apple_mail_accounts

ANN = "ann@berg-family.net"
IMAP = Endpoint("imap.berg-family.net", 993, "tls")
SMTP = Endpoint("smtp.berg-family.net", 587, "starttls")
WHOLE = AccountServers(imap=IMAP, smtp=SMTP, user="annb")
READ = AccountServers(imap=IMAP, user="annb")


def found(home: Path, files: Mapping[str, str], platform: str = "linux") -> tuple[AccountCandidate, ...]:
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return discover(Machine(home=home, platform=platform))


PREFS = """
user_pref("mail.accountmanager.accounts", "account1");
user_pref("mail.account.account1.identities", "id1,id2");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.identity.id1.useremail", "ann@berg-family.net");
user_pref("mail.identity.id1.smtpServer", "smtp2");
user_pref("mail.identity.id2.useremail", "berg@berg-family.net");
user_pref("mail.server.server1.type", "imap");
user_pref("mail.server.server1.hostname", "imap.berg-family.net");
user_pref("mail.server.server1.port", 993);
user_pref("mail.server.server1.socketType", 3);
user_pref("mail.server.server1.userName", "annb");
user_pref("mail.smtp.defaultserver", "smtp1");
user_pref("mail.smtpserver.smtp1.hostname", "smtp.elsewhere.net");
user_pref("mail.smtpserver.smtp2.hostname", "smtp.berg-family.net");
user_pref("mail.smtpserver.smtp2.port", 587);
user_pref("mail.smtpserver.smtp2.try_ssl", 2);
"""
PROFILE = "[Profile0]\nIsRelative=1\nPath=a.default\n"
GOA = """[Account account_1]
Provider=imap_smtp
Identity=annb@imap.berg-family.net
PresentationIdentity=ann@berg-family.net
Enabled=true
EmailAddress=ann@berg-family.net
Name=Ann Berg
ImapHost=imap.berg-family.net:993
ImapUserName=annb
ImapUseSsl=true
ImapUseTls=false
SmtpHost=smtp.berg-family.net:587
SmtpUseAuth=true
SmtpUserName=annb
SmtpUseSsl=false
SmtpUseTls=true
"""
EVOLUTION = {
    "account.source": "[Data Source]\nEnabled=true\nParent=\n[Mail Account]\nBackendName=imapx\nIdentityUid=identity\n"
    "[Authentication]\nHost=imap.berg-family.net\nPort=993\nUser=annb\nMethod=PLAIN\n"
    "[Security]\nMethod=ssl-on-alternate-port\n",
    "identity.source": "[Data Source]\nEnabled=true\nParent=account\n"
    "[Mail Identity]\nAddress=ann@berg-family.net\nAliases=Ann <berg@berg-family.net>;\n"
    "[Mail Submission]\nTransportUid=transport\n",
    "transport.source": "[Data Source]\nEnabled=true\nParent=account\n[Mail Transport]\nBackendName=smtp\n"
    "[Authentication]\nHost=smtp.berg-family.net\nPort=587\n[Security]\nMethod=starttls-on-standard-port\n",
}
HIMALAYA_1 = """[accounts.other]
email = "other@web.de"
[accounts.mine]
default = true
email = "ann@berg-family.net"
backend.type = "imap"
backend.host = "imap.berg-family.net"
backend.port = 993
backend.encryption.type = "tls"
backend.login = "annb"
backend.auth.type = "password"
backend.auth.raw = "hunter2"
message.send.backend.type = "smtp"
message.send.backend.host = "smtp.berg-family.net"
message.send.backend.port = 587
message.send.backend.encryption.type = "start-tls"
"""
HIMALAYA_2 = """[accounts.mine]
default = true
email = "ann@berg-family.net"
imap.server = "imap.berg-family.net:993"
imap.sasl.plain.username = "annb"
imap.sasl.plain.password.raw = "hunter2"
smtp.server = "smtp://smtp.berg-family.net:587"
smtp.starttls = true
smtp.sasl.plain.username = "annb"
"""
CLAWS = """[Account: 1]
is_default=1
address=ann@berg-family.net
protocol=3
receive_server=imap.berg-family.net
user_id=annb
password=hunter2
ssl_imap=1
set_imapport=0
imap_port=143
smtp_server=smtp.berg-family.net
ssl_smtp=2
set_smtpport=1
smtp_port=587
"""
GEARY = """[Metadata]
version=1
status=enabled
[Account]
ordinal=1
sender_mailboxes=Ann Berg <ann@berg-family.net>;Berg <berg@berg-family.net>;
[Incoming]
login=annb
host=imap.berg-family.net
port=993
transport_security=transport
[Outgoing]
host=smtp.berg-family.net
port=587
transport_security=start-tls
credentials=use-incoming
"""
MAILSPRING = """{"*": {"accounts": [{"emailAddress": "ann@berg-family.net", "aliases": ["B <berg@berg-family.net>"],
"settings": {"imap_host": "imap.berg-family.net", "imap_port": 993, "imap_security": "SSL / TLS",
"imap_username": "annb", "imap_password": "hunter2", "smtp_host": "smtp.berg-family.net", "smtp_port": 587,
"smtp_security": "STARTTLS"}}]}}"""
MUTTRC = """set from = "ann@berg-family.net"
set my_user = annb
set imap_pass = `pass show mail`
source ~/.mutt/servers
source "gpg -d ~/.mutt/secret |"
source `echo ~/.mutt/evil`
source ~/.muttrc
"""
MUTT_SERVERS = """set imap_user=$my_user smtp_url = 'smtp://annb:hunter2@smtp.berg-family.net:587/' # ours
set imap_user = annb
set folder = "imaps://imap.berg-family.net/"
source ../.mutt/servers
"""
AERC = """[Mine]
source = imaps://annb:hunter2@imap.berg-family.net
outgoing = smtp://annb@smtp.berg-family.net:587
from = Ann Berg <ann@berg-family.net>
aliases = B <berg@berg-family.net>
source-cred-cmd = pass show mail
"""
FETCHMAIL = """set daemon 300
skip old.host.net proto imap user "old@berg-family.net" ssl
poll pop.host.net proto pop3 user "pop@berg-family.net" password "hunter2"
poll mail via imap.berg-family.net protocol IMAP port 993 # ours
  user "ann@berg-family.net" there with password "hunter2" is ann here options ssl
"""
ADDRESSED = AccountServers(imap=IMAP)


@pytest.mark.parametrize(
    ("source", "files", "servers", "aliases"),
    [
        ("Thunderbird", {".thunderbird/profiles.ini": PROFILE, ".thunderbird/a.default/prefs.js": PREFS}, WHOLE, 1),
        ("GNOME Online Accounts", {".config/goa-1.0/accounts.conf": GOA}, WHOLE, 0),
        ("Evolution", {f".config/evolution/sources/{name}": text for name, text in EVOLUTION.items()}, WHOLE, 1),
        (
            "Evolution",
            {f".var/app/org.gnome.Evolution/config/evolution/sources/{name}": text for name, text in EVOLUTION.items()},
            WHOLE,
            1,
        ),
        ("himalaya", {".config/himalaya/config.toml": HIMALAYA_1}, WHOLE, 0),
        ("himalaya", {".config/himalaya/config.toml": HIMALAYA_2}, WHOLE, 0),
        ("himalaya", {".himalayarc": HIMALAYA_2}, WHOLE, 0),
        ("Claws Mail", {".claws-mail/accountrc": CLAWS}, WHOLE, 0),
        ("Sylpheed", {".sylpheed-2.0/accountrc": CLAWS}, WHOLE, 0),
        ("Geary", {".config/geary/account_01/geary.ini": GEARY}, WHOLE, 1),
        ("Mailspring", {".config/Mailspring/config.json": MAILSPRING}, WHOLE, 1),
        ("mutt", {".muttrc": MUTTRC, ".mutt/servers": MUTT_SERVERS}, WHOLE, 0),
        ("aerc", {".config/aerc/accounts.conf": AERC}, WHOLE, 1),
        (
            "mbsync",
            {".mbsyncrc": f"IMAPAccount a\nHost imap.berg-family.net\nUser {ANN}\nPass hunter2\nTLSType IMAPS\n"},
            ADDRESSED,
            0,
        ),
        (
            "msmtp",
            {
                ".msmtprc": "defaults\nauth on\ntls on\naccount w\nhost smtp.work.net\nfrom w@work-works.net\n"
                f"account a\nhost smtp.berg-family.net\nport 587\nfrom {ANN}\npassword hunter2\naccount default : a\n"
            },
            AccountServers(smtp=SMTP),
            0,
        ),
        (
            "OfflineIMAP",
            {
                ".offlineimaprc": "[general]\naccounts = A\n[Account A]\nremoterepository = R\n[Account Off]\n"
                "remoterepository = S\n[Repository R]\ntype = IMAP\nremotehost = imap.berg-family.net\n"
                f"remoteuser = {ANN}\nremotepass = hunter2\n[Repository S]\nremoteuser = off@berg-family.net\n"
            },
            ADDRESSED,
            0,
        ),
        ("fetchmail", {".fetchmailrc": FETCHMAIL}, None, 0),
        (
            "getmail",
            {
                ".getmail/getmailrc": "[retriever]\ntype = SimpleIMAPSSLRetriever\nserver = imap.berg-family.net\n"
                f"username = {ANN}\npassword = hunter2\n"
            },
            ADDRESSED,
            0,
        ),
        ("notmuch", {".notmuch-config": f"[user]\nprimary_email={ANN}\nother_email=berg@berg-family.net;\n"}, None, 1),
    ],
)  # fmt: skip
def test_a_program_says_where_its_default_account_is(
    tmp_path: Path, source: str, files: Mapping[str, str], servers: AccountServers | None, aliases: int
) -> None:
    candidates = found(tmp_path, files)
    mine = next(one for one in candidates if one.address == ANN)
    assert mine.signals[0].source == source
    if source == "fetchmail":  # POP, then IMAP; what is skipped is switched off
        assert [(one.address, one.servers) for one in candidates] == [
            ("pop@berg-family.net", None),
            (ANN, ADDRESSED),
        ]
    else:
        assert candidates[0] is mine and mine.servers == servers
    assert mine.aliases == ("berg@berg-family.net",) * aliases
    assert len(candidates) == (2 if source in ("fetchmail", "msmtp") or "other@" in str(files) else 1)
    assert "hunter2" not in repr(candidates)


def test_apple_mail_says_where_an_account_is(tmp_path: Path) -> None:
    account = {
        "AccountType": "IMAPAccount",
        "EmailAddresses": [ANN, "berg@berg-family.net"],
        "Hostname": "imap.berg-family.net",
        "PortNumber": "993",
        "SSLEnabled": "YES",
        "Username": "annb",
    }
    apple_mail_accounts(account)(tmp_path)
    (one,) = found(tmp_path, {}, "darwin")
    assert (one.address, one.servers, one.aliases) == (ANN, READ, ("berg@berg-family.net",))


@pytest.mark.parametrize(
    "folder", [".var/app/org.mozilla.thunderbird/.thunderbird", ".var/app/org.mozilla.Thunderbird/.thunderbird"]
)  # fmt: skip
def test_both_ids_that_thunderbird_had_on_flathub_are_looked_at(tmp_path: Path, folder: str) -> None:
    (one,) = found(tmp_path, {f"{folder}/profiles.ini": PROFILE, f"{folder}/a.default/prefs.js": PREFS})
    assert (one.address, one.servers) == (ANN, WHOLE)


@pytest.mark.parametrize(
    "chosen",
    [
        {"installs.ini": "[4F96D1932A9F858E]\nDefault=b.new\nLocked=1\n"},
        {"profiles.ini": "[Install4F96D1932A9F858E]\nDefault=b.new\n"},
        {"profiles.ini": ""},
    ],
)
def test_thunderbirds_default_profile_comes_first(tmp_path: Path, chosen: Mapping[str, str]) -> None:
    other = PREFS.replace("berg-family.net", "old-works.net")
    default = "Default=1\n" if chosen == {"profiles.ini": ""} else ""
    profiles = f"[Profile1]\nIsRelative=1\nPath=a.old\n[Profile0]\nIsRelative=1\nPath=b.new\n{default}"
    files = {
        "profiles.ini": profiles + chosen.get("profiles.ini", ""),
        "a.old/prefs.js": other,
        "b.new/prefs.js": PREFS,
    }
    files |= {name: text for name, text in chosen.items() if name == "installs.ini"}
    candidates = found(tmp_path, {f".thunderbird/{name}": text for name, text in files.items()})
    assert [one.address for one in candidates] == [ANN, "ann@old-works.net"]


@pytest.mark.parametrize(
    "files",
    [
        {".config/goa-1.0/accounts.conf": GOA.replace("Enabled=true", "Enabled=false")},
        {f".config/evolution/sources/{name}": text.replace("Enabled=true\nParent=\n", "Enabled=false\nParent=\n")
         for name, text in EVOLUTION.items()},
        {".config/geary/account_01/geary.ini": GEARY.replace("status=enabled", "status=disabled")},
        {".fetchmailrc": f"skip imap.host.net proto imap user {ANN} ssl\n"},
        {".offlineimaprc": "[general]\naccounts = B\n[Account A]\nremoterepository = R\n"
         f"[Repository R]\nremoteuser = {ANN}\n"},
        {".muttrc": "source 'cat ~/.mutt/own |'\nsource \"|cat\"\n", ".mutt/own": f"set from={ANN}\n"},
        {".muttrc": f"set from = `echo {ANN}`\n"},
    ],
)  # fmt: skip
def test_what_is_switched_off_or_only_a_command_would_say_is_no_account(
    tmp_path: Path, files: Mapping[str, str]
) -> None:
    assert found(tmp_path, files) == ()


def test_files_that_mutt_sources_in_a_circle_or_without_end_are_left(tmp_path: Path) -> None:
    files = {
        f".mutt/{number}": f"source {number + 1}\nset from = n{number}@berg-family.net\n"
        for number in range(40)
    }
    candidates = found(
        tmp_path, {".muttrc": "source .muttrc\nsource ~/.mutt/0\nsource /etc/passwd\n", **files}
    )
    assert [one.address for one in candidates] == [f"n{number}@berg-family.net" for number in range(5)]


def test_each_of_several_accounts_that_mutt_sources_has_its_own_server(tmp_path: Path) -> None:
    files = {
        ".muttrc": "source .mutt/a\nsource .mutt/b\n",
        ".mutt/a": f"set from={ANN}\nset folder=imaps://annb@imap.berg-family.net\n",
        ".mutt/b": "set from=ann@old-works.net\nset folder=imap://mail.old-works.net:1143\n",
    }
    assert [(one.address, one.servers) for one in found(tmp_path, files)] == [
        (ANN, READ),
        ("ann@old-works.net", AccountServers(imap=Endpoint("mail.old-works.net", 1143, "starttls"))),
    ]


def test_an_identity_is_no_account_unless_a_program_reads_mail_there(tmp_path: Path) -> None:
    files = {".thunderbird/profiles.ini": PROFILE, ".thunderbird/a.default/prefs.js": PREFS}
    git = {".gitconfig": "[user]\nemail = Berg@berg-family.net\n"}
    assert [one.address for one in found(tmp_path, {**files, **git})] == [ANN]
    read = {".mbsyncrc": "IMAPAccount b\nHost imap.berg-family.net\nUser berg@berg-family.net\n"}
    assert {one.address for one in found(tmp_path, read)} == {ANN, "berg@berg-family.net"}


@pytest.mark.parametrize(
    "text", ["", "\x00\xff" * 50, "[", "[[[", "{", "[accounts]\nmine = 3\n[Account A]\nx", "=" * 9_000]
)
@pytest.mark.parametrize(
    "name",
    [
        ".thunderbird/profiles.ini", ".thunderbird/a.default/prefs.js", ".config/goa-1.0/accounts.conf",
        ".config/evolution/sources/a.source", ".config/himalaya/config.toml", ".claws-mail/accountrc",
        ".config/geary/a/geary.ini", ".config/Mailspring/config.json", ".muttrc", ".config/aerc/accounts.conf",
        ".mbsyncrc", ".msmtprc", ".offlineimaprc", ".fetchmailrc", ".getmail/getmailrc", ".notmuch-config",
    ],
)  # fmt: skip
def test_a_damaged_file_costs_no_other_program_its_account(tmp_path: Path, name: str, text: str) -> None:
    other = ".notmuch-config" if name != ".notmuch-config" else ".muttrc"
    told = {".notmuch-config": f"[user]\nprimary_email={ANN}\n", ".muttrc": f"set from={ANN}\n"}
    profile = {".thunderbird/profiles.ini": PROFILE}
    assert [one.address for one in found(tmp_path, {**profile, name: text, other: told[other]})] == [ANN]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("mail.net", 993, "tls"), Endpoint("mail.net", 993, "tls")),
        (("Mail.Net.", None, None), Endpoint("mail.net", 993, "tls")),
        (("mail.net:1993", None, "tls"), Endpoint("mail.net", 1993, "tls")),
        (("mail.net", "143", None), Endpoint("mail.net", 143, "starttls")),
        (("mail.net", None, "none"), Endpoint("mail.net", 143, "starttls")),
        (("127.0.0.1", 1143, "none"), Endpoint("127.0.0.1", 1143, "none")),
        (("::1", 1143, "starttls"), Endpoint("::1", 1143, "starttls")),
        (("mail.net", "70000", "tls"), Endpoint("mail.net", 993, "tls")),
        (("mail.net", "²", "tls"), Endpoint("mail.net", 993, "tls")),
        (("", 993, "tls"), None),
        (("a b", 993, "tls"), None),
        (("mail.net\r\nEVIL", 993, "tls"), None),
        (("-x", 993, "tls"), None),
    ],
)  # fmt: skip
def test_what_a_file_says_of_a_server_is_checked_and_never_goes_in_the_open(
    given: tuple[str, int, None], expected: object
) -> None:
    assert endpoint("imap", *given) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("imaps://ann%40gmail.com:secret@imap.gmail.com", (Endpoint("imap.gmail.com", 993, "tls"), "ann@gmail.com")),
        ("imaps+oauthbearer://a@mail.net:1993/INBOX", (Endpoint("mail.net", 1993, "tls"), "a")),
        ("imap+insecure://localhost:1143", (Endpoint("localhost", 1143, "none"), "")),
        ("imap://[::1]:1143", (Endpoint("::1", 1143, "starttls"), "")),
        ("imaps://mail.net:99999", (None, "")),
        ("imaps://[::1", (None, "")),
        ("smtps://mail.net", (None, "")),
        ("~/Mail", (None, "")),
        ("", (None, "")),
    ],
)  # fmt: skip
def test_an_address_of_a_server_gives_no_password(url: str, expected: object) -> None:
    assert endpoint_of_url("imap", url) == expected
