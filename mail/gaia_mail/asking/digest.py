"""Computes a digest of a mail that is independent of when and where it was composed. Entry: `mail_digest`."""

from __future__ import annotations

import hashlib
import re

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.headers import parse_parameters
from gaia_mail.mime.scan import normalize, top_fields
from gaia_mail.mime.transfer import decode_transfer
from gaia_mail.mime.walk import walk

_FOLD = lazy_pattern(rb"\r?\n(?=[ \t])")
_OF_ITS_TIME = lazy_pattern(rb"(?im)^(?:date|message-id)[ \t]*:[^\n]*(?:\n|\Z)")
_ENCODING = lazy_pattern(rb"(?im)^content-transfer-encoding[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?(?:\n|\Z)")
_BOUNDARY = lazy_pattern(rb"(?i)\bboundary[ \t]*=[ \t]*(?:\"([^\"\\\r\n]{1,200})\"|([^\s\";]{1,200}))")
_DELIMITER = lazy_pattern(rb"(?m)^--([^\r\n]{1,210}?)[ \t]*\r?$")
_ENCODINGS = frozenset((b"7bit", b"8bit", b"binary", b"base64", b"quoted-printable"))


def mail_digest(raw: bytes) -> str:
    """Return the SHA-256 of a message's header fields, structure and decoded parts, in order.

    Excludes what differs between two compositions of the same mail: `Date`, `Message-ID`, folding, MIME boundary names
    and transfer encodings. Content the parser ignores, such as text around the parts, counts verbatim.
    """
    raw = normalize(raw)[0]
    fields = top_fields(raw)
    tree = walk(raw, fields)
    pieces: list[bytes] = []
    at = 0
    for leaf in tree.leaves:
        pieces.append(raw[at : leaf.start])
        encoding = parse_parameters(leaf.header.get("content-transfer-encoding", ""))[0]
        pieces.append(decode_transfer(raw[leaf.start : leaf.end], encoding.strip("\"'"))[0])
        at = leaf.end
    pieces.append(raw[at:])
    if pieces:
        # Only the message's own header loses these fields: an attached message's date is content.
        head = _FOLD.sub(b"", raw[: min(fields.body, len(pieces[0]))])
        pieces[0] = _OF_ITS_TIME.sub(b"", head) + raw[min(fields.body, len(pieces[0])) : len(pieces[0])]
    pieces[::2] = _around_parts(pieces[::2])
    total = hashlib.sha256()
    for piece in pieces:
        total.update(len(piece).to_bytes(8, "big") + piece)
    return total.hexdigest()


def _around_parts(pieces: list[bytes]) -> list[bytes]:
    """Normalize the text between parts (headers, delimiters): remove what a composer chooses freely."""
    unfolded = [_FOLD.sub(b"", piece) for piece in pieces]
    names: dict[bytes, bytes] = {}
    for piece in unfolded:
        for found in _BOUNDARY.finditer(piece):
            names.setdefault(found[1] or found[2], b"\0%d" % len(names))

    def number_boundary(found: re.Match[bytes]) -> bytes:
        return b"boundary=" + names[found[1] or found[2]]

    def number_delimiter(found: re.Match[bytes]) -> bytes:
        name, end = found[1], b""
        if name not in names and name.endswith(b"--"):
            name, end = name[:-2], b"--"
        return b"--" + names[name] + end if name in names else found[0]

    return [
        _without_encoding(_BOUNDARY.sub(number_boundary, _DELIMITER.sub(number_delimiter, piece)))
        for piece in unfolded
    ]


def _without_encoding(piece: bytes) -> bytes:
    """Remove the transfer encoding that was undone; an unknown or duplicate one counts in the digest."""
    found = _ENCODING.findall(piece)
    if len(found) == 1 and found[0].lower() in _ENCODINGS:
        return _ENCODING.sub(b"", piece)
    return piece
