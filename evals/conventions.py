"""What each convention would be worth as a default, chosen on other sources: `python -m evals.conventions [FOLDER]`.

People differ about some kinds of mail (`gaia email policy convention`), so a default is only right where it is right
for most of them. For every kind and bucket, and for both costs of mistakes, this asks what the shipped product would
get right with it on mail by other hands; and for every source, what it gets with what is best on all the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.learning import DATA, TIER
from gaia_email.policy.conventions import AS_JUDGED, KINDS, MISTAKE_WORDS, set_convention, words_of
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.labelled import read_labelled
from gaia_email_evals.statistics import mean
from gaia_understanding.cascade.model.conventions import kinds_of
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import BUCKETS, USUAL, Convention, Conventions
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A labelled message, read, and of which kinds it is."""

    case: LabelledMessage
    prepared: Prepared
    kinds: tuple[Convention, ...]


def mails(listing: Path) -> list[Mail]:
    """The messages of a set that have a label."""
    found: list[Mail] = []
    for case in read_labelled(listing):
        if case.labels.buckets:
            prepared = prepare(decode(case.raw))
            found.append(
                Mail(case=case, prepared=prepared, kinds=kinds_of(TIER.findings(prepared, case.context)))
            )
    return found


def right(mail: Mail, conventions: Conventions) -> bool:
    """Whether the product puts a message where its label allows, with these conventions."""
    context = replace(mail.case.context, conventions=conventions)
    return TIER.judge(mail.prepared, context).bucket in mail.case.labels.buckets


def settings(name: str) -> tuple[str, ...]:
    """What a convention can be set to, what is usual first."""
    return ("usual", "light", "grave") if name in MISTAKE_WORDS else (AS_JUDGED, *BUCKETS)


def gains(sources: Mapping[str, Sequence[Mail]], name: str) -> dict[str, dict[str, float]]:
    """Points that each setting of one convention gains over what is usual, by setting and source."""
    found: dict[str, dict[str, float]] = {}
    for setting in settings(name):
        set_so = set_convention(USUAL, name, setting)
        found[setting] = {}
        for source, mailbox in sources.items():
            of_kind = [mail for mail in mailbox if name in MISTAKE_WORDS or name in mail.kinds]
            more = sum(right(mail, set_so) - right(mail, USUAL) for mail in of_kind)
            found[setting][source] = 100 * more / len(mailbox)
    return found


def left_out(by_setting: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[str, float]]:
    """For every source the setting that gains most on the others, the usual one first, and its gain on that source."""
    sources = list(by_setting[next(iter(by_setting))])

    def of_others(setting: str, without: str) -> float:
        return mean([gain for source, gain in by_setting[setting].items() if source != without])

    chosen: dict[str, tuple[str, float]] = {}
    for source in sources:
        best = max(by_setting, key=lambda setting: of_others(setting, source))
        chosen[source] = (best, by_setting[best][source])
    return chosen


def table(sources: Mapping[str, Sequence[Mail]]) -> str:
    """As Markdown: the mean gain of each setting, and what the choice made without each source gains there."""
    lines = [
        "| convention | mails | mean gain by setting | chosen without each source | gain there |",
        "|---|---|---|---|---|",
    ]
    for name in (*KINDS, *MISTAKE_WORDS):
        by_setting = gains(sources, name)
        of_kind = sum(name in MISTAKE_WORDS or name in mail.kinds for box in sources.values() for mail in box)
        means = {setting: mean(list(found.values())) for setting, found in by_setting.items()}
        choices = left_out(by_setting)
        chosen = dict.fromkeys(setting for setting, _ in choices.values())
        lines.append(
            f"| {name} ({words_of(name)}) | {of_kind} "
            f"| {', '.join(f'{setting} {gain:+.1f}' for setting, gain in means.items())} "
            f"| {', '.join(chosen)} | {mean([gain for _, gain in choices.values()]):+.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What conventions would be worth as defaults.")
    parser.add_argument("folder", type=Path, nargs="?", default=DATA)
    folder: Path = parser.parse_args().folder
    sources = {listing.parent.name: mails(listing) for listing in sorted(folder.glob("*/expected.jsonl"))}
    sys.stdout.write(table(sources) + "\n")


if __name__ == "__main__":
    main()
