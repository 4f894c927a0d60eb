"""Promises, meetings and proposals, sentence by sentence. Entry: `with_sentences`.

A mail asks for one thing and promises another: each act has its own sentence as evidence, whatever the main
act is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks.acts import ActProbabilities
from gaia_understanding.cascade.verdict import SpeechAct
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.cascade", "asks/sentence_acts.txt")

SURE, PERFORMED = 0.6, 0.55
"""The probability of an act that a sentence plainly performs, and its least one if the model doubts every act."""
_SENTENCES = 25

_COMMIT = _TABLE.pattern("commit")
_MEET = _TABLE.pattern("meet")
_PROPOSE = _TABLE.pattern("propose")
_HINTS = Literals.from_table(_TABLE, "hints")
_NOT_YET = lazy_pattern(r"\b(?:if|unless|whether|would have|could have)\b")
"""After one of these, the act is only supposed."""
_OVER = _TABLE.pattern("over", r"\b(?:", r")\b")
"""A meeting that has passed, or will not take place."""


def acts_in(view: PhraseView) -> dict[SpeechAct, str]:
    """Return the acts that sentences of the mail plainly perform, each with the first sentence that does."""
    found: dict[SpeechAct, str] = {}
    for index, sentence in enumerate(view.sentences[:_SENTENCES]):
        if index >= len(view.starts):
            break
        folded = view.folded_sentence(index)
        if len(found) == len(_ACTS) or not _HINTS.stand_in(folded):
            continue
        for act, pattern in _ACTS:
            if act not in found and _performs(act, pattern, folded):
                found[act] = sentence
    return found


def with_sentences(acts: ActProbabilities, view: PhraseView) -> ActProbabilities:
    """Add the acts that a sentence performs to the main one, which stays the likeliest."""
    performed = acts_in(view)
    if not performed:
        return acts
    most = max(acts.probabilities[acts.main], PERFORMED)
    probabilities = {
        act: most if act == acts.main else max(value, min(SURE, most)) if act in performed else value
        for act, value in acts.probabilities.items()
    }
    return replace(acts, probabilities=probabilities, sentences={**acts.sentences, **performed})


def _performs(act: SpeechAct, pattern: re.Pattern[str], folded: str) -> bool:
    match = pattern.search(folded)
    if match is None:
        return False
    if act == "propose":
        return True
    clause = folded.rfind(",", 0, match.start()) + 1 if act == "meet" else 0
    return _NOT_YET.search(folded, clause, match.start()) is None and (
        act != "meet" or not _OVER.search(folded)
    )


_ACTS: tuple[tuple[SpeechAct, re.Pattern[str]], ...] = (
    ("commit", _COMMIT),
    ("meet", _MEET),
    ("propose", _PROPOSE),
)
