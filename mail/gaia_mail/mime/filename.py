"""Makes attachment names safe for file systems and readers. Entry: `safe_filename`."""

from __future__ import annotations

from functools import lru_cache

from gaia_mail.lazy import lazy_pattern

MAX_LENGTH = 150
"""In characters; `_MAX_BYTES` further limits names in scripts of three or four bytes per character."""

_MAX_BYTES = 240
_PLAIN = lazy_pattern(r"[A-Za-z0-9_-][A-Za-z0-9 ._+()-]{0,80}[A-Za-z0-9_)]\Z")


@lru_cache(maxsize=1024)
def safe_filename(name: str) -> str:
    """Reduce `name` to a bare file name; `""` if nothing is left.

    Removes path components before the last separator; control, bidirectional and invisible format characters (they make
    `gpj.exe` look like `exe.jpg`); and trailing dots and spaces. Long names keep their extension.
    """
    if _PLAIN.match(name):
        return name
    import unicodedata

    name = name.replace("\\", "/").rstrip("/ ").rpartition("/")[2]
    name = "".join(
        " " if c in "\t\r\n" else c for c in name if c in "\t\r\n" or unicodedata.category(c) not in _UNSAFE
    )
    name = " ".join(name.split()).rstrip(". ")
    if not name.strip(". "):
        return ""
    return _shorten(name)


_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def _shorten(name: str) -> str:
    if len(name) <= MAX_LENGTH and len(name.encode()) <= _MAX_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    if not dot or len(extension) > 16:
        stem, extension = name, ""
    tail = dot + extension if extension else ""
    stem = stem[: MAX_LENGTH - len(tail)]
    while len((stem + tail).encode()) > _MAX_BYTES:
        stem = stem[:-1]
    return stem.rstrip(". ") + tail
