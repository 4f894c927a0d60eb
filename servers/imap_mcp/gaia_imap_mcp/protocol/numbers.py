"""Reads numbers and sets of numbers from a server: limited to their range, and four bytes each in memory.

Entries: `number`, `read_ranges`, `read_uid_set`, `ascending`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import groupby, pairwise

LAST_UID = (1 << 32) - 1
"""The largest UID, UIDVALIDITY and EXISTS (RFC 9051 §9, nz-number)."""

LAST_MODSEQ = (1 << 63) - 1
"""The largest MODSEQ (RFC 7162 §3.1), and the largest integer of SQLite."""

MAX_UIDS = 2_000_000
"""Maximum number of messages accepted in a folder."""

_RUN = re.compile(rb"[^,]+")
_TOGETHER = 1 << 16
"""Numbers sorted at once: as Python integers they take ten times the memory."""


def number(text: object, most: int = LAST_UID) -> int:
    """Return a number from a response; 0 if it is not a number or is larger than `most`."""
    if not isinstance(text, bytes) or not text.isdigit() or len(text) > 20:
        return 0
    found = int(text)
    return found if found <= most else 0


def read_ranges(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield the ends of every run of `1:4,9`; `4:1` means the same as `1:4`. Invalid UIDs are skipped."""
    for found in _RUN.finditer(text):
        low, colon, high = found[0].partition(b":")
        first = number(low)
        last = number(high) if colon else first
        if first and last:
            yield min(first, last), max(first, last)


def read_uid_set(text: bytes) -> array[int]:
    """Return the numbers of `1:4,9`, ascending.

    Raises:
        ValueError: It is not a set of numbers, or it has more than `MAX_UIDS`.
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
    """Return each number once, in ascending order."""
    if all(one < other for one, other in pairwise(numbers)):
        return numbers
    pieces = [sorted_array(numbers[start : start + _TOGETHER]) for start in range(0, len(numbers), _TOGETHER)]
    return array("I", (found for found, _ in groupby(merge(*pieces))))


def sorted_array(numbers: Iterable[int]) -> array[int]:
    """Return a sorted array; `sorted` takes much memory, so only for few numbers."""
    return array("I", sorted(numbers))
