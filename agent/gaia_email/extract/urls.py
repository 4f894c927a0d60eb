"""Web addresses a reader could follow, as written. Entry: `find_urls`. Nothing is ever fetched."""

from __future__ import annotations

import re

from gaia_email.prepare.model import Link
from gaia_mail_mcp.mime.lazy import lazy_pattern

MAX_URLS = 50
_MAX_LENGTH = 2_000

_URL = lazy_pattern(r"(?:https?://|www\.)[^\s<>\"“”«»`\\^{}|]{3,2000}", re.IGNORECASE)
_TRAILING = ".,;:!?'’*_~…>\""
_WEB = ("http://", "https://", "ftp://", "www.")
_BRACKETS = {")": "(", "]": "["}


def find_urls(text: str, links: tuple[Link, ...]) -> tuple[str, ...]:
    """The targets of `links`, then addresses that only stand in `text`; each once, at most `MAX_URLS`."""
    found: dict[str, None] = {}
    for link in links:
        url = link.url.strip()
        if len(url) <= _MAX_LENGTH and url[:8].lower().startswith(_WEB):
            found[url] = None
            if len(found) >= MAX_URLS:
                return tuple(found)
    if "://" in text or "www." in text:
        for match in _URL.finditer(text):
            found[_without_punctuation(match[0])] = None
            if len(found) >= MAX_URLS:
                break
    return tuple(found)


def _without_punctuation(url: str) -> str:
    """`url` without the sentence's own punctuation; a bracket stays when it was opened inside."""
    while url:
        last = url[-1]
        if last in _TRAILING or (last in _BRACKETS and url.count(last) > url.count(_BRACKETS[last])):
            url = url[:-1]
        else:
            break
    return url
