"""Homes as machines have them: what each mail program leaves there when it knows some accounts. Entry: `HOMES`.

A home is made by programs, each given its accounts, the default one first; the address that should be found first is
said beside it. Twelve homes have no account at all, or files that only look as if they named one.
"""

from __future__ import annotations

import json
import plistlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Program = Callable[[Path], None]


@dataclass(frozen=True, kw_only=True)
class Home:
    """A machine: its platform, the programs that were used there, and whose account comes first (empty for nobody)."""

    name: str
    programs: Sequence[Program]
    first: str
    platform: str = "linux"
    environ: Mapping[str, str] = field(default_factory=dict[str, str])


def text(name: str, content: str) -> Program:
    """A file below the home."""

    def write(home: Path) -> None:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    return write


def thunderbird(*addresses: str, folder: str = ".thunderbird") -> Program:
    """A profile with local folders and a feed beside the accounts; the default one is written last."""
    lines = [
        'user_pref("app.lastUpdate", 1);',
        'user_pref("mail.account.account1.server", "server1");',
        'user_pref("mail.server.server1.type", "none");',
        'user_pref("mail.server.server1.hostname", "Local Folders");',
        'user_pref("mail.account.account2.server", "server2");',
        'user_pref("mail.server.server2.type", "rss");',
        'user_pref("mail.accountmanager.defaultaccount", "account3");',
    ]
    names = [f"account{number}" for number in range(3, 3 + len(addresses))]
    for name, address in reversed(list(zip(names, addresses, strict=True))):
        number = name.removeprefix("account")
        lines += [
            f'user_pref("mail.account.{name}.identities", "id{number}");',
            f'user_pref("mail.account.{name}.server", "server{number}");',
            f'user_pref("mail.identity.id{number}.fullName", "A Person");',
            f'user_pref("mail.identity.id{number}.useremail", "{address}");',
            f'user_pref("mail.server.server{number}.type", "imap");',
        ]
    joined = ",".join(["account1", "account2", *reversed(names)])
    lines.append(f'user_pref("mail.accountmanager.accounts", "{joined}");')

    def write(home: Path) -> None:
        text(
            f"{folder}/profiles.ini",
            "[Install4F96]\nDefault=Profiles/a.default-release\n\n[Profile0]\nName=default-release\nIsRelative=1\n"
            "Path=Profiles/a.default-release\n\n[General]\nStartWithLastProfile=1\n",
        )(home)
        text(f"{folder}/Profiles/a.default-release/prefs.js", "\n".join(lines) + "\n")(home)

    return write


def gnome_accounts(*addresses: str) -> Program:
    """GNOME Online Accounts, with one more account that is for files only."""
    parts = [
        f"[Account account_16{number}]\nProvider=google\nIdentity={address}\nPresentationIdentity={address}\n"
        "MailEnabled=true\nCalendarEnabled=true\n"
        for number, address in enumerate(addresses)
    ]
    parts.append(
        "[Account account_1699]\nProvider=owncloud\nIdentity=files@cloud.net\nPresentationIdentity=files@cloud.net\n"
        "CalendarEnabled=true\nFilesEnabled=true\n"
    )
    return text(".config/goa-1.0/accounts.conf", "\n".join(parts))


def evolution(address: str) -> Program:
    """Evolution's three files of an account, and the address book that comes with it."""

    def write(home: Path) -> None:
        folder = ".config/evolution/sources"
        text(
            f"{folder}/1.source",
            "[Data Source]\nDisplayName=Mail\nEnabled=true\nParent=\n\n[Mail Account]\nBackendName=imapx\n"
            f"IdentityUid=2\n\n[Authentication]\nHost=imap.host.net\nUser={address}\n",
        )(home)
        text(
            f"{folder}/2.source",
            "[Data Source]\nDisplayName=Mail\nEnabled=true\nParent=1\n\n"
            f"[Mail Identity]\nAddress={address}\nName=A P\n",
        )(home)
        text(f"{folder}/system-address-book.source", "[Data Source]\nDisplayName=Personal\nEnabled=true\n")(
            home
        )

    return write


def claws(*addresses: str) -> Program:
    """Claws Mail; the default account stands last in its file."""
    parts = [
        f"[Account: {number}]\naccount_name={address}\nis_default={int(number == 1)}\nname=A Person\n"
        f"address={address}\nprotocol=1\nreceive_server=imap.host.net\n"
        for number, address in enumerate(addresses, start=1)
    ]
    return text(".claws-mail/accountrc", "\n".join(reversed(parts)))


