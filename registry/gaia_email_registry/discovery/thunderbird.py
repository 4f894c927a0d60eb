"""Accounts of Thunderbird, from `profiles.ini` and each profile's `prefs.js`. Entry: `collect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gaia_email_registry.discovery.machine import Machine, Signal, mail_address

_FOLDERS = {
    "darwin": ("Library/Thunderbird",),
    "win32": ("AppData/Roaming/Thunderbird",),
}
_LINUX = (
    ".thunderbird",
    "snap/thunderbird/common/.thunderbird",
    ".var/app/org.mozilla.Thunderbird/.thunderbird",
)
_PREF = re.compile(r'^user_pref\("(mail\.[A-Za-z0-9_.]+)",\s*"((?:[^"\\]|\\.)*)"\);', re.MULTILINE)
_MAIL_TYPES = frozenset({"imap", "pop3", "ews", "graph"})


def collect(machine: Machine) -> Iterator[Signal]:
    """The address of each account that receives mail, the default account's first."""
    for folder in _FOLDERS.get(machine.platform, _LINUX):
        for profile in _profiles(machine, machine.home / folder):
            path = profile / "prefs.js"
            for address in _addresses(dict(_PREF.findall(machine.read(path)))):
                yield Signal(
                    address=address, source="Thunderbird", where=machine.shown(path), confidence="high"
                )


def _profiles(machine: Machine, folder: Path) -> Iterator[Path]:
    for name, section in machine.sections(folder / "profiles.ini").items():
        path = section.get("path", "")
        if name.startswith("Profile") and path:
            yield Path(path) if section.get("isrelative") == "0" else folder / path


def _addresses(prefs: Mapping[str, str]) -> Iterator[str]:
    accounts = [name for name in prefs.get("mail.accountmanager.accounts", "").split(",") if name]
    default = prefs.get("mail.accountmanager.defaultaccount", "")
    for account in sorted(accounts, key=lambda name: name != default):
        server = prefs.get(f"mail.account.{account}.server", "")
        if prefs.get(f"mail.server.{server}.type", "") not in _MAIL_TYPES:
            continue
        for identity in prefs.get(f"mail.account.{account}.identities", "").split(","):
            address = mail_address(prefs.get(f"mail.identity.{identity}.useremail", ""))
            if address:
                yield address
