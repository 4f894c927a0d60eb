"""Decide if words are meant literally, by the clause around them. Entries: `find_meant`, `is_meant`, `is_resolved`.

Words of hurry and of trouble count only if nothing takes their force: a negation ("not urgent at all"), the
past ("it was urgent last week"), a supposition ("if it were urgent"), quotation marks, or the title of a talk
or a text.
"""

from __future__ import annotations

from collections.abc import Iterator

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.phrases import locate
from gaia_understanding.cascade.view import PhraseView

_TABLE = WordTable("gaia_understanding.cascade", "asks/scope.txt")

_READ, _OCCURRENCES = 2_500, 8
_CLAUSE_END = _TABLE.pattern("breaks", r"[,;:.!?()\n–—]|\s-{1,2}\s|\b(?:", r")\b")
_DENIED = _TABLE.pattern("negators", r"\b(?:", r")(?:\W+[\w'-]+){0,3}\W+$")
_DENIED_BEHIND = lazy_pattern(r"^\W*(?:(?:is|ist|es|it|das|c'est|è) ){0,3}(?:not|nicht|pas|niet)\b")
_PAST = _TABLE.pattern("past", r"\b(?:", r")(?:\W+[\w'-]+){0,1}\W+$")
_SUPPOSED = _TABLE.pattern("supposed", r"\b(?:", r")\b")
_HEDGED = _TABLE.pattern("hedges", r"\b(?:", r")(?:\W+[\w'-]+){0,3}\W+$")
_ALTERNATIVE = _TABLE.pattern("alternatives")
_WORK = _TABLE.pattern("works", r"\b(?:", r")\b[^.!?]{0,30}?(?:(?<!\d):(?![\d()-])|(?<!\w)['\"“”„«‘])")
_RESOLVED = _TABLE.pattern("resolved")
_AHEAD = lazy_pattern(
    r"\b(?:not|n't|until|once|when|if|unless|before|will|can|could|must|should|to be|please|nicht|noch|sobald|bis|wenn"
    r"|pas|si|quand|no|cuando|non|se|quando|não|niet|als)\b"
)
"""Before a word of mending: it is still to come."""
_UNHURRIED = _TABLE.pattern("unhurried")
_TURN = lazy_pattern(
    r"\W{0,5}(?:but|though|aber|jedoch|mais|pero|ma|però|mas|maar)\b(?!\W+(?:could|can|would|please))"
)
"""After "no rush": it is urgent after all, unless a question follows."""
_SELLS = _TABLE.pattern("sells", r"\b(?:", r")\b")
_MISDELIVERED = _TABLE.pattern("misdelivered")
_ANYONE = _TABLE.pattern("anyone")
_TITLE_WORDS, _SMALL, _REMARK = 4, 4, 160
_CLOSING = lazy_pattern(r"[\"”»“]")
_ASKING = frozenset(
    {
        "how",
        "what",
        "who",
        "why",
        "when",
        "where",
        "which",
        "should",
        "can",
        "could",
        "is",
        "are",
        "do",
        "does",
    }
)


def find_meant(view: PhraseView, feature: str) -> str:
    """Return the first phrase of a feature that is meant literally, as written; empty if there is none."""
    for text, folded, place, end in _occurrences(view, feature):
        sentence, at = _around(view, folded, place)
        if is_meant(sentence, at, end - place) and not is_legal(sentence):
            return text[place:end]
    return ""


def is_meant(sentence: str, place: int, length: int) -> bool:
    """Return True if nothing in a folded sentence takes the force from the words at `place`."""
    before, behind = sentence[:place], sentence[place + length :]
    breaks = [match.end() for match in _CLAUSE_END.finditer(before)]
    clause = before[breaks[-1] :] if breaks else before
    if (
        _DENIED.search(clause)
        or _DENIED_BEHIND.match(behind)
        or _PAST.search(clause)
        or _SUPPOSED.search(clause)
    ):
        return False
    return not is_quoted(sentence, place)


def is_hedged(view: PhraseView, words: str) -> bool:
    """Return True if a day is only a suggestion at every mention: "maybe today or tomorrow"."""
    place = view.body.find(words) if words else -1
    if place < 0 or (words in view.subject):
        return False
    while place >= 0:
        sentence, at = _around(view, view.folded_body, place)
        breaks = [match.end() for match in _CLAUSE_END.finditer(sentence[:at])]
        clause = sentence[breaks[-1] if breaks else 0 : at]
        if not _HEDGED.search(clause) and not _ALTERNATIVE.match(sentence[at + len(words) :]):
            return False
        place = view.body.find(words, place + 1)
    return True


