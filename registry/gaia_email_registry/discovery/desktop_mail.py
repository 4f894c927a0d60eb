"""Accounts of Claws Mail, Sylpheed, KMail, Geary and Mailspring, each from its own file. Entry: `collect`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from gaia_email_registry.discovery.machine import AccountTrace, Machine, mapping
from gaia_email_registry.discovery.servers import endpoint, servers
from gaia_email_registry.providers import Endpoint, ProtocolKind, Security

_CLAWS = {
    "Claws Mail": ".claws-mail/accountrc",
    "Sylpheed": ".sylpheed-2.0/accountrc",
}
_CLAWS_SECURITY: Mapping[str, Security] = {"0": "none", "1": "tls", "2": "starttls"}
_CLAWS_IMAP = frozenset({"1", "3"})
"""Values of `protocol` for IMAP in old and new versions; POP is 0."""
_GEARY_SECURITY: Mapping[str, Security] = {"none": "none", "start-tls": "starttls", "transport": "tls"}
_MAILSPRING_SECURITY: Mapping[str, Security] = {"none": "none", "STARTTLS": "starttls", "SSL / TLS": "tls"}


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the accounts of all these programs; a program's default account before its others."""
    yield from _claws(machine)
    yield from _kmail(machine)
    yield from _geary(machine)
    yield from _mailspring(machine)


def _claws(machine: Machine) -> Iterator[AccountTrace]:
    def server(account: Mapping[str, str], kind: ProtocolKind, name: str) -> Endpoint | None:
        port = account.get(f"{kind}_port") if account.get(f"set_{kind}port") == "1" else None
        security = _CLAWS_SECURITY.get(account.get(f"ssl_{kind}", ""))
        return endpoint(kind, account.get(name, ""), port, security)

    for source, name in _CLAWS.items():
        path = machine.home / name
        accounts = [section for name, section in machine.sections(path).items() if name.startswith("Account")]
        for account in sorted(accounts, key=lambda section: section.get("is_default") != "1"):
            reads = account.get("protocol", "") in _CLAWS_IMAP
            imap = server(account, "imap", "receive_server") if reads else None
            told = servers(imap, server(account, "smtp", "smtp_server"), account.get("user_id", ""))
            yield from machine.signals(source, path, account.get("address", ""), servers=told)


def _kmail(machine: Machine) -> Iterator[AccountTrace]:
    """Yield KDE's identities from `emailidentities`; `[General]` names the default one."""
    path = machine.config("emailidentities")
    sections = machine.sections(path)
    default = sections.get("General", {}).get("default identity", "")
    identities = [section for name, section in sections.items() if name.startswith("Identity")]
    for identity in sorted(identities, key=lambda section: section.get("uoid") != default):
        aliases = (identity.get("email aliases", ""),)
        yield from machine.signals("KMail", path, identity.get("email address", ""), aliases=aliases)


def _geary(machine: Machine) -> Iterator[AccountTrace]:
    def server(section: Mapping[str, str], kind: ProtocolKind) -> Endpoint | None:
        security = _GEARY_SECURITY.get(section.get("transport_security", ""))
        return endpoint(kind, section.get("host", ""), section.get("port"), security)

    folders = (machine.config("geary"), machine.home / ".var/app/org.gnome.Geary/config/geary")
    for folder in folders:
        files = [(path, machine.sections(path)) for path in machine.files(folder, "*/geary.ini")]
        for path, sections in sorted(files, key=lambda one: _ordinal(one[1])):
            if sections.get("Metadata", {}).get("status", "enabled") != "enabled":
                continue
            reading = sections.get("Incoming", {})
            sending = server(sections.get("Outgoing", {}), "smtp")
            told = servers(server(reading, "imap"), sending, reading.get("login", ""))
            own = sections.get("Account", {}).get("sender_mailboxes", "").split(";")
            yield from machine.signals("Geary", path, own[0], servers=told, aliases=own[1:])


def _ordinal(sections: Mapping[str, Mapping[str, str]]) -> int:
    given = sections.get("Account", {}).get("ordinal", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0


def _mailspring(machine: Machine) -> Iterator[AccountTrace]:
    path = machine.config("Mailspring", "config.json")
    if machine.platform == "darwin":
        path = machine.home / "Library/Application Support/Mailspring/config.json"
    try:
        held: object = json.loads(machine.read(path) or "{}")
    except (ValueError, RecursionError):
        return
    accounts = mapping(mapping(held).get("*")).get("accounts")
    for account in map(mapping, cast("list[object]", accounts) if isinstance(accounts, list) else []):
        settings = {key: str(value) for key, value in mapping(account.get("settings")).items()}

        def server(kind: ProtocolKind, settings: Mapping[str, str] = settings) -> Endpoint | None:
            security = _MAILSPRING_SECURITY.get(settings.get(f"{kind}_security", ""))
            return endpoint(kind, settings.get(f"{kind}_host", ""), settings.get(f"{kind}_port"), security)

        told = servers(server("imap"), server("smtp"), settings.get("imap_username", ""))
        aliases = (str(account.get("aliases", "")),)
        yield from machine.signals(
            "Mailspring", path, str(account.get("emailAddress", "")), servers=told, aliases=aliases
        )
