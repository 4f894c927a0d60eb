"""Summarise a message in one line of its own words. Entry: `line_for`.

The reason quotes what is asked; the line then gives the news behind it, so that a card does not repeat
itself.
"""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.asks.requests import leaves_open, substance
from gaia_understanding.cascade.phrases import fold, ideographs, positions
from gaia_understanding.cascade.priority import Ranking, RuleFindings, asked_of_user, warns
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.wording.lines import (
    COURTESIES,
    cut,
    linked_host,
    one_line,
    plain_sentence,
    says_nothing,
    topic,
)
from gaia_understanding.cascade.wording.notices import total_text

LIMIT = 100
_LEANING = wordset(
    "it this that these those if otherwise then so and but or also because therefore he she they there "
    "sonst dann aber und oder wenn falls das dies es er sie daher sinon alors mais et si cela ce elle il "
    "entonces pero y si eso esto altrimenti poi ma e se questo então mas isso anders dan maar en als dit dat het"
)
_LINK_AT_END = lazy_pattern(r"\s*[:>-]*\s*<?https?://\S+$")
_CONTEXT_WORDS = 4
_CONTEXT_SUBSTANCE = 2
_CONTEXT_IDEOGRAPHS = 10


def line_for(found: RuleFindings, ranking: Ranking) -> str:
    """Return the news, the request or the key fact that is clear by itself; empty if only the subject is."""
    facts = found.facts
    subject = _bare(facts.message.subject)
    for candidate in _candidates(found, ranking):
        if candidate and not says_nothing(candidate):
            line = _shorten(plain_sentence(candidate))
            if _bare(line) != subject:
                return line
    if host := linked_host(facts.prepared.normalized):
        return f"A link to {host}"
    line = _shorten(one_line(facts.prepared.normalized)) if not subject else ""
    return "" if says_nothing(line) else line


def _bare(text: str) -> str:
    return topic(text).casefold().rstrip(" .!?…")


def _candidates(found: RuleFindings, ranking: Ranking) -> list[str]:
    facts, view, acts = found.facts, found.facts.view, found.acts
    candidates: list[str] = []
    if warns(found) or found.spam >= 0.5:
        return [*view.sentences[:20]]
    if found.category.category == "primary":
        if ranking.needed and acts.sentences["request"] and asked_of_user(found):
            candidates.extend(_behind_the_request(found))
        if acts.main != "fyi":
            candidates.append(acts.sentences[acts.main])
    elif found.alert.kind == "code":
        candidates.extend(sentence for sentence in view.sentences if facts.entities.codes[0] in sentence)
    elif found.alert.kind in ("do", "now"):
        candidates.append(view.sentence_with("alert_now") or view.sentence_with("alert_do"))
    elif found.category.category == "receipts":
        candidates.extend(_receipt(found))
    elif found.category.category in ("newsletters", "promotions", "social"):
        candidates.append(facts.message.subject)
    candidates.extend(view.sentences[:20])
    return candidates


def _behind_the_request(found: RuleFindings) -> list[str]:
    """Return the news before the request, else what follows it, else the request or its subject ("are you in?")."""
    view, request = found.facts.view, one_line(found.acts.sentences["request"])
    asked = {one_line(span.text) for span in found.acts.requests if span.strength >= 0.3}
    sentences = [one_line(sentence) for sentence in view.sentences[:8]]
    place = sentences.index(request) if request in sentences else 0
    before = [sentence for sentence in sentences[:place] if sentence != request]
    stated = _first_news([sentence for sentence in before if sentence not in asked]) or _first_news(before)
    if stated:
        return [stated]
    after = [
        sentence
        for sentence in sentences[place + 1 :]
        if sentence not in asked and substance(sentence) > _CONTEXT_SUBSTANCE
    ]
    return [_first_news(after, leaning=False) or _own_words(found, request)]


def _own_words(found: RuleFindings, request: str) -> str:
    return topic(found.facts.message.subject) if leaves_open(request) else request


def _first_news(sentences: list[str], *, leaning: bool = True) -> str:
    """Return the first sentence that is news; `leaning=False` skips those that depend on the one before."""
    for sentence in sentences:
        if _is_news(sentence):
            first = plain_sentence(sentence).split()[0].lower().strip(",")
            if leaning or first not in _LEANING:
                return sentence
    return ""


def _is_news(sentence: str) -> bool:
    text = plain_sentence(sentence)
    folded = fold(text)
    if says_nothing(sentence) or (folded.startswith(COURTESIES) and 0 in positions(folded, COURTESIES)):
        return False
    if substance(text) < _CONTEXT_SUBSTANCE:
        return False
    return len(text.split()) >= _CONTEXT_WORDS or ideographs(text) >= _CONTEXT_IDEOGRAPHS


def _receipt(found: RuleFindings) -> list[str]:
    """Return the news of a delivery, else what was bought and for how much."""
    view, subject = found.facts.view, one_line(found.facts.message.subject)
    if view.in_subject("cat_delivery") or found.facts.entities.tracking:
        return [view.sentence_with("cat_delivery")]
    total = total_text(found)
    if not total:
        return []
    if total in subject:
        return [*(sentence for sentence in view.sentences if total in one_line(sentence)), subject]
    return [
        *(sentence for sentence in view.sentences if total in one_line(sentence) and substance(sentence) > 1),
        f"{topic(subject)} · {total}" if subject else "",
    ]


def _shorten(text: str) -> str:
    """Return at most `LIMIT` characters, with a capital letter if a sentence began after a greeting."""
    if "://" in text and len(text) < 2_000:
        bare = _LINK_AT_END.sub("", text)
        text = bare if len(bare.split()) >= _CONTEXT_WORDS else text
    first = text.partition(" ")[0]
    if first.isalpha() and first.islower():
        text = text[0].upper() + text[1:]
    return text if len(text) <= LIMIT else cut(text, LIMIT - 1) + "…"
