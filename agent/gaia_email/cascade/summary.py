"""One line that tells what a message says, in its own words. Entry: `line_for`."""

from __future__ import annotations

import re
from functools import lru_cache

from gaia_email.cascade.phrases import fold
from gaia_email.cascade.priority import Findings, Standing
from gaia_email.cascade.wording import cut, is_greeting, one_line, without_greeting

LIMIT = 100
_ENOUGH_WORDS = 3
_ADDRESS_ONLY = re.compile(r"^[<\[(]?(?:https?://|www\.)\S+[>\])]?$")
_RULE = re.compile(r"^[\W_]+$")


def line_for(found: Findings, standing: Standing) -> str:
    """The request, the key fact, or the first sentence that says something; the subject when there is none."""
    facts = found.facts
    for candidate in _candidates(found, standing):
        text = _clean(candidate)
        if text and not _says_nothing(candidate, text):
            return _shorten(text)
    subject = one_line(facts.message.subject)
    if subject:
        return _shorten(subject)
    text = one_line(facts.prepared.normalized)
    return _shorten(text)


def _candidates(found: Findings, standing: Standing) -> list[str]:
    facts, view, acts = found.facts, found.facts.view, found.acts
    candidates: list[str] = []
    if found.category.category == "primary":
        if standing.bucket in ("urgent", "actionable"):
            candidates.append(acts.sentences["request"])
        if acts.main != "fyi":
            candidates.append(acts.sentences[acts.main])
    elif found.alert.kind == "code":
        candidates.extend(sentence for sentence in view.sentences if facts.entities.codes[0] in sentence)
    elif found.alert.kind != "none":
        candidates.append(view.sentence_with("alert_now") or view.sentence_with("alert_do"))
    elif found.category.category == "receipts":
        candidates.append(view.sentence_with("cat_delivery"))
        candidates.extend(_with_money(found))
    elif found.category.category in ("newsletters", "promotions", "social"):
        candidates.append(facts.message.subject)
    candidates.extend(view.sentences[:20])
    return candidates


def _with_money(found: Findings) -> list[str]:
    money = found.facts.entities.money
    if not money:
        return []
    return [
        sentence
        for sentence in found.facts.view.sentences
        if money[0].text in sentence and len(sentence) > 20
    ][:1]


def _clean(sentence: str) -> str:
    return one_line(without_greeting(one_line(sentence))).strip(" *_>•–—-|#=~<")


def _says_nothing(sentence: str, text: str) -> bool:
    if is_greeting(sentence) or (len(text.split()) < _ENOUGH_WORDS and not text.endswith("?")):
        return True
    if _ADDRESS_ONLY.match(text) or _RULE.match(text):
        return True
    folded = fold(text)
    return any(phrase in folded for phrase in _boilerplate()) and len(text) < 2 * LIMIT


@lru_cache(maxsize=1)
def _boilerplate() -> tuple[str, ...]:
    from gaia_email.cascade.lexicon.tone import TONE

    return tuple(phrase for group in TONE["boilerplate"].values() for phrase in _split(group))


def _split(group: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in group.split(";") if phrase.strip()]


def _shorten(text: str) -> str:
    return text if len(text) <= LIMIT else cut(text, LIMIT - 1) + "…"
