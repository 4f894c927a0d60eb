"""Decodes raw bytes in header fields with the charset that the message declares. Entry: `readable_header`.

RFC 5322 allows ASCII in a header and RFC 6532 UTF-8. Mailers that write neither use the charset of their text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.charset import codec_name, decode_text, has_ascii_letters

Charsets = Callable[[], tuple[str, ...]]
"""Returns charset labels, the likeliest first; called only for bytes that need one."""

_LOOKED_AT = 262_144
"""Bytes of a message that are searched for declarations."""
_MOST = 12
"""Maximum number of charsets to try."""
_FEW = 1
"""Undecodable bytes that a readable line may contain: mailers cut subjects inside a character."""
_LONGEST_LINE = 131_072
_MOST_LINES = 5_000

_FIELD = lazy_pattern(rb"(?i:(?:\A|\n)content-type)[ \t]{0,9}:((?:[^\n]|\n[ \t]){0,2000})")
_CHARSET = lazy_pattern(
    rb"(?i:[;\s]charset)\*?[ \t]{0,9}=\s{0,9}[\"']?(?:[\w-]{0,20}'')?([A-Za-z0-9_:.-]{2,40})"
)
_META = lazy_pattern(rb"(?i:<meta\b[^>]{0,300}?charset)\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.-]{2,40})")
_WORD = lazy_pattern(rb"=\?([A-Za-z0-9_:.-]{2,40})(?:\*[A-Za-z-]{1,20})?\?[bBqQ]\?")


def no_charsets() -> tuple[str, ...]:
    """Return no charsets, for a header without a message."""
    return ()


def charsets_of(raw: bytes) -> Charsets:
    """Return a function that finds the charsets a message declares, once, on its first call.

    Content types come first, in order, then the message's HTML, then its encoded words.
    """
    return cache(partial(_find_charsets, raw))


def _find_charsets(raw: bytes) -> tuple[str, ...]:
    start = raw[:_LOOKED_AT]
    found = dict.fromkeys(_of_content_types(start))
    for pattern in (_META, _WORD):
        found |= dict.fromkeys(match[1].decode().lower() for match in pattern.finditer(start))
    return tuple(found)[:_MOST]


def _of_content_types(block: bytes) -> tuple[str, ...]:
    found = [match[1] for field in _FIELD.finditer(block) for match in _CHARSET.finditer(field[1])]
    return tuple([label.decode().lower() for label in found[:_MOST]])


def readable_header(block: bytes, charsets: Charsets) -> bytes:
    """Return a header block in UTF-8, unfolded unless it already was UTF-8.

    Charsets that the block itself declares take precedence over those of the message.
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
    """Decode raw bytes as UTF-8 if valid, else with the first declared charset that can decode them.

    If none decodes them all, a charset that fails on few bytes is used, and only then a guess.
    """
    if data.isascii():
        return _read_escapes(data, charsets)
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


def _read_escapes(data: bytes, charsets: Charsets) -> str:
    """Decode ASCII bytes, interpreting ISO-2022 and HZ escapes."""
    if b"\x1b" in data:
        text, trouble = decode_text(data, "iso-2022-kr" if b"\x1b$)C" in data else "iso-2022-jp")
        if not trouble and "\x1b" not in text:
            return text
    elif any(codec_name(charset) == "hz" for charset in charsets()):
        text, trouble = decode_text(data, "hz")
        if not trouble:
            return text
    return data.decode("ascii")
