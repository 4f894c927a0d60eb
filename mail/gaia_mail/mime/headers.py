"""Scans header blocks into fields in one pass, tolerant of any input. Entry: `scan_fields`.

`parse_parameters` parses `Content-Type` and `Content-Disposition` values (RFC 2045, RFC 2231).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.charset import decode_text
from gaia_mail.mime.declared import Charsets, no_charsets, read_raw, readable_header
from gaia_mail.mime.model import Headers
from gaia_mail.mime.words import decode_words

MAX_FIELDS = 5_000
"""Fields read from one header."""
MAX_VALUE = 65_536
"""Characters read from one field's value."""
SHORT = 160
"""Maximum size in bytes of a cached header."""

LONG_FIELD = "a header field is too long and was cut"
MANY_FIELDS = "the header has too many fields; only the first 5,000 were read"
BAD_LINE = "the header has lines that are not header fields"
NO_HEADER = "the message has no header"
NO_END = "the header does not end with an empty line"
NUL_IN_HEADER = "the header has NUL characters"

_FIELD_NAME = lazy_pattern(r"[!-9;-~]{1,200}[ \t]*\Z")
_FIELD_LINE = lazy_pattern(rb"[!-9;-~]{1,200}[ \t]*:")
_KNOWN = lazy_pattern(
    rb"(?:^|\n)(?:from|to|cc|subject|date|received|return-path|message-id|mime-version|content-type"
    rb"|content-transfer-encoding|content-disposition|content-id|sender|delivered-to|reply-to|x-[a-z-]+)[ \t]*:",
    re.IGNORECASE,
)


@dataclass(slots=True)
class HeaderFields:
    """A header block as it appears in the bytes: unfolded values, not yet decoded.

    Attributes:
        fields: Name as written and value, in order. Do not modify: equal headers of parts share them.
        first: Lower-case name to the first value of that name.
        body: Offset of the first byte after the header and its empty line.
        defects: Descriptions of any defects.
    """

    fields: list[tuple[str, str]]
    first: dict[str, str]
    body: int
    defects: list[str]

    def all(self, name: str) -> list[str]:
        """Return every value of a lower-case name, in order."""
        if name not in self.first:
            return []
        if len(self.first) == len(self.fields):
            return [self.first[name]]
        size = len(name)
        return [value for given, value in self.fields if len(given) == size and given.lower() == name]


