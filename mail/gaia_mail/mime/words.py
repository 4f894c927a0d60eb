"""Decodes RFC 2047 encoded words in header values, even malformed ones. Entry: `decode_words`."""

from __future__ import annotations

import binascii
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.charset import codec_name, decode_text

_WORD = lazy_pattern(r"=\?([^?\s]{1,64})\?([bBqQ])\?([^?\r\n]*(?:(?<!=)\?(?!=)[^?\r\n]{0,200}){0,4})\?=")
_CONTROL = lazy_pattern("[\x00-\x08\x0a-\x1f\x7f]+")
_ONLY_SPACE = lazy_pattern(r"[ \t\r\n]*\Z")


def decode_words(value: str) -> str:
    """Decode the encoded words in `value`; other text is unchanged.

    White space between two encoded words is dropped, and a character split over two words of the same charset and
    encoding (forbidden, frequent) is rejoined. Words adjacent to other text and words with spaces or question marks
    inside are decoded too, as in every mail reader. An encoded line break or other control character becomes a space.
    """
    if "=?" not in value:
        return value
    return _decode(value) if len(value) <= 1000 else _decode_all(value)


def _decode_all(value: str) -> str:
    out: list[str] = []
    pending = b""
    pending_key = ("", "")
    last_end = 0
    for match in _WORD.finditer(value):
        gap = value[last_end : match.start()]
        key = (match[1].partition("*")[0].lower(), match[2].lower())
        joined = bool(pending_key[0]) and _ONLY_SPACE.match(gap) is not None
        if not joined or key != pending_key:
            if pending_key[0]:
                out.append(_text(pending, pending_key[0]))
            pending = b""
            if not joined:
                out.append(gap)
        pending += _payload(match[3], *key)
        pending_key = key
        last_end = match.end()
    if pending_key[0]:
        out.append(_text(pending, pending_key[0]))
    out.append(value[last_end:])
    return "".join(out)


_decode = lru_cache(maxsize=4096)(_decode_all)


def _text(data: bytes, charset: str) -> str:
    return _CONTROL.sub(" ", decode_text(data, charset)[0])


def _payload(text: str, charset: str, encoding: str) -> bytes:
    try:
        data = text.encode("ascii")
    except UnicodeEncodeError:
        data = _raw_bytes(text, charset)
    if encoding == "q":
        return binascii.a2b_qp(data, header=True)
    data = data.replace(b" ", b"").rstrip(b"=")
    if len(data) % 4 == 1:
        data = data[:-1]
    try:
        return binascii.a2b_base64(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return data


def _raw_bytes(text: str, charset: str) -> bytes:
    """Encode characters that appear unencoded in a word in the word's charset."""
    try:
        return text.encode(codec_name(charset) or "utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
