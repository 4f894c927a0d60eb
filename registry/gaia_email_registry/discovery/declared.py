"""Addresses the user has told the environment or git. Entries: `environment`, `git`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gaia_email_registry.discovery.machine import AccountTrace, Machine, mail_address

VARIABLES = ("GMAIL_ADDRESS", "OUTLOOK_ACCOUNT", "EMAIL")

_SECTION = re.compile(r"^\s*\[\s*([A-Za-z0-9.-]+)[^\]]*\]")
_OPTION = re.compile(r"^\s*([A-Za-z0-9-]+)\s*=\s*(.*)$")
_ADDRESSES = frozenset({("user", "email"), ("sendemail", "from"), ("sendemail", "smtpuser")})


def environment(machine: Machine) -> Iterator[AccountTrace]:
    """The variables that commonly name one's address."""
    for name in VARIABLES:
        address = mail_address(machine.environ.get(name, ""))
        if address:
            yield AccountTrace(address=address, source="environment", where=name, confidence="medium")


def git(machine: Machine) -> Iterator[AccountTrace]:
    """`user.email` and `sendemail` of git's global files; git itself is not run and includes are not followed."""
    for path in (machine.home / ".gitconfig", machine.config("git", "config")):
        section = ""
        for line in machine.read(path).splitlines():
            if heading := _SECTION.match(line):
                section = heading[1].lower()
            option = _OPTION.match(line)
            if option is None or (section, option[1].lower()) not in _ADDRESSES:
                continue
            yield from machine.signals("git", path, option[2], confidence="medium")
