"""Meetings proposed in prose. Entry: `find_proposal`. Invitations with a calendar part are `ics`' business."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gaia_email.prepare.extract.dates import FoundDate
from gaia_email.prepare.extract.model import Meeting
from gaia_email.prepare.extract.view import TextView
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_email.prepare.extract", "meeting.txt")

MEETING_WORDS = _TABLE.words("meeting_words")
_PROPOSAL = _TABLE.pattern("proposal", r"\b(?:", r")\b")
"""In lower case."""
_PROPOSES = Literals.listed(_TABLE, "proposes")
_SUITS = Literals("work", "suit", "good", "ok")
"""One of these stands in all that `_PROPOSAL` finds, one of the latter before a question mark."""
_LOCATION = _TABLE.pattern("location")


_SOON = 200
"""How many characters behind a proposal its date may stand."""


def find_proposal(
    view: TextView,
    placed: Iterable[tuple[int, str]],
    subject: str,
    organizer: str,
    dates: tuple[FoundDate, ...],
) -> Meeting | None:
    """The first sentence that proposes to meet, with the date that stands in it or nearest behind it.

    `placed` are the sentences, each with where it begins. None without a proposal and a date. `summary` is the
    subject, or the sentence when there is none.
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
    """Whether the sentence there proposes something."""
    sentence = lower[start:end]
    likely = _PROPOSES.stand_in(sentence) or ("?" in sentence and _SUITS.stand_in(sentence))
    return likely and _PROPOSAL.search(lower, start, end) is not None


def _date_for(dates: tuple[FoundDate, ...], start: int, end: int) -> FoundDate | None:
    """A date with a time of day in the sentence, else any date in it, else the first one soon after."""
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
