"""How well mail is judged that nobody here wrote, by source: `python -m evals.foreign [FOLDER…]`.

A folder holds a set in each of its subfolders (`expected.jsonl` and `messages/`, as `docs/evaluation.md` says). No
weight of the shipped model was learned from them, so every figure without corrections is of a source left out.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from evals.datasets import listings
from evals.neighbours import Answering, nearest
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.labelled import read_labelled
from gaia_email_evals.statistics import mean, wilson
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model.combine import COSTS
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "triage_foreign"
CORRECTIONS = (20, 40, 150)
ROUNDS = 10
"""How many ways the messages of a source are dealt into those corrected and those scored."""

URGENT_COSTS, LOW_COSTS = (1.0, 2.0, 4.0, 6.0), (1.0, 2.0, 3.0, 5.0)
"""What missing something urgent, and reading something worthless, may cost."""

Corrected = tuple[LabelledMessage, Bucket]
Learner = Callable[[Sequence[Corrected]], Answering]
"""Takes what an owner corrected or confirmed, and answers other messages of the same mailbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The labelled messages of one set, with what the shipped product says of each."""

    name: str
    cases: tuple[LabelledMessage, ...]
    said: tuple[Bucket, ...]

    @property
    def right(self) -> int:
        """How many got a bucket that its label allows."""
        return sum(bucket in case.labels.buckets for case, bucket in zip(self.cases, self.said, strict=True))

    @property
    def constant(self) -> tuple[Bucket, int]:
        """The one bucket that is right most often when it is always said, and how often."""
        often = {bucket: sum(bucket in case.labels.buckets for case in self.cases) for bucket in BUCKETS}
        best = max(BUCKETS, key=often.__getitem__)
        return best, often[best]

    @property
    def urgent(self) -> tuple[int, int, int]:
        """Of those labelled urgent and nothing else: how many were found, of how many; and how many others said so."""
        pairs = list(zip(self.cases, self.said, strict=True))
        labelled = [bucket for case, bucket in pairs if case.labels.buckets == ("urgent",)]
        wrongly = sum(bucket == "urgent" and "urgent" not in case.labels.buckets for case, bucket in pairs)
        return labelled.count("urgent"), len(labelled), wrongly


def read_sources(folder: Path) -> Iterator[Source]:
    """The sets of a folder by name, or the set that the folder is; messages without a bucket are left out."""
    answer = shipped()
    for listing in listings(folder):
        cases = tuple(case for case in read_labelled(listing) if case.labels.buckets)
        if cases:
            said: tuple[Bucket, ...] = tuple([answer(case) for case in cases])
            yield Source(name=listing.parent.name, cases=cases, said=said)


def shipped() -> Answering:
    """The product as it ships, without a word of the owner's."""
    tier = BuiltinTier(summaries=False)
    return lambda case: understand(decode(case.raw), case.context, tier).verdict.bucket


def corrections_of(source: Source) -> list[Corrected]:
    """What its owner would say of each message: the product's bucket where it is right, else the nearest that is."""
    return [
        (case, min(case.labels.buckets, key=partial(_apart, bucket)))
        for case, bucket in zip(source.cases, source.said, strict=True)
    ]


def _apart(said: Bucket, other: Bucket) -> int:
    return abs(BUCKETS.index(said) - BUCKETS.index(other))


def after(source: Source, many: int, learner: Learner, rounds: int = ROUNDS) -> float | None:
    """The share right after `many` corrections, a mean over deals; None where fewer than as many are left to score."""
    if len(source.cases) < 2 * many:
        return None
    corrected, shares = corrections_of(source), list[float]()
    for deal in range(rounds):
        dealt = sorted(range(len(corrected)), key=partial(_place, deal, source.name))
        answer = learner([corrected[number] for number in dealt[:many]])
        left = [source.cases[number] for number in dealt[many:]]
        shares.append(mean([float(answer(case) in case.labels.buckets) for case in left]))
    return mean(shares)


def _place(deal: int, name: str, number: int) -> bytes:
    return hashlib.blake2b(f"{deal} {name} {number}".encode(), digest_size=8).digest()