class DecodedHeaders(Headers):
    """`Headers` that decode the encoded words of a field on access."""

    __slots__ = ()

    def __getitem__(self, name: str) -> str:
        """Return the first field called `name`, decoded; raise `KeyError` if there is none."""
        return decode_words(self._first[name.lower()])

    def get_all(self, name: str) -> tuple[str, ...]:
        """Return every field called `name`, decoded, topmost first."""
        found = Headers.get_all(self, name)
        return tuple(map(decode_words, found)) if found else found

    def group_by_name(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each lower-case name with all its values, decoded on demand."""
        return ((name, tuple(map(decode_words, values))) for name, values in Headers.group_by_name(self))

    def fields(self) -> tuple[tuple[str, str], ...]:
        """Return all fields, decoded: original case, original order."""
        return tuple([(name, decode_words(v) if "=?" in v else v) for name, v in self._fields])


def scan_fields(
    raw: bytes, start: int, end: int, *, top: bool, charsets: Charsets = no_charsets
) -> HeaderFields:
    """Scan the header that begins at `start`, within `raw[:end]`.

    A line that is not a field is skipped if a field follows it; otherwise it begins the body. With `top` the block
    belongs to a message: an mbox `From ` line is skipped, and a block without a known field is body text. `charsets`
    supplies the message's charsets if raw bytes in the header are not UTF-8.
    """
    if raw.startswith(b"\n", start, end):
        return HeaderFields([], {}, start + 1, [])
    if raw.startswith(b"\r\n", start, end):
        return HeaderFields([], {}, start + 2, [])
    stop, body = _header_end(raw, start, end)
    block = readable_header(raw[start:stop], charsets)
    fields, first, defects = _read_short(block) if stop - start <= SHORT else _read(block)
    if fields is None:
        defects = defects.copy()
        fields, body = _salvage(raw, start, stop, body, defects, top=top, charsets=charsets)
        first = _first(fields)
    elif top and body > end and not _KNOWN.search(block):
        return HeaderFields([], {}, start, [NO_HEADER])
    elif top and body > end and fields:
        defects = [*defects, NO_END]
    return HeaderFields(fields, first, min(body, end), defects)


_Block = tuple[list[tuple[str, str]] | None, dict[str, str], list[str]]


def _read(block: bytes) -> _Block:
    """Return the fields of a block (None if a line is not a field), their first values, and the defects."""
    defects: list[str] = []
    if b"\0" in block:
        block = block.replace(b"\0", b"")
        defects.append(NUL_IN_HEADER)
    fields = _split_fields(block, defects)
    return fields, _first(fields or []), defects


_read_short = lru_cache(maxsize=1024)(_read)
"""Caches the headers of parts, which are short and the same in most messages."""


def _first(fields: list[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in reversed(fields)}


def _header_end(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the end of the header's last line and the start of the body (past `end` if there is none)."""
    first = raw.find(b"\n", start, end)
    if raw[first - 1 : first] == b"\r":
        # Search for the likelier mark first: a search for the other would continue to the end of the message.
        crlf = raw.find(b"\n\r\n", start, end)
        bare = raw.find(b"\n\n", start, end if crlf < 0 else min(crlf + 4, end))
    else:
        bare = raw.find(b"\n\n", start, end)
        last = end if bare < 0 else bare
        # A search for one byte is many times as fast as one for three, and most headers have no carriage return.
        crlf = raw.find(b"\n\r\n", start, last) if raw.find(b"\r", start, last) >= 0 else -1
    if bare >= 0 and (crlf < 0 or bare < crlf + 3):
        return bare, bare + 2
    if crlf >= 0:
        return crlf, crlf + 3
    return end, end + 1


def _split_fields(block: bytes, defects: list[str]) -> list[tuple[str, str]] | None:
    """Split a UTF-8 block into fields; None if a line is not a field."""
    text = block.decode("utf-8")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", " ")
    text = text.replace("\n ", " ")
    if "\t" in text:
        text = text.replace("\n\t", "\t")
    lines = text.split("\n", MAX_FIELDS)
    if len(lines) > MAX_FIELDS:
        defects.append(MANY_FIELDS)
        del lines[MAX_FIELDS:]
    fields: list[tuple[str, str]] = []
    foreign, long = not text.isascii(), len(text) > MAX_VALUE
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or " " in name or (foreign and not name.isascii()):
            if not colon or not _FIELD_NAME.match(name):
                return None if line.strip() else fields
            name = name.rstrip()
        if long and len(value) > MAX_VALUE:
            value = value[:MAX_VALUE]
            if LONG_FIELD not in defects:
                defects.append(LONG_FIELD)
        fields.append((name, value.strip()))
    return fields


def _salvage(
    raw: bytes, start: int, stop: int, body: int, defects: list[str], *, top: bool, charsets: Charsets
) -> tuple[list[tuple[str, str]], int]:
    """Return the fields of a block that contains other lines, and the start of the body."""
    kept: list[bytes] = []
    position = start
    skipped = False
    while position < stop:
        line_end = raw.find(b"\n", position, stop)
        after = stop + 1 if line_end < 0 else line_end + 1
        line = raw[position : min(after, stop)].rstrip(b"\r\n")
        if _FIELD_LINE.match(line) or (line[:1] in (b" ", b"\t") and kept and not skipped):
            kept.append(line)
            skipped = False
        elif position == start and top and line.startswith((b"From ", b">From ")):
            skipped = True
        elif line[:1] in (b" ", b"\t") and skipped:
            pass
        elif (
            line[:2] != b"--"
            and _FIELD_LINE.match(raw, after, stop)
            and (kept or _KNOWN.search(raw, after, stop))
        ):
            skipped = True
            _add(defects, BAD_LINE)
        else:
            _add(defects, NO_END if kept else NO_HEADER)
            body = position
            break
        position = after
    if top and not kept:
        return [], min(body, start) if NO_HEADER in defects else body
    block = readable_header(b"\n".join(kept).replace(b"\0", b""), charsets)
    fields = _split_fields(block, defects) if kept else []
    return fields or [], body


def _add(defects: list[str], defect: str) -> None:
    if defect not in defects:
        defects.append(defect)


_PARAMETER = lazy_pattern(r"[;\s]*([^\s=;\"]{1,200})\s*=\s*(\"(?:[^\"\\]|\\.)*\"?|[^;]*)", re.DOTALL)
_BOUNDARY = lazy_pattern(r"(multipart/[A-Za-z]{1,30});\s*boundary=\"([^\"\\]{1,80})\"\Z", re.IGNORECASE)
"""Matches nearly every multipart. Each has its own boundary, so caching them would be useless."""
_ESCAPE = lazy_pattern(r"\\(.)", re.DOTALL)
_CONTINUED = lazy_pattern(r"(.*?)\*(\d{1,3})(\*?)\Z|(.*)(\*)\Z", re.DOTALL)


@lru_cache(maxsize=1024)
def _cached_parameters(value: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    return _parameters(value, no_charsets)


def parse_parameters(value: str, charsets: Charsets = no_charsets) -> tuple[str, dict[str, str]]:
    """Return the token before the first `;`, in lower case, and the decoded parameters by lower-case name.

    Accepts RFC 2231 continuations and charsets, RFC 2047 words inside parameters (forbidden, frequent) and unquoted
    values with spaces. The first of repeated parameters counts. `charsets` supplies the message's charsets if an RFC
    2231 value names none, or one that cannot decode it.
    """
    if value.startswith("multipart/") and "=?" not in value:
        match = _BOUNDARY.match(value)
        if match is not None:
            return match[1].lower(), {"boundary": match[2]}
    if len(value) > 300 or ("%" in value and charsets is not no_charsets):
        token, pairs = _parameters(value[:16_384], charsets)
    else:
        token, pairs = _cached_parameters(value)
    return token, dict(pairs)


def _parameters(value: str, charsets: Charsets) -> tuple[str, tuple[tuple[str, str], ...]]:
    token, _, rest = value.partition(";")
    token = "".join(token.partition("(")[0].split()).lower()
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    position = 0
    for _ in range(200):
        match = _PARAMETER.match(rest, position)
        if match is None:
            position = rest.find(";", position) + 1
            if position <= 0:
                break
            continue
        position = match.end()
        name, text = match[1].lower(), match[2]
        if text.startswith('"'):
            text = text[1:-1] if len(text) > 1 and text.endswith('"') else text[1:]
            if "\\" in text:
                text = _ESCAPE.sub(r"\1", text)
        else:
            text = text.strip()
        extended = _CONTINUED.match(name) if "*" in name else None
        if extended is None:
            plain.setdefault(name, decode_words(text))
        elif extended[5]:
            pieces.setdefault(extended[4], []).append((0, True, text))
        else:
            pieces.setdefault(extended[1], []).append((int(extended[2]), bool(extended[3]), text))
    for name, parts in pieces.items():
        plain[name] = _join_pieces(parts, charsets)
    return token, tuple(plain.items())


def _join_pieces(parts: list[tuple[int, bool, str]], charsets: Charsets) -> str:
    """Join the numbered sections of an RFC 2231 parameter."""
    from urllib.parse import unquote_to_bytes

    parts.sort(key=lambda part: part[0])
    charset = ""
    data = b""
    for position, (_, encoded, text) in enumerate(parts):
        if encoded and position == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        data += unquote_to_bytes(text) if encoded else text.encode("utf-8", "replace")
    text, trouble = decode_text(data, charset)
    if trouble or not charset:
        text = read_raw(data, charsets)
    return decode_words(text)
