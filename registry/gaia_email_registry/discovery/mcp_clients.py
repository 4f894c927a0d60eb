"""Addresses that MCP clients hand to a mail server: their user has chosen that account before. Entry: `collect`.

Only an entry's arguments and the variables that name an account or a user are read; of these only the address is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from gaia_email_registry.client_files import CLIENTS
from gaia_email_registry.discovery.machine import AccountTrace, Machine, first_address
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.json_edit import entries_of

_MAIL = re.compile(r"mail|imap|outlook|graph|office|ms-?365", re.IGNORECASE)
_NAMES = re.compile(r"(?:mail|user(?:name)?|account|address|login)\Z", re.IGNORECASE)


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """One signal an entry that starts a mail server and names an address."""
    for client in CLIENTS.values():
        path = machine.home / client.paths.get(machine.platform, client.paths.get("", ""))
        for name, entry in _entries(machine.read(path), client.section).items():
            address = _address(name, entry)
            if address:
                yield AccountTrace(
                    address=address,
                    source=client.title,
                    where=f"{machine.shown(path)}, server {name[:100]}",
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
