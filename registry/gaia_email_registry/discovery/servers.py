"""Mail servers as files of other programs name them. Entries: `endpoint`, `endpoint_of_url`, `servers`.

What a file says is checked, and nothing goes in the open: a server elsewhere without encryption is asked for STARTTLS.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import unquote, urlsplit

from gaia_email_registry.providers import PORTS, AccountServers, Endpoint, ProtocolKind, Security, is_loopback

_BY_PORT: dict[int, Security] = {143: "starttls", 587: "starttls", 25: "starttls"}
_HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))*\Z")
_MOST_LOGIN = 320


def endpoint(
    kind: ProtocolKind, host: str, port: str | int | None = None, security: Security | None = None
) -> Endpoint | None:
    """A server; None where the text names none.

    Args:
        kind: What it serves.
        host: Its name, perhaps with a port behind a colon.
        port: Its port; without one the usual one.
        security: How it is encrypted; where that is not said, the port says it, else it is TLS.
    """
    name, colon, behind = host.strip().strip("\"'").rpartition(":")
    if not (colon and behind.isdigit() and ":" not in name):
        name, behind = host.strip().strip("\"'"), ""
    name = name.rstrip(".").casefold()
    if not (_HOST.match(name) or _is_address(name)):
        return None
    number = _port(port) or _port(behind)
    chosen: Security = security or _BY_PORT.get(number, "tls")
    if chosen == "none" and not is_loopback(name):
        chosen = "starttls"
    return Endpoint(name, number or PORTS[kind, chosen], chosen)


def endpoint_of_url(kind: ProtocolKind, url: str) -> tuple[Endpoint | None, str]:
    """The server of an `imaps://user@host:port` address, and who logs in there; a password in it is left behind.

    `imap://` and `smtp://` are STARTTLS, unless `+insecure` stands behind.
    """
    scheme, colon, rest = url.strip().partition("://")
    words = scheme.casefold().split("+")
    if not colon or words[0] not in (kind, f"{kind}s"):
        return None, ""
    try:
        parts = urlsplit(f"//{rest}")
        host, port, user = parts.hostname or "", parts.port, unquote(parts.username or "")
    except ValueError:
        return None, ""
    plain: Security = "none" if "insecure" in words else "starttls"
    return endpoint(kind, host, port, "tls" if words[0] == f"{kind}s" else plain), user


def servers(imap: Endpoint | None, smtp: Endpoint | None, user: str) -> AccountServers | None:
    """What a file says of an account's servers; None where it says nothing."""
    if imap is None and smtp is None:
        return None
    login = user.strip().strip("\"'")
    usable = login.isprintable() and " " not in login and len(login) <= _MOST_LOGIN
    return AccountServers(imap=imap, smtp=smtp, user=login if usable else "")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _port(given: str | int | None) -> int:
    """A port, or 0 where it is none."""
    text = str(given or "").strip()
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0
    return number if number < 65_536 else 0
