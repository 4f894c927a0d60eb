"""Decide if a mail may be urgent at all. Entries: `may_be_urgent`, `hold_back`.

Urgent mail interrupts. So doubtful mail needs an hour or an alarm that concerns the reader, and mail is never
urgent if it wants a survey or a prize, or says itself that nothing is to be done.
"""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.asks import emergencies, scope, solicited
from gaia_understanding.cascade.asks.needs_reply import is_owner_named, on_a_list
from gaia_understanding.cascade.asks.times_today import coming
from gaia_understanding.cascade.asks.urgency import UrgencyCue, at_once
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.model.confidence import estimate
from gaia_understanding.cascade.phrases import fold
from gaia_understanding.cascade.priority import Opinion, RuleFindings, bucket_of
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.view import PhraseView

DOUBTFUL = 0.52
"""The likelihood up to which urgent mail needs an hour or an alarm.

It is a little above .5, so that a trifle decides nothing.
"""
_ASKED, _READ = 0.5, 2_500
_HOURS = frozenset({"deadline_today", "wanted_today", "changed_today", "one_time_code"})
_ALARMS = frozenset({"alarm", "emergency", "blocked", "waiting", "urgent_word"})
_TROUBLES = frozenset({"emergency", "blocked", "waiting"})
_TODAY = 0.5
"""The weight of tomorrow's deadline if it is so early that the work has to be done today."""
_OWN = lazy_pattern(
    r"^(?:\W*(?:and|so|but|sorry|apologies|hi|hello|hey|dear|also|\w+)[,!:]? ){0,2}?\W*"
    r"(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|my|our|ich|wir|mein\w*|unser\w*|je|j'ai|nous|mon|ma|yo|mi|io|eu|ik"
    r"|wij|mijn)\b"
)
_READER = lazy_pattern(
    r"\b(?:you|your|yours|u|ur|du|dich|dir|dein\w*|ihr|ihnen|ihre\w*|sie|vous|votre|vos|tu|te|ton|usted|ustedes|su|tú"
    r"|ti|lei|voi|você|vocês|je|jij|jouw?|jullie|uw)\b"
)
_WITHIN = lazy_pattern(
    r"\b(?:within|in) (?:the )?(?:next )?(?:half an|an|one|two|three|four|1?\d|2[0-4])(?: more)?"
    r" ?(?:h\b|hours?|hrs?|minutes?)\b"
    r"|\b(?:innerhalb|binnen|in) (?:von )?(?:einer|zwei|drei|1?\d|2[0-4]) (?:stunden?|minuten)\b"
    r"|\bdans (?:une|deux|1?\d|2[0-4]) (?:heures?|minutes?)\b|\ben (?:una|dos|1?\d|2[0-4]) (?:horas?|minutos?)\b"
    r"|\b(?:entro|em|binnen) (?:un'|una |due |uma |duas |een |twee |1?\d |2[0-4] )(?:or[ae]|minut[io]|horas?|minutos?"
    r"|uur|minuten)\b"
)
"""A time counted from now, within a day."""
_CLOCK = lazy_pattern(
    r"\b\d{1,2}(?::\d\d|\.\d\d)? ?(?:[ap]\.?m\b|uhr|h\b|o'clock)|\b\d{1,2}:\d\d\b|\bnoon\b|\bat \d{1,2}\b"
)
_DENYING = lazy_pattern(r"\b(?:not|nicht|pas|no|non|não|niet|until after|never)\s+$")


def may_be_urgent(found: RuleFindings, likely: float) -> bool:
    """Return True if the mail may be urgent; `likely` is the likelihood that it is."""
    if found.waived or _solicits(found) or _is_calm(found) or _is_strangers(found) or _asks_anyone(found):
        return False
    return round(likely, 3) > DOUBTFUL or bool(presses(found))


def hold_back(found: RuleFindings) -> None:
    """Lower mail that only the rules call urgent if it may not be; the owner's convention for its kind comes first."""
    if bucket_of(found) != "urgent" or found.convention is not None:
        return
    if not may_be_urgent(found, estimate(found, "urgent")):
        bucket: Bucket = "informational" if found.waived else "actionable"
        found.opinion = Opinion(bucket=bucket, confidence=estimate(found, bucket))


