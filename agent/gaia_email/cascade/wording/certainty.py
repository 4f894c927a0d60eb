"""How a confidence is stated, the same on every interface. Entries: `in_words` for people, `capped` for JSON."""

from __future__ import annotations

from collections.abc import Callable

MOST = 0.99
"""What is stated at most: no figure that was measured on some thousand messages is certainty about the next one."""

SURE = 80
"""The percentage from which an interface speaks of being sure."""


def capped(value: float) -> float:
    """A confidence in two decimals, at most `MOST`; an older version of the program may have kept a higher one."""
    return min(MOST, round(value, 2))


SURELY, PROBABLY = "{percentage} % sure", "probably ({percentage} %)"


def in_words(value: float, translated: Callable[[str], str] = str) -> str:
    """`97 % sure`; below 80 `probably (62 %)`, in the language of `translated`."""
    percentage = round(100 * capped(value))
    return translated(SURELY if percentage >= SURE else PROBABLY).format(percentage=percentage)
