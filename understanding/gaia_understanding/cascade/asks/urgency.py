"""Measure how soon the user is needed, by deadlines, alarms and wording. Entry: `measure`.

Only the sender's new text counts; quoted text, signatures and advertising do not.
"""

from __future__ import annotations

from dataclasses import dataclass

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.asks import scope
from gaia_understanding.cascade.asks.alerts import Alert
from gaia_understanding.cascade.asks.times_today import coming, named_today
from gaia_understanding.cascade.asks.waivers import NO_WAIVERS, Waivers
from gaia_understanding.cascade.facts import RuleFacts, days_until
from gaia_understanding.cascade.kinds.category import CategoryFinding
from gaia_understanding.cascade.phrases import fold, locate, positions
from gaia_understanding.cascade.view import PhraseView

_QUIET_CATEGORIES = frozenset({"promotions", "newsletters", "social"})
_SHOUTED = 4
_SHORT = 900
_NEAR = 350
"""The characters within which a reason for hurry must be near the request, in a letter longer than `_SHORT`."""
_FIGURES = lazy_pattern(r"\b(?:is|are) down (?:by|to|from|on|for|in|with|\d)|\bdown (?:by )?\d+ ?%")
"""Figures and moods that are down without any harm."""

_MORNING = lazy_pattern(r"morning|früh|matin|por la mañana|mattina|manhã|ochtend")
_NOON = "12:00"
_TROUBLES = (("blocked", "blocked", 0.4), ("waiting", "waiting", 0.5), ("hazard", "alarm", 0.5))
"""Features, the names of their cues, and their weights in mail that asks this user for something."""

_HASTE = lazy_pattern(
    r"\b(?:immediate(?:ly)?|at once|right away|right now|straight away|without delay|asap|as soon as possible|instantly"
    r"|sofort\w*|umgehend\w*|unverzüglich\w*|immédiat\w*|tout de suite|inmediat\w+|de inmediato|immediat[ao]\w*|subito"
    r"|imediat\w+|onmiddellijk\w*|meteen)\b"
)
_DEMANDS = lazy_pattern(
    r"\b(?:i|we) (?:\w+ )?(?:require|demand|need|want|expect|insist|request)\b|\b(?:please|demand)\b"
    r"|\b(?:ich|wir) (?:\w+ )?(?:verlange|fordere|brauche|erwarte|bitte)\w*|\bj'exige\b|\bexijo\b|\bpretendo\b"
)
_SENTENCES = 12
_STATE = lazy_pattern(
    r"\b(?:is|are|am|was|were|seems?|looks?|feels?|[a-z]+'(?:s|re|m)|ist|sind|bin|est|sont|suis|es|está|son|è|sono)\b"
)
"""A verb by which a sentence is about how things are."""


@dataclass(slots=True, kw_only=True)
class UrgencyCue:
    """One reason for hurry: its weight and the text of the message."""

    name: str
    weight: float
    evidence: str


@dataclass(slots=True, kw_only=True)
class Urgency:
    """The `score` from 0 to 1 (0.5: today), its cues, and the text and distance of the nearest deadline."""

    score: float
    cues: tuple[UrgencyCue, ...]
    deadline: str = ""
    days: int | None = None


def measure(
    facts: RuleFacts,
    category: CategoryFinding,
    alert: Alert,
    request: str,
    *,
    waivers: Waivers = NO_WAIVERS,
    emergency: str = "",
) -> Urgency:
    """Add up the reasons for hurry; advertising and newsletters have none.

    `request` is the sentence that asks the user for something, empty if there is none; `emergency` is the
    text that reports one. If the mail itself says that there is no hurry or nothing to do, the sum counts for
    little; text of a sentence that `waivers` cover counts for nothing.
    """
    if category.category in _QUIET_CATEGORIES:
        return Urgency(score=0.0, cues=())
    machine = category.category != "primary"
    deadline, days = _deadline(facts)
    cues = _due(facts, deadline, days, request)
    if days is not None and days <= 1 and facts.view.has("consequence") and (request or alert.kind != "none"):
        cues.append(UrgencyCue(name="consequence", weight=0.12, evidence=facts.view.quote("consequence")))
    cues.extend(_alarm(facts, alert, days, machine=machine))
    if emergency:
        cues.append(UrgencyCue(name="emergency", weight=0.5, evidence=emergency))
    if not machine:
        cues.extend(_words(facts, request, days))
    cues = [cue for cue in cues if not waivers.cover(facts.view, cue.evidence)]
    total = sum([cue.weight for cue in cues])
    if waivers.free or waivers.nothing or facts.view.has("no_hurry") or scope.find_calm_phrase(facts.view):
        total *= 0.3
    return Urgency(score=min(1.0, total), cues=tuple(cues), deadline=deadline, days=days)