def sylpheed(address: str) -> Program:
    """Sylpheed, which writes as Claws Mail does."""
    return text(".sylpheed-2.0/accountrc", f"[Account: 1]\nis_default=1\naddress={address}\n")


def kmail(*addresses: str) -> Program:
    """KDE's identities; the default one, named by its number, stands last."""
    parts = [
        f"[Identity #{number}]\nEmail Address={address}\nIdentity=Work\nName=A Person\nuoid={100 + number}\n"
        for number, address in enumerate(addresses)
    ]
    return text(".config/emailidentities", "[General]\nDefault Identity=100\n\n" + "\n".join(reversed(parts)))


def geary(address: str, *, flatpak: bool = False) -> Program:
    """Geary's account file."""
    folder = ".var/app/org.gnome.Geary/config/geary" if flatpak else ".config/geary"
    return text(
        f"{folder}/account_01/geary.ini",
        "[Metadata]\nversion=1\nstatus=enabled\n\n[Account]\nordinal=1\nlabel=\nprefetch_days=14\nsave_drafts=true\n"
        f"save_sent=false\nservice_provider=other\nsender_mailboxes=A Person <{address}>;\n",
    )


def mailspring(*addresses: str, platform: str = "linux") -> Program:
    """Mailspring's settings."""
    folder = ".config" if platform == "linux" else "Library/Application Support"
    accounts = [
        {"id": str(number), "emailAddress": one, "provider": "imap"} for number, one in enumerate(addresses)
    ]
    return text(
        f"{folder}/Mailspring/config.json", json.dumps({"*": {"env": "production", "accounts": accounts}})
    )


def mbsync(*addresses: str) -> Program:
    """A configuration with a password command that names another address."""
    parts = [
        f"IMAPAccount a{number}\nHost imap.host.net\nUser {address}\n"
        'PassCmd "pass show other@pass.net"\nTLSType IMAPS\n\n'
        f"IMAPStore a{number}-remote\nAccount a{number}\n\nMaildirStore a{number}-local\nPath ~/Mail/{number}/\n"
        for number, address in enumerate(addresses)
    ]
    return text(".mbsyncrc", "\n".join(parts))


def msmtp(*addresses: str) -> Program:
    """Accounts that share their defaults."""
    parts = [
        f"account a{number}\nhost smtp.host.net\nfrom {one}\nuser {one}\n"
        for number, one in enumerate(addresses)
    ]
    return text(".msmtprc", "defaults\nauth on\ntls on\n\n" + "\n".join(parts) + "\naccount default : a0\n")


def mutt(address: str, name: str = ".muttrc") -> Program:
    """A muttrc with a commented address and a mailing list before the user's own."""
    return text(
        name,
        "# set from = old@before.net\nsubscribe users@lists.host.net\nset realname = 'A Person'\n"
        f'set from = "{address}"\nset folder = "imaps://imap.host.net"\n',
    )


def aerc(address: str) -> Program:
    """aerc's accounts."""
    return text(
        ".config/aerc/accounts.conf",
        f"[Mine]\nsource = imaps://user@imap.host.net\noutgoing = smtps://x@smtp.host.net\nfrom = A P <{address}>\n",
    )


def himalaya(address: str) -> Program:
    """himalaya's accounts."""
    return text(
        ".config/himalaya/config.toml",
        f'[accounts.mine]\ndefault = true\nemail = "{address}"\n'
        'backend.type = "imap"\nbackend.host = "imap.host.net"\n',
    )


def offlineimap(address: str) -> Program:
    """OfflineIMAP's accounts."""
    return text(
        ".offlineimaprc",
        "[general]\naccounts = A\n[Account A]\nlocalrepository = L\nremoterepository = R\n[Repository R]\ntype = IMAP\n"
        f"remotehost = imap.host.net\nremoteuser = {address}\n",
    )


def fetchmail(address: str) -> Program:
    """fetchmail's accounts."""
    return text(
        ".fetchmailrc",
        f'set daemon 300\npoll imap.host.net proto imap\n  user "{address}" there is ann here\n  ssl\n',
    )


def getmail(address: str) -> Program:
    """getmail's account."""
    return text(".getmail/getmailrc", f"[retriever]\ntype = SimpleIMAPSSLRetriever\nusername = {address}\n")


