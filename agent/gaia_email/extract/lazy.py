"""Regular expressions that are compiled when first used, so that importing costs nothing. Entry: `Lazy`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_METHODS = ("finditer", "fullmatch", "match", "search", "split", "sub")
_Found = re.Match[str] | None


class Lazy:
    """Stands for `re.compile(source, flags)`; from the first use on its methods are the compiled one's own."""

    __slots__ = ("finditer", "flags", "fullmatch", "match", "search", "source", "split", "sub")

    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., _Found]
    match: Callable[..., _Found]
    search: Callable[..., _Found]
    split: Callable[..., list[str]]
    sub: Callable[[str | Callable[[re.Match[str]], str], str], str]

    def __init__(self, source: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.source = source
        self.flags = flags

    def __getattr__(self, name: str) -> object:
        """Called while the methods are not there yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        pattern = re.compile(self.source, self.flags)
        self.finditer, self.fullmatch, self.match = pattern.finditer, pattern.fullmatch, pattern.match
        self.search, self.split, self.sub = pattern.search, pattern.split, pattern.sub
        found: object = getattr(pattern, name)
        return found
