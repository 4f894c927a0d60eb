"""Regular expressions that are compiled when they are first used, so that importing stays cheap: `lazy_pattern`.

A command that reads one message needs few of some hundred patterns, and start-up time is felt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import compile as lazy_pattern
else:

    class _Lazy:
        """Stands for a pattern; at the first use the pattern's own methods become its attributes."""

        _METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")

        def __init__(self, text: str | bytes, flags: int) -> None:
            self._source = (text, flags)

        def __getattr__(self, name: str) -> object:
            if name not in self._METHODS:
                raise AttributeError(name)
            pattern = re.compile(*self._source)
            self.__dict__.update((method, getattr(pattern, method)) for method in self._METHODS)
            return getattr(pattern, name)

    def lazy_pattern(text: str | bytes, flags: int = 0) -> _Lazy:
        """Like `re.compile`, with the same arguments and methods, but compiled at the first use."""
        return _Lazy(text, flags)


__all__ = ["lazy_pattern"]
