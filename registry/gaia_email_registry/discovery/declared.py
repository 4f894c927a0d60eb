"""Addresses declared in the environment, git or an MCP client. Entries: `environment`, `git`, `mcp_clients`.

For an MCP client, only an entry's arguments and the variables that name an account or a user are read, and only the
address is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from gaia_email_registry.client_files import CLIENTS
from gaia_email_registry.discovery.machine import AccountTrace, Machine, first_address, mail_address
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.json_edit import entries_of

VARIABLES = ("GMAIL_ADDRESS", "OUTLOOK_ACCOUNT", "EMAIL")

_SECTION = re.compile(r"^\s*\[\s*([A-Za-z0-9.-]+)[^\]]*\]")
_OPTION = re.compile(r"^\s*([A-Za-z0-9-]+)\s*=\s*(.*)$")
_ADDRESSES = frozenset({("user", "email"), ("sendemail", "from"), ("sendemail", "smtpuser")})

_MAIL = re.compile(r"mail|imap|outlook|graph|office|ms-?365", re.IGNORECASE)
_NAMES = re.compile(r"(?:mail|user(?:name)?|account|address|login)\Z", re.IGNORECASE)


def environment(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the addresses in variables that commonly contain the user's own."""
    for name in VARIABLES:
        address = mail_address(machine.environ.get(name, ""))
        if address:
            yield AccountTrace(address=address, source="environment", where=name, confidence="medium")


def git(machine: Machine) -> Iterator[AccountTrace]:
    """Yield `user.email` and `sendemail` from git's global files; git is not run and includes are not followed."""
    for path in (machine.home / ".gitconfig", machine.config("git", "config")):
        section = ""
        for line in machine.read(path).splitlines():
            if heading := _SECTION.match(line):
                section = heading[1].lower()
            option = _OPTION.match(line)
            if option is None or (section, option[1].lower()) not in _ADDRESSES:
                continue
            yield from machine.signals("git", path, option[2], confidence="medium")


def mcp_clients(machine: Machine) -> Iterator[AccountTrace]:
    """Yield a trace per entry that starts a mail server and names an address: the user already chose that account."""
    for client in CLIENTS.values():
        path = machine.home / client.paths.get(machine.platform, client.paths.get("", ""))
        for name, entry in _entries(machine.read(path), client.section).items():
            address = _address(name, entry)
            if address:
                yield AccountTrace(
                    address=address,
                    source=client.title,
                    where=f"{machine.shorten(path)}, server {name[:100]}",
                    confidence="very high",
                )


def _entries(text: str, section: str) -> Mapping[str, Mapping[str, object]]:
    try:
        return entries_of(text, section) if text.strip() else {}
    except BadArgument:
        return {}


def _address(name: str, entry: Mapping[str, object]) -> str:
    given = entry.get("args")
    arguments = [str(one) for one in cast("list[object]", given)] if isinstance(given, list) else []
    if not any(_MAIL.search(word) for word in (name, str(entry.get("command", "")), *arguments)):
        return ""
    environ = [str(value) for key, value in _mapping(entry.get("env")).items() if _NAMES.search(key)]
    return first_address((*environ, *arguments))


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
