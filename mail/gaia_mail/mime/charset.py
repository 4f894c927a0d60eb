"""Decodes bytes to text for every charset used in mail. Entry: `decode_text`; it never raises.

Only codecs in the table below are looked up: Python also registers `punycode`, `unicode_escape` and `zlib` under names
that a sender could write.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from gaia_mail.word_table import WordTable

Trouble = Literal["", "unknown", "wrong", "damaged", "undeclared"]
"""Problem with the declared charset: it does not exist; the bytes are in another one; the bytes are in it except for
some damaged ones; none was declared and the bytes are not ASCII."""

_CODEC_TABLE = """
ascii utf_8 utf_7 utf_16 utf_16_le utf_16_be utf_32 utf_32_le utf_32_be
latin_1 iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 iso8859_10
iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16
cp037 cp437 cp500 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864
cp865 cp866 cp869 cp874 cp875 cp932 cp949 cp950 cp1006 cp1026 cp1125 cp1140 cp1250 cp1251 cp1252 cp1253
cp1254 cp1255 cp1256 cp1257 cp1258
mac_cyrillic mac_greek mac_iceland mac_latin2 mac_roman mac_turkish
koi8_r koi8_u koi8_t kz1048 ptcp154 tis_620 hp_roman8
big5 big5hkscs gb2312 gbk gb18030 hz
euc_jp euc_jis_2004 euc_jisx0213 shift_jis shift_jis_2004 shift_jisx0213
iso2022_jp iso2022_jp_1 iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext iso2022_kr euc_kr johab
"""
_CODECS = frozenset(_CODEC_TABLE.split())

_TABLE = WordTable("gaia_mail", "charsets.txt")
_SAMPLE = 8192


def _codecs_by_charset(title: str) -> dict[str, str]:
    return {name: codec for codec, names in _TABLE.words_by_language(title).items() for name in names}


_ALIASES = _codecs_by_charset("aliases")
_WIDER = _codecs_by_charset("wider")
"""The superset that senders of a charset really use (WHATWG Encoding, section 4.2)."""


@lru_cache(maxsize=512)
def codec_name(charset: str) -> str:
    """Return Python's codec for a charset label in mail, or `""` if there is none."""
    import codecs

    label = charset.strip().strip("\"'").lower()
    if not label or len(label) > 40 or not label.isascii():
        return ""
    if label in _ALIASES:
        return _ALIASES[label]
    if label.startswith("iso") and not label.startswith(("iso-", "iso_")):
        label = "iso-" + label[3:]
    for name in (label, label.removeprefix("x-"), label.replace(" ", "-"), label.replace("windows", "cp")):
        try:
            found = codecs.lookup(name.replace("cp-", "cp")).name.replace("-", "_")
        except (LookupError, ValueError, UnicodeError):
            continue
        found = {"iso8859_1": "latin_1", "euc_jis_2004": "euc_jp"}.get(found, found)
        if found in _CODECS:
            return found
    return ""


def decode_text(data: bytes, charset: str = "") -> tuple[str, Trouble]:
    """Decode `data`, declared to be in `charset`, and return the problem with that declaration.

    A declared charset that can decode the bytes is trusted. Otherwise UTF-8 is tried, then detection; finally every
    undecodable byte becomes U+FFFD.
    """
    codec = codec_name(charset) if charset else ""
    if codec == "utf_8" or data.isascii():
        simple = _decode_simple(data, codec)
        if simple is not None:
            return simple, ""
    if not codec or codec == "ascii":
        return _decode_without_charset(data, charset, codec)
    text = _try(data, codec)
    if text is not None:
        return text, ""
    return _mistaken(data, codec)


def _decode_simple(data: bytes, codec: str) -> str | None:
    if codec in _NOT_ASCII_BASED:
        return _try(data, codec)
    try:
        return data.decode("utf-8-sig" if data[:1] == b"\xef" else "utf-8")
    except UnicodeDecodeError:
        return None


_NOT_ASCII_BASED = frozenset(
    c
    for c in _CODECS
    if c.startswith(
        ("utf_7", "utf_16", "utf_32", "iso2022", "hz", "cp037", "cp500", "cp875", "cp1026", "cp1140")
    )
)


def has_ascii_letters(charset: str) -> bool:
    """Return True if the charset extends ASCII: ASCII bytes keep their meaning and others have one."""
    codec = codec_name(charset)
    return codec not in ("", "ascii") and codec not in _NOT_ASCII_BASED


def _decode_without_charset(data: bytes, charset: str, codec: str) -> tuple[str, Trouble]:
    trouble: Trouble = "wrong" if codec else "unknown" if charset else "undeclared"
    text = _try(data, "utf_8")
    if text is not None:
        return text, trouble
    return _detect(data), trouble


def _mistaken(data: bytes, codec: str) -> tuple[str, Trouble]:
    """Decode bytes that the declared codec rejects."""
    damaged = _encodable(data.decode(codec, "replace"))
    start = damaged[: _SAMPLE * 4]
    lost = start.count("\ufffd")
    foreign = sum(not c.isascii() for c in start)
    if lost * 10 <= foreign or (codec in _NOT_ASCII_BASED and lost * 20 <= len(start)):
        return damaged.removeprefix("\ufeff"), "damaged"
    text = _try(data, "utf_8") if codec != "utf_8" else None
    return (_detect(data) if text is None else text), "wrong"


def _try(data: bytes, codec: str) -> str | None:
    for name in (_WIDER.get(codec, codec), codec):
        try:
            return _encodable(data.decode(name).removeprefix("\ufeff"))
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    return None


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-7 can produce but no encoding can write."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _detect(data: bytes) -> str:
    """Decode bytes that are not UTF-8 and in no declared charset.

    Longer ones go to charset-normalizer (only a sample: its cost grows with length and candidates); short ones are
    decoded as windows-1252, by far the most frequent case in mail.
    """
    sample = _foreign_sample(data)
    guess = ""
    if sum(b > 127 for b in sample) >= 12:
        guess = codec_name(_guess(sample))
    for codec in (guess, "cp1252"):
        text = _try(data, codec) if codec else None
        if text is not None:
            return text
    return data.decode(guess or "cp1252", "replace").removeprefix("\ufeff")


def _foreign_sample(data: bytes) -> bytes:
    """Return at most 8 kB of the lines with non-ASCII bytes."""
    if len(data) <= _SAMPLE:
        return data
    kept: list[bytes] = []
    size = 0
    for line in data[: _SAMPLE * 32].split(b"\n"):
        if not line.isascii():
            kept.append(line[:1000])
            size += len(kept[-1])
            if size >= _SAMPLE:
                break
    return b"\n".join(kept)[:_SAMPLE]


def _guess(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample, steps=4, chunk_size=512).best()
    return best.encoding if best is not None else ""