def notmuch(address: str) -> Program:
    """notmuch's owner."""
    return text(".notmuch-config", f"[database]\npath=/x\n\n[user]\nname=A P\nprimary_email={address}\n")


def git(address: str) -> Program:
    """git's author, which is often that of work."""
    return text(".gitconfig", f"[user]\n\tname = A Person\n\temail = {address}\n[core]\n\teditor = vim\n")


def internet_accounts(*accounts: tuple[str, str]) -> Program:
    """macOS's database: each account's kind, and its address, which for Google stands in the parent account."""

    def write(home: Path) -> None:
        path = home / "Library/Accounts/Accounts4.sqlite"
        path.parent.mkdir(parents=True)
        held = sqlite3.connect(path)
        held.execute("CREATE TABLE ZACCOUNTTYPE (Z_PK INTEGER PRIMARY KEY, ZIDENTIFIER VARCHAR)")
        held.execute(
            "CREATE TABLE ZACCOUNT (Z_PK INTEGER PRIMARY KEY, ZACTIVE INTEGER, ZACCOUNTTYPE INTEGER,"
            " ZPARENTACCOUNT INTEGER, ZUSERNAME VARCHAR)"
        )
        kinds = ["IMAP", "Google", "CalDAV", "Exchange"]
        for number, kind in enumerate(kinds, start=1):
            held.execute("INSERT INTO ZACCOUNTTYPE VALUES (?, ?)", (number, f"com.apple.account.{kind}"))
        for number, (kind, address) in enumerate(accounts):
            parent = 10 * number + 1
            if kind == "Google":
                held.execute("INSERT INTO ZACCOUNT VALUES (?, 1, 2, NULL, ?)", (parent, address))
                held.execute("INSERT INTO ZACCOUNT VALUES (?, 1, 1, ?, NULL)", (parent + 1, parent))
                held.execute("INSERT INTO ZACCOUNT VALUES (?, 1, 3, ?, NULL)", (parent + 2, parent))
            else:
                held.execute(
                    "INSERT INTO ZACCOUNT VALUES (?, 1, ?, NULL, ?)", (parent, kinds.index(kind) + 1, address)
                )
        held.commit()
        held.close()

    return write


def apple_mail(*addresses: str, name: str = "Library/Preferences/com.apple.mail.plist") -> Program:
    """Mail's settings of older versions."""
    accounts = [{"AccountType": "IMAPAccount", "EmailAddresses": [one]} for one in addresses]
    return apple_mail_accounts(*accounts, name=name)


def apple_mail_accounts(
    *accounts: Mapping[str, object], name: str = "Library/Preferences/com.apple.mail.plist"
) -> Program:
    """Such settings, beside the folders of the machine."""

    def write(home: Path) -> None:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        local = {"AccountName": "Local", "AccountType": "LocalAccount"}
        path.write_bytes(plistlib.dumps({"MailAccounts": [local, *accounts]}, fmt=plistlib.FMT_BINARY))

    return write


def assistant(address: str, *, platform: str = "linux") -> Program:
    """Claude Desktop with a mail server of another maker and one for files."""
    folder = ".config/Claude" if platform == "linux" else "Library/Application Support/Claude"
    servers = {
        "filesystem": {"command": "npx", "args": ["-y", "server-filesystem", "/home/ann"]},
        "mail": {
            "command": "npx",
            "args": ["imap-mail"],
            "env": {"IMAP_USER": address, "IMAP_PASSWORD": "hunter2"},
        },
    }
    return text(f"{folder}/claude_desktop_config.json", json.dumps({"mcpServers": servers}, indent=2))


def opens_mail(program: str) -> Program:
    """The program that the desktop opens mail addresses with."""
    return text(
        ".config/mimeapps.list",
        f"[Default Applications]\ntext/html=firefox.desktop\nx-scheme-handler/mailto={program}.desktop\n",
    )


SANDBOXED = "Library/Containers/com.apple.mail/Data/Library/Preferences/com.apple.mail.plist"
FILES_ONLY = '{"mcpServers": {"files": {"command": "x", "env": {"OWNER_EMAIL": "a@b.net"}}}}'
MAC_THUNDERBIRD = "Library/Thunderbird"
WORK = "ann.berg@company-works.com"