def _due(facts: RuleFacts, deadline: str, days: int | None, request: str) -> list[UrgencyCue]:
    if not deadline or days is None or days > 7:
        return []
    if days <= 0:
        return [UrgencyCue(name="deadline_today", weight=0.5, evidence=deadline)]
    if days > 1:
        return [UrgencyCue(name="deadline_this_week", weight=0.15, evidence=deadline)]
    personal = bool(request) and facts.sender.audience in ("me", "few")
    weight = 0.5 if _in_the_morning(facts, deadline) else 0.42 if personal else 0.4
    return [UrgencyCue(name="deadline_tomorrow", weight=weight, evidence=deadline)]


def _alarm(facts: RuleFacts, alert: Alert, days: int | None, *, machine: bool) -> list[UrgencyCue]:
    """Return the cues of a machine's alert; one without an hour of its own counts if it names one of this day."""
    if alert.kind == "now":
        return [UrgencyCue(name="alarm", weight=0.6, evidence=alert.evidence)]
    if alert.kind == "code":
        return [UrgencyCue(name="one_time_code", weight=0.5, evidence=alert.evidence)]
    if machine and alert.kind == "do" and (days is None or days > 0):
        soon = coming(facts, alert.evidence)
        return [UrgencyCue(name="wanted_today", weight=0.5, evidence=soon)] if soon else []
    return []


def _deadline(facts: RuleFacts) -> tuple[str, int | None]:
    """Return the nearest deadline that is not past, as text, and its distance in days."""
    sent = facts.message.date
    if sent is None:
        return "", None
    best: tuple[int, str] | None = None
    for mention in facts.entities.dates:
        days = days_until(mention.value, sent) if mention.deadline else None
        if days is not None and days >= 0 and not scope.is_hedged(facts.view, mention.text):
            best = min(best or (days, mention.text), (days, mention.text))
    return (best[1], best[0]) if best else ("", None)


def _in_the_morning(facts: RuleFacts, deadline: str) -> bool:
    """Return True if tomorrow's deadline is so early that the work has to be done today."""
    if _MORNING.search(deadline.lower()):
        return True
    value = next((mention.value for mention in facts.entities.dates if mention.text == deadline), "")
    return "T" in value and value[11:16] <= _NOON


def _words(facts: RuleFacts, request: str, days: int | None) -> list[UrgencyCue]:
    view = facts.view
    direct = bool(request) and facts.sender.audience in ("me", "few")
    cues: list[UrgencyCue] = []
    urgent = _urgent_word(view, request)
    if urgent:
        close = (direct and _by_the_request(view, request, "urgent_word")) or urgent in view.subject
        cues.append(UrgencyCue(name="urgent_word", weight=0.5 if close else 0.42, evidence=urgent))
    elif direct and (hurried := at_once(view, request)):
        cues.append(UrgencyCue(name="urgent_word", weight=0.42, evidence=hurried))
    cues.extend(_troubles(view, request if direct else ""))
    changed = "" if request else _find_change(facts)
    if changed:
        cues.append(UrgencyCue(name="changed_today", weight=0.5, evidence=changed))
    if request:
        cues.extend(_find_times(facts, request, days, direct=direct))
    cues.extend(_insistence(facts))
    return cues


def _urgent_word(view: PhraseView, request: str) -> str:
    """Return a word of hurry that is meant; "right now" and the like only if the sentence also asks or demands."""
    word = scope.find_meant(view, "urgent_word")
    if not word or word in view.subject or _HASTE.search(fold(word)) is None:
        return word
    sentence = view.sentence_with("urgent_word")
    place = view.body.find(word)
    index = view.sentence_at(place)
    folded = view.folded_sentence(index) if index >= 0 else fold(sentence)
    asked = sentence == request or "?" in folded or _DEMANDS.search(folded) is not None
    return word if asked or _STATE.search(folded) is None else ""


