"""Finds the Authentication-Results (RFC 8601) that the receiving server may have written. Entry: `stated_results`.

Servers add fields at the top of a message, so everything below the first `Received` of another host came with the mail,
and anyone may have written it. A field above it may still be forged: a server that neither writes nor strips this field
leaves a forged one right below its own `Received`. A field is therefore trusted only from a provider known to write it
(`PROVIDERS`), or if the caller knows more, from the user or from the rest of the mailbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gaia_mail.domains import organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import Headers

MAX_FIELDS = 20
"""Received fields and results that are examined; a genuine result is among the first."""

_MAX_CHARS = 4_000
_BY = lazy_pattern(r"by\s+([^\s;()]{1,255})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivingProvider:
    """A provider that receives mail on `hosts` and writes results under the authserv-ids in `servers`."""

    hosts: tuple[str, ...]
    servers: tuple[str, ...]


PROVIDERS = (
    ReceivingProvider(hosts=("google.com",), servers=("mx.google.com",)),
    # Exchange Online gives no authserv-id, and renames incoming fields to Authentication-Results-Original.
    ReceivingProvider(hosts=("outlook.com", "exchangelabs.com"), servers=("",)),
    ReceivingProvider(hosts=("yahoo.com", "yahoodns.net", "aol.com"), servers=("yahoo.com", "aol.com")),
    ReceivingProvider(hosts=("icloud.com", "apple.com", "me.com"), servers=("icloud.com", "apple.com")),
    ReceivingProvider(
        hosts=("gmx.net", "web.de", "kundenserver.de"), servers=("gmx.net", "web.de", "kundenserver.de")
    ),
    ReceivingProvider(hosts=("zohomail.com", "zoho.com"), servers=("zohomail.com", "zoho.com")),
    ReceivingProvider(hosts=("yandex.net", "yandex.ru"), servers=("yandex.net", "yandex.ru")),
    ReceivingProvider(hosts=("mail.ru",), servers=("mail.ru",)),
)
"""Providers that write the field into all mail they receive, and strip or rename incoming ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPosition:
    """Position of a result field; the fields of one server share it across messages.

    Attributes:
        host: Organisational domain of the host that wrote the topmost `Received`; empty for an inner name.
        server: Organisational domain of the authserv-id; empty if there is none.
        below: Number of `Received` fields above the result.
    """

    host: str
    server: str
    below: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedResult:
    """A result field that may come from the receiving server.

    Attributes:
        server: The authserv-id, lower case, without version; empty if there is none.
        value: The whole field.
        place: Position of the field.
        known: True if the receiving provider is known to write it.
    """

    server: str
    value: str
    place: FieldPosition
    known: bool


def stated_results(headers: Headers) -> Iterator[StatedResult]:
    """Yield the fields above everything that came with the mail, topmost first."""
    hosts = [by_host(value) for value in headers.get_all("received")[:MAX_FIELDS]]
    outer = next((host for host in hosts if not _is_inner(host)), "")
    provider = _provider_of(outer)
    first = organisational_domain(hosts[0]) if hosts and not _is_inner(hosts[0]) else ""
    below = seen = 0
    for name, value in headers.fields():
        name = name.lower()
        if name == "received":
            if below >= len(hosts) or not _is_receiver(hosts[below], outer, provider):
                return
            below += 1
        elif name == "authentication-results":
            seen += 1
            if seen > MAX_FIELDS:
                return
            server = authserv_id(value)
            yield StatedResult(
                server=server,
                value=value[:_MAX_CHARS],
                place=FieldPosition(host=first, server=organisational_domain(server), below=below),
                known=provider is not None and any(_is_below(server, own) for own in provider.servers),
            )


def authserv_id(value: str) -> str:
    """Return the server name at the beginning of a field; empty if it begins with a result."""
    words = value[:_MAX_CHARS].partition(";")[0].split()
    return words[0].strip('"').lower() if words and "=" not in words[0] else ""


def by_host(received: str) -> str:
    """Return the host that wrote a `Received` field, in lower case; empty if it names none."""
    return _by_host(received[:2000])


@lru_cache(maxsize=1024)
def _by_host(received: str) -> str:
    lowered = received.lower()
    position = lowered.find("by")
    while position >= 0:
        if not position or lowered[position - 1].isspace():
            match = _BY.match(lowered, position)
            if match:
                return match[1].rstrip(".")
        position = lowered.find("by", position + 2)
    return ""


def _is_receiver(host: str, outer: str, provider: ReceivingProvider | None) -> bool:
    """Return True if a hop belongs to the receiver: an inner name, the same host, or the same provider."""
    if _is_inner(host) or host == outer:
        return True
    return provider is not None and any(_is_below(host, own) for own in provider.hosts)


def _is_inner(host: str) -> bool:
    """Return True for a name that outside hosts cannot resolve: an address, a bare name, a private domain."""
    return (
        "." not in host
        or ":" in host
        or host.startswith("[")
        or host.endswith((".internal", ".local", ".localdomain", ".lan"))
        or host.replace(".", "").isdigit()
    )


@lru_cache(maxsize=512)
def _provider_of(host: str) -> ReceivingProvider | None:
    return next((each for each in PROVIDERS if any(_is_below(host, own) for own in each.hosts)), None)


def _is_below(name: str, domain: str) -> bool:
    return name == domain or (bool(domain) and name.endswith("." + domain))
