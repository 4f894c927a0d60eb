"""Meetings proposed in prose. Entry: `find_proposal`. Invitations with a calendar part are `ics`' business."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gaia_email.extract.dates import FoundDate
from gaia_email.extract.model import Meeting
from gaia_email.extract.view import TextView
from gaia_email.extract.wordlists import words
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.lazy import lazy_pattern

MEETING_WORDS = words(
    "meet meeting call chat lunch dinner coffee breakfast drinks zoom appointment interview "
    "review sync catch demo "
    "treffen termin besprechung telefonat telefonieren mittagessen kaffee abendessen gespräch "
    "réunion rendez rdv déjeuner "
    "café dîner appel reunión reunion quedamos cita almuerzo comida cena llamada riunione "
    "incontro pranzo caffè cena "
    "appuntamento chiamata reunião encontro almoço jantar chamada afspraak overleg vergadering "
    "koffie bellen session discuss"
)
_PROPOSAL = lazy_pattern(
    r"\b(?:(?:can|could|shall|should) we (?:\w{1,12} ){0,3}(?:meet|move|schedule|set|talk|speak"
    r"|chat|catch|sync|have|do|grab|get|discuss|push|reschedule)"
    r"|let's (?:\w{1,12} ){0,2}(?:meet|schedule|talk|catch|chat|set|have|do|grab|discuss|sync|get)|lets meet"
    r"|(?:are|would|will) you (?:\w{1,12} ){0,2}(?:be )?(?:available|free|around|open)|(?:do"
    r"|would|will) you (?:\w{1,12} ){0,2}(?:have time|want to meet|like to meet|like to (?:have"
    r"|grab))"
    r"|(?:does|would|will|how does|is) [^?.!\n]{1,60}(?:work|suit|good|okay|ok)\b[^?.!\n]{0,40}\?"
    r"|how about|what about"
    r"|(?:i'd|i would|we'd|we would) like to (?:\w{1,12} ){0,2}(?:schedule|meet|set up|invite"
    r"|arrange|have a)|(?:want|wanted|need) to (?:schedule|meet|set up|arrange)"
    r"|(?:we|you) (?:will|are going to|'ll) (?:meet|have (?:a|the|our))|meeting (?:is|will be) "
    r"(?:on|at|scheduled)|invite you (?:to|for)|join (?:us|me) (?:for|at|on)"
    r"|(?:wollen|könnten|können|sollen) wir (?:uns)?|hast du (?:\w{1,12} ){0,3}zeit|haben sie "
    r"(?:\w{1,12} ){0,3}zeit|passt (?:es |dir|ihnen|euch)|treffen wir uns|lass uns"
    r"|on (?:se voit|se retrouve|peut se voir)|(?:êtes-vous|es-tu|seriez-vous) (?:disponible"
    r"|libre)|pouvons-nous|je (?:vous |te )?propose"
    r"|(?:nos vemos|quedamos|podemos (?:vernos|reunirnos|quedar|hablar)|te viene bien|le viene "
    r"bien|estás (?:libre|disponible))"
    r"|(?:ci vediamo|possiamo (?:vederci|incontrarci|sentirci)|ti va bene|le va bene|sei "
    r"(?:libero|libera|disponibile))"
    r"|(?:podemos (?:nos )?(?:encontrar|reunir|falar|marcar)|está (?:livre|disponível)|vamos "
    r"(?:marcar|nos encontrar))"
    r"|(?:kunnen|zullen) we (?:\w{1,12} ){0,3}(?:afspreken|bellen|overleggen|meeten)|komt het "
    r"(?:je|u) uit|heb je (?:\w{1,12} ){0,3}tijd)\b"
)
"""In lower case."""
_PROPOSES = Literals(
    "can we ", "could we ", "shall we ", "should we ", "let's ", "lets meet", "are you ", "would you ", "will you ",
    "do you ", "how about", "what about", " like to ", "want to ", "wanted to ", "need to ", "we will ", "you will ",
    "are going to ", " 'll ", "meeting is ", "meeting will ", "invite you ", "join us ", "join me ",
    "wollen wir", "könnten wir", "können wir", "sollen wir", "hast du ", "haben sie ", "passt ", "treffen wir",
    "lass uns", "on se ", "on peut se ", "êtes-vous ", "es-tu ", "seriez-vous ", "pouvons-nous", "propose",
    "nos vemos", "quedamos", "podemos ", "viene bien", "estás ", "ci vediamo", "possiamo ", "va bene", "sei ",
    "está ", "vamos ", "kunnen we ", "zullen we ", "komt het ", "heb je ",
)  # fmt: skip
_SUITS = Literals("work", "suit", "good", "ok")
"""One of these stands in all that `_PROPOSAL` finds, one of the latter before a question mark."""
_LOCATION = lazy_pattern(
    r"\b(?:at|in|im|bei|au|à|en|nel|al)\s(?:the\s|der\s|le\s|la\s|el\s)?(?P<place>(?:[Rr]oom"
    r"|[Cc]onference [Rr]oom|[Rr]aum|[Ss]alle|[Ss]ala|[Bb]uilding|[Cc]af[eé])\s[\w.-]{1,20}"
    r"|(?:Zoom|Teams|Google Meet|Skype|Webex)\b|(?:[A-ZÀ-Ý][\w'&-]{1,20} ){0,2}(?:Caf[eé]"
    r"|Restaurant|Office|Hotel|Bar|Bistro|Room)\b)"
)


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
