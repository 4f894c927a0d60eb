"""Meetings proposed in prose. Entry: `find_proposal`. `ics` reads invitations with a calendar part."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.dates import FoundDate
from gaia_understanding.prepare.extract.model import Meeting
from gaia_understanding.prepare.extract.view import TextView
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.prepare.extract", "meeting.txt")

MEETING_WORDS = _TABLE.words("meeting_words")
_PROPOSAL = _TABLE.pattern("proposal", r"\b(?:", r")\b")
"""For text in lower case."""
_PROPOSES = Literals.from_table(_TABLE, "proposes")
_SUITS = Literals("work", "suit", "good", "ok")
"""Every match of `_PROPOSAL` contains one of these; of the latter, one before a question mark."""
_LOCATION = _TABLE.pattern("location")


_SOON = 200
"""The characters after a proposal in which its date may be."""


def find_proposal(
    view: TextView,
    placed: Iterable[tuple[int, str]],
    subject: str,
    organizer: str,
    dates: tuple[FoundDate, ...],
) -> Meeting | None:
    """Return the first sentence that proposes to meet, with the date in it or nearest after it.

    `placed` are the sentences, each with its position. None without a proposal and a date. `summary` is the
    subject, or the sentence if there is none.
    """
    if not dates or (view.tokens.isdisjoint(MEETING_WORDS) and subject == ""):
        return None
    first, last = dates[0].start - _SOON, dates[-1].start
    for start, sentence in placed:
        reached = start + len(sentence)
        if reached < first:
            continue
        if start > last:
            break
        found = _date_for(dates, start, reached)
        if found is None or not _proposes(view.lower, start, reached):
            continue
        if not _about_meeting(sentence, subject):
            continue
        place = _LOCATION.search(sentence)
        return Meeting(
            summary=subject or " ".join(sentence.split())[:200],
            start=found.value,
            end="",
            location=place["place"] if place else "",
            organizer=organizer,
            method="",
            uid="",
            source="text",
        )
    return None


def _proposes(lower: str, start: int, end: int) -> bool:
    """Return True if the sentence there proposes something."""
    sentence = lower[start:end]
    likely = _PROPOSES.stand_in(sentence) or ("?" in sentence and _SUITS.stand_in(sentence))
    return likely and _PROPOSAL.search(lower, start, end) is not None


def _date_for(dates: tuple[FoundDate, ...], start: int, end: int) -> FoundDate | None:
    """Return a date with a time of day in the sentence, else any date in it, else the first one soon after."""
    inside = [found for found in dates if start <= found.start < end]
    for found in inside:
        if found.at is not None:
            return found
    if inside:
        return inside[0]
    return next((found for found in dates if 0 <= found.start - end < _SOON), None)


def _about_meeting(sentence: str, subject: str) -> bool:
    lowered = (sentence + " " + subject).lower()
    return any(token in MEETING_WORDS for token in re.findall(r"\w+", lowered)[:120]) or "?" in sentence
