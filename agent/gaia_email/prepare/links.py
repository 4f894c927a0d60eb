"""Addresses written out in plain text. Entry: `find_links`. Nothing is ever fetched."""

from __future__ import annotations

from gaia_email.prepare.model import Link
from gaia_mail.lazy import lazy_pattern

MAX_LINKS = 2_000
MAX_URL = 4_000

_START = lazy_pattern(r"(?i)\b(?:https?://|www\.(?=[a-z0-9])|mailto:(?=\S{1,80}@)|ftp://)")
_BODY = lazy_pattern(r"[^\s<>\"\u201c\u201d\u00ab\u00bb\u3000-\u3002\uff0c]+")
_TRAILING = ".,;:!?'*_\u2026\u3001\u3002"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def find_links(text: str) -> tuple[Link, ...]:
    """Every address in a text, in order; what is shown is the address itself. Linear in the text's length."""
    if not _may_hold_address(text):
        return ()
    links: list[Link] = []
    at = 0
    while len(links) < MAX_LINKS and (start := _START.search(text, at)) is not None:
        body = _BODY.match(text, start.end(), start.end() + MAX_URL)
        if body is None:
            at = start.end()
            continue
        written = _trimmed(text[start.start() : body.end()])
        at = body.end()
        if len(written) > len(start.group()):
            url = f"http://{written}" if start.group().lower() == "www." else written
            links.append(Link(text=written, url=url))
    return tuple(links)


def _may_hold_address(text: str) -> bool:
    if "/" in text and "://" in text:
        return True
    octets = text.encode("utf-8", "replace").lower()  # many times as fast as characters beyond ASCII are
    return b"www." in octets or (b":" in octets and b"mailto:" in octets)


def _trimmed(url: str) -> str:
    while url:
        last = url[-1]
        opening = _PAIRS.get(last)
        if last in _TRAILING or (opening and url.count(last) > url.count(opening)):
            url = url[:-1]
        else:
            break
    return url
