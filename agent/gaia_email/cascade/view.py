"""The text of a message as the rules look at it, with the phrases found in it: `PhraseView`, built by `look`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gaia_email.cascade.phrases import Phrasebook, locate
from gaia_email.prepare.extract.reading import Reading
from gaia_email.prepare.extract.spelling import Spellings

ANALYSED_CHARS = 8_000
"""How much of the text the rules read; what a mail wants stands at its beginning."""

SUBJECT_CHARS = 400
SENTENCE_LIMIT = 60
"""How many sentences the rules look at one by one."""

HEAD = 1_500
"""How much of the body tells how it is written."""

_NOT_UPPER = bytes(code for code in range(256) if not 65 <= code <= 90)
_LONGEST = 100
"""Characters that the longest phrase has at most."""


@dataclass(slots=True, kw_only=True)
class PhraseView:
    """Subject and body, as written and folded (see `fold`), and which phrases of which feature they hold."""

    subject: str
    body: str
    folded_subject: str
    folded_body: str
    subject_hits: dict[str, tuple[str, ...]]
    body_hits: dict[str, tuple[str, ...]]
    counts: dict[str, int]
    """Feature → how many different phrases of it stand in subject and body."""
    sentences: tuple[str, ...]
    starts: Sequence[int]
    """Where each sentence begins in `body`."""
    wide: frozenset[str]
    """The characters beyond ASCII of `body`."""
    digits: bool
    """Whether `body` may hold a digit."""
    disguised: tuple[str, ...] | None = None
    """What `origin.disguised` has found; None until it is asked."""
    _capitals: int | None = None

    def capitals(self) -> int:
        """How many of the body's first `HEAD` characters are capitals from A to Z."""
        if self._capitals is None:
            self._capitals = len(self.body[:HEAD].encode("ascii", "ignore").translate(None, _NOT_UPPER))
        return self._capitals

    def has(self, feature: str) -> bool:
        """Whether a phrase of `feature` stands anywhere."""
        return feature in self.counts

    def in_subject(self, feature: str) -> bool:
        """Whether a phrase of `feature` stands in the subject."""
        return feature in self.subject_hits

    def count(self, feature: str) -> int:
        """How many different phrases of `feature` stand in subject and body."""
        return self.counts.get(feature, 0)

    def quote(self, feature: str) -> str:
        """The earliest phrase of `feature` as the sender wrote it, subject first; empty when there is none."""
        text, folded, phrases = self.subject, self.folded_subject, self.subject_hits.get(feature)
        if phrases is None:
            text, folded, phrases = self.body, self.folded_body, self.body_hits.get(feature, ())
        if not phrases:
            return ""
        start, _, phrase = min((locate(folded, phrase), -len(phrase), phrase) for phrase in phrases)
        return text[start : start + len(phrase)]

    def sentence_with(self, feature: str) -> str:
        """The first sentence of the body with a phrase of `feature`; empty when there is none."""
        places = [locate(self.folded_body, phrase) for phrase in self.body_hits.get(feature, ())]
        index = self.sentence_at(min(places)) if places else -1
        return self.sentences[index] if index >= 0 else ""

    def sentence_at(self, position: int) -> int:
        """The number of the sentence that holds `position` of the body; -1 beyond the last one looked at."""
        starts = self.starts
        index = bisect_right(starts, position) - 1
        inside = index >= 0 and position < starts[index] + len(self.sentences[index])
        return index if inside else -1

    def folded_sentence(self, index: int) -> str:
        """A sentence, folded."""
        start = self.starts[index]
        return self.folded_body[start : start + len(self.sentences[index])]


def look(subject: str, text: str, split: tuple[str, ...], reading: Reading | None = None) -> PhraseView:
    """Fold subject and text and search them for every phrase the rules know.

    Args:
        subject: The decoded subject.
        text: What the sender newly wrote.
        split: Its sentences, as far as they are read (`gaia_email.prepare.extract.reading`).
        reading: The reading that they are of. Only words to a machine are looked for beyond what is read, and
            where there are some, everything is looked at.
    """
    subject, body, sentences = subject[:SUBJECT_CHARS], text[:ANALYSED_CHARS], split[:SENTENCE_LIMIT]
    read = len(reading.text) if reading is not None else ANALYSED_CHARS
    starts = reading.starts[: len(sentences)] if reading is not None else _starts(sentences, body)
    if read >= ANALYSED_CHARS:
        ends = (start + len(sentence) for start, sentence in zip(starts, sentences, strict=False))
        sentences = sentences[: sum(end <= len(body) for end in ends)]
    elif read < len(body) and not speaks_to_machine(body[max(0, read - _LONGEST) :]):
        body = body[:read]
    spellings = reading.spellings if reading is not None and len(body) == read else Spellings(body)
    book, title = phrasebook(), Spellings(subject)
    subject_hits, body_hits = book.search(title), book.search(spellings)
    return PhraseView(
        subject=subject,
        body=body,
        folded_subject=title.folded(),
        folded_body=spellings.folded(),
        subject_hits=subject_hits,
        body_hits=body_hits,
        counts=_counts(subject_hits, body_hits),
        sentences=sentences,
        starts=starts[: len(sentences)],
        wide=spellings.wide,
        digits=spellings.has_digits(),
    )


def _counts(
    subject_hits: dict[str, tuple[str, ...]], body_hits: dict[str, tuple[str, ...]]
) -> dict[str, int]:
    counts = {feature: len(phrases) for feature, phrases in body_hits.items()}
    for feature, phrases in subject_hits.items():
        body = body_hits.get(feature, ())
        counts[feature] = len(body) + sum(phrase not in body for phrase in phrases)
    return counts


def _starts(sentences: tuple[str, ...], body: str) -> list[int]:
    """Where `sentences` begin in `body`; of those that reach beyond it nothing is said."""
    starts: list[int] = []
    position = 0
    for sentence in sentences:
        # As a rule one sign of white space stands between two.
        start = position + 1
        if not (body.startswith(sentence, start) and body[position].isspace()):
            start = body.find(sentence, position)
        if start < 0:
            break
        starts.append(start)
        position = start + len(sentence)
    return starts


def speaks_to_machine(text: str) -> bool:
    """Whether words to a machine stand in `text`."""
    return bool(machine_phrases().search(Spellings(text)))


@lru_cache(maxsize=1)
def phrasebook() -> Phrasebook:
    """Every word list of the cascade, filed once."""
    from gaia_email.cascade import lexicon

    return Phrasebook(lexicon.tables())


@lru_cache(maxsize=1)
def machine_phrases() -> Phrasebook:
    """The word list of words to a machine alone, without words about its answer, which mean nothing by themselves."""
    from gaia_email.cascade.lexicon import table

    told = {feature: phrases for feature, phrases in table("assistant").items() if feature != "inj_output"}
    return Phrasebook((told,), small=True)
