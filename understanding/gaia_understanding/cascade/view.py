"""The text of a message as the rules see it, with the phrases found in it. Entries: `PhraseView`, `look`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gaia_understanding.cascade.phrases import Phrasebook, locate
from gaia_understanding.prepare.extract.reading import Reading
from gaia_understanding.prepare.extract.spelling import Spellings

ANALYSED_CHARS = 8_000
"""The characters of the text that the rules read; a message says what it wants at its beginning."""

SUBJECT_CHARS = 400
SENTENCE_LIMIT = 60
"""The most sentences that the rules examine one by one."""

HEAD = 1_500
"""The characters of the body from which its style is judged."""

_NOT_UPPER = bytes(code for code in range(256) if not 65 <= code <= 90)
_LONGEST = 100
"""The most characters of a phrase."""


@dataclass(slots=True, kw_only=True)
class PhraseView:
    """Subject and body, as written and folded (see `fold`), and the phrases of each feature that they contain."""

    subject: str
    body: str
    folded_subject: str
    folded_body: str
    subject_hits: dict[str, tuple[str, ...]]
    body_hits: dict[str, tuple[str, ...]]
    counts: dict[str, int]
    """Feature → how many different phrases of it are in subject and body."""
    sentences: tuple[str, ...]
    starts: Sequence[int]
    """The position in `body` at which each sentence begins."""
    wide: frozenset[str]
    """The characters of `body` beyond ASCII."""
    digits: bool
    """True if `body` may contain a digit."""
    disguised: tuple[str, ...] | None = None
    """The result of `origin.find_disguises`; None until it is computed."""
    _capitals: int | None = None

    def capitals(self) -> int:
        """Count the capitals from A to Z among the body's first `HEAD` characters."""
        if self._capitals is None:
            self._capitals = len(self.body[:HEAD].encode("ascii", "ignore").translate(None, _NOT_UPPER))
        return self._capitals

    def has(self, feature: str) -> bool:
        """Return True if subject or body contains a phrase of `feature`."""
        return feature in self.counts

    def in_subject(self, feature: str) -> bool:
        """Return True if the subject contains a phrase of `feature`."""
        return feature in self.subject_hits

    def count(self, feature: str) -> int:
        """Count the different phrases of `feature` in subject and body."""
        return self.counts.get(feature, 0)

    def quote(self, feature: str) -> str:
        """Return the earliest phrase of `feature` as the sender wrote it, subject first; empty if there is none."""
        text, folded, phrases = self.subject, self.folded_subject, self.subject_hits.get(feature)
        if phrases is None:
            text, folded, phrases = self.body, self.folded_body, self.body_hits.get(feature, ())
        if not phrases:
            return ""
        start, _, phrase = min((locate(folded, phrase), -len(phrase), phrase) for phrase in phrases)
        return text[start : start + len(phrase)]

    def sentence_with(self, feature: str) -> str:
        """Return the first sentence of the body with a phrase of `feature`; empty if there is none."""
        places = [locate(self.folded_body, phrase) for phrase in self.body_hits.get(feature, ())]
        index = self.sentence_at(min(places)) if places else -1
        return self.sentences[index] if index >= 0 else ""

    def sentence_at(self, position: int) -> int:
        """Return the number of the sentence that contains `position` of the body; -1 if none of `sentences` does."""
        starts = self.starts
        index = bisect_right(starts, position) - 1
        inside = index >= 0 and position < starts[index] + len(self.sentences[index])
        return index if inside else -1

    def folded_sentence(self, index: int) -> str:
        """Return a sentence, folded."""
        start = self.starts[index]
        return self.folded_body[start : start + len(self.sentences[index])]


def look(subject: str, text: str, split: tuple[str, ...], reading: Reading | None = None) -> PhraseView:
    """Fold subject and text and search them for every phrase that the rules know.

    Args:
        subject: The decoded subject.
        text: The new text of the sender.
        split: Its sentences, as far as they were read (`gaia_understanding.prepare.extract.reading`).
        reading: The reading that the sentences come from. Beyond it, only text addressed to a machine is searched for;
            if there is some, the whole text is.
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
        folded_subject=title.fold(),
        folded_body=spellings.fold(),
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
    """Return the positions of `sentences` in `body`, up to the first that reaches beyond it."""
    starts: list[int] = []
    position = 0
    for sentence in sentences:
        # Sentences are usually one white-space character apart.
        start = position + 1
        if not (body.startswith(sentence, start) and body[position].isspace()):
            start = body.find(sentence, position)
        if start < 0:
            break
        starts.append(start)
        position = start + len(sentence)
    return starts


def speaks_to_machine(text: str) -> bool:
    """Return True if `text` contains text addressed to a machine."""
    return bool(machine_phrases().search(Spellings(text)))


@lru_cache(maxsize=1)
def phrasebook() -> Phrasebook:
    """Return a phrasebook of every word list of the cascade, built once."""
    from gaia_understanding.cascade import lexicon

    return Phrasebook(lexicon.tables())


@lru_cache(maxsize=1)
def machine_phrases() -> Phrasebook:
    """Return the phrases addressed to a machine, without those about its answer, which mean nothing by themselves."""
    from gaia_understanding.cascade.lexicon import table

    told = {feature: phrases for feature, phrases in table("assistant").items() if feature != "inj_output"}
    return Phrasebook((told,), small=True)
