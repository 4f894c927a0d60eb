"""Find the sentences that ask the reader for something. Entry: `find_requests`.

Action items and the cascade's speech acts share it. It states how strongly a sentence asks, and leaves the
conclusions to them: courtesies ("feel free to call") and the calls to action of advertising are reported too,
with a strength below one half.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.request_index import RequestIndex, english, foreign
from gaia_understanding.prepare.extract.request_rule import RequestKind
from gaia_understanding.prepare.extract.spelling import fold, space_out
from gaia_understanding.prepare.extract.wordlists import alternatives
from gaia_understanding.prepare.extract.wordlists import words as wordset
from gaia_understanding.prepare.html.layout import WIDE_SPACES

MAX_SENTENCE = 600
"""The characters of a sentence that are examined."""

_ODD_ASCII = tuple("\v\f\x1c\x1d\x1e\x1f")
_ODD_WIDE = frozenset(WIDE_SPACES) - {"\xa0", "\u202f"}
"""All white space that folding leaves, except spaces, within and beyond ASCII."""
_END = "\0"
"""The separator of sentences that are examined together."""

_OPENERS = alternatives(
    "hi hey hello dear ok okay so and but also then well anyway btw ps p.s. actually finally oh "
    "yes no again just "
    "now lastly alternatively reminder action action_item action_required todo to_do quick_question question "
    "in_the_meantime meanwhile in_addition otherwise therefore thanks thank_you sorry guys folks all team "
    "everyone good_morning good_afternoon perhaps maybe p.p.s. update "
    "hallo hi_zusammen also ps bonjour salut hola oye ciao olá oi hoi"
)
_LEAD_IN = lazy_pattern(
    r"(?:[\s>*•·–—#_¿¡\"'(\[\]☐-]+|\d{1,2}[.)] |[a-z]\) "
    rf"|(?:{_OPENERS})(?:[,:;!]| -{{1,2}}) "
    r"|(?:and|but|so|also|then|just|perhaps|maybe) (?=please|can|could|would|will|do|let|you|send"
    r"|call|if|what|when)"
    r"|(?:hi|hey|hello|dear) [^\W\d_]{2,14}[,!:]? (?=can|could|would|will|do|please)"
    r"|(?!(?:por|faz|se faz|per) favor|s'il |[a-z]{2,12}-(?:me|nos|moi|nous|lhe)\b)"
    r"[^\W\d_][\w.'-]{1,13}(?: (?:and |& )?[^\W\d_][\w.'-]{1,13})?(?:, |: | - | -- ?|-- | – ))"
)


_LEADING = wordset("and but so also then just perhaps maybe hi hey hello dear")
_MARKS = ".,:;!?"
_LEAD_MARK = lazy_pattern(r"[,:;!–-]")
_LEAD_CHARS = 36
_LEAD_SPACES = 3
"""The most spaces in a lead-in before its punctuation mark."""


@dataclass(slots=True, kw_only=True)
class RequestSpan:
    """A sentence that asks for something.

    Attributes:
        text: The sentence as it was given.
        plain: The same folded and on one line (see `tidy_sentences`); empty if it was not computed.
        normal: The same as the rules saw it (see `normalize`).
        place: The number of the sentence, from 0.
        kind: `directive` asks to do, `question` asks to tell, `need` says what the reader must do; `courtesy` and
            `promotion` only look like asking.
        strength: 0 to 1; from 0.5 the reader is probably really asked.
    """

    text: str
    normal: str
    place: int
    kind: RequestKind
    strength: float
    plain: str = ""


def find_requests(
    sentences: tuple[str, ...],
    language: str,
    plain: list[str] | None = None,
    calling: Mapping[int, Collection[str]] | None = None,
) -> tuple[RequestSpan, ...]:
    """Return the sentences (see `split_sentences`) that ask the reader for something, in order.

    `language` is an ISO 639-1 code; with `""` or one without a table, English and then every other table are
    tried. If they are known, `plain` is the result of `tidy_sentences` for each sentence, and `calling` has, by a
    sentence's number, the English index' words for `anywhere` in it.
    """
    if plain is None:
        plain = tidy_sentences(list(map(fold, sentences)))
    if language == "en":
        index = english()
        if calling is None:
            spoken = [index.anywhere.keys() & space_out(text).split() for text in plain]
            calling = {place: words for place, words in enumerate(spoken) if words}
        called = _call_english_rules(index, plain, calling)
    else:
        index = foreign(language)
        called = _call_rules(index, plain)
    found: list[RequestSpan] = []
    for place, normal, rules in called:
        ahead = " " + normal
        while rules:
            lowest = rules & -rules
            rules ^= lowest
            rule = index.rules[lowest]
            if rule.matches(ahead):
                found.append(
                    RequestSpan(
                        text=sentences[place],
                        plain=plain[place],
                        normal=normal,
                        place=place,
                        kind=rule.kind,
                        strength=rule.strength,
                    )
                )
                break
    return tuple(found)


@lru_cache(maxsize=256)
def subject_requests(subject: str, language: str) -> tuple[RequestSpan, ...]:
    """Return what a subject asks by itself, taken as one sentence; cached for the last messages."""
    return find_requests((subject,), language)


def _call_english_rules(
    index: RequestIndex, plain: list[str], calling: Mapping[int, Collection[str]]
) -> list[tuple[int, str, int]]:
    """Return the sentences that may ask: each one's place, its normalized form, and the rules that may match.

    Its first word and its trigger words spare most of the rules.
    """
    called: list[tuple[int, str, int]] = []
    openings, questions, unmarked, clauses = index.openings, index.questions, index.unmarked, index.clauses
    anywhere, asking = index.anywhere, index.asking
    for place, text in enumerate(plain):
        normal, first = _strip_lead_in(text)
        rules = openings.get(first, 0)
        if "?" in text:
            rules |= asking | questions.get(first, 0)
        elif first in unmarked and (normal is text or _calls(index, text)):
            rules |= unmarked[first]
        if first in clauses and ("," in normal or ";" in normal or " -" in normal) and _calls(index, text):
            rules |= clauses[first]
        if place in calling:
            for word in calling[place]:
                for rule, hint in anywhere[word]:
                    if hint in normal:
                        rules |= rule
        if rules:
            called.append((place, normal, rules))
    return called


def _calls(index: RequestIndex, text: str) -> bool:
    """Return True if a sentence without a question mark may ask at all."""
    words = space_out(text).split()
    return words[0] in index.unmarked or not index.triggers.isdisjoint(words)


def _call_rules(index: RequestIndex, plain: list[str]) -> list[tuple[int, str, int]]:
    """Return the sentences that may ask, in a language whose hints are parts of words."""
    opened = list(map(_strip_lead_in, plain))
    hints = index.hints_in("\n".join([normal for normal, _ in opened]))
    called: list[tuple[int, str, int]] = []
    for place, (normal, first) in enumerate(opened):
        rules = index.always | index.openings.get(first, 0)
        for rule, hint in hints:
            if hint in normal:
                rules |= rule
        if rules:
            called.append((place, normal, rules))
    return called


def normalize(sentence: str) -> str:
    """Return the sentence as rules see it: lower case, single spaces, without list marks, greeting and vocative."""
    return _strip_lead_in(tidy_sentences([fold(sentence)])[0])[0]


def tidy_sentences(folded: list[str], wide: frozenset[str] | None = None) -> list[str]:
    """Return folded sentences with single spaces; one test covers all, as nearly all are like this already.

    `wide` has all characters beyond ASCII that they were folded from, if those are known.
    """
    whole = _END.join(folded)
    odd = "  " in whole or any(map(whole.__contains__, _ODD_ASCII))
    if not odd and not whole.isascii():
        odd = not _ODD_WIDE.isdisjoint(whole if wide is None else wide)
    if not odd and max(map(len, folded), default=0) <= MAX_SENTENCE:
        return folded
    return [
        " ".join(text[:MAX_SENTENCE].split())
        if "  " in text or len(text) > MAX_SENTENCE or not text.isprintable()
        else text
        for text in folded
    ]


def _strip_lead_in(text: str, more: int = 3) -> tuple[str, str]:
    """Return a sentence in lower case without list mark, greeting and vocative, and its first word then.

    There may be `more` such lead-ins.
    """
    first = text.partition(" ")[0]
    if first.isalpha():
        if first not in _LEADING and not _may_lead(text):
            return text, first
    elif text[:1].isalpha() and not _may_lead(text):
        return text, first.rstrip(_MARKS)
    match = _LEAD_IN.match(text) if more else None
    if match is None or match.end() >= len(text):
        return text, first.rstrip(_MARKS)
    return _strip_lead_in(text[match.end() :], more - 1)


def _may_lead(text: str) -> bool:
    """Return True if a lead-in that ends in a mark may precede a sentence that begins with a letter."""
    head = text[:_LEAD_CHARS]
    # One after the other they are found far more quickly than by an expression.
    if not ("," in head or "-" in head or ":" in head or "!" in head or ";" in head or "–" in head):
        return False
    mark = _LEAD_MARK.search(head)
    return mark is not None and (head.count(" ", 0, mark.start()) <= _LEAD_SPACES or head[1] == ")")
