"""How well promises, meetings and proposals are found, sentence by sentence: `python -m evals.acts --corpora FOLDER`.

`acts.jsonl` names 240 sentences of the Parakweet corpus, drawn from its second half (170 of those that its own labels
call an intent, 70 of the others), with the acts that one reader saw in each before seeing what the product says; the
text stays in the corpus. Sentences of even number were looked at when the patterns were last mended, those of odd
number were not.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evals.datasets import INTENT_CORPUS
from gaia_email.triage.tiers import default_tier
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import Context, SpeechAct

LABELS = Path(__file__).with_name("acts.jsonl")
ACTS: tuple[SpeechAct, ...] = ("commit", "meet", "propose")
SURE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An act over some sentences: found rightly, found where nobody sees it, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where nothing was to be found."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


Pair = tuple[frozenset[str], frozenset[str]]
"""The acts that a reader saw in a sentence, and those that the product finds."""


def count(pairs: Iterable[Pair]) -> Mapping[SpeechAct, Found]:
    """Each act over all sentences."""
    known = list(pairs)
    return {
        act: Found(
            right=sum(act in seen and act in found for seen, found in known),
            wrong=sum(act not in seen and act in found for seen, found in known),
            missed=sum(act in seen and act not in found for seen, found in known),
        )
        for act in ACTS
    }


def labelled(corpora: Path) -> Iterator[Pair]:
    """Every labelled sentence, in the order of the labels.

    Raises:
        KeyError: The corpus lacks a sentence that the labels name.
    """
    tier = default_tier(summaries=False, environ=os.environ)
    mails = {case.name: case.raw for case in read_labelled(corpora / INTENT_CORPUS / "expected.jsonl")}
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        acts = understand(decode(mails[row["file"]]), Context(), tier).verdict.speech_acts
        yield frozenset(row["acts"]), frozenset(act for act in ACTS if acts[act] >= SURE)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.acts", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with the public corpora")
    pairs = list(labelled(parser.parse_args().corpora))
    for name, part in (("looked at", pairs[::2]), ("not looked at", pairs[1::2]), ("all", pairs)):
        for act, found in count(part).items():
            print(  # noqa: T201
                f"{name}: {act} F1 {found.f1:.2f} ({found.right} right, {found.wrong} wrong, {found.missed} missed)"
            )


if __name__ == "__main__":
    main()
