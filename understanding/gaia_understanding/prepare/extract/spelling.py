"""Spellings of a text for finders, each of exactly its length. Entries: `Spellings`, `fold`, `space_out`.

Bytes are lowered and replaced several times as fast as characters, and a text without its typographic marks
is usually plain ASCII, which every later step takes much more quickly. So marks are replaced before bytes
become text again.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaia_understanding.prepare.html.layout import WIDE_SPACES

_SEPARATORS = "\n\t\r\v\f\x1c\x1d\x1e\x1f.,;:!?()[]{}<>\"'*_|/\\=#+~`&%$-"
_LOWER = bytes(range(256)).lower()
_SPACED = _LOWER.translate(bytes.maketrans(_SEPARATORS.encode(), b" " * len(_SEPARATORS)))
_FOLDED = _LOWER.translate(bytes.maketrans(b"\n\t\r", b"   "))
_SPACED_MARKS = dict.fromkeys((*"’“”„«»…–—·•€£¿¡", *WIDE_SPACES), b" ")
_FOLDED_MARKS = {"’": b"'", "\u00a0": b" ", "\u202f": b" "}
_NO_MARKS: dict[str, bytes] = {}
_NO_WIDE = frozenset[str]()
_ASCII = bytes(range(128))
_FEW_CAPITALS = 12
_SIGMA = "Σ"
"""The only letter whose lower case depends on its position."""


class Spellings:
    """One text whose spellings are computed on demand.

    Attributes:
        wide: Its characters beyond ASCII, as they are.
    """

    __slots__ = ("_folded", "_folded_bytes", "_raw", "_text", "wide")

    def __init__(self, text: str) -> None:
        """Encode the text once for every spelling."""
        self._text = text
        self._folded: str | None = None
        self._folded_bytes: bytes | None = None
        if text.isascii():
            self._raw, self.wide = text.encode(), _NO_WIDE
        else:
            self._raw, self.wide = _in_bytes(text)

    def has_digits(self) -> bool:
        """Return True if the text contains a decimal digit of any script."""
        return any(map(self._text.__contains__, "0123456789")) or any(map(str.isdecimal, self.wide))

    def lower(self) -> str:
        """Return the text as by `to_lower`."""
        return _spelt(self._raw, self.wide, _LOWER, _NO_MARKS) if self.wide else self._text.lower()

    def fold(self) -> str:
        """Return the text as by `fold`."""
        if self._folded is None:
            self._folded = self.folded_bytes().decode("utf-8", "surrogatepass")
        return self._folded

    def folded_bytes(self) -> bytes:
        """Return the text as by `fold`, in UTF-8."""
        if self._folded_bytes is None:
            self._folded_bytes = _spelt_bytes(self._raw, self.wide, _FOLDED, _FOLDED_MARKS)
        return self._folded_bytes

    def spaced_bytes(self) -> bytes:
        """Return the text as by `space_out`, in UTF-8."""
        return _spelt_bytes(self._raw, self.wide, _SPACED, _SPACED_MARKS)


def to_lower(text: str) -> str:
    """Return `text` in lower case, of exactly the same length."""
    return text.lower() if text.isascii() else _spelt(*_in_bytes(text), _LOWER, _NO_MARKS)


def fold(text: str) -> str:
    """Return lower case with straight apostrophes and spaces for white space; positions are the same as in `text`."""
    if text.isascii():
        return text.encode().translate(_FOLDED).decode()
    return _spelt(*_in_bytes(text), _FOLDED, _FOLDED_MARKS)


def space_out(text: str) -> str:
    """Return lower case with spaces for white space and punctuation, of exactly the same length."""
    if text.isascii():
        return text.encode().translate(_SPACED).decode()
    return _spelt(*_in_bytes(text), _SPACED, _SPACED_MARKS)


def _spelt(raw: bytes, wide: frozenset[str], table: bytes, marks: Mapping[str, bytes]) -> str:
    return _spelt_bytes(raw, wide, table, marks).decode("utf-8", "surrogatepass")


def _spelt_bytes(raw: bytes, wide: frozenset[str], table: bytes, marks: Mapping[str, bytes]) -> bytes:
    """Return bytes of `_in_bytes` with ASCII characters spelt by a table and some marks beyond it replaced."""
    raw = raw.translate(table)
    if wide:
        for mark in marks.keys() & wide:
            raw = raw.replace(mark.encode(), marks[mark])
    return raw


def _in_bytes(text: str) -> tuple[bytes, frozenset[str]]:
    """Return a text as UTF-8, in lower case beyond ASCII, and its characters beyond ASCII, as they are.

    Upper case beyond ASCII is rare: the slow, general way pays only if there is much of it.
    """
    raw = text.encode("utf-8", "surrogatepass")
    beyond = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    wide = frozenset(beyond)
    if beyond.lower() != beyond:
        capitals = [(high, low) for high in wide if (low := high.lower()) != high and len(low) == 1]
        if len(capitals) > _FEW_CAPITALS or _SIGMA in wide:
            return _lowered_by_character(text).encode("utf-8", "surrogatepass"), wide
        for high, low in capitals:
            raw = raw.replace(high.encode(), low.encode())
    return raw, wide


def _lowered_by_character(text: str) -> str:
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return lower
