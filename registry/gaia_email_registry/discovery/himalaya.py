"""Accounts of himalaya 1 and 2. Entry: `collect`.

Version 1 has servers in `backend` and `message.send.backend`. Version 2 has them in `imap.server` and `smtp.server`, as
`host:port` or URL, and the login below `sasl`; its address is optional.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping

from gaia_email_registry.discovery.machine import AccountTrace, Machine, first_address, mapping
from gaia_email_registry.discovery.servers import endpoint, endpoint_of_url, servers
from gaia_email_registry.providers import Endpoint, ProtocolKind, Security

_Table = Mapping[str, object]

_SECURITY: Mapping[str, Security] = {"tls": "tls", "start-tls": "starttls", "none": "none"}


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the accounts, the default one first."""
    for path in (machine.config("himalaya", "config.toml"), machine.home / ".himalayarc"):
        try:
            root: object = tomllib.loads(machine.read(path))
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
        accounts = [mapping(account) for account in mapping(mapping(root).get("accounts")).values()]
        for account in sorted(accounts, key=lambda one: one.get("default") is not True):
            imap, user = _server(account, "imap")
            smtp, sender = _server(account, "smtp")
            address = first_address((_text(account, "email"), user, sender))
            yield from machine.signals("himalaya", path, address, servers=servers(imap, smtp, user))


def _server(account: _Table, kind: ProtocolKind) -> tuple[Endpoint | None, str]:
    return _of_version_2(account, kind) if kind in account else _of_version_1(account, kind)


def _of_version_2(account: _Table, kind: ProtocolKind) -> tuple[Endpoint | None, str]:
    table = mapping(account.get(kind))
    server = _text(table, "server")
    found, _ = endpoint_of_url(kind, server if "://" in server else f"{kind}s://{server}")
    mechanisms = [_text(mapping(one), "username") for one in mapping(table.get("sasl")).values()]
    return found, next(filter(None, mechanisms), "")


def _of_version_1(account: _Table, kind: ProtocolKind) -> tuple[Endpoint | None, str]:
    sending = mapping(mapping(account.get("message")).get("send"))
    backend = mapping((account if kind == "imap" else sending).get("backend"))
    if backend.get("type") != kind:
        return None, ""
    encryption = backend.get("encryption")
    word = encryption if isinstance(encryption, str) else _text(mapping(encryption), "type")
    port = backend.get("port")
    found = endpoint(
        kind, _text(backend, "host"), port if isinstance(port, int) else None, _SECURITY.get(word)
    )
    return found, _text(backend, "login")


def _text(table: _Table, name: str) -> str:
    value = table.get(name)
    return value if isinstance(value, str) else ""
