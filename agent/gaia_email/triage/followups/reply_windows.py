"""How soon the owner usually answers whom, from the mail of the last weeks. Entry: `reply_windows`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from gaia_email.mailbox.correspondents import LEAST_ANSWERS


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMail:
    """A message of a thread: when, whether the owner wrote it, and its sender or, of the owner's, its recipients."""

    date: float
    own: bool
    people: frozenset[str]


def reply_windows(threads: Iterable[Sequence[WrittenMail]]) -> dict[str, float]:
    """Seconds within which the owner gave half of their answers, by the address of whoever waited for them.

    Who writes again before the answer has waited since the first time. Whoever got fewer than `LEAST_ANSWERS` answers
    is left out.
    """
    took: dict[str, list[float]] = {}
    for thread in threads:
        waiting: dict[str, float] = {}
        for one in sorted(thread, key=lambda mail: (mail.date, mail.own)):
            for person in one.people:
                if not one.own:
                    waiting.setdefault(person, one.date)
                elif person in waiting:
                    took.setdefault(person, []).append(one.date - waiting.pop(person))
    return {person: median(each) for person, each in took.items() if len(each) >= LEAST_ANSWERS}
