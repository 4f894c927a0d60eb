"""Find text in a mail that addresses a machine instead of the reader. Entry: `examine`.

Such text is reported, and removed before anything else is judged, so that it moves no verdict. Hidden text
with any order in it weighs more than visible text: a person was never meant to see it. Mail *about* prompts,
models or ignoring a warning is ordinary; the word lists contain only phrases that address or impersonate the
machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.phrases import NO_LETTERS, fold, locate
from gaia_understanding.cascade.traps import handling
from gaia_understanding.cascade.traps.mentions import Mentions
from gaia_understanding.cascade.verdict import Suspicion
from gaia_understanding.cascade.view import ANALYSED_CHARS, PhraseView, machine_phrases
from gaia_understanding.prepare.extract.sentences import split_sentences
from gaia_understanding.prepare.extract.spelling import Spellings
from gaia_understanding.prepare.language import detect_language
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.signature import says_something

_TABLE = WordTable("gaia_understanding.cascade", "traps/injection.txt")
_ORDERS_OF_OUTPUT = WordTable("gaia_understanding.cascade", "traps/output_orders.txt")

_WEIGHTS = {"inj_override": 0.75, "inj_address": 0.5, "inj_markup": 0.55, "inj_exfiltrate": 0.4}
_FEATURES = tuple(sorted(_WEIGHTS))
_ANY_FEATURE = frozenset((*_FEATURES, "inj_output"))
_QUOTED_CHARS = 80
_OWN_WORD = 4
_OCCURRENCES = 20
_HIDDEN_SENTENCES = 20
_MARKS = _TABLE.phrases("marks")
"""Every match of `_ADDRESSED` and, except for its last case, of `_SYSTEM` contains one of these."""
_ADDRESSED = _TABLE.pattern("addressed")
_ORDERS = _TABLE.pattern("orders")
_SYSTEM = _TABLE.pattern("system")
_SYSTEM_MARKS = ("<|", "[", "previous ")
"""Every match of `_SYSTEM` contains one of these."""
_WITH_SYSTEM = (*_SYSTEM_MARKS, "llm", "language model", "sprachmodell", "coding agent", "a.i.", '{"')
"""Every match of `_SYSTEM` or `_ADDRESSED` contains one of these, in a text without another `inj_machine` word."""
_ASSISTANTS = _TABLE.phrases("assistants")
_AI = lazy_pattern(r"ai(?<!\wai)\b")
"""Every match of `_ADDRESSED` contains this or one of those."""
_END = "\0"
"""The separator of sentences that are folded together."""
_WEAK = frozenset(_TABLE.phrases("weak"))
"""Phrases that people also use with people and in lessons; words about the mail or the user have to follow."""
_ABOUT_MAIL = _TABLE.phrases("about_mail")
_FOLLOWING, _LINE = 220, 120
_LABELS = frozenset({"system:", "assistant:", "ai assistant:", "ai agent:", "email assistant:"})
_ROLE = _TABLE.pattern("role", r"^\W*(?:", r")")
"""The text after `System:` in a message for a machine; in lists it is a field's name."""
_FUNCTIONS, _CALLED = frozenset({"function_call", "tool_call"}), '({[<>":='
_CLAUSE = lazy_pattern(r"[.;!?]")
_LABELLED = lazy_pattern(r"^\W*(?:ai|llm|assistant|ai assistant|email assistant)\W*[:,] ")
_ALONE = 0.25
_PARTS = lazy_pattern(r"\s[-–—|/]\s|[.!?;]\s|[\[\]()]")
"""The separators between the parts of a subject."""
_BEHIND = 2
"""The sentences after the one that addresses a machine that may contain the order."""
_UNSEEN_CHARS = 1_500
_TRICKS = ("unicode-tags", "zero-width", "bidi")
_TASK_STARTS = _TABLE.phrases("task_starts")
_TASK = _ORDERS_OF_OUTPUT.pattern("task", r"^(?:please )?(?:", ")")
"""Tasks for an assistant that a letter between people seldom contains; matched on a folded sentence."""
_MANIPULATION = _ORDERS_OF_OUTPUT.pattern("manipulation", "(?:", ")")
"""Orders about letters, words and content of `your response`; searched for in a folded sentence."""
_ANSWER_ORDER = _ORDERS_OF_OUTPUT.pattern("answer_order", r"^(?:please )?(?:also )?(?:", r")\b")
"""The beginning of an order about the content of an answer."""
_OF_ANSWER = lazy_pattern(
    r"\byour (?:final |next |whole |entire )?(?:response|reply|answer|output|summary)\b"
)
"""The subject of such an order; people who write it also mention other things of the reader's."""
_ORDERED = _TABLE.phrases("ordered")
"""Every match of `_MANIPULATION` contains one of these."""
_TASK_LETTERS = {
    start[:3]: tuple(other for other in _TASK_STARTS if other[:3] == start[:3]) for start in _TASK_STARTS
}
"""The same by their first three letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionFindings:
    """The findings of `examine`.

    Attributes:
        judgement: The suspicion against the message.
        foreign: Visible sentences to leave out of everything else.
        unclear: Sentences that may be meant for a machine or for the reader: they raise nothing.
        subject: The subject without text addressed to a machine; None if it contains none.
    """

    judgement: Suspicion
    foreign: tuple[str, ...]
    unclear: tuple[str, ...] = ()
    subject: str | None = None


def examine(prepared: Prepared, view: PhraseView) -> InjectionFindings:
    """Examine visible text, hidden text and subject for text addressed to a machine."""
    about = _about_handling(view)
    subject = _clean_subject(view)
    hidden, tasks = _hidden(prepared), _tasks(view)
    addressed = _find_addressing(view.sentences) if _names_machine(view) else []
    hidden += _beside(prepared)
    if not hidden and not addressed and _ANY_FEATURE.isdisjoint(view.counts):
        tasks = [index for index in tasks if _sentence_weight(view.folded_sentence(index), [], view) > 0]
    foreign, weights = _foreign(view, tasks, addressed)
    weights.extend(hidden)
    for index, points in about.items():
        sentence = view.sentences[index]
        if points >= handling.SURE and not foreign:
            weights.append((0.5, f"speaks to a machine: “{_short(sentence)}”"))
        if points >= handling.FOREIGN and sentence not in foreign:
            foreign.append(sentence)
    unclear = [view.sentences[index] for index, points in about.items() if points < handling.FOREIGN]
    return InjectionFindings(
        judgement=_added_up(weights),
        foreign=tuple(foreign),
        unclear=tuple([sentence for sentence in unclear if sentence not in foreign]),
        subject=subject,
    )


def _foreign(
    view: PhraseView, tasks: list[int], addressed: list[int]
) -> tuple[list[str], list[tuple[float, str]]]:
    """Return the sentences that the word lists take for text addressed to a machine, and their weights."""
    if not tasks and not addressed and _ANY_FEATURE.isdisjoint(view.counts):
        return [], []
    foreign: list[str] = []
    marked = [feature for feature in _FEATURES if feature in view.body_hits]
    seen = [*marked, *(feature for feature in _FEATURES if feature in view.subject_hits)]
    mentions = Mentions(f"{view.subject}\n{view.body}", f"{view.folded_subject}\n{view.folded_body}")
    weights = _spoken(view, mentions, dict.fromkeys(seen))
    for index in sorted({*tasks, *_marked_sentences(view, marked)}):
        sentence = view.sentences[index]
        weight = _sentence_weight(view.folded_sentence(index), marked, view)
        if weight > 0:
            foreign.append(sentence)
            told = weight >= 0.5 and mentions.says(sentence)
            if told and not any(_short(sentence) in reason for _, reason in weights):
                weights.append((weight, f"orders about the answer: “{_short(sentence)}”"))
    for index in addressed:
        sentence = view.sentences[index]
        if sentence not in foreign:
            foreign.append(sentence)
        if mentions.says(sentence):
            weights.append((0.55, f"speaks to a machine: “{_short(sentence)}”"))
    return foreign, weights


def _added_up(weights: Sequence[tuple[float, str]]) -> Suspicion:
    left = 1.0
    for weight, _ in weights:
        left *= 1 - weight
    ranked = sorted(weights, key=lambda item: -item[0])
    reasons = tuple(dict.fromkeys(reason for weight, reason in ranked if weight >= 0.3))
    return Suspicion(score=round(1 - left, 3), reasons=reasons[:4])


def _about_handling(view: PhraseView) -> dict[int, float]:
    """Return sentences about how the mail is to be handled, with those that follow in the same paragraph.

    A paragraph that begins with one is meant for the machine as a whole; after one in its middle, only orders
    are.
    """
    footers = _footers(view)
    points = [
        handling.weight(view.folded_sentence(index), in_footer=index in footers)
        for index in range(len(view.starts))
    ]
    found = {index: value for index, value in enumerate(points) if value >= handling.UNCLEAR}
    for index in [index for index, value in found.items() if value >= handling.FOREIGN]:
        opens = index == 0 or _begins_paragraph(view, index)
        for behind in range(index + 1, min(len(points), index + 1 + _BEHIND)):
            if _begins_paragraph(view, behind):
                break
            if opens or points[behind] > 0 or handling.is_order(view.folded_sentence(behind)):
                found[behind] = max(points[behind], handling.FOREIGN)
    return found


def _footers(view: PhraseView) -> set[int]:
    """Return the sentences of paragraphs about misdelivered mail."""
    found: set[int] = set()
    for index in range(len(view.starts)):
        if handling.is_footer(view.folded_sentence(index)):
            start = index
            while start and not _begins_paragraph(view, start):
                start -= 1
            end = index + 1
            while end < len(view.starts) and not _begins_paragraph(view, end):
                end += 1
            found.update(range(start, end))
    return found


def _begins_paragraph(view: PhraseView, index: int) -> bool:
    """Return True if a paragraph begins with this sentence."""
    before = view.starts[index - 1] + len(view.sentences[index - 1])
    return "\n\n" in view.body[before : view.starts[index]]


def _clean_subject(view: PhraseView) -> str | None:
    """Return the subject before or after the part that addresses a machine; None if no part does."""
    subject, folded = view.subject, view.folded_subject
    if _weight(folded) < handling.UNCLEAR:
        return None
    kept: list[tuple[int, int]] = []
    start = 0
    for match in (*_PARTS.finditer(folded), None):
        end = match.start() if match is not None else len(folded)
        if _weight(folded[start:end]) < handling.UNCLEAR:
            kept.append((start, end))
        elif kept:
            break
        start = match.end() if match is not None else end
    return subject[kept[0][0] : kept[-1][1]].strip() if kept else ""


def _weight(alone: str) -> float:
    """Return `handling.weight` of a folded text outside any paragraph."""
    return handling.weight(alone, in_footer=handling.is_footer(alone))


def honest(prepared: Prepared, foreign: tuple[str, ...], subject: str | None = None) -> Prepared:
    """Return the message without the sentences that address a machine, and without the links that only they name.

    If nothing else was written above the signature, the signature becomes the text, as in a message that is
    all signature.
    """
    if subject is not None:
        prepared = replace(prepared, message=replace(prepared.message, subject=subject))
    text = prepared.normalized
    for sentence in foreign:
        text = text.replace(sentence, "", 1)
    taken = " ".join(foreign)
    links = tuple(
        link for link in prepared.links if not link.text or link.text not in taken or link.text in text
    )
    text = text.strip()
    if prepared.signature and not says_something(text) and not _beside(prepared):
        text = f"{text}\n\n{prepared.signature}".strip()
        prepared = replace(prepared, signature="")
    language = detect_language(text) if text and prepared.normalized else prepared.language
    return replace(prepared, normalized=text, links=links, language=language)


def _spoken(view: PhraseView, mentions: Mentions, features: Iterable[str]) -> list[tuple[float, str]]:
    """Return the weight of each feature by its heaviest phrase; quoted phrases weigh nothing."""
    text = f"{view.subject}\n{view.body}"
    found: list[tuple[float, str]] = []
    for feature in features:
        phrases = {*view.subject_hits.get(feature, ()), *view.body_hits.get(feature, ())}
        places = [
            (-weight, at, -len(phrase))
            for phrase in phrases
            if (at := mentions.find_spoken(phrase)) >= 0
            and (weight := _phrase_weight(feature, phrase, mentions, at))
        ]
        if places:
            weight, at, length = min(places)
            found.append((-weight, f"speaks to a machine: “{_short(text[at : at - length])}”"))
    return found


def _phrase_weight(feature: str, phrase: str, mentions: Mentions, at: int) -> float:
    """Return the weight of a phrase in its place; names of fields, people and functions weigh little or nothing."""
    behind = at + len(phrase)
    if phrase in _LABELS:
        line = mentions.rest_of_line(behind)[:_LINE]
        return _WEIGHTS[feature] if _ROLE.match(line) or _ORDERS.search(line) else 0.0
    if feature == "inj_markup" and mentions.topical > 1 and not mentions.begins_line(at):
        return 0.0
    following = mentions.after(behind, _FOLLOWING)
    if phrase in _FUNCTIONS:
        return _WEIGHTS[feature] if following[:1] in tuple(_CALLED) else _ALONE
    if phrase.startswith("the "):
        following = _CLAUSE.split(following, 1)[0]
    if phrase in _WEAK and not any(map(following.__contains__, _ABOUT_MAIL)):
        return _ALONE
    return _WEIGHTS[feature]


def _tasks(view: PhraseView) -> list[int]:
    """Return the sentences that begin like a task, by a cheap test."""
    likely, folded = _TASK_LETTERS, view.folded_body
    return [
        index
        for index, start in enumerate(view.starts)
        if folded[start : start + 3] in likely
        and folded.startswith(likely[folded[start : start + 3]], start, start + len(view.sentences[index]))
    ]


def _names_machine(view: PhraseView) -> bool:
    """Return True if the text has a word for a machine; `system` alone counts only with what goes with it."""
    named = view.body_hits.get("inj_machine")
    if named is None:
        return False
    if named != ("system",) or any(map(view.folded_body.__contains__, _WITH_SYSTEM)):
        return True
    # With other characters in the text, the search for phrases may have missed a word.
    return not all(character.isalnum() for character in view.wide - NO_LETTERS)


def _find_addressing(sentences: Sequence[str]) -> list[int]:
    """Return the sentences that address a machine, with the orders that follow them."""
    heads = [sentence[:500] for sentence in sentences]
    whole = fold(_END.join(heads))
    marks = [mark for mark in _MARKS if mark in whole]
    if not marks:
        return []
    beginnings = whole.split(_END)
    if len(beginnings) != len(heads):
        beginnings = list(map(fold, heads))
    found: list[int] = []
    for index, folded in enumerate(beginnings):
        if not any(map(folded.__contains__, marks)):
            continue
        if not _speaks_to_system(folded) and not _speaks_to_assistant(folded):
            continue
        if _LABELLED.match(folded) and _ORDERS.search(folded) is None:
            continue
        following = range(index, min(len(sentences), index + 1 + _BEHIND))
        orders = [place for place in following if _ORDERS.search(beginnings[place]) is not None]
        if orders:
            found += range(index, orders[-1] + 1)
    return sorted(set(found))


def _speaks_to_system(folded: str) -> bool:
    return any(map(folded.__contains__, _SYSTEM_MARKS)) and _SYSTEM.search(folded) is not None


def _speaks_to_assistant(folded: str) -> bool:
    named = any(map(folded.__contains__, _ASSISTANTS)) or _AI.search(folded) is not None
    return named and _ADDRESSED.search(folded) is not None


def _beside(prepared: Prepared) -> list[tuple[float, str]]:
    """Find orders to a machine outside the judged text: in the signature and at the beginning of quoted mail."""
    found: list[tuple[float, str]] = []
    for where, text in (("signature", prepared.signature), ("quoted mail", prepared.quoted)):
        lowered = text[:_UNSEEN_CHARS].lower() if text else ""
        if lowered and any(
            map(lowered.__contains__, ("ai ", "ai:", "automat", "language model", "assistant", "llm"))
        ):
            sentences = split_sentences(text[:_UNSEEN_CHARS].replace("\n> ", "\n"), _HIDDEN_SENTENCES)
            places = _find_addressing(sentences)
            if places:
                found.append((0.55, f"{where}: “{_short(sentences[places[0]])}”"))
    return found


def _marked_sentences(view: PhraseView, marked: list[str]) -> list[int]:
    """Return the sentences with a phrase of the `marked` features, or one about the answer."""
    return [
        index
        for feature in (*marked, "inj_output")
        for phrase in view.body_hits.get(feature, ())
        for index in _sentences_with(view, phrase)
    ]


def _sentences_with(view: PhraseView, phrase: str) -> list[int]:
    found: list[int] = []
    position = locate(view.folded_body, phrase)
    while position >= 0 and len(found) < _OCCURRENCES:
        index = view.sentence_at(position)
        if index >= 0:
            found.append(index)
        position = locate(view.folded_body, phrase, position + 1)
    return found


def _sentence_weight(sentence: str, marked: list[str], view: PhraseView) -> float:
    """Return how surely a folded sentence is meant for a machine; 0 if it stays in the text."""
    folded = " ".join(sentence[:500].split())
    for feature in marked:
        if any(locate(folded, phrase) >= 0 for phrase in view.body_hits[feature]):
            return 0.4
    if "inj_output" in view.body_hits and _manipulates(folded):
        return 0.55
    if (_TASK.match(folded) or _orders_answer(folded)) and _is_foreign(folded, view.folded_body):
        return 0.2
    return 0.0


def _orders_answer(folded: str) -> bool:
    """Return True for an order about an answer and nothing else of the reader's ("your number in your reply")."""
    about = _ANSWER_ORDER.match(folded) is not None and len(_OF_ANSWER.findall(folded))
    return bool(about) and about == folded.count("your ") and " you " not in folded


