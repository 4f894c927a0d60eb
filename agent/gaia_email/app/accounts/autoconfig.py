"""Mail settings that a domain publishes over HTTPS. Entries: `fetch_page`, `servers_in`, `pages_of`.

The format is Thunderbird's
(https://www.bucksch.org/1/projects/thunderbird/autoconfiguration/config-file-format.html). The address is not
sent: the server only learns that someone requests the domain's settings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from gaia_email_registry.providers import Endpoint, Security

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    import httpx2

WHOLE_S = 3.0
MOST_BYTES = 1_000_000
MOST_REDIRECTS = 3

_SECURITIES: dict[str, Security] = {"SSL": "tls", "STARTTLS": "starttls"}
_PLAIN = "plain"


class UnusableSettings(Exception):
    """The settings cannot be used; the text is the reason, as a predicate with the page as its subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSettings:
    """The servers that a page names; `user` is the login name, empty if it is the address."""

    imap: Endpoint
    smtp: Endpoint | None
    user: str = ""


def pages_of(domain: str) -> tuple[str, ...]:
    """Return the pages where a domain may publish its settings, in order."""
    return (
        f"https://autoconfig.{domain}/mail/config-v1.1.xml",
        f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
    )


async def fetch_page(page: str, domain: str) -> bytes | None:
    """Fetch a page of a domain, over HTTPS with verified certificates; None if it does not exist.

    A redirect is followed only to a host of the same domain, over HTTPS.

    Raises:
        UnusableSettings: It redirects elsewhere, is too large, or takes too long.
    """
    import httpx2

    from gaia_email_registry.egress.http import open_client

    try:
        async with asyncio.timeout(WHOLE_S), open_client("lookup", timeout=WHOLE_S) as client:
            for _ in range(MOST_REDIRECTS + 1):
                status, location, body = await _got(client, page)
                if not 300 <= status < 400:
                    return body if status == 200 else None
                page = _redirected(page, location, domain)
    except TimeoutError:
        raise UnusableSettings("takes too long") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
        return None
    raise UnusableSettings("leads from one page to the next")


async def _got(client: httpx2.AsyncClient, page: str) -> tuple[int, str, bytes]:
    body = b""
    async with client.stream("GET", page, headers={"Accept-Encoding": "identity"}) as answer:
        if answer.status_code == 200:
            async for part in answer.aiter_raw():
                body += part
                if len(body) > MOST_BYTES:
                    raise UnusableSettings("is too large")
        return answer.status_code, answer.headers.get("location", ""), body


def _redirected(page: str, location: str, domain: str) -> str:
    try:
        target = urljoin(page, location)
        parts = urlsplit(target)
        host = (parts.hostname or "").lower()
        usual = parts.port in (None, 443)
    except ValueError:
        raise UnusableSettings("leads to no address") from None
    if parts.scheme != "https" or not usual or not (host == domain or host.endswith(f".{domain}")):
        raise UnusableSettings("leads to another site")
    return target


def servers_in(page: bytes, address: str) -> PublishedSettings:
    """Return the servers that a page names for an address.

    Raises:
        UnusableSettings: The page is not of that format, names no IMAP server, or only one without TLS.
    """
    root = _parsed(page)
    reading = list(_endpoints(root, "incomingServer", "imap"))
    if not reading:
        raise UnusableSettings("names no IMAP server")
    for endpoint, user in reading:
        if endpoint is not None:
            sending = (found for found, _ in _endpoints(root, "outgoingServer", "smtp") if found is not None)
            filled = _filled(user, address)
            return PublishedSettings(
                imap=endpoint,
                smtp=next(sending, None),
                user="" if filled == address else filled,
            )
    raise UnusableSettings("names only servers without encryption, to which a password would go openly")


def _parsed(page: bytes) -> Element:
    """Return the tree of a page without DOCTYPE, so that no entities can grow or load anything.

    Raises:
        UnusableSettings: It is not XML, or has a DOCTYPE.
    """
    from xml.etree.ElementTree import ParseError, fromstring
    from xml.parsers.expat import ExpatError, ParserCreate

    def refuse(*_: object) -> None:
        raise UnusableSettings("has a DOCTYPE, which no settings need")

    looking = ParserCreate()
    looking.StartDoctypeDeclHandler = refuse
    try:
        looking.Parse(page, True)
        return fromstring(page)
    except (ExpatError, ParseError, ValueError, LookupError):
        raise UnusableSettings("is not XML") from None


def _endpoints(root: Element, tag: str, kind: str) -> Iterator[tuple[Endpoint | None, str]]:
    """Yield each server of a kind with its login name; the endpoint is None if it lacks TLS or is invalid."""
    for server in root.iter(tag):
        if server.get("type", "").lower() != kind:
            continue
        host, port = _text(server, "hostname").lower().strip("."), _text(server, "port")
        security = _SECURITIES.get(_text(server, "socketType").upper())
        number = int(port) if port.isascii() and port.isdigit() and len(port) < 6 else 0
        usable = security is not None and 0 < number < 65_536
        yield Endpoint(host, number, security) if usable and security else None, _text(server, "username")


def _text(server: Element, name: str) -> str:
    found = server.find(name)
    return (found.text or "").strip() if found is not None else ""


def _filled(user: str, address: str) -> str:
    """Return the login name; an invalid one, or one with unknown placeholders, becomes the address."""
    local, _, domain = address.rpartition("@")
    for name, value in (("ADDRESS", address), ("LOCALPART", local), ("DOMAIN", domain)):
        user = user.replace(f"%EMAIL{name}%", value)
    usable = user and user.isprintable() and len(user) <= 320 and "%" not in user
    return user if usable else address
