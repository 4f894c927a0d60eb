"""Flattens a message's MIME tree to its leaves with their part paths. Entry: `walk`.

Nothing is copied: a leaf is a range of the message's bytes. Depth, number of parts and therefore time are bounded for
any message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.declared import Charsets, charsets_of, no_charsets
from gaia_mail.mime.headers import (
    BAD_LINE,
    LONG_FIELD,
    NUL_IN_HEADER,
    HeaderFields,
    parse_parameters,
    scan_fields,
)
from gaia_mail.mime.mending import find_hidden_multipart

MAX_DEPTH = 50
"""Maximum nesting of multiparts; real mail stays below ten."""
MAX_PARTS = 10_000
"""Maximum number of leaves."""

MOST_REMEMBERED = 262_144
"""Maximum size in bytes of a message cached until the next one is read."""

TOO_DEEP = "the message nests more than 50 multiparts; the inner ones were not opened"
TOO_MANY = "the message has more than 10,000 parts; the rest was not read"
NO_BOUNDARY = "a multipart does not say where its parts begin"
UNANNOUNCED = "the header does not say that the message has parts"
NOT_FOUND = "a multipart has none of the parts it announces"
ENDS_INSIDE = "the message ends inside a part"
PART_HEADER = "a part's header has lines that are not header fields"
_PART_FIELD = lazy_pattern(rb"content-[a-z-]{2,30}:", re.IGNORECASE)


@dataclass(slots=True)
class Leaf:
    """A part without parts of its own, as a range of the message.

    Attributes:
        path: Part path, numbered as in IMAP (RFC 9051 section 6.4.5): `1`, `2`, `1.3`.
        content_type: Lower-case media type; `text/plain` if none is given.
        parameters: Parameters of the content type.
        header: First value of each field, by lower-case name, undecoded.
        parent: Subtype of the enclosing multipart, `""` for the message itself.
        position: Index among its siblings, from 0.
        start: Offset of the first byte of its body.
        end: Offset after its last byte.
    """

    path: str
    content_type: str
    parameters: dict[str, str]
    header: dict[str, str]
    parent: str
    position: int
    start: int
    end: int


@dataclass(slots=True)
class Tree:
    """Result of `walk`: the leaves in order, the media types of all multiparts, and the defects.

    `charsets` returns the charsets that the message declares, for names in raw bytes.
    """

    charsets: Charsets

    leaves: list[Leaf] = field(default_factory=list[Leaf])
    multiparts: list[str] = field(default_factory=list[str])
    defects: list[str] = field(default_factory=list[str])

    def add(self, defect: str) -> None:
        """Add a defect unless it is already listed."""
        if defect not in self.defects:
            self.defects.append(defect)


_latest: tuple[bytes, HeaderFields, Tree] = (b"", HeaderFields([], {}, 0, []), Tree(no_charsets))
"""Cache for the last message: its summary, text and structure all need the tree."""


def walk(raw: bytes, fields: HeaderFields) -> Tree:
    """Return the tree of the message with the header `fields`, whose body extends to the end of `raw`.

    Callers may add defects, but must not change leaves and multiparts: the cached lists are shared.
    """
    global _latest
    known, of, tree = _latest
    if known is not raw or of is not fields:
        tree = Tree(charsets_of(raw))
        header, content_type = fields.first, find_hidden_multipart(raw, fields)
        if content_type:
            header = {**header, "content-type": content_type}
            tree.add(UNANNOUNCED)
        _walk(raw, header, fields.body, len(raw), "", "", 0, "text/plain", 0, tree)
        if len(raw) > MOST_REMEMBERED:
            return tree
        _latest = raw, fields, tree
    return Tree(tree.charsets, tree.leaves, tree.multiparts, tree.defects.copy())


def media_type(header: dict[str, str], default: str) -> tuple[str, dict[str, str]]:
    """Return the media type and parameters of a part; `default` if there is no type."""
    value = header.get("content-type")
    if not value:
        return default, {}
    token, parameters = parse_parameters(value)
    if (
        token.count("/") == 1
        and token[0] != "/"
        and token[-1] != "/"
        and "=" not in token
        and len(token) <= 200
    ):
        return token, parameters
    for text in ("text/plain", "text/html"):
        if token.startswith(text):
            return text, parameters
    return _SHORT_TYPES.get(token, "text/plain" if not token else "application/octet-stream"), parameters


_SHORT_TYPES = {
    "text": "text/plain",
    "html": "text/html",
    "multipart": "multipart/mixed",
    "plain": "text/plain",
}


def _walk(
    raw: bytes,
    header: dict[str, str],
    start: int,
    end: int,
    path: str,
    parent: str,
    position: int,
    default: str,
    depth: int,
    tree: Tree,
) -> None:
    content_type, parameters = media_type(header, default)
    if content_type.startswith("multipart/"):
        if depth >= MAX_DEPTH:
            tree.add(TOO_DEEP)
            content_type = "application/octet-stream"
        elif _walk_multipart(raw, content_type, parameters, start, end, path, depth, tree):
            return
        else:
            content_type, parameters = "text/plain", {}
    if len(tree.leaves) >= MAX_PARTS:
        tree.add(TOO_MANY)
        return
    tree.leaves.append(Leaf(path or "1", content_type, parameters, header, parent, position, start, end))


def _walk_multipart(
    raw: bytes,
    content_type: str,
    parameters: dict[str, str],
    start: int,
    end: int,
    path: str,
    depth: int,
    tree: Tree,
) -> bool:
    """Walk the parts of a multipart; return False if it has none and is better read as text."""
    tree.multiparts.append(content_type)
    boundary = parameters.get("boundary", "").encode("utf-8", "replace").rstrip()
    if not boundary:
        tree.add(NO_BOUNDARY)
    parts, closed = _split(raw, boundary, start, end) if boundary else ([], False)
    if not parts and not closed:
        guess = _guess_boundary(raw, start, end)
        if guess and guess != boundary:
            parts, closed = _split(raw, guess, start, end)
    if not parts:
        if not closed and boundary:
            tree.add(NOT_FOUND)
        return closed or not raw[start:end].strip()
    subtype = content_type[10:]
    default = "message/rfc822" if subtype == "digest" else "text/plain"
    prefix = path + "." if path else ""
    for index, (first, last) in enumerate(parts):
        if len(tree.leaves) >= MAX_PARTS:
            tree.add(TOO_MANY)
            break
        fields = scan_fields(raw, first, last, top=False, charsets=tree.charsets)
        if BAD_LINE in fields.defects or NUL_IN_HEADER in fields.defects or LONG_FIELD in fields.defects:
            tree.add(PART_HEADER)
        _walk(
            raw,
            fields.first,
            fields.body,
            last,
            f"{prefix}{index + 1}",
            subtype,
            index,
            default,
            depth + 1,
            tree,
        )
    if not closed and end == len(raw):
        tree.add(ENDS_INSIDE)
    return True


def _split(raw: bytes, boundary: bytes, start: int, end: int) -> tuple[list[tuple[int, int]], bool]:
    """Return the ranges of the parts between delimiter lines, and True if the closing delimiter was found."""
    delimiter = b"--" + boundary
    width = len(delimiter)
    parts: list[tuple[int, int]] = []
    opened = -1
    at = raw.find(delimiter, start, end)
    while at >= 0:
        after = at + width
        if at == start or raw[at - 1] in b"\r\n":
            line_end = raw.find(b"\n", after, end)
            rest = raw[after : min(end if line_end < 0 else line_end, after + 200)].strip()
            if rest in (b"", b"--") or (rest[:2] == b"--" and rest[2:3] in b" \t"):
                if opened >= 0:
                    parts.append((opened, _before_break(raw, opened, at)))
                if rest[:2] == b"--":
                    return parts, True
                opened = end if line_end < 0 else line_end + 1
                if len(parts) > MAX_PARTS:
                    return parts, True
                after = opened
        at = raw.find(delimiter, after, end)
    if 0 <= opened < end:
        parts.append((opened, end))
    return parts, False


def _before_break(raw: bytes, start: int, at: int) -> int:
    """Return `at` without the line break before it, which belongs to the delimiter."""
    if at > start and raw[at - 1] == 10:
        at -= 1
    if at > start and raw[at - 1] == 13:
        at -= 1
    return at


def _guess_boundary(raw: bytes, start: int, end: int) -> bytes:
    """Guess the boundary of a multipart: a first line `--x` that recurs or opens a part."""
    at = start
    for _ in range(20):
        line_end = raw.find(b"\n", at, min(end, at + 2000))
        line = raw[at : line_end if line_end >= 0 else min(end, at + 2000)].rstrip()
        if line.startswith(b"--") and line.strip(b"-"):
            again = b"\n" + line
            alone = _PART_FIELD.match(raw, line_end + 1, end) is not None
            return line[2:] if alone or raw.find(again, at + len(line), end) >= 0 else b""
        if line_end < 0:
            break
        at = line_end + 1
    return b""
