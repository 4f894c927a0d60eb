"""Accounts of Claws Mail, Sylpheed, KMail, Geary and Mailspring, each from its own file. Entry: `collect`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from gaia_email_registry.discovery.machine import Machine, Signal, mail_address

_CLAWS = {
    "Claws Mail": ".claws-mail/accountrc",
    "Sylpheed": ".sylpheed-2.0/accountrc",
}


def collect(machine: Machine) -> Iterator[Signal]:
    """The addresses of every such program; a program's default account before its others."""
    yield from _claws(machine)
    yield from _kmail(machine)
    yield from _geary(machine)
    yield from _mailspring(machine)


def _claws(machine: Machine) -> Iterator[Signal]:
    for source, name in _CLAWS.items():
        path = machine.home / name
        accounts = [section for name, section in machine.sections(path).items() if name.startswith("Account")]
        for account in sorted(accounts, key=lambda section: section.get("is_default") != "1"):
            yield from _signal(machine, source, path, account.get("address", ""))


def _kmail(machine: Machine) -> Iterator[Signal]:
    """KDE's identities: `emailidentities`, where `[General]` names the default one."""
    path = machine.config("emailidentities")
    sections = machine.sections(path)
    default = sections.get("General", {}).get("default identity", "")
    identities = [section for name, section in sections.items() if name.startswith("Identity")]
    for identity in sorted(identities, key=lambda section: section.get("uoid") != default):
        yield from _signal(machine, "KMail", path, identity.get("email address", ""))


def _geary(machine: Machine) -> Iterator[Signal]:
    folders = (machine.config("geary"), machine.home / ".var/app/org.gnome.Geary/config/geary")
    for folder in folders:
        for path in machine.files(folder, "*/geary.ini"):
            account = machine.sections(path).get("Account", {})
            yield from _signal(machine, "Geary", path, account.get("sender_mailboxes", ""))


def _mailspring(machine: Machine) -> Iterator[Signal]:
    path = machine.config("Mailspring", "config.json")
    if machine.platform == "darwin":
        path = machine.home / "Library/Application Support/Mailspring/config.json"
    try:
        held: object = json.loads(machine.read(path) or "{}")
    except (ValueError, RecursionError):
        return
    root = _mapping(_mapping(held).get("*"))
    accounts = root.get("accounts")
    for account in cast("list[object]", accounts) if isinstance(accounts, list) else []:
        yield from _signal(machine, "Mailspring", path, str(_mapping(account).get("emailAddress", "")))


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _signal(machine: Machine, source: str, path: Path, value: str) -> Iterator[Signal]:
    address = mail_address(value)
    if address:
        yield Signal(address=address, source=source, where=machine.shown(path), confidence="high")
