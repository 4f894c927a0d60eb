"""Evidence of phishing, and its sum. Entries: `Evidence`, `judgement`.

Weights are points on a logistic scale: three of them are an even chance. Signs of honesty have a negative
weight. Two kinds of evidence are needed unless a single clue is damning by itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from gaia_understanding.cascade.verdict import Suspicion

EvidenceKind = Literal["claim", "ask", "target", "file", "calm"]
"""A false name, a demand, the place that it leads to, an attachment; and signs of honesty."""

UNPROVED = "it is not proved"
ANSWERS_ELSEWHERE = "answers would go"
DEEDS = ("asks ", "wants ", "threatens", "speaks ", "has ")
"""The beginnings of reasons that report what a message does; a sentence needs a subject before them."""

EVEN = 3.0
_SINGLE_KIND = 2.6
_OF_WEIGHT = 0.5
_NAMES_FIRST = 1.5
_MOST_ASKING = 3.4
_MOST_CLAIMING = 3.6


class Evidence(NamedTuple):
    """Evidence of one kind; `reason` is a sentence that quotes it, empty if it only adds weight."""

    kind: EvidenceKind
    weight: float
    reason: str = ""


def judgement(clues: Sequence[Evidence]) -> Suspicion:
    """Return a score from 0 to 1 with the reasons, heaviest first."""
    sums: dict[EvidenceKind, float] = {"claim": 0.0, "ask": 0.0, "target": 0.0, "file": 0.0, "calm": 0.0}
    for clue in clues:
        sums[clue.kind] += clue.weight
    sums["ask"] = min(sums["ask"], _MOST_ASKING)
    sums["claim"] = min(sums["claim"], _MOST_CLAIMING)
    strongest = max([clue.weight for clue in clues])
    kinds = sum([sums[kind] >= _OF_WEIGHT for kind in ("claim", "ask", "target", "file")])
    suspicion = sums["claim"] + sums["ask"] + sums["target"] + sums["file"]
    if kinds < 2 and strongest < EVEN:
        suspicion = min(suspicion, _SINGLE_KIND)
    points = suspicion + sums["calm"]
    score = 1 / (1 + math.exp(1.3 * (EVEN - points)))
    ranked = [clue for clue in clues if clue.reason and clue.weight >= 0.3]
    ranked.sort(key=lambda clue: -clue.weight - (_NAMES_FIRST if clue.kind == "claim" else 0))
    reasons = tuple(dict.fromkeys(clue.reason for clue in ranked))
    return Suspicion(score=round(score, 3), reasons=reasons[:5])