def left_out(sources: Sequence[Source]) -> dict[str, float]:
    """The share right of each source with the costs of errors that are best for all the others, by its name.

    The one thing here that is chosen by looking at answers is chosen without the source that is scored with it.
    """
    shares: dict[tuple[float, float], dict[str, float]] = {}
    kept = dict(COSTS)
    try:
        for urgent, low in product(URGENT_COSTS, LOW_COSTS):
            COSTS.update(urgent=urgent, low_priority=low)
            answer = shipped()
            shares[urgent, low] = {
                source.name: mean([float(answer(case) in case.labels.buckets) for case in source.cases])
                for source in sources
            }
    finally:
        COSTS.update(kept)

    def of_others(costs: tuple[float, float], name: str) -> float:
        return mean([share for other, share in shares[costs].items() if other != name])

    return {
        source.name: shares[max(shares, key=partial(of_others, name=source.name))][source.name]
        for source in sources
    }


def table(sources: Sequence[Source]) -> str:
    """The figures by source as a page, the mean over sources last."""
    lines = [
        "| source | mails | right | costs chosen on the others | best constant | urgent found | urgent by mistake |",
        "|---|---|---|---|---|---|---|",
    ]
    unseen = left_out(sources)
    for source in sources:
        of, (constant, often) = len(source.cases), source.constant
        found, labelled, wrongly = source.urgent
        low, high = wilson(source.right, of)
        lines.append(
            f"| {source.name} | {of} | {source.right / of:.1%} ({low:.0%} to {high:.0%}) | {unseen[source.name]:.1%} "
            f"| {often / of:.1%} {constant} | {_of(found, labelled)} | {wrongly} |"
        )
    right = mean([source.right / len(source.cases) for source in sources])
    constant_right = mean([source.constant[1] / len(source.cases) for source in sources])
    found, labelled, wrongly = (sum(column) for column in zip(*(s.urgent for s in sources), strict=True))
    mails = sum(len(source.cases) for source in sources)
    lines.append(
        f"| mean over sources | {mails} | {right:.1%} | {mean(list(unseen.values())):.1%} | {constant_right:.1%} "
        f"| {_of(found, labelled)} | {wrongly} |"
    )
    return "\n".join(lines)


def _of(count: int, of: int) -> str:
    if not of:
        return "none there"
    low, high = wilson(count, of)
    return f"{count} of {of} ({low:.0%} to {high:.0%})"


def learning_table(sources: Sequence[Source], learners: dict[str, Learner]) -> str:
    """The share right after so many corrections, for every source that has twice as many messages."""
    lines = [
        "| source | corrections | " + " | ".join(("none", *learners)) + " |",
        "|---" * (3 + len(learners)) + "|",
    ]
    unchanged = shipped_learner
    for source in sources:
        for many in CORRECTIONS:
            shares = [after(source, many, learner) for learner in (unchanged(source), *learners.values())]
            known = [f"{share:.1%}" for share in shares if share is not None]
            if known:
                lines.append(f"| {source.name} | {many} | " + " | ".join(known) + " |")
    return "\n".join(lines)


def shipped_learner(source: Source) -> Learner:
    """Who learns nothing: the product's own answers, for the same messages as the others are scored on."""
    said: dict[str, Bucket] = {
        case.name: bucket for case, bucket in zip(source.cases, source.said, strict=True)
    }
    return lambda _: lambda case: said[case.name]


LEARNERS: dict[str, Learner] = {"nearest neighbour": nearest}
"""Who learns from corrections, by the name of its column."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.foreign", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[DATA], metavar="FOLDER")
    folders: list[Path] = parser.parse_args().folders
    sources = [source for folder in folders for source in read_sources(folder)]
    if not sources:
        parser.error(f"no labelled sets in {', '.join(map(str, folders))}: name a folder of sets")
    print(table(sources))  # noqa: T201
    print()  # noqa: T201
    print(learning_table(sources, LEARNERS))  # noqa: T201


if __name__ == "__main__":
    main()