def _manipulates(folded: str) -> bool:
    return any(map(folded.__contains__, _ORDERED)) and _MANIPULATION.search(folded) is not None


def _is_foreign(sentence: str, whole: str) -> bool:
    """Return True if the rest of a longer text shares few words with the sentence: a task dropped into a letter."""
    words = {word for word in sentence.replace("'", " ").split() if len(word.strip('.,?!"“”()')) > _OWN_WORD}
    stripped = sorted({word.strip('.,?!"“”()') for word in words})
    elsewhere = len(whole) - len(sentence)
    shared = sum(whole.count(word) > sentence.count(word) for word in stripped)
    return elsewhere >= 60 and shared * 3 <= len(stripped)


def _hidden(prepared: Prepared) -> list[tuple[float, str]]:
    """Find orders in text that a reader does not see, and tricks whose only use is to hide text."""
    found: list[tuple[float, str]] = []
    for removal in prepared.removed:
        if removal.step != "hidden" or removal.how == "preheader":
            continue
        if (
            any(removal.how.startswith(trick) for trick in _TRICKS)
            and removal.chars >= 8
            and removal.text.strip()
        ):
            weight = 0.6 if removal.how.startswith("unicode-tags") else 0.1
            found.append((weight, f"text hidden by {removal.how}"))
    if prepared.hidden:
        hidden = prepared.hidden[:ANALYSED_CHARS]
        spellings = Spellings(hidden)
        folded, hits = spellings.fold(), machine_phrases().search(spellings)
        for feature in _FEATURES:
            if feature in hits:
                start, phrase = min((locate(folded, phrase), phrase) for phrase in hits[feature])
                quoted = _short(hidden[start : start + len(phrase)])
                found.append((min(0.9, _WEIGHTS[feature] + 0.25), f"hidden: “{quoted}”"))
        sentences = split_sentences(prepared.hidden, _HIDDEN_SENTENCES)
        places = _find_addressing(sentences)
        if places:
            found.append((0.7, f"hidden: “{_short(sentences[places[0]])}”"))
        if not found or max(weight for weight, _ in found) < 0.5:
            for sentence in sentences:
                folded = " ".join(fold(sentence[:500]).split())
                if _manipulates(folded) or _TASK.match(folded):
                    found.append((0.6, f"hidden: “{_short(sentence)}”"))
                    break
    return found


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _QUOTED_CHARS else text[: _QUOTED_CHARS - 1].rstrip() + "…"