def presses(found: RuleFindings) -> str:
    """Return the text of an hour of this day, or of an alarm, that concerns the reader; empty if there is none.

    It does not concern the reader if it is about the writer's own day and nothing is asked with it, if it is
    said to others than the reader, or if it is over.
    """
    facts, asked = found.facts, _find_request(found)
    if on_a_list(facts) or (facts.sender.audience == "copy" and not is_owner_named(facts)):
        return ""
    if found.alert.kind in ("now", "code"):
        return found.alert.evidence
    for cue in found.urgency.cues:
        if _is_alarm(facts, cue) or (_is_hour(facts, cue, asked) and _is_readers(facts, cue.evidence, asked)):
            return cue.evidence
    hurried = at_once(facts.view, asked)
    if hurried:
        return hurried
    soon = coming(facts, asked) or _find_span(facts.view)
    if not soon or found.waivers.cover(facts.view, soon):
        return ""
    return soon if _is_readers(facts, soon, asked) else ""


def _find_request(found: RuleFindings) -> str:
    acts = found.acts
    return acts.sentences["request"] if acts.probabilities["request"] >= _ASKED else ""


def _solicits(found: RuleFindings) -> bool:
    """Return True if the mail wants a survey or a prize, and nobody is in trouble."""
    if any(cue.name in _TROUBLES for cue in found.urgency.cues):
        return False
    return bool(solicited.wish(found.facts.view, _find_request(found)))


def _asks_anyone(found: RuleFindings) -> bool:
    """Return True if the request goes to anyone who reads it, and nobody is in trouble."""
    troubled = found.emergency or any(cue.name in _TROUBLES for cue in found.urgency.cues)
    return not troubled and scope.asks_anyone(fold(_find_request(found)))


def _is_calm(found: RuleFindings) -> bool:
    """Return True if the mail says that there is no hurry, or that its trouble is over, and nothing else presses."""
    view = found.facts.view
    if any(cue.name in _HOURS | _ALARMS for cue in found.urgency.cues) or found.emergency:
        return False
    soon = coming(found.facts, _find_request(found))
    if soon and not scope.is_hedged(view, soon) and not scope.is_resolved(view):
        return False
    return bool(scope.find_calm_phrase(view)) or scope.is_resolved(view)


def _is_strangers(found: RuleFindings) -> bool:
    """Return True if only a day or a word of hurry presses, and the mailbox has never met the sender.

    A sender who wants something of this reader is believed; a subscription, a trial or an offer that ends is
    not.
    """
    context = found.facts.context
    if context.first_contact is not True or found.facts.shares_domain or context.vip:
        return False
    view, ends = found.facts.view, found.facts.view.quote("alert_today")
    troubled = found.emergency or any(cue.name in _TROUBLES for cue in found.urgency.cues)
    if troubled or (found.alert.kind in ("now", "code") and not (ends and found.alert.evidence == ends)):
        return False
    wants = bool(_find_request(found)) or found.alert.kind != "none"
    told = (cue.evidence for cue in found.urgency.cues)
    near = (sentence for words in told for sentence in view.sentences if words and words in sentence)
    sells = any(map(scope.sells, (view.folded_subject, fold(_find_request(found)), *map(fold, near))))
    return sells or (bool(found.urgency.cues) and not wants)


def _find_span(view: PhraseView) -> str:
    match = _WITHIN.search(view.folded_body, 0, _READ)
    return view.body[match.start() : match.end()] if match else ""


def _is_hour(facts: RuleFacts, cue: UrgencyCue, asked: str) -> bool:
    """Return True for a cue of today, or a deadline tomorrow that is early, repeated, or an hour for a request."""
    if cue.name != "deadline_tomorrow":
        return cue.name in _HOURS
    timed = bool(asked) and _CLOCK.search(fold(cue.evidence)) is not None
    return timed or cue.weight >= _TODAY or facts.view.has("strong_reminder")


def _is_alarm(facts: RuleFacts, cue: UrgencyCue) -> bool:
    return cue.name in _ALARMS and not (cue.name == "alarm" and emergencies.is_over(facts.view))


def _is_readers(facts: RuleFacts, words: str, asked: str) -> bool:
    view = facts.view
    place = view.body.find(words)
    if place < 0 or words in view.subject:
        return True
    if _DENYING.search(fold(view.body[max(0, place - 20) : place])):
        return False
    index = view.sentence_at(place)
    if asked or index < 0:
        return True
    sentence = view.folded_sentence(index)
    return _OWN.match(sentence) is None or _READER.search(sentence) is not None