def find_calm_phrase(view: PhraseView) -> str:
    """Return the text by which the mail itself says that there is no hurry, as written; empty if there is none."""
    for text, folded in ((view.subject, view.folded_subject), (view.body, view.folded_body[:_READ])):
        for match in _UNHURRIED.finditer(folded):
            if _TURN.match(folded, match.end()) is None:
                return text[match.start() : match.end()]
    return ""


def is_resolved(view: PhraseView) -> bool:
    """Return True if the mail says that the trouble it reports is over."""
    for sentence in (view.folded_subject, *map(view.folded_sentence, range(min(len(view.starts), 12)))):
        match = _RESOLVED.search(sentence)
        if match is not None and not _AHEAD.search(sentence[max(0, match.start() - 40) : match.start()]):
            return True
    return False


def sells(text: str) -> bool:
    """Return True for a folded text in the words of subscriptions, trials and offers."""
    return _SELLS.search(text) is not None


def is_legal(text: str) -> bool:
    """Return True for a folded sentence about misdelivered mail: a legal notice, not a request."""
    return _MISDELIVERED.search(text) is not None


def asks_anyone(sentence: str) -> bool:
    """Return True if a folded sentence asks anyone who reads it."""
    return _ANYONE.search(sentence) is not None


def is_title(text: str) -> bool:
    """Return True for a question in quotation marks, after the name of a work, or written like a headline."""
    question = max(text.rfind("?"), text.rfind("？"))
    if question < 0:
        return False
    folded = text.lower()
    if is_quoted(folded, question):
        return True
    words = [word.rstrip("?,:;") for word in text[: question + 1].split() if word[:1].isalpha()]
    telling = [word for word in words[1:] if len(word) > _SMALL]
    headline = len(words) >= _TITLE_WORDS and len(telling) >= 2 and all(word[0].isupper() for word in telling)
    return headline and words[0].lower() in _ASKING and not {"you", "your"} & {word.lower() for word in words}


def in_quotation(view: PhraseView, words: str) -> bool:
    """Return True if a sentence begins within quotation marks that its paragraph opened before it.

    A longer quotation is neither a title nor a remark: a help desk passes on a customer's question.
    """
    place = view.body.find(words)
    if place < 0:
        return False
    start = view.body.rfind("\n\n", 0, place) + 1
    end = view.body.find("\n\n", place)
    before, behind = view.body[start:place], view.body[place : end if end >= 0 else None]
    opened, closed = max(map(before.rfind, '"“„«')), _CLOSING.search(behind)
    straight = before.count('"') % 2 == 1
    if closed is None or not (straight or sum(map(before.count, "“„«")) > sum(map(before.count, "”»"))):
        return False
    return len(before) - opened + closed.start() <= _REMARK


def only_names_questions(view: PhraseView) -> bool:
    """Return True if every question of the mail is the title of something."""
    questions = [sentence for sentence in view.sentences if "?" in sentence]
    return bool(questions) and all(is_title(one) or in_quotation(view, one) for one in questions)


def is_quoted(sentence: str, place: int) -> bool:
    """Return True between quotation marks, or after the name of a work and a mark that opens its title."""
    before = sentence[:place]
    straight = before.count('"') % 2 == 1
    curly = sum(map(before.count, "“„«")) > sum(map(before.count, "”»"))
    return straight or curly or _WORK.search(before[-80:]) is not None


def _occurrences(view: PhraseView, feature: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield text, folded text, start and end of each phrase of a feature, subject first."""
    for text, folded, hits in (
        (view.subject, view.folded_subject, view.subject_hits),
        (view.body, view.folded_body, view.body_hits),
    ):
        found: list[tuple[int, int]] = []
        for phrase in hits.get(feature, ()):
            place = locate(folded, phrase)
            while place >= 0 and len(found) < _OCCURRENCES:
                found.append((place, place + len(phrase)))
                place = locate(folded, phrase, place + 1)
        for place, end in sorted(found, key=lambda one: (one[0], -one[1])):
            yield text, folded, place, end


def _around(view: PhraseView, folded: str, place: int) -> tuple[str, int]:
    """Return the folded sentence around a place, and the position of the place in it."""
    if folded is view.folded_subject:
        return folded, place
    index = view.sentence_at(place)
    if index < 0:
        start = max(0, place - 120)
        return folded[start : place + 160], place - start
    return view.folded_sentence(index), place - view.starts[index]