def _one_program() -> list[Home]:
    made: list[tuple[str, Program, str]] = [
        ("Thunderbird, Gmail", thunderbird("ann.berg@gmail.com"), "ann.berg@gmail.com"),
        ("Thunderbird, GMX before Gmail", thunderbird("ann@gmx.de", "ann.berg@gmail.com"), "ann@gmx.de"),
        (
            "Thunderbird as a snap",
            thunderbird("ann@web.de", folder="snap/thunderbird/common/.thunderbird"),
            "ann@web.de",
        ),
        (
            "Thunderbird as a flatpak",
            thunderbird("ann@posteo.de", folder=".var/app/org.mozilla.Thunderbird/.thunderbird"),
            "ann@posteo.de",
        ),
        ("GNOME, Gmail", gnome_accounts("ann.berg@gmail.com"), "ann.berg@gmail.com"),
        ("GNOME, Outlook", gnome_accounts("ann_berg@outlook.com"), "ann_berg@outlook.com"),
        ("Evolution, own domain", evolution("ann@berg-family.net"), "ann@berg-family.net"),
        ("Evolution, Fastmail", evolution("ann@fastmail.com"), "ann@fastmail.com"),
        ("Claws Mail, two", claws("ann@mailbox.org", WORK), "ann@mailbox.org"),
        ("Sylpheed", sylpheed("ann@yahoo.co.jp"), "ann@yahoo.co.jp"),
        ("KMail, two", kmail("ann@kolabnow.com", WORK), "ann@kolabnow.com"),
        ("Geary", geary("ann.berg@gmail.com"), "ann.berg@gmail.com"),
        ("Geary as a flatpak", geary("ann@icloud.com", flatpak=True), "ann@icloud.com"),
        ("Mailspring, two", mailspring("ann@hotmail.com", WORK), "ann@hotmail.com"),
        ("mbsync, two", mbsync("ann@posteo.net", WORK), "ann@posteo.net"),
        ("msmtp, two", msmtp("ann@mailbox.org", WORK), "ann@mailbox.org"),
        ("mutt", mutt("ann@riseup.net"), "ann@riseup.net"),
        ("neomutt", mutt("ann@protonmail.com", ".config/neomutt/neomuttrc"), "ann@protonmail.com"),
        ("aerc", aerc("ann@migadu-host.net"), "ann@migadu-host.net"),
        ("himalaya", himalaya("ann@fastmail.com"), "ann@fastmail.com"),
        ("OfflineIMAP", offlineimap("ann.berg@gmail.com"), "ann.berg@gmail.com"),
        ("fetchmail", fetchmail("ann@gmx.net"), "ann@gmx.net"),
        ("getmail", getmail("ann@zoho.com"), "ann@zoho.com"),
        ("notmuch", notmuch("ann@berg-family.net"), "ann@berg-family.net"),
        ("Claude Desktop", assistant("ann@yahoo.com"), "ann@yahoo.com"),
        ("git alone", git("ann.berg@gmail.com"), "ann.berg@gmail.com"),
    ]
    return [Home(name=name, programs=(program,), first=first) for name, program, first in made]


def _several_programs() -> list[Home]:
    made: list[tuple[str, Sequence[Program], str]] = [
        ("Thunderbird at home, git for work", (git(WORK), thunderbird("ann@gmx.de")), "ann@gmx.de"),
        (
            "mbsync, msmtp, mutt and notmuch",
            (
                mbsync("ann@posteo.de"),
                msmtp("ann@posteo.de"),
                mutt("ann@posteo.de"),
                notmuch("ann@posteo.de"),
                git(WORK),
            ),
            "ann@posteo.de",
        ),
        (
            "an old mutt, and Evolution opens mail",
            (mutt("ann@before.net"), evolution("ann@fastmail.com"), opens_mail("org.gnome.Evolution")),
            "ann@fastmail.com",
        ),
        (
            "KMail opens mail, GNOME has another",
            (gnome_accounts("ann.old@gmail.com"), kmail("ann@kolabnow.com"), opens_mail("org.kde.kmail2")),
            "ann@kolabnow.com",
        ),
        (
            "Thunderbird opens mail, GNOME has work",
            (gnome_accounts(WORK), thunderbird("ann@web.de"), opens_mail("thunderbird")),
            "ann@web.de",
        ),
        (
            "two of three name one",
            (aerc("ann@riseup.net"), himalaya("ann@riseup.net"), claws(WORK)),
            "ann@riseup.net",
        ),
        (
            "an assistant already reads one",
            (thunderbird("ann@gmx.de"), assistant("ann.berg@gmail.com")),
            "ann.berg@gmail.com",
        ),
        ("Geary and git of the same", (geary("ann@icloud.com"), git("ann@icloud.com")), "ann@icloud.com"),
        (
            "git of a forge, and Mailspring",
            (git("12345+ann@users.noreply.github.com"), mailspring("ann@hotmail.com")),
            "ann@hotmail.com",
        ),
        (
            "a damaged profile, and mbsync",
            (text(".thunderbird/profiles.ini", "[Profile0\nPath"), mbsync("ann@mailbox.org")),
            "ann@mailbox.org",
        ),
    ]
    return [Home(name=name, programs=programs, first=first) for name, programs, first in made]


