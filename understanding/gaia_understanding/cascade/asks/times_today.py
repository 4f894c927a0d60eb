"""Times within hours of a message's sending: "today", "at two", "17:30". Entry: `coming`.

Deadlines have words of their own (see `extract.dates`). People in a hurry name only the hour: a sender who
asks for something and names an hour of this day that is still to come wants it before then.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts, days_until
from gaia_understanding.cascade.phrases import fold, locate
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.prepare.extract.date_words import LANGUAGES

_READ = 3_000
"""The characters of the body that are searched for hours."""
_SHORT = 900
_NEAR = 350
_MOST = 12
_LATE_MORNING = 11
_SLACK = timedelta(minutes=10)
_FIRST_AFTERNOON, _AFTERNOON = 7, 5
"""Working people mean a bare hour up to the first in the afternoon, and one with minutes up to the second."""
_FREE = (
    r"(?=\s*$|[.,;?!)](?:\s|$)|\s(?:and|or|but|so|today|sharp|the|i|we|they|he|she|it|with|already|because|if|when|for"
    r"|o'clock|tonight|uhr|uur|und|oder|et|ou|y|o|e|en|of)\b)"
)
"""The text that follows a bare number or number word that is an hour."""
_CLOCK = lazy_pattern(
    r"\d(?<![\w.:$€£/#+-]\d)\d?(?:"
    r"(?:[:.]|\s?(?:h|u)\s?)(?P<m>[0-5]\d)(?![\d€$£%°]|[.:,/-]\d|\s?(?:%|eur|usd|gbp|m\b|k\b|kg|degrees|million|percent|points))"
    r"(?:\s?(?P<half>[ap])\.?m\b)?"
    r"|\s?(?P<half2>[ap])\.?m\b|\s?(?:uhr|h|hs|heures?|uur|hrs|horas|o'clock)\b"
    rf"|(?P<bare>){_FREE})"
)
"""An hour in figures. The first digit precedes the lookbehind, so that the search can skip quickly."""
_AFTER = lazy_pattern(_FREE)
_WHOLE = ("noon", "midday", "midnight", "past", "mittag", "midi", "mezzogiorno", "meio-dia", "mediodía")
_PREPOSITIONS = wordset(
    "at by before until till from um bis vor ab gegen à avant dès jusqu'à a las alle entro le às até antes das "
    "om voor tot vanaf"
)
_RECURRING = wordset(
    "every daily weekdays weekly weekends usual usually always normally each days year years century täglich immer "
    "jeden werktags chaque toujours cada siempre ogni sempre elke altijd tomorrow yesterday morgen gestern demain hier "
    "mañana ayer domani ieri amanhã ontem gisteren tomorrow's yesterday's last ago since seit depuis desde dal sinds"
)
_ORDINAL = lazy_pattern(r"\b\d{1,2}(?:st|nd|rd|th|er|º|ª)\b")
_WORDS = lazy_pattern(r"[^\W\d_]+(?:'s)?")


def _day_names() -> frozenset[str]:
    names = {
        word
        for table in LANGUAGES.values()
        for row in (*table.weekdays, *table.months)
        for word in row.split()
        if len(word) > 3
    }
    return frozenset(names | {name + "s" for name in names} | {name + "'s" for name in names})


_OTHER_DAYS = _day_names() | _RECURRING


def coming(facts: RuleFacts, request: str = "") -> str:
    """Return the text that names something still to come on the day of the message; empty if there is none.

    In a long letter it has to be near `request`, or in the subject.
    """
    sent = facts.message.date
    if sent is None:
        return ""
    body = facts.view.body
    start, end = 0, min(len(body), _READ)
    if request and len(body) > _SHORT:
        asked = max(0, body.find(request))
        start, end = max(0, asked - _NEAR), min(len(body), asked + len(request) + _NEAR)
    return (
        _day_word(facts, sent, start, end)
        or _find_date(facts, sent, start, end)
        or _hour(facts, sent, start, end)
    )


def named_today(facts: RuleFacts) -> str:
    """Return the text that names this day itself, or an hour counted from now; empty if there is none."""
    sent = facts.message.date
    return _day_word(facts, sent, 0, min(len(facts.view.body), _READ)) if sent is not None else ""


def _day_word(facts: RuleFacts, sent: datetime, first: int, last: int) -> str:
    """Return words such as "tonight" and "within the hour"; late in the day, "this morning" is past."""
    view = facts.view
    if not (view.has("due_today") or view.has("due_hour")):
        return ""
    for text, folded, hits, start, end in (
        (view.subject, view.folded_subject, view.subject_hits, 0, len(view.subject)),
        (view.body, view.folded_body, view.body_hits, first, last),
    ):
        places = [
            (place, phrase)
            for feature in ("due_today", "due_hour")
            for phrase in hits.get(feature, ())
            if not (phrase in _MORNINGS and sent.hour >= _LATE_MORNING)
            and start <= (place := locate(folded, phrase, start)) < end
        ]
        if places:
            place, phrase = min(places)
            return text[place : place + len(phrase)]
    return ""


_MORNINGS = frozenset({"this morning", "ce matin", "esta mañana", "stamattina", "vanochtend", "vanmorgen"})


def _find_date(facts: RuleFacts, sent: datetime, start: int, end: int) -> str:
    """Return a date of this very day with an hour that is still to come."""
    for mention in facts.entities.dates:
        if "T" in mention.value and days_until(mention.value, sent) == 0:
            at = datetime.fromisoformat(mention.value)
            place = facts.view.body.find(mention.text)
            if (at.tzinfo is None or at > sent - _SLACK) and (place < 0 or start <= place < end):
                return mention.text
    return ""


def _hour(facts: RuleFacts, sent: datetime, first: int, last: int) -> str:
    view = facts.view
    for text, folded, start, end in (
        (view.subject, view.folded_subject, 0, len(view.subject)),
        (view.body, view.folded_body, first, last if view.digits else first),
    ):
        for number, match in enumerate(_CLOCK.finditer(folded, start, end)):
            if number >= _MOST:
                break
            if _is_ahead(match, folded, sent) and not _other_day(facts, folded, match.start()):
                return text[match.start() : match.end()]
    for phrase in view.body_hits.get("clock_word", ()):
        place = locate(view.folded_body, phrase, first)
        if not first <= place < last:
            continue
        free = phrase.endswith(_WHOLE) or _AFTER.match(view.folded_body, place + len(phrase))
        if free and not _other_day(facts, view.folded_body, place):
            return view.body[place : place + len(phrase)]
    return ""


def _is_ahead(match: re.Match[str], folded: str, sent: datetime) -> bool:
    """Return True if this is a time of day, and later than the message's own."""
    figures = re.match(r"\d+", match[0])
    hour = int(figures[0]) if figures else 0
    minute = int(match["m"] or 0)
    half = match["half"] or match["half2"]
    before = folded[max(0, match.start() - 12) : match.start()].split()
    led = bool(before) and before[-1] in _PREPOSITIONS
    if hour > 24 or (half and not 1 <= hour <= 12):
        return False
    if match["bare"] is not None:
        if not led or hour > 12:
            return False
        half = "p" if hour <= _FIRST_AFTERNOON or hour <= sent.hour else None
    elif "." in match[0] and not half and not led and "uhr" not in folded[match.end() : match.end() + 5]:
        return False
    elif not half and 0 < hour <= _AFTERNOON and match[0][0] != "0" and hour < sent.hour:
        half = "p"
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    at = sent.replace(hour=hour % 24, minute=minute, second=0) + timedelta(days=hour // 24)
    return at > sent - _SLACK


def _other_day(facts: RuleFacts, folded: str, place: int) -> bool:
    """Return True if the sentence around `place` is about another day."""
    view = facts.view
    if folded is view.folded_body:
        index = view.sentence_at(place)
        before = view.starts[max(0, index - 1)] if index >= 0 else 0
        sentence = folded[max(before, place - _NEAR) : place + 60]
    else:
        sentence = folded
    if not _OTHER_DAYS.isdisjoint(_WORDS.findall(sentence)) or _ORDINAL.search(sentence):
        return True
    sent = facts.message.date
    return sent is not None and any(
        days_until(mention.value, sent) != 0 and fold(mention.text) in sentence
        for mention in facts.entities.dates
    )
