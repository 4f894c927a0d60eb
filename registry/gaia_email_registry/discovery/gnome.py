"""Accounts of the GNOME desktop: Online Accounts and Evolution's own. Entries: `online_accounts`, `evolution`."""

from __future__ import annotations

from collections.abc import Iterator

from gaia_email_registry.discovery.machine import Machine, Signal, first_address, mail_address


def online_accounts(machine: Machine) -> Iterator[Signal]:
    """Accounts of `goa-1.0/accounts.conf` whose mail is switched on."""
    path = machine.config("goa-1.0", "accounts.conf")
    for section in machine.sections(path).values():
        if section.get("mailenabled", "").lower() != "true":
            continue
        names = ("emailaddress", "presentationidentity", "identity")
        address = first_address(section.get(name, "") for name in names)
        if address:
            yield Signal(
                address=address,
                source="GNOME Online Accounts",
                where=machine.shown(path),
                confidence="high",
            )


def evolution(machine: Machine) -> Iterator[Signal]:
    """Enabled identities of Evolution's source files."""
    for path in machine.files(machine.config("evolution", "sources"), "*.source"):
        sections = machine.sections(path)
        enabled = sections.get("Data Source", {}).get("enabled", "true").lower() != "false"
        address = mail_address(sections.get("Mail Identity", {}).get("address", ""))
        if enabled and address:
            yield Signal(address=address, source="Evolution", where=machine.shown(path), confidence="high")
