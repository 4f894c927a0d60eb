"""How often somebody's own mail is filed as advertising or a pastime, by source: `python -m evals.letters FOLDER…`.

A folder is a set (`expected.jsonl` and `messages/`), or holds one in each of its subfolders. What counts is a person's
mail that no label calls spam, a trap or of low priority; mail without a bucket must be labelled as no spam.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from evals.datasets import listings
from evals.real_mail import labelled
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.kinds.letters import is_letter
from gaia_understanding.cascade.traps.pastime import PastimeKind
from gaia_understanding.cascade.understand import decode
from gaia_understanding.prepare.pipeline import prepare

_PASTIMES = frozenset(get_args(PastimeKind))


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """The letters of a source: how many there are, and the names of those filed as promotions or as a pastime."""

    name: str
    letters: int
    promotions: tuple[str, ...]
    pastimes: tuple[str, ...]


def counted(name: str, cases: Iterable[LabelledMessage]) -> Letters:
    """What becomes of the letters among the messages of a source."""
    tier = BuiltinTier(summaries=False)
    letters, promotions, pastimes = 0, list[str](), list[str]()
    for case in filter(_is_worth_reading, cases):
        prepared = prepare(decode(case.raw))
        if not is_letter(tier.findings(prepared, case.context).facts):
            continue
        letters += 1
        verdict = tier.judge(prepared, case.context)
        if verdict.content_category == "promotions":
            promotions.append(case.name)
        elif not _PASTIMES.isdisjoint(signal.name for signal in verdict.priority.signals):
            pastimes.append(case.name)
    return Letters(name=name, letters=letters, promotions=tuple(promotions), pastimes=tuple(pastimes))


def _is_worth_reading(case: LabelledMessage) -> bool:
    labels = case.labels
    if labels.spam or labels.phishing or "low_priority" in labels.buckets:
        return False
    return bool(labels.buckets) or labels.spam is False


def read_sources(folder: Path) -> Iterator[Letters]:
    """The sets of a folder that hold letters, by name; our own labels of real mail, mailbox by mailbox."""
    for listing in listings(folder):
        found = counted(listing.parent.name, read_labelled(listing))
        if found.letters:
            yield found
    mailboxes: dict[str, list[LabelledMessage]] = {}
    for mail in labelled(folder):
        mailboxes.setdefault(mail.source, []).append(mail.case)
    for source, cases in mailboxes.items():
        yield counted(source, cases)


def table(sources: Iterable[Letters]) -> str:
    """The figures by source, then all together."""
    lines = ["| source | letters | filed as promotions | as a pastime |", "|---|---|---|---|"]
    known = list(sources)
    all_of_them = Letters(
        name="all",
        letters=sum(one.letters for one in known),
        promotions=tuple(name for one in known for name in one.promotions),
        pastimes=tuple(name for one in known for name in one.pastimes),
    )
    lines.extend(
        f"| {one.name} | {one.letters} | {len(one.promotions)} | {len(one.pastimes)} |"
        for one in (*known, all_of_them)
    )
    return "\n".join(lines)


def main() -> None:
    """Print the table, then which messages they are."""
    parser = argparse.ArgumentParser(prog="python -m evals.letters", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    folders: list[Path] = parser.parse_args().folders
    sources = [source for folder in folders for source in read_sources(folder)]
    if not sources:
        parser.error(f"no labelled sets in {', '.join(map(str, folders))}: name a folder of sets")
    print(table(sources))  # noqa: T201
    for source in sources:
        for name in (*source.promotions, *source.pastimes):
            print(f"{source.name}: {name}")  # noqa: T201


if __name__ == "__main__":
    main()
