"""Accounts of Thunderbird, from `profiles.ini` and each profile's `prefs.js`. Entry: `collect`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gaia_email_registry.discovery.machine import AccountTrace, Machine
from gaia_email_registry.discovery.servers import endpoint, servers
from gaia_email_registry.providers import AccountServers, Security

_FOLDERS = {
    "darwin": ("Library/Thunderbird",),
    "win32": ("AppData/Roaming/Thunderbird",),
}
_LINUX = (
    ".thunderbird",
    "snap/thunderbird/common/.thunderbird",
    ".var/app/org.mozilla.thunderbird/.thunderbird",
    ".var/app/org.mozilla.Thunderbird/.thunderbird",  # Flathub's id until 2024
)
_PREF = re.compile(r'^user_pref\("(mail\.[A-Za-z0-9_.]+)",\s*(?:"((?:[^"\\]|\\.)*)"|(\d+))\);', re.MULTILINE)
_MAIL_TYPES = frozenset({"imap", "pop3", "ews", "graph"})
_SECURITY: Mapping[str, Security] = {"0": "none", "1": "starttls", "2": "starttls", "3": "tls"}
"""Values of `socketType` and `try_ssl`: none, STARTTLS if available, STARTTLS, TLS."""


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield each account that receives mail, the default profile's default first; its identities are aliases."""
    for folder in _FOLDERS.get(machine.platform, _LINUX):
        for profile in _profiles(machine, machine.home / folder):
            yield from _accounts(machine, profile / "prefs.js")


def _profiles(machine: Machine, folder: Path) -> Iterator[Path]:
    sections = machine.sections(folder / "profiles.ini")
    installs = [*machine.sections(folder / "installs.ini").values()]
    installs += [section for name, section in sections.items() if name.startswith("Install")]
    chosen = {section.get("default") for section in installs}
    profiles = [section for name, section in sections.items() if name.startswith("Profile")]

    def rank(profile: Mapping[str, str]) -> tuple[bool, bool]:
        return profile.get("path") not in chosen, profile.get("default") != "1"

    for profile in sorted(profiles, key=rank):
        if path := profile.get("path", ""):
            yield Path(path) if profile.get("isrelative") == "0" else folder / path


def _accounts(machine: Machine, path: Path) -> Iterator[AccountTrace]:
    prefs = {name: text or number for name, text, number in _PREF.findall(machine.read(path))}
    accounts = [name for name in prefs.get("mail.accountmanager.accounts", "").split(",") if name]
    default = prefs.get("mail.accountmanager.defaultaccount", "")
    for account in sorted(accounts, key=lambda name: name != default):
        server = f"mail.server.{prefs.get(f'mail.account.{account}.server', '')}"
        if prefs.get(f"{server}.type", "") not in _MAIL_TYPES:
            continue
        identities = prefs.get(f"mail.account.{account}.identities", "").split(",")
        addresses = [
            address for name in identities if (address := prefs.get(f"mail.identity.{name}.useremail", ""))
        ]
        if addresses:
            told = _servers(prefs, server, identities[0])
            yield from machine.signals("Thunderbird", path, addresses[0], servers=told, aliases=addresses[1:])


def _servers(prefs: Mapping[str, str], server: str, identity: str) -> AccountServers | None:
    chosen = prefs.get(f"mail.identity.{identity}.smtpServer") or prefs.get("mail.smtp.defaultserver", "")
    sending = f"mail.smtpserver.{chosen}"
    security = _SECURITY.get(prefs.get(f"{sending}.try_ssl", ""))
    smtp = endpoint("smtp", prefs.get(f"{sending}.hostname", ""), prefs.get(f"{sending}.port"), security)
    imap = None
    if prefs.get(f"{server}.type") == "imap":
        security = _SECURITY.get(prefs.get(f"{server}.socketType", "0"))
        imap = endpoint("imap", prefs.get(f"{server}.hostname", ""), prefs.get(f"{server}.port"), security)
    return servers(imap, smtp, prefs.get(f"{server}.userName", ""))
