"""Measure how soon the owner usually answers each correspondent, from recent mail. Entry: `reply_windows`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from gaia_email.mailbox.correspondents import LEAST_ANSWERS


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMail:
    """A message of a thread: its date, whether the owner wrote it, and the people on the other side.

    These are the sender, or the recipients of a message from the owner.
    """

    date: float
    own: bool
    people: frozenset[str]


def reply_windows(threads: Iterable[Sequence[WrittenMail]]) -> dict[str, float]:
    """Return the owner's median answer time in seconds for each correspondent, by address.

    If someone writes again before the answer, the time counts from their first message. Correspondents with fewer than
    `LEAST_ANSWERS` answers are left out.
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
