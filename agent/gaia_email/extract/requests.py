"""Finds the sentences that ask the reader for something. Entry: `find_requests`.

Shared by action items and by the cascade's speech acts. It says how strongly a sentence asks, and leaves what
to make of it to them: courtesies ("feel free to call") and the calls to action of advertising are reported
too, with a strength below one half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gaia_email.extract.request_index import RequestIndex, english, foreign
from gaia_email.extract.request_rule import RequestKind
from gaia_email.extract.spelling import fold, spaced
from gaia_email.extract.wordlists import alternatives
from gaia_email.extract.wordlists import words as wordset
from gaia_email.prepare.html.layout import WIDE_SPACES
from gaia_mail_mcp.mime.lazy import lazy_pattern

MAX_SENTENCE = 600
"""How many characters of a sentence are looked at."""

_ODD_ASCII = tuple("\v\f\x1c\x1d\x1e\x1f")
_ODD_WIDE = frozenset(WIDE_SPACES) - {"\xa0", "\u202f"}
"""All white space that folding leaves, but spaces, within and beyond ASCII."""
_END = "\0"
"""Stands between sentences that are looked at together."""

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
_LEAD_MARK = lazy_pattern(r"[,:;!–-]")
_LEAD_CHARS = 36
_LEAD_SPACES = 3
"""More spaces stand in no lead-in before its punctuation mark."""


@dataclass(slots=True, kw_only=True)
class RequestSpan:
    """A sentence that asks for something.

    Attributes:
        text: The sentence as it was given.
        plain: The same folded and on one line (see `tidied`); empty where nobody has looked.
        normal: The same as the rules saw it (see `normalize`).
        words: Its words (see `spelling.spaced`), with those that the rules did not see.
        place: Which of the sentences it is, from 0.
        kind: `directive` asks to do, `question` asks to tell, `need` says what the reader must do; `courtesy`
            and `promotion` only look like asking.
        strength: 0 to 1; from 0.5 the reader is probably really asked.
    """

    text: str
    normal: str
    words: list[str]
    place: int
    kind: RequestKind
    strength: float
    plain: str = ""


def find_requests(
    sentences: tuple[str, ...],
    language: str,
    words: list[list[str]] | None = None,
    plain: list[str] | None = None,
) -> tuple[RequestSpan, ...]:
    """The sentences among `sentences` (see `split_sentences`) that ask the reader for something, in order.

    `language` is an ISO 639-1 code; with `""` or one without a table, English and then every other table are
    tried. Of each sentence `words` are those of `spelling.spaced`, and `plain` is what `tidied` gives, where that
    is known.
    """
    if plain is None or words is None:
        plain = tidied(list(map(fold, sentences)))
        words = [spaced(text).split() for text in plain]
    if language == "en":
        index = english()
        called = _called_in_english(index, plain, words)
    else:
        index = foreign(language)
        called = _called(index, plain)
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
                        words=words[place],
                        place=place,
                        kind=rule.kind,
                        strength=rule.strength,
                    )
                )
                break
    return tuple(found)


@lru_cache(maxsize=256)
def subject_requests(subject: str, language: str) -> tuple[RequestSpan, ...]:
    """What a subject asks by itself, taken for one sentence; remembered for the last messages."""
    return find_requests((subject,), language)


def _called_in_english(
    index: RequestIndex, plain: list[str], words: list[list[str]]
) -> list[tuple[int, str, int]]:
    """Which sentences may ask: each one's place, what it is normalized, the rules that may match.

    The words of each sentence spare looking at most sentences, and most of the rules.
    """
    called: list[tuple[int, str, int]] = []
    anywhere, openings, clauses = index.anywhere, index.openings, index.clauses
    unmarked = index.unmarked
    concerning = index.triggers.intersection
    for place, (text, spoken) in enumerate(zip(plain, words, strict=True)):
        asks = "?" in text
        triggers = concerning(spoken)
        if not asks and not triggers and (not spoken or spoken[0] not in unmarked):
            continue
        normal = _without_lead(text)
        first = normal.partition(" ")[0].rstrip(".,:;!?")
        rules = openings.get(first, 0)
        if asks:
            rules |= index.asking | index.questions.get(first, 0)
        else:
            rules |= unmarked.get(first, 0)
        if first in clauses and ("," in normal or ";" in normal or " -" in normal):
            rules |= clauses[first]
        for word in triggers:
            for rule, hint in anywhere.get(word, ()):
                if hint in normal:
                    rules |= rule
        if rules:
            called.append((place, normal, rules))
    return called


def _called(index: RequestIndex, plain: list[str]) -> list[tuple[int, str, int]]:
    """The same for a language whose hints are parts of words."""
    normals = list(map(_without_lead, plain))
    hints = index.hints_in("\n".join(normals))
    called: list[tuple[int, str, int]] = []
    for place, normal in enumerate(normals):
        rules = index.always | index.openings.get(normal.partition(" ")[0].rstrip(".,:;!?"), 0)
        for rule, hint in hints:
            if hint in normal:
                rules |= rule
        if rules:
            called.append((place, normal, rules))
    return called


def normalize(sentence: str) -> str:
    """The sentence as rules see it: lower case, single spaces, without list marks, greeting and vocative."""
    return _without_lead(tidied([fold(sentence)])[0])


def tidied(folded: list[str], wide: frozenset[str] | None = None) -> list[str]:
    """Folded sentences with single spaces; all are looked at at once, as nearly all are so already.

    `wide` has all characters beyond ASCII that they were folded from, where those are known.
    """
    whole = _END.join(folded)
    odd = "  " in whole or any(map(whole.__contains__, _ODD_ASCII))
    if not odd and not whole.isascii():
        odd = not _ODD_WIDE.isdisjoint(whole if wide is None else wide)
    if not odd and (not folded or len(max(folded, key=len)) <= MAX_SENTENCE):
        return folded
    return [
        " ".join(text[:MAX_SENTENCE].split())
        if "  " in text or len(text) > MAX_SENTENCE or not text.isprintable()
        else text
        for text in folded
    ]


def _without_lead(text: str) -> str:
    """A sentence in lower case without list mark, greeting and vocative before it."""
    if text[:1].isalpha() and text.partition(" ")[0] not in _LEADING:
        mark = _LEAD_MARK.search(text, 0, _LEAD_CHARS)
        if mark is None or (text.count(" ", 0, mark.start()) > _LEAD_SPACES and text[1] != ")"):
            return text
    position = 0
    for _ in range(3):
        match = _LEAD_IN.match(text, position)
        if match is None or match.end() >= len(text):
            break
        position = match.end()
    return text[position:]
