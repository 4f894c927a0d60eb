"""The mail's own statement that nothing is to be done, or that the reader may leave it. Entry: `read`.

Patterns recognise it by what is denied and by who need not do it, so that it need not be a listed phrase. The
whole sentence then has one meaning: "no urgent action required by 5" has no hour and asks nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.view import PhraseView

_TABLE = WordTable("gaia_understanding.cascade", "asks/waivers.txt")

_READ, _FEW_WORDS = 2_500, 3
_DENIED = _TABLE.pattern("denied")
"""Nothing at all is to be done."""
_TOLD = _TABLE.pattern("told")
"""The mail is for information, or the thing is done already."""
_SPARED = _TABLE.pattern("spared")
"""Something particular need not be done; other sentences may still ask for something."""
_SUPPOSED = _TABLE.pattern("supposed", r"\b(?:", r")\b")
"""The statement is conditional."""
_TURNS = lazy_pattern(r"\b(?:but|however|though|aber|sondern|mais|pero|però|ma|mas|maar)\b")
"""After it, something is wanted after all."""
_ANSWERS = lazy_pattern(r"repl|respon|répon|answer|antwoord|antwort|reage|reaktion|rückmeld|rispo|write|call")
"""Only an answer is spared the reader; the rest of the sentence holds."""
_BESIDES = _TABLE.pattern("besides")
"""After it, the same sentence may ask for something else."""
_FREE = _TABLE.pattern("free", r"\b(?:", r")\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Waivers:
    """The statements as written: `nothing` is to be done, unconditionally; the reader is `free` to leave it.

    Both are empty if the mail says no such thing.

    Attributes:
        spans: The positions in the body of the sentences that say that something need not be done.
        subject: True if the subject says so.
    """

    nothing: str = ""
    free: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    subject: bool = False

    def cover(self, view: PhraseView, words: str) -> bool:
        """Return True if the text occurs in such sentences and nowhere else."""
        if not words or not (self.spans or self.subject) or (words in view.subject and not self.subject):
            return False
        place, inside = view.body.find(words), words in view.subject
        while place >= 0:
            if not any(start <= place < end for start, end in self.spans):
                return False
            place, inside = view.body.find(words, place + 1), True
        return inside


NO_WAIVERS = Waivers()


def read(view: PhraseView) -> Waivers:
    """Find what the mail says need not be done."""
    nothing, spans = "", list[tuple[int, int]]()
    for index, start in enumerate(view.starts):
        if start > _READ:
            break
        low = view.folded_sentence(index)
        denied = _unconditional(_DENIED, low)
        spared = denied or _unconditional(_SPARED, low)
        if spared is not None and not (_ANSWERS.search(spared[0]) or _BESIDES.search(low, spared.end())):
            spans.append((start, start + len(view.sentences[index])))
        alone = spared if spared is not None and _is_all(view, index) else None
        told = denied or _unconditional(_TOLD, low) or alone
        if told is not None and not nothing:
            nothing = view.sentences[index][told.start() : told.end()]
    denied = _unconditional(_DENIED, view.folded_subject)
    told = denied or _unconditional(_TOLD, view.folded_subject)
    if told is not None and not nothing:
        nothing = view.subject[told.start() : told.end()]
    return Waivers(nothing=nothing, free=_found(_FREE, view), spans=tuple(spans), subject=denied is not None)


def _is_all(view: PhraseView, index: int) -> bool:
    """Return True if a sentence is all that the mail says, except for a few words."""
    others = (sentence for number, sentence in enumerate(view.sentences) if number != index)
    return all(len(sentence.split()) <= _FEW_WORDS for sentence in others)


def _unconditional(pattern: re.Pattern[str], sentence: str) -> re.Match[str] | None:
    """Match a denial in a sentence, unless a condition limits it or the rest takes it back."""
    match = pattern.search(sentence)
    if match is None or _SUPPOSED.search(sentence) or _TURNS.search(sentence, match.end()):
        return None
    return match


def _found(pattern: re.Pattern[str], view: PhraseView) -> str:
    match = pattern.search(view.folded_body, 0, _READ)
    return "" if match is None else view.body[match.start() : match.end()]
