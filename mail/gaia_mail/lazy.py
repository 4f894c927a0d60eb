"""Regular expressions that are compiled when they are first used: `lazy_pattern`, `pattern_of`.

So importing stays cheap: a command that reads one message needs few of some hundred patterns, and its user waits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import compile as lazy_pattern

    def pattern_of(source: Callable[[], str], flags: int = 0) -> re.Pattern[str]:
        """Like `lazy_pattern` for an expression that is itself put together at the first use."""
        ...

else:

    class _Lazy:
        """Stands for a pattern; at the first use the pattern's own methods become its attributes."""

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
        """Like `re.compile`, with the same arguments and methods, but compiled at the first use."""
        return _Lazy(lambda: text, flags)

    pattern_of = _Lazy


__all__ = ["lazy_pattern", "pattern_of"]
