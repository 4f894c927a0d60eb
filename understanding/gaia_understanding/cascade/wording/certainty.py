"""The wording of a confidence on every interface. Entries: `in_words` for people, `cap_confidence` for JSON."""

from __future__ import annotations

from collections.abc import Callable

MOST = 0.99
"""The highest confidence ever shown: a rate measured on some thousand messages makes nothing certain."""

SURE = 80
"""The percentage from which an interface says "sure"."""


def cap_confidence(value: float) -> float:
    """Return a confidence with two decimals, at most `MOST`; older versions of the program may have stored more."""
    return min(MOST, round(value, 2))


SURELY, PROBABLY = "{percentage} % sure", "probably ({percentage} %)"


def in_words(value: float, translated: Callable[[str], str] = str) -> str:
    """Return `97 % sure`, or below 80 `probably (62 %)`, in the language of `translated`."""
    percentage = round(100 * cap_confidence(value))
    return translated(SURELY if percentage >= SURE else PROBABLY).format(percentage=percentage)
