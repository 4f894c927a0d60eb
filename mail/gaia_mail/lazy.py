"""Regular expressions compiled on first use: `lazy_pattern`, `pattern_of`.

This keeps imports cheap: a command that reads one message needs only a few of several hundred patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import compile as lazy_pattern

    def pattern_of(source: Callable[[], str], flags: int = 0) -> re.Pattern[str]:
        """Like `lazy_pattern`, for an expression that is itself built on first use."""
        ...

else:

    class _Lazy:
        """Proxy for a pattern; on first use the pattern's methods become its own attributes."""

        _METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")

        def __init__(self, source: Callable[[], str | bytes], flags: int = 0) -> None:
            self._source, self._flags = source, flags

        def __getattr__(self, name: str) -> object:
            if name not in self._METHODS:
                raise AttributeError(name)
            pattern = re.compile(self._source(), self._flags)
            self.__dict__.update((method, getattr(pattern, method)) for method in self._METHODS)
            return getattr(pattern, name)

    def lazy_pattern(text: str | bytes, flags: int = 0) -> _Lazy:
        """Like `re.compile`, with the same arguments and methods, but compiled on first use."""
        return _Lazy(lambda: text, flags)

    pattern_of = _Lazy


__all__ = ["lazy_pattern", "pattern_of"]