def _find_times(facts: RuleFacts, request: str, days: int | None, *, direct: bool) -> list[UrgencyCue]:
    """Return the cues for a time that the sender wants without a deadline, or for an earlier hour in the request."""
    view = facts.view
    if view.has("no_hurry") or scope.find_calm_phrase(view):
        return []
    if days is not None:
        folded = fold(request)
        inside = [feature for feature in ("due_today", "due_hour") if _holds(folded, view, feature)]
        if not inside or not direct or days <= 0:
            return []
        return [
            UrgencyCue(
                name="wanted_today", weight=0.5, evidence=coming(facts, request) or view.quote(inside[0])
            )
        ]
    soon = coming(facts, request) if direct else ""
    if scope.is_hedged(view, soon):
        return []
    if soon and not (soon not in request and _names_later_day(facts, request)):
        return [UrgencyCue(name="wanted_today", weight=0.5, evidence=soon)]
    if view.has("due_today") and not scope.is_hedged(view, view.quote("due_today")):
        return [UrgencyCue(name="wanted_today", weight=0.25, evidence=view.quote("due_today"))]
    if view.has("due_tomorrow"):
        weight = 0.4 if direct and _holds(fold(request), view, "due_tomorrow") else 0.2
        return [UrgencyCue(name="wanted_tomorrow", weight=weight, evidence=view.quote("due_tomorrow"))]
    return []


def _names_later_day(facts: RuleFacts, request: str) -> bool:
    """Return True if the request names a later day, so that the words for this day belong to something else."""
    sent = facts.message.date
    return sent is not None and any(
        mention.text in request and (days_until(mention.value, sent) or 0) > 0
        for mention in facts.entities.dates
    )


def _insistence(facts: RuleFacts) -> list[UrgencyCue]:
    """Return the cues of reminders, alarms in words, and capitals."""
    view = facts.view
    cues: list[UrgencyCue] = []
    if view.has("strong_reminder"):
        cues.append(UrgencyCue(name="reminded_again", weight=0.3, evidence=view.quote("strong_reminder")))
    elif view.has("reminder"):
        cues.append(UrgencyCue(name="reminder", weight=0.15, evidence=view.quote("reminder")))
    if facts.lists.bulk:
        return cues
    alarm = "" if scope.is_resolved(view) else scope.find_meant(view, "alert_now")
    if alarm and not _FIGURES.search(view.sentence_with("alert_now")):
        cues.append(UrgencyCue(name="alarm", weight=0.35, evidence=alarm))
    shouted = [
        word for word in view.subject.split() if word.isupper() and len(word) >= _SHOUTED and word.isalpha()
    ]
    if len(shouted) >= 2 or "!!" in view.subject:
        cues.append(UrgencyCue(name="shouting", weight=0.08, evidence=shouted[0] if shouted else "!!"))
    return cues


def _find_change(facts: RuleFacts) -> str:
    """Return the text for this day, if a plan for it was changed or called off."""
    view = facts.view
    if not view.has("act_amend") or facts.lists.bulk or facts.sender.audience not in ("me", "few"):
        return ""
    soon = named_today(facts)
    if view.in_subject("act_amend") or not soon:
        return soon
    return soon if soon in view.subject or soon in view.sentence_with("act_amend") else ""


def _troubles(view: PhraseView, request: str) -> list[UrgencyCue]:
    """Return the cues of a person who is stuck or waits, or of something that goes wrong at this moment."""
    return [
        UrgencyCue(name=name, weight=weight if request else 0.3, evidence=words)
        for feature, name, weight in _TROUBLES
        if view.has(feature)
        and _by_the_request(view, request, feature)
        and (words := scope.find_meant(view, feature))
    ]


def _by_the_request(view: PhraseView, request: str, feature: str) -> bool:
    """Return True if the phrase belongs to the request: in a long letter it has to be near it."""
    if len(view.body) <= _SHORT or view.in_subject(feature):
        return True
    asked = view.body.find(request) if request else 0
    return any(abs(locate(view.folded_body, phrase) - asked) <= _NEAR for phrase in view.body_hits[feature])


def _holds(sentence: str, view: PhraseView, feature: str) -> bool:
    return bool(positions(sentence, view.body_hits.get(feature, ())))


def at_once(view: PhraseView, asked: str) -> str:
    """Return the text by which something is wanted at once, in a sentence that asks or demands it."""
    texts = [(view.subject, view.folded_subject)]
    texts += [(view.sentences[index], view.folded_sentence(index)) for index in range(len(view.starts))]
    for text, folded in texts[:_SENTENCES]:
        match = None if scope.is_legal(folded) else _HASTE.search(folded)
        if match is not None and (text == asked or _DEMANDS.search(folded)):
            return text[match.start() : match.end()]
    return ""
