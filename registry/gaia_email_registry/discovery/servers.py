"""Mail servers named in files of other programs. Entries: `endpoint`, `endpoint_of_url`, `servers`.

Values are validated, and nothing is sent unencrypted: a remote server without encryption becomes STARTTLS.
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
    """Return a server; None if the text does not name one.

    Args:
        kind: Protocol of the server.
        host: Host name, optionally with a port after a colon.
        port: Port; the default one if not given.
        security: Encryption; if not given, inferred from the port, else TLS.
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
    """Return the server of an `imaps://user@host:port` URL, and its login name; a password is discarded.

    `imap://` and `smtp://` mean STARTTLS, unless `+insecure` follows the scheme.
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
    """Return the servers of an account as named in a file; None if the file names none."""
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
    """Return a port, or 0 if it is invalid."""
    text = str(given or "").strip()
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0
    return number if number < 65_536 else 0
