"""Accounts of Apple Mail and of macOS's Internet Accounts. Entry: `collect`.

macOS stores them in `Accounts4.sqlite`, which a terminal may read only with Full Disk Access. The settings of older
versions of Mail are read if present. Unreadable files are skipped.
"""

from __future__ import annotations

import plistlib
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, cast
from xml.parsers.expat import ExpatError

from gaia_email_registry.discovery.machine import AccountTrace, Machine, first_address
from gaia_email_registry.discovery.servers import endpoint, servers
from gaia_email_registry.providers import AccountServers

_DATABASE = "Library/Accounts/Accounts4.sqlite"
_DATABASE_BYTES = 20_000_000
_SETTINGS = (
    "Library/Containers/com.apple.mail/Data/Library/Preferences/com.apple.mail.plist",
    "Library/Preferences/com.apple.mail.plist",
)
_ACCOUNTS = """
    SELECT account.ZUSERNAME, parent.ZUSERNAME
    FROM ZACCOUNT AS account
    JOIN ZACCOUNTTYPE AS kind ON kind.Z_PK = account.ZACCOUNTTYPE
    LEFT JOIN ZACCOUNT AS parent ON parent.Z_PK = account.ZPARENTACCOUNT
    WHERE kind.ZIDENTIFIER IN ('com.apple.account.IMAP', 'com.apple.account.POP', 'com.apple.account.Exchange')
        AND coalesce(account.ZACTIVE, 1) != 0
    ORDER BY account.Z_PK
    LIMIT 100
"""
"""Accounts that receive mail; for Google and iCloud, the address is in the parent account."""


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the accounts that receive mail; only on macOS."""
    if machine.platform != "darwin":
        return
    database = machine.home / _DATABASE
    for names in _read_database(machine.read_bytes(database, _DATABASE_BYTES)):
        yield from machine.signals(
            "Internet Accounts", database, first_address(names), confidence="very high"
        )
    older = (machine.home / name for name in _SETTINGS)
    files = machine.files(machine.home / "Library/Mail", "V*/MailData/Accounts.plist")
    for path in (*older, *files):
        for account in _settings(machine.read_bytes(path)):
            addresses = [str(one) for one in cast("list[object]", account["EmailAddresses"])]
            yield from machine.signals(
                "Apple Mail",
                path,
                first_address(addresses),
                confidence="very high",
                servers=_servers(account),
                aliases=addresses,
            )


def _read_database(content: bytes) -> Iterator[list[str]]:
    if not content:
        return
    held = sqlite3.connect(":memory:")
    try:
        held.deserialize(content)
        for row in held.execute(_ACCOUNTS).fetchall():
            yield [str(name) for name in row if name]
    except sqlite3.Error:
        return
    finally:
        held.close()


def _settings(content: bytes) -> Iterator[Mapping[str, object]]:
    """Yield the accounts that have addresses."""
    try:
        root: object = plistlib.loads(content) if content else {}
    except (plistlib.InvalidFileException, ExpatError, ValueError, OverflowError, IndexError, RecursionError):
        return
    accounts = cast("dict[str, Any]", root).get("MailAccounts") if isinstance(root, dict) else None
    for account in cast("list[object]", accounts) if isinstance(accounts, list) else []:
        held = cast("dict[str, object]", account) if isinstance(account, dict) else {}
        if isinstance(held.get("EmailAddresses"), list):
            yield held


def _servers(account: Mapping[str, object]) -> AccountServers | None:
    if account.get("AccountType") != "IMAPAccount":
        return None
    encrypted = str(account.get("SSLEnabled", "")).upper() in ("YES", "TRUE", "1")
    imap = endpoint(
        "imap",
        str(account.get("Hostname", "")),
        str(account.get("PortNumber", "")),
        "tls" if encrypted else None,
    )
    return servers(imap, None, str(account.get("Username", "")))
