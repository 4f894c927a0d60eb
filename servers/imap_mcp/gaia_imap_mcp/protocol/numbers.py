"""Numbers as a server names them: none is believed beyond its range, many cost four bytes each.

Entries: `number`, `read_ranges`, `read_uid_set`, `ascending`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import groupby, pairwise

LAST_UID = (1 << 32) - 1
"""Of UIDs, UIDVALIDITY, EXISTS (RFC 9051 §9, nz-number)."""

LAST_MODSEQ = (1 << 63) - 1
"""RFC 7162 §3.1; also what SQLite keeps."""

MAX_UIDS = 2_000_000
"""A server that names more messages in a folder is not believed."""

_RUN = re.compile(rb"[^,]+")
_TOGETHER = 1 << 16
"""Numbers that are sorted at once: as Python's own they are ten times as large."""


def number(text: object, most: int = LAST_UID) -> int:
    """A number of a response; 0 for what is none, or a larger one than there can be."""
    if not isinstance(text, bytes) or not text.isdigit() or len(text) > 20:
        return 0
    found = int(text)
    return found if found <= most else 0


def read_ranges(text: bytes) -> Iterator[tuple[int, int]]:
    """First and last of every run of `1:4,9`; `4:1` means the same as `1:4`. What is no UID is passed over."""
    for found in _RUN.finditer(text):
        low, colon, high = found[0].partition(b":")
        first = number(low)
        last = number(high) if colon else first
        if first and last:
            yield min(first, last), max(first, last)


def read_uid_set(text: bytes) -> array[int]:
    """The numbers of `1:4,9`, ascending.

    Raises:
        ValueError: It is no set of numbers, or one of more numbers than a folder has messages.
    """
    found: array[int] = array("I")
    runs = 0
    for first, last in read_ranges(text):
        runs += 1
        if len(found) + last - first >= MAX_UIDS:
            raise ValueError("too large a set of numbers")
        found.extend(range(first, last + 1))
    if runs != text.count(b",") + 1:
        raise ValueError("not a set of numbers")
    return ascending(found)


def ascending(numbers: array[int]) -> array[int]:
    """Each number once, the smallest one first."""
    if all(one < other for one, other in pairwise(numbers)):
        return numbers
    pieces = [sorted_array(numbers[start : start + _TOGETHER]) for start in range(0, len(numbers), _TOGETHER)]
    return array("I", (found for found, _ in groupby(merge(*pieces))))


def sorted_array(numbers: Iterable[int]) -> array[int]:
    """A sorted array, made with `sorted`: for few numbers at once."""
    return array("I", sorted(numbers))