def _macs() -> list[Home]:
    made: list[tuple[str, Sequence[Program], str]] = [
        ("iCloud", (internet_accounts(("IMAP", "ann@icloud.com")),), "ann@icloud.com"),
        ("Google", (internet_accounts(("Google", "ann.berg@gmail.com")),), "ann.berg@gmail.com"),
        ("Exchange of work", (internet_accounts(("Exchange", WORK)),), WORK),
        (
            "a calendar before mail",
            (internet_accounts(("CalDAV", "cal@dav.net"), ("IMAP", "ann@gmx.de")),),
            "ann@gmx.de",
        ),
        ("an older Mail", (apple_mail("ann@me.com", WORK),), "ann@me.com"),
        ("a sandboxed Mail", (apple_mail("ann@me.com", name=SANDBOXED),), "ann@me.com"),
        (
            "a Mail of 2012",
            (apple_mail("ann@mac.com", name="Library/Mail/V2/MailData/Accounts.plist"),),
            "ann@mac.com",
        ),
        ("Thunderbird", (thunderbird("ann@gmx.de", folder=MAC_THUNDERBIRD), git(WORK)), "ann@gmx.de"),
        ("Mailspring", (mailspring("ann.berg@gmail.com", platform="darwin"),), "ann.berg@gmail.com"),
        ("Claude Desktop", (assistant("ann@yahoo.com", platform="darwin"), git(WORK)), "ann@yahoo.com"),
        ("a terminal", (mbsync("ann@posteo.de"), msmtp("ann@posteo.de")), "ann@posteo.de"),
    ]
    return [
        Home(name=f"Mac, {name}", programs=programs, first=first, platform="darwin")
        for name, programs, first in made
    ]


def _nobody() -> list[Home]:
    made: list[tuple[str, Sequence[Program]]] = [
        ("an empty home", ()),
        ("a forge's address in git", (git("12345+ann@users.noreply.github.com"),)),
        ("the machine's own address", (git("ann@laptop.local"),)),
        ("Thunderbird with feeds only", (thunderbird(),)),
        ("GNOME for files only", (gnome_accounts(),)),
        (
            "sample files never filled in",
            (mutt("you@example.com"), aerc("user@example.org"), git("your.name@example.com")),
        ),
        (
            "addresses in comments",
            (text(".mbsyncrc", "# User ann@gmx.de\n"), text(".msmtprc", "#from ann@gmx.de\n")),
        ),
        ("an assistant without mail", (text(".config/Claude/claude_desktop_config.json", FILES_ONLY),)),
        (
            "notes that mention people",
            (
                text("notes.txt", "write to bob@gmail.com"),
                text(".config/contacts.vcf", "EMAIL:bob@gmail.com"),
            ),
        ),
        (
            "damaged files",
            (
                text(".config/emailidentities", "\x00\x01[["),
                text(".config/Mailspring/config.json", '{"*": ['),
                text(".config/himalaya/config.toml", "[[["),
            ),
        ),
    ]
    homes = [Home(name=name, programs=programs, first="") for name, programs in made]
    mac: list[tuple[str, Program]] = [
        (
            "Mac, a database that is none",
            text("Library/Accounts/Accounts4.sqlite", "SQLite format 3\x00garbage"),
        ),
        ("Mac, settings that are none", text("Library/Preferences/com.apple.mail.plist", "bplist00garbage")),
    ]
    return [*homes, *(Home(name=name, programs=(one,), first="", platform="darwin") for name, one in mac)]


VARIABLE = Home(name="a variable", programs=(), first="ann@gmx.de", environ={"EMAIL": "Ann <ann@gmx.de>"})
HOMES = (*_one_program(), *_several_programs(), *_macs(), *_nobody(), VARIABLE)
