"""Corrects bodies with wrong headers: text in another encoding or type, undeclared multiparts.

Senders' scripts, gateways and lists break these headers, yet mail readers still show a text; so does this module.
"""

from __future__ import annotations

import binascii
import re

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.headers import HeaderFields, parse_parameters

_LINE, _SHORTEST, _SAMPLE = 52, 60, 4096
"""Lengths of the shortest full base64 line that mailers write, the shortest text checked, and the sample."""
_ENCODED = lazy_pattern(rb"[A-Za-z0-9+/]+={0,2}\s*\Z")
_SOFT_BREAKS = 2
_ESCAPE = lazy_pattern(rb"=(?![0-9A-F]{2}|[ \t]{0,5}\r?\n|\Z)")
_CONTROL = bytes(sorted({*range(32), 127} - set(b"\t\n\r\f\x1b")))
_PART = lazy_pattern(
    rb"--([^\r\n]{1,200}?)[ \t]*\r?\n(?:[\w-]{1,40}:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)*?content-",
    re.IGNORECASE,
)


def not_base64(content: bytes, decoded: bytes) -> bytes:
    """Return the content of a text that is declared as base64 but contains other characters.

    That is `decoded`, the text itself, or decoded base64 with text below it. List software appends its footer below
    base64 unencoded; a script declares base64 and writes plain text.
    """
    lines = content.splitlines(keepends=True)
    end = 0
    while end < len(lines) and (not lines[end].strip() or _ENCODED.match(lines[end])):
        end += 1
    if end == len(lines) or not any(b" " in line.strip() for line in lines[end:]):
        return decoded
    signs = b"".join(lines[:end]).translate(None, b"\r\n\t =")
    if len(signs) < _LINE:
        return content
    try:
        above = binascii.a2b_base64(signs + b"=" * (-len(signs) % 4))
    except binascii.Error:
        return decoded
    return above.rstrip() + b"\n\n" + b"".join(lines[end:])


def find_encoding(content: bytes) -> str:
    """Return the undeclared encoding of a text, `base64` or `quoted-printable`; `""` if there is none."""
    if content.count(b"=\n") + content.count(b"=\r\n") >= _SOFT_BREAKS and not _ESCAPE.search(content):
        return "quoted-printable"
    content = content.strip()
    if (
        len(content) < _SHORTEST
        or b" " in content[:_LINE]
        or not _ENCODED.match(content[:_LINE].rstrip(b"\r\n"))
    ):
        return ""
    lines = content.split()
    full = len(lines[0])
    if full < _LINE or full % 4 or any(len(line) != full for line in lines[:-1]) or len(lines[-1]) > full:
        return ""
    if not all(map(_ENCODED.match, lines)):
        return ""
    try:
        decoded = binascii.a2b_base64(content)
    except binascii.Error:
        return ""
    return "base64" if is_text(decoded) and b" " in decoded else ""


def is_text(content: bytes) -> bool:
    """Return True for readable text: UTF-8 or nearly all ASCII, without control characters."""
    sample = content[:_SAMPLE]
    if not sample.strip() or len(sample.translate(None, _CONTROL)) != len(sample):
        return False
    if sample.isascii():
        return True
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        cut_at_end = len(content) > _SAMPLE and error.start >= len(sample) - 3
        return cut_at_end or sum(byte < 128 for byte in sample) * 10 >= len(sample) * 9
    return True


def find_hidden_multipart(raw: bytes, fields: HeaderFields) -> str:
    """Return the content type of a message whose header hides that it has parts; `""` for any other.

    Such a header has a second content type, none, or `text/plain`, while its body opens with a part and that part's
    header.
    """
    given = fields.all("content-type")
    if given and given[0][:10].lower() == "multipart/":
        return ""
    for value in given[1:]:
        boundary = parse_parameters(value)[1].get("boundary", "")
        if (
            value[:10].lower() == "multipart/"
            and boundary
            and raw.find(b"--" + boundary.encode(), fields.body) >= 0
        ):
            return value
    if given and given[0].partition(";")[0].strip().lower() != "text/plain":
        return ""
    opening = fields.body
    while raw[opening : opening + 1] in (b"\r", b"\n"):
        opening += 1
    if raw[opening : opening + 2] != b"--":
        return ""
    part = _PART.match(raw, opening)
    if part is None or b'"' in part[1]:
        return ""
    return f'multipart/mixed; boundary="{part[1].decode("utf-8", "replace")}"'
