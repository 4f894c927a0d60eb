"""Checks that a message offers one-click unsubscribe and that its sender made the offer. Entry: `offer_of`.

RFC 8058: both headers occur once and are covered by a DKIM signature that the receiving server verified. Its verdict is
Authentication-Results (RFC 8601), a header that anyone can write into a message: it counts only with a trusted id, and
above the header of any other server that received the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from gaia_email_registry.errors import BadArgument
from gaia_mail.mime.model import Headers
from gaia_mail.mime.receiving import StatedResult, by_host, stated_results

_MAX_FIELDS = 50
_MAX_VALUE = 8_000

_URI = re.compile(r"<\s*(https://[^<>\s]{1,2000})\s*>", re.IGNORECASE)
_PART = re.compile(r'"((?:[^"\\]|\\.)*)"|([;()])|([^";()]+)', re.DOTALL)
_PROPERTY = re.compile(r"([a-z]+(?:\.[a-z]+)?)\s*=\s*(\S+)", re.IGNORECASE)
_PASS = re.compile(r"\s*dkim\s*(?:/\s*1\s*)?=\s*pass\b", re.IGNORECASE)
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}\Z")
_NEEDED = frozenset({"list-unsubscribe", "list-unsubscribe-post"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedAuthServers:
    """Servers whose Authentication-Results count: authserv-ids in lower case.

    If empty, these are known providers, and the host that wrote the topmost Received field if its result is above that.
    """

    servers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsubscribeOffer:
    """URL for the request: https on the default port, without user or fragment."""

    host: str
    target: str
    """Path and query."""


def offer_of(headers: Headers, trust: TrustedAuthServers) -> UnsubscribeOffer:
    """Return the offer in a message's headers.

    Raises:
        BadArgument: There is no offer of a one-click unsubscribe, or no proof that the sender made it.
    """
    links = headers.get_all("list-unsubscribe")
    posts = headers.get_all("list-unsubscribe-post")
    if not links or not posts:
        raise _refusal("This message offers no one-click unsubscribe (RFC 8058).")
    if len(links) > 1 or len(posts) > 1:
        raise _refusal("This message has two List-Unsubscribe headers; one may be somebody else's.")
    link, said = headers["list-unsubscribe"], headers["list-unsubscribe-post"]
    if "".join(said.split()).lower() != "list-unsubscribe=one-click":
        raise _refusal("This message offers no one-click unsubscribe (RFC 8058).")
    found = _URI.search(link[:_MAX_VALUE])
    if found is None:
        raise _refusal("This message offers no https address to unsubscribe at.")
    offer = _read(found[1])
    if not _is_vouched_for(headers, trust):
        raise _refusal(
            "It is not proven that the sender wrote this unsubscribe header (no good DKIM signature covers it); "
            "nothing was sent."
        )
    return offer


def _read(uri: str) -> UnsubscribeOffer:
    try:
        parts = urlsplit(uri)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii").rstrip(".")
    except (ValueError, UnicodeError):
        raise _refusal("The unsubscribe address cannot be read.") from None
    target = parts.path or "/"
    if parts.query:
        target += f"?{parts.query}"
    if (
        parts.username is not None
        or port not in (None, 443)
        or not _HOST.match(host)
        or not target.isascii()
        or not target.isprintable()
        or " " in target
    ):
        raise _refusal("The unsubscribe address is not a plain https address of a public server.")
    return UnsubscribeOffer(host=host, target=target)


def _is_vouched_for(headers: Headers, trust: TrustedAuthServers) -> bool:
    """Return True if a signature that the trusted server verified covers both headers."""
    signatures = [_tags(value) for value in headers.get_all("dkim-signature")[:_MAX_FIELDS]]
    for passed in _find_passes(_trusted_results(headers, trust)):
        meant = [signature for signature in signatures if _is_meant(passed, signature)]
        if meant and all(_covered_headers(signature) >= _NEEDED for signature in meant):
            return True
    return False


def _trusted_results(headers: Headers, trust: TrustedAuthServers) -> str:
    """Return the Authentication-Results field that counts; empty if there is none."""
    for found in stated_results(headers):
        if found.known or found.server in trust.servers or (not trust.servers and _is_on_top(found, headers)):
            return found.value
    return ""


def _is_on_top(found: StatedResult, headers: Headers) -> bool:
    """Return True if the delivering host wrote the field above its own Received, which no sender can do."""
    received = headers.get_all("received")
    return bool(received) and not found.place.below and found.server == by_host(received[0])


def _find_passes(value: str) -> list[dict[str, str]]:
    """Return the properties of each `dkim=pass` in an Authentication-Results field."""
    found: list[dict[str, str]] = []
    for part in _split(value)[1:]:
        if not _PASS.match(part):
            continue
        properties: dict[str, str] = {}
        for name, text in _PROPERTY.findall(part):
            properties.setdefault(name.lower(), text)
        found.append(properties)
    return found


def _is_meant(passed: dict[str, str], signature: dict[str, str]) -> bool:
    """Return True if a result is for this signature: same domain, and same selector and start if given."""
    domain = passed.get("header.d") or passed.get("header.i", "").rpartition("@")[2]
    own = signature.get("d", "").lower()
    named = domain.lower()
    if not own or not (named == own or ("header.d" not in passed and named.endswith("." + own))):
        return False
    if "header.s" in passed and passed["header.s"].lower() != signature.get("s", "").lower():
        return False
    return signature.get("b", "").startswith(passed.get("header.b", ""))


def _covered_headers(signature: dict[str, str]) -> frozenset[str]:
    return frozenset(signature.get("h", "").lower().split(":"))


def _tags(value: str) -> dict[str, str]:
    """Return the tags of a DKIM-Signature (RFC 6376 §3.2), without white space."""
    tags: dict[str, str] = {}
    for part in value[:_MAX_VALUE].split(";"):
        name, equals, text = part.partition("=")
        if equals:
            tags.setdefault(name.strip().lower(), "".join(text.split()))
    return tags


def _split(value: str) -> list[str]:
    """Split a field at its semicolons; remove comments and quotes."""
    parts = [""]
    depth = 0
    for quoted, mark, plain in _PART.findall(value[:_MAX_VALUE]):
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth = max(depth - 1, 0)
        elif depth:
            continue
        elif mark:
            parts.append("")
        else:
            # Quoted text becomes one word that cannot pass for another property.
            parts[-1] += plain or "".join(char for char in quoted if not char.isspace() and char != "=")
    return parts


def _refusal(message: str) -> BadArgument:
    return BadArgument(message, argument="message_id")
