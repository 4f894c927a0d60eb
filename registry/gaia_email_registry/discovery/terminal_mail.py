"""Accounts of mail programs of the terminal: mbsync, OfflineIMAP, fetchmail, notmuch, mutt … Entry: `collect`.

Only the lines that name an address are read; commands in these files are never run, and passwords never kept.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from gaia_email_registry.discovery.machine import Machine, Signal, mail_address

_MBSYNC = re.compile(r"^\s*User\s+(.+)$", re.MULTILINE | re.IGNORECASE)
_MSMTP = re.compile(r"^\s*(?:from|user)\s+(.+)$", re.MULTILINE)
_OFFLINEIMAP = re.compile(r"^\s*remoteuser\s*[=:]\s*(.+)$", re.MULTILINE | re.IGNORECASE)
_FETCHMAIL = re.compile(r"^[^#\n]*\buser(?:name)?\s+[\"']?([^\s\"',]+)", re.MULTILINE)
_NOTMUCH = re.compile(r"^\s*primary_email\s*=\s*(.+)$", re.MULTILINE)
_GETMAIL = re.compile(r"^\s*username\s*=\s*(.+)$", re.MULTILINE)
_MUTT = re.compile(r"^\s*set\s+(?:from|imap_user)\s*=\s*(.+)$", re.MULTILINE)
_AERC = re.compile(r"^\s*from\s*=\s*(.+)$", re.MULTILINE)


def collect(machine: Machine) -> Iterator[Signal]:
    """The addresses of every such program."""
    for source, pattern, paths in _by_line(machine):
        for path in paths:
            for value in pattern.findall(machine.read(path)):
                yield from _signal(machine, source, path, value)
    path = machine.config("himalaya", "config.toml")
    for value in _himalaya(machine.read(path)):
        yield from _signal(machine, "himalaya", path, value)


def _by_line(machine: Machine) -> tuple[tuple[str, re.Pattern[str], tuple[Path, ...]], ...]:
    home, config = machine.home, machine.config
    mutt = (
        home / ".muttrc",
        home / ".mutt/muttrc",
        home / ".neomuttrc",
        config("mutt", "muttrc"),
        config("neomutt", "neomuttrc"),
    )
    return (
        ("mbsync", _MBSYNC, (home / ".mbsyncrc", config("isyncrc"))),
        ("msmtp", _MSMTP, (home / ".msmtprc", config("msmtp", "config"))),
        ("OfflineIMAP", _OFFLINEIMAP, (home / ".offlineimaprc", config("offlineimap", "config"))),
        ("fetchmail", _FETCHMAIL, (home / ".fetchmailrc",)),
        ("getmail", _GETMAIL, (home / ".getmail/getmailrc", config("getmail", "getmailrc"))),
        ("notmuch", _NOTMUCH, (home / ".notmuch-config", config("notmuch", "default", "config"))),
        ("mutt", _MUTT, mutt),
        ("aerc", _AERC, (config("aerc", "accounts.conf"),)),
    )


def _himalaya(text: str) -> Iterator[str]:
    try:
        accounts: object = tomllib.loads(text).get("accounts")
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    if not isinstance(accounts, dict):
        return
    for account in cast("dict[str, object]", accounts).values():
        if isinstance(account, dict):
            yield str(cast("dict[str, object]", account).get("email", ""))


def _signal(machine: Machine, source: str, path: Path, value: str) -> Iterator[Signal]:
    address = mail_address(value)
    if address:
        yield Signal(address=address, source=source, where=machine.shown(path), confidence="high")
