"""Find the sentences that ask the user for something, and the one that carries the main request.

Entries: `requests_in`, `main_request`. The sentences come from `gaia_understanding.prepare.extract.requests`; this
module drops those that only sound like asking ("you need not do anything"), and chooses the one that a person
would repeat.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks import needs, scope
from gaia_understanding.cascade.asks.waivers import NO_WAIVERS, Waivers
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import Wordlist, fold, ideographs, is_garbled, positions
from gaia_understanding.cascade.tables import word_list
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.extract.requests import MAX_SENTENCE, RequestSpan, subject_requests
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.cascade", "asks/requests.txt")

_ASKED = 0.5
_COURTESY, _HARDLY = 0.15, 0.3
_VERBAL = 0.7
"""The strength below which a question has no verb, like "lunch?"."""
_CONTENT_LETTERS = 3
_CONTENT_MOST = 6
_IDEOGRAPHS = 4
"""The number of ideographs or kana that counts as one word."""

_NEGATED = Wordlist(
    "no need to; not need to; don't need to; need not; needn't; need do nothing; do not have to; don't have to; "
    "not required; nothing for you to do; nothing to do; nothing else to do; nothing more is needed; "
    "nothing is needed; no action; no further action; no response; no reply; no answer; "
    "müssen nichts; musst nichts; brauchen nichts; brauchst nichts; nichts weiter tun; nichts zu tun; "
    "nichts unternehmen; keine aktion; kein handlungsbedarf; nicht nötig; nicht erforderlich; nicht notwendig; "
    "aucune action; aucune démarche; rien à faire; n'avez rien; n'as rien; inutile de; pas besoin; "
    "pas nécessaire; ninguna acción; no hace falta; no es necesario; no tiene que; no tienes que; no necesita; "
    "nessuna azione; non serve; non occorre; non è necessario; non devi; non deve fare; nenhuma ação; "
    "não precisa; não é necessário; não é preciso; não tem de; geen actie; hoeft niets; hoef je niet; hoeft niet; "
    "hoeft u niet; niet nodig"
)
_TURNS = Wordlist(
    "but; however; except; only; just; aber; sondern; jedoch; nur; mais; sauf; pero; solo; ma; però; soltanto; "
    "mas; só; apenas; maar; alleen"
)
_POINTER = _TABLE.pattern("pointer")
"""A sentence that only points at something handed over."""
_UNLESS = _TABLE.pattern("unless")
_AFTERTHOUGHT = _TABLE.pattern("afterthought", r"^(?:", r")\b")
_ANSWER_ONLY = _TABLE.pattern("answer_only")
_EMPTY_WORDS = _TABLE.words("empty_words")
_DUTIES = frozenset({"directive", "need"})
_DUTY_FROM = 0.65
_DUTY_CHARS = 900
_DUTY = _TABLE.pattern("duty", r"\b(?:", r")")
"""Words by which machines oblige people to do something, rather than invite them to."""
_CONDITION = _TABLE.pattern("condition", r"(?:", r")\b")
_POINTING = word_list("it this that them these those her him there one")
_LONG_WORD = lazy_pattern(rf"[^\W\d_][\w'-]{{{_CONTENT_LETTERS - 1},}}")
_LONG_ASCII_WORD = lazy_pattern(rf"[a-z][a-z0-9_'-]{{{_CONTENT_LETTERS - 1},}}")
"""The same for folded ASCII text, twice as quick."""


def requests_in(facts: RuleFacts, *, machine: bool, waivers: Waivers = NO_WAIVERS) -> tuple[RequestSpan, ...]:
    """Return the sentences that ask the reader for something, body first, with mere courtesies weakened.

    A sentence that says that something need not be done (`waivers`) asks for nothing, whatever words it has.
    """
    view, language = facts.view, facts.prepared.language
    spans = facts.reading.requests
    asks = "?" in view.subject or any(map(view.folded_subject.__contains__, _ASKING_SUBJECTS))
    if not machine and asks and not facts.is_reply:
        spans = (*spans, *subject_requests(view.subject, language))
    if not machine and all(span.strength < _ASKED for span in spans):
        spans = (*spans, *needs.find_needs(facts))
    return tuple(
        [
            _temper(span, facts, waivers, machine=machine)
            for span in spans
            if span.text.isascii() or not is_garbled(span.text)
        ]
    )


def _temper(span: RequestSpan, facts: RuleFacts, waivers: Waivers, *, machine: bool) -> RequestSpan:
    """Return the sentence with the strength that its scope leaves it."""
    view = facts.view
    if span.strength < _ASKED:
        return span
    titled = not machine and (scope.is_title(span.text) or scope.in_quotation(view, span.text))
    if titled or scope.is_legal(_fold_span(span)):
        return replace(span, kind="courtesy", strength=_COURTESY)
    if _is_for_others(span, facts):
        return replace(span, strength=_HARDLY)
    if "?" in span.text and span.kind != "question":
        return span
    if waivers.cover(view, span.text):
        return replace(span, kind="courtesy", strength=_COURTESY)
    return _weaken(span)


_CLOSING = frozenset("\"'”“»’")
_RHETORICAL = _TABLE.pattern("rhetorical")
"""A question to which nobody wants an answer."""
_RHETORICAL_WORDS = Literals.from_table(_TABLE, "rhetorical_words")
"""Every match of `_RHETORICAL` contains one of these."""
_ASKING_SUBJECTS = ("please", "need", "call me", "bitte", "merci de", "por favor", "per favore")


@lru_cache(maxsize=256)
def _flat(text: str) -> str:
    """Fold the text onto one line."""
    return " ".join(fold(text).split())


def _fold_span(span: RequestSpan) -> str:
    """Return the sentence folded onto one line; its `plain` text if the rules have read all of it."""
    return span.plain if span.plain and len(span.text) <= MAX_SENTENCE else _flat(span.text)


def _weaken(span: RequestSpan) -> RequestSpan:
    """Return the sentence as a courtesy if it is rhetorical or quoted, only points at something, or waives a need."""
    folded = _fold_span(span)
    if "?" in span.text:
        rhetorical = span.text[-1] in _CLOSING or (
            _RHETORICAL_WORDS.stand_in(folded) and _RHETORICAL.search(folded) is not None
        )
        return replace(span, kind="courtesy", strength=_COURTESY) if rhetorical else span
    if _POINTER.fullmatch(folded):
        return replace(span, kind="courtesy", strength=_COURTESY)
    negated = _NEGATED.positions(folded)
    if negated:
        rest = folded[min(negated) :]
        if not _TURNS.positions(rest):
            return replace(span, kind="courtesy", strength=_COURTESY)
    if _UNLESS.match(folded):
        return replace(span, kind="courtesy", strength=0.3)
    return span


def _is_for_others(span: RequestSpan, facts: RuleFacts) -> bool:
    """Return True if the sentence asks anyone who reads it, and this user is not the only reader."""
    alone = facts.sender.audience == "me" and not (facts.lists.list_id or facts.lists.bulk)
    return not alone and scope.asks_anyone(_fold_span(span))


def duty(spans: tuple[RequestSpan, ...], view: PhraseView) -> str:
    """Return the first sentence of a machine that names something this user has to do; empty if there is none.

    Questions ("how was your trip?") and special cases ("if you cannot come") do not count.
    """
    for span in spans:
        if span.kind not in _DUTIES or span.strength < _DUTY_FROM or "?" in span.text:
            continue
        if _CONDITION.match(span.normal) is None and _DUTY.search(span.normal) is not None:
            return span.text if view.body.find(span.text) < _DUTY_CHARS else ""
    return ""


def main_request(spans: tuple[RequestSpan, ...], facts: RuleFacts) -> RequestSpan | None:
    """Return the sentence that says what is wanted: an early one with substance or a deadline; None without any."""
    asked = [span for span in spans if span.strength >= _ASKED]
    if not asked:
        return max(spans, key=lambda span: span.strength, default=None)
    if len(asked) == 1:
        return asked[0]
    hits, subject = facts.view.body_hits, facts.view.subject
    soon = (*hits.get("due_today", ()), *hits.get("due_tomorrow", ()))
    deadlines = [mention.text for mention in facts.entities.dates if mention.deadline]

    def weight(place: int, span: RequestSpan) -> float:
        text, folded = span.text, _fold_span(span)
        content = _substance(folded)
        bare = folded.lstrip("*•- ")
        points = 0.5 * span.strength + 0.12 * min(_CONTENT_MOST, content) - 0.05 * min(place, 6)
        if deadlines:
            points += 0.2 * any(deadline in text for deadline in deadlines)
        if _AFTERTHOUGHT.match(bare):
            points -= 0.4
        if content < _CONTENT_MOST - 1 and _ANSWER_ONLY.match(bare):
            points -= 0.3
        if soon:
            points += 0.15 * any(phrase in folded for phrase in soon)
        if text == subject:
            points -= 0.15 if span.strength >= _VERBAL else 0.4
        return points

    best, chosen = float("-inf"), asked[0]
    most = 0.12 * _CONTENT_MOST + 0.2 * bool(deadlines) + 0.15 * bool(soon) + 1e-9
    for place, span in enumerate(asked):
        if 0.5 * span.strength - 0.05 * min(place, 6) + most < best:
            continue
        points = weight(place, span)
        if points > best:
            best, chosen = points, span
    return chosen


def leaves_open(sentence: str) -> bool:
    """Return True if a request leaves its topic to the subject: "are you in?", "please sign it"."""
    folded, weight = _flat(sentence), substance(sentence)
    if weight < _CONTENT_MOST - 1 and _ANSWER_ONLY.match(folded):
        return True
    return weight <= (2 if positions(folded, _POINTING) else 0)


def substance(text: str) -> int:
    """Count the words of a sentence that say what it is about; 0 for "are you in?"."""
    return _substance(_flat(text))


@lru_cache(maxsize=256)
def _substance(folded: str) -> int:
    if folded.isascii():
        return len(set(_LONG_ASCII_WORD.findall(folded)) - _EMPTY_WORDS)
    return len(set(_LONG_WORD.findall(folded)) - _EMPTY_WORDS) + ideographs(folded) // _IDEOGRAPHS
