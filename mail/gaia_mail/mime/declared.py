"""Raw bytes in header fields, read by the charset that the message declares. Entry: `readable_header`.

RFC 5322 allows ASCII in a header and RFC 6532 UTF-8. Mailers that write neither use the charset of their text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.charset import codec_name, decode_text, has_ascii_letters

Charsets = Callable[[], tuple[str, ...]]
"""Gives charset labels, the likeliest first; called only for bytes that need one."""

_LOOKED_AT = 262_144
"""Bytes of a message in which declarations are looked for."""
_MOST = 12
"""Different charsets that are tried."""
_FEW = 1
"""Bytes without a meaning that leave a line readable: mailers cut subjects inside a character."""
_LONGEST_LINE = 131_072
_MOST_LINES = 5_000

_FIELD = lazy_pattern(rb"(?i:(?:\A|\n)content-type)[ \t]{0,9}:((?:[^\n]|\n[ \t]){0,2000})")
_CHARSET = lazy_pattern(
    rb"(?i:[;\s]charset)\*?[ \t]{0,9}=\s{0,9}[\"']?(?:[\w-]{0,20}'')?([A-Za-z0-9_:.-]{2,40})"
)
_META = lazy_pattern(rb"(?i:<meta\b[^>]{0,300}?charset)\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.-]{2,40})")
_WORD = lazy_pattern(rb"=\?([A-Za-z0-9_:.-]{2,40})(?:\*[A-Za-z-]{1,20})?\?[bBqQ]\?")


def no_charsets() -> tuple[str, ...]:
    """Return no charset: for a header without a message."""
    return ()


def charsets_of(raw: bytes) -> Charsets:
    """Return a function that looks for the charsets a message declares, once, when it is first called.

    Content types come first, in their order, then the message's HTML, then its encoded words.
    """
    return cache(partial(_declared, raw))


def _declared(raw: bytes) -> tuple[str, ...]:
    start = raw[:_LOOKED_AT]
    found = dict.fromkeys(_of_content_types(start))
    for pattern in (_META, _WORD):
        found |= dict.fromkeys(match[1].decode().lower() for match in pattern.finditer(start))
    return tuple(found)[:_MOST]


def _of_content_types(block: bytes) -> tuple[str, ...]:
    found = [match[1] for field in _FIELD.finditer(block) for match in _CHARSET.finditer(field[1])]
    return tuple([label.decode().lower() for label in found[:_MOST]])


def readable_header(block: bytes, charsets: Charsets) -> bytes:
    """Return a header block in UTF-8, unfolded unless it was UTF-8 before.

    The charset that the block itself declares comes before those of the message.
    """
    if b"\x1b" not in block and b"~{" not in block:
        if block.isascii():
            return block
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            pass
        else:
            return block
    own = _of_content_types(block)
    block = block.replace(b"\r\n", b"\n").replace(b"\n ", b" ").replace(b"\n\t", b"\t")
    lines = block.split(b"\n", _MOST_LINES)[:_MOST_LINES]
    return b"\n".join(_readable_line(line[:_LONGEST_LINE], lambda: (*own, *charsets())) for line in lines)


def _readable_line(line: bytes, charsets: Charsets) -> bytes:
    if line.isascii() and b"\x1b" not in line and b"~{" not in line:
        return line
    return read_raw(line, charsets).replace("\n", " ").encode()


def read_raw(data: bytes, charsets: Charsets) -> str:
    """Return the text of raw bytes: UTF-8 if they are that, else in the first declared charset that reads them.

    A charset that reads all but a few of them comes next, and only then one that is guessed.
    """
    if data.isascii():
        return _read_shifted(data, charsets)
    declared = ("utf-8", *filter(has_ascii_letters, charsets()))
    for charset in declared:
        text, trouble = decode_text(data, charset)
        if not trouble:
            return text
    for charset in declared:
        text = data.decode(codec_name(charset), "replace")
        if text.count("\ufffd") <= _FEW and sum(not c.isascii() for c in text) > _FEW * 2:
            return text
    return decode_text(data)[0]


def _read_shifted(data: bytes, charsets: Charsets) -> str:
    """Return ASCII bytes as text, with the escapes of ISO-2022 and HZ followed."""
    if b"\x1b" in data:
        text, trouble = decode_text(data, "iso-2022-kr" if b"\x1b$)C" in data else "iso-2022-jp")
        if not trouble and "\x1b" not in text:
            return text
    elif any(codec_name(charset) == "hz" for charset in charsets()):
        text, trouble = decode_text(data, "hz")
        if not trouble:
            return text
    return data.decode("ascii")
