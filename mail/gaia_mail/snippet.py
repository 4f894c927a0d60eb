"""Extracts the snippet of a message without decoding its whole body. Entry: `glance`.

A page of summaries reads only the beginning of the first text part of each message.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from gaia_mail.mime.charset import decode_text
from gaia_mail.mime.headers import HeaderFields, parse_parameters
from gaia_mail.mime.read import parse_message
from gaia_mail.mime.scan import normalize, top_fields
from gaia_mail.mime.transfer import decode_transfer
from gaia_mail.mime.walk import Leaf, walk

SNIPPET_CHARACTERS = 200
_TEXT_BYTES = 4096
_HTML_BYTES = (12 * 1024, 96 * 1024)
"""HTML may begin with a long style sheet: the second limit is tried if the first yields no text."""

_GLIMPSE_BYTES = (1024, 4 * 1024)
"""Limits for plain text and HTML that are usually enough for a full snippet."""
_ENOUGH = SNIPPET_CHARACTERS * 2

_INVISIBLE = re.compile(r"(?i)<(?:(head|style|script|title)\b|!--)")
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,4000}>")
_UNSEEN = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad\u034f\U000e0000-\U000e007f\x00-\x08\x0e-\x1f\x7f]"
)


class Glance(NamedTuple):
    """The beginning of the text on one line, and True if there are attachments."""

    snippet: str
    has_attachments: bool


class SearchableContent(NamedTuple):
    """Content that a search can match, apart from the header."""

    text: str
    filenames: tuple[str, ...]
    delivered_to: str
    has_attachments: bool

    @property
    def searchable(self) -> str:
        """Text that search words match: the body and the attachment names."""
        return "\n".join((self.text, *self.filenames))


def glance(raw: bytes) -> Glance:
    """Return the snippet and attachment flag of a message; never raises."""
    raw = normalize(raw)[0]
    return glance_fields(raw, top_fields(raw))


def glance_fields(raw: bytes, fields: HeaderFields) -> Glance:
    """Return the `Glance` of a normalized message whose header has already been scanned."""
    leaves = walk(raw, fields).leaves
    return Glance(_snippet(raw, leaves), any(_is_attachment(leaf) for leaf in leaves))


def content(raw: bytes) -> SearchableContent:
    """Decode a message for searching; never raises."""
    message = parse_message(raw)
    headers = message.headers
    return SearchableContent(
        message.text or strip_html(message.html),
        tuple(attachment.filename for attachment in message.attachments if attachment.filename),
        ", ".join(headers.get_all("delivered-to")),
        any(not attachment.inline for attachment in message.attachments),
    )


def strip_html(markup: str) -> str:
    """Return the approximate text of HTML, good enough for search and snippets."""
    return html.unescape(_TAG.sub(" ", _without_invisible(markup)))


def _without_invisible(markup: str) -> str:
    """Remove comments and elements that show nothing; an unclosed one hides the rest, as in browsers."""
    lower = markup.lower()
    parts: list[str] = []
    position = 0
    while (found := _INVISIBLE.search(markup, position)) is not None:
        parts.append(markup[position : found.start()])
        end = lower.find(f"</{found[1].lower()}" if found[1] else "-->", found.end())
        if end < 0:
            return " ".join(parts)
        position = end + 3
        if found[1]:
            position = max(lower.find(">", end) + 1, position)
    parts.append(markup[position:])
    return " ".join(parts)


def _snippet(raw: bytes, leaves: list[Leaf]) -> str:
    for wanted in ("text/plain", "text/html"):
        for leaf in leaves:
            if leaf.content_type == wanted and not _is_attachment(leaf):
                text = _text(raw, leaf)
                if text:
                    return text
    return ""


def _text(raw: bytes, leaf: Leaf) -> str:
    line = _at_once(raw, leaf)
    if line:
        return line
    if leaf.content_type == "text/plain":
        return _one_line(_decode(raw, leaf, _TEXT_BYTES))
    for limit in _HTML_BYTES:
        line = _one_line(strip_html(_decode(raw, leaf, limit)))
        if line or leaf.end - leaf.start <= limit:
            return line
    return ""


def _at_once(raw: bytes, leaf: Leaf) -> str:
    """Return the snippet if the very beginning yields all of it, else an empty string."""
    is_html = leaf.content_type == "text/html"
    limit = _GLIMPSE_BYTES[is_html]
    if leaf.end - leaf.start <= limit:
        return ""
    text = _decode(raw, leaf, limit, surely=True)
    if is_html:
        # The text after the last bracket may be half a tag.
        text = strip_html(text[: max(text.rfind("<"), 0)])
    if len(text) < _ENOUGH:
        return ""
    line = " ".join(text[: SNIPPET_CHARACTERS * 2].split())
    return _cut(line) if len(line) > SNIPPET_CHARACTERS and line.isprintable() else ""


def _decode(raw: bytes, leaf: Leaf, limit: int, *, surely: bool = False) -> str:
    """Decode about `limit` bytes of a part; with `surely`, return an empty string if the charset is in doubt."""
    end = min(leaf.end, leaf.start + limit)
    if end < leaf.end:
        # A cut within a line could split a character.
        end = raw.rfind(b"\n", leaf.start, end) + 1 or end
    data = raw[leaf.start : end]
    encoding = leaf.header.get("content-transfer-encoding", "").partition(";")[0].strip().lower()
    if encoding:
        data = decode_transfer(data, encoding)[0]
    text, trouble = decode_text(data, leaf.parameters.get("charset", ""))
    return "" if surely and trouble else text


def _one_line(text: str) -> str:
    line = " ".join(text[: SNIPPET_CHARACTERS * 2].split())
    if len(line) <= SNIPPET_CHARACTERS or not line.isprintable():
        line = " ".join(text[: SNIPPET_CHARACTERS * 8].split())
    if not line.isprintable():
        line = " ".join(_UNSEEN.sub("", line).split())
    return line if len(line) <= SNIPPET_CHARACTERS else _cut(line)


def _cut(line: str) -> str:
    return line[: SNIPPET_CHARACTERS - 1].rstrip() + "…"


def _is_attachment(leaf: Leaf) -> bool:
    disposition = leaf.header.get("content-disposition", "")
    if disposition:
        kind, parameters = parse_parameters(disposition)
        if kind == "attachment":
            return True
        if kind == "inline" and leaf.content_type.startswith(("text/", "image/")):
            return False
        if parameters.get("filename"):
            return True
    return not leaf.content_type.startswith(("text/", "image/", "multipart/")) and bool(leaf.parent)
