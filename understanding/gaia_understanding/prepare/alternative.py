"""Choose between a message's plain and HTML text, and find what readers do not see of the other. Entry: `choose`.

Mail programs show the HTML if there is one. The plain text is easier to take apart, so it is preferred as
long as it says the same.
"""

from __future__ import annotations

import re
from operator import add
from typing import Literal, NamedTuple

from gaia_mail.lazy import lazy_pattern

TextFrom = Literal["plain", "html", "none"]

MISSING_WORDS = 12
MISSING_SHARE = 0.3
"""If more of the HTML's different words are missing from it than both, a plain text is a stub or another text."""

UNSEEN_WORDS = 8
UNSEEN_SHARE = 0.5
"""A paragraph of at least so many words is unseen if the HTML does not show more than this share of them."""

STUB_WORDS = 90
"""The most different words of a plain text that may be a note to view the mail as HTML."""

HEAD, SHORT_HEAD = 400, 40
"""The characters at the beginning to compare first; texts that differ there need no full comparison."""

MAX_PARAGRAPHS = 2_000
MAX_CHARS = 500_000
"""The characters of each text that are compared."""


class AlternativeChoice(NamedTuple):
    """The alternative that counts, and the paragraphs of plain text that the HTML does not show.

    `how` is `alternative-mismatch`, or `placeholder` for a short note that the mail is meant to be seen as
    HTML; `""` if nothing is unseen.
    """

    text_from: TextFrom
    unseen: str = ""
    how: str = ""


_ADDRESSES = (
    "http://",
    "https://",
    "www.",
    "mailto:",
    "HTTP://",
    "HTTPS://",
    "WWW.",
    "Http://",
    "Www.",
    "Mailto:",
)
_REST = lazy_pattern(r"\S+")
_NOTE = lazy_pattern(
    r"\bhtml\b|\bbrowser\b|(?:mail|e-mail|email)[ -](?:client|program|reader|software|system)"
)
_NOTE_MARKS = ("html", "browser", "mail")


def choose(plain: str, html: str, seen_too: str) -> AlternativeChoice:
    """Compare the plain text with what a reader sees of the HTML.

    Args:
        plain: The text/plain body.
        html: Visible text of the text/html body, quoted mail included.
        seen_too: Words that belong to the HTML though they are not part of its text: preview text and descriptions
            of images.
    """
    if not plain or plain.isspace():
        return AlternativeChoice(text_from="html" if html and not html.isspace() else "none")
    if not html or html.isspace():
        return AlternativeChoice(text_from="plain")
    plain, html = plain[:MAX_CHARS], html[:MAX_CHARS]
    if _solid(plain[:HEAD]).startswith(_solid(html[:SHORT_HEAD])) and _solid(plain) == _solid(html):
        return AlternativeChoice(text_from="plain")
    shown, written = words(html), words(plain)
    common = len(shown & written)
    missing = len(shown) - common
    poorer = missing > MISSING_WORDS and missing > MISSING_SHARE * len(shown)
    if not shown:
        return AlternativeChoice(text_from="plain")
    if len(written) - common < UNSEEN_WORDS * UNSEEN_SHARE:
        return AlternativeChoice(text_from="html" if poorer else "plain")
    unseen = _unseen(plain, shown, words(seen_too))
    if not unseen:
        return AlternativeChoice(text_from="html" if poorer else "plain")
    stub = len(written) <= STUB_WORDS and _is_note(unseen)
    return AlternativeChoice(
        text_from="html", unseen=unseen, how="placeholder" if stub else "alternative-mismatch"
    )


def _is_note(text: str) -> bool:
    folded = text.casefold()
    return any(map(folded.__contains__, _NOTE_MARKS)) and _NOTE.search(folded) is not None


def _solid(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").translate(None, b" \t\n\r")


_LETTERS = bytes(byte if byte > 127 or chr(byte).isalnum() else 0x20 for byte in range(256))
_LOWER_LETTERS = _LETTERS.lower()
_SIGNS = (
    "\u201c",
    "\u201d",
    "\u2018",
    "\u2019",
    "\u2013",
    "\u2014",
    "\u2026",
    "\u2022",
    "\xa0",
    "\xb7",
    "\u2192",
    "\xa9",
    "\xae",
    "\u2122",
)
_NOT_EAST = bytes(byte for byte in range(256) if not 0xE3 <= byte <= 0xED)
"""All bytes except those that open a CJK character in UTF-8."""


def words(text: str) -> set[bytes]:
    """Return the different words of a text in lower case, without addresses.

    Scripts without spaces between words give pairs of characters instead.
    """
    if ("/" in text and "://" in text) or "www." in text:
        text = _without_addresses(text)
    if not text.isascii():
        for sign in _SIGNS:
            if sign in text:
                text = text.replace(sign, " ")
    if text.isascii():
        return set(text.encode().translate(_LOWER_LETTERS).split())
    octets = text.lower().encode("utf-8", "replace")
    found = set(octets.translate(_LETTERS).split())
    if octets.translate(None, _NOT_EAST):
        eastern = {word for word in found if word.translate(None, _NOT_EAST)}
        found -= eastern
        found.update(_pairs([word.decode("utf-8", "replace") for word in eastern]))
    return found


def _pairs(runs: list[str]) -> list[bytes]:
    """Return every two neighbours of each run; a run of one character as it is."""
    pairs: set[str] = set()
    for run in runs:
        pairs.update(map(add, run, run[1:]) if len(run) > 1 else run)
    return "\n".join(pairs).encode().split(b"\n")


def _without_addresses(text: str) -> str:
    starts: list[tuple[int, int]] = []
    for mark in _ADDRESSES:
        at = text.find(mark)
        while at >= 0:
            starts.append((at, at + len(mark)))
            at = text.find(mark, at + len(mark))
    kept: list[str] = []
    done = 0
    for start, end in sorted(starts):
        rest = _REST.match(text, end) if start >= done else None
        if rest is not None:
            kept.append(text[done:start])
            done = rest.end()
    kept.append(text[done:])
    return " ".join(kept)


def _unseen(plain: str, shown: set[bytes], seen_too: set[bytes]) -> str:
    kept: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", plain)[:MAX_PARAGRAPHS]:
        own = words(paragraph)
        if len(own) < UNSEEN_WORDS:
            continue
        strange = len(own - shown - seen_too)
        if strange > UNSEEN_SHARE * len(own):
            kept.append(paragraph.strip())
    return "\n\n".join(kept)
