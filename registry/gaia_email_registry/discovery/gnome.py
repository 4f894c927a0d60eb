"""Accounts of the GNOME desktop: Online Accounts and Evolution's own. Entries: `online_accounts`, `evolution`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gaia_email_registry.discovery.machine import AccountTrace, Machine, first_address
from gaia_email_registry.discovery.servers import endpoint, servers
from gaia_email_registry.providers import Endpoint, ProtocolKind, Security

_Sections = Mapping[str, Mapping[str, str]]

_NAMES = ("emailaddress", "presentationidentity", "identity")
_METHODS: Mapping[str, Security] = {
    "none": "none",
    "ssl-on-alternate-port": "tls",
    "starttls-on-standard-port": "starttls",
}
_MOST_PARENTS = 5


def online_accounts(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the accounts of `goa-1.0/accounts.conf` with mail enabled; only "IMAP and SMTP" names servers."""
    path = machine.config("goa-1.0", "accounts.conf")
    for section in machine.sections(path).values():
        switch = section.get("mailenabled") or section.get("enabled", "")
        if switch.lower() == "true":
            told = servers(
                _server(section, "imap"), _server(section, "smtp"), section.get("imapusername", "")
            )
            address = first_address(section.get(name, "") for name in _NAMES)
            yield from machine.signals("GNOME Online Accounts", path, address, servers=told)


def _server(section: Mapping[str, str], kind: ProtocolKind) -> Endpoint | None:
    ssl, tls = (section.get(f"{kind}use{name}", "").lower() == "true" for name in ("ssl", "tls"))
    security: Security = "tls" if ssl else "starttls" if tls else "none"
    return endpoint(kind, section.get(f"{kind}host", ""), security=security)


def evolution(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the identities in Evolution's source files with an enabled account."""
    for folder in (machine.config(), machine.home / ".var/app/org.gnome.Evolution/config"):
        paths = {path.stem: path for path in machine.files(folder / "evolution/sources", "*.source")}
        sources = {uid: machine.sections(path) for uid, path in paths.items()}
        for uid, sections in sources.items():
            identity = sections.get("Mail Identity")
            if identity is None:
                continue
            accounts = [
                name for name, one in sources.items() if one.get("Mail Account", {}).get("identityuid") == uid
            ]
            if not all(_is_switched_on(sources, name) for name in (uid, *accounts)):
                continue
            account = sources.get(accounts[0] if accounts else "", {})
            sending = sources.get(sections.get("Mail Submission", {}).get("transportuid", ""), {})
            user = account.get("Authentication", {}).get("user", "")
            told = servers(_source_endpoint(account, "imap"), _source_endpoint(sending, "smtp"), user)
            yield from machine.signals(
                "Evolution",
                paths[uid],
                identity.get("address", ""),
                servers=told,
                aliases=(identity.get("aliases", ""),),
            )


def _is_switched_on(sources: Mapping[str, _Sections], uid: str) -> bool:
    """Return True if a source and all its parents are enabled."""
    for _ in range(_MOST_PARENTS):
        source = sources.get(uid, {}).get("Data Source", {})
        if source.get("enabled", "true").lower() == "false":
            return False
        uid = source.get("parent", "")
    return True


def _source_endpoint(source: _Sections, kind: ProtocolKind) -> Endpoint | None:
    backend = source.get("Mail Account" if kind == "imap" else "Mail Transport", {}).get("backendname", kind)
    if not backend.startswith(kind):
        return None
    how = source.get("Authentication", {})
    security = _METHODS.get(source.get("Security", {}).get("method", ""))
    return endpoint(kind, how.get("host", ""), how.get("port"), security)
