"""What an owner's corrections are worth on mail that nobody here wrote, by source: `python -m evals.learning [FOLDER]`.

Each subfolder is one owner's mailbox (`expected.jsonl` and `messages/`). Some messages are corrected or confirmed, the
rest are scored: with the shipped product, with what was taught on top, by the constant that is best over the whole set
and by a plain nearest neighbour on the same corrections. Nothing that is scored was corrected. Where a label allows
several buckets, an owner asked about such a message is taken to leave it where it is if that is one of them.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from evals.left_out import Trainer, judged_by, sources
from evals.real_mail import SENT
from gaia_email.policy.owner_says import OneCorrection, OwnerSays
from gaia_email.triage.learn.questions import QuestionCandidate, choose, overlap
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.labelled import read_labelled
from gaia_email_evals.statistics import mean, middle_95
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.model.conventions import kinds_of
from gaia_understanding.cascade.model.owner import OwnerLesson, OwnersModel
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Convention, Seen, Verdict
from gaia_understanding.prepare.model import Prepared

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "triage_foreign"
COUNTS = (20, 40, 150)
ROUNDS, RESAMPLED = 30, 2000
FEWEST_LEFT = 10
_ACCOUNT = "owner"
TIER = BuiltinTier(summaries=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A labelled message, what the shipped product makes of it, and what its owner would answer when asked."""

    case: LabelledMessage
    prepared: Prepared
    sender: str
    shipped: Verdict
    seen: Seen
    answer: Bucket
    kinds: tuple[Convention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Shares of right answers among the messages not corrected, each the mean over the rounds.

    Attributes:
        left: How many messages were scored in each round, of those that were not corrected.
        gain: After less before, and the 95 % interval of it over messages drawn again.
    """

    source: str
    corrections: int
    left: int
    before: float
    after: float
    constant: float
    neighbour: float
    gain: tuple[float, float, float]


def mails(cases: Iterable[LabelledMessage]) -> list[Mail]:
    """The messages of a set that have a label; one that allows several buckets is answered by the likeliest of them."""
    found: list[Mail] = []
    for case in cases:
        if not case.labels.buckets:
            continue
        understood = understand(decode(case.raw), case.context, TIER)
        seen = TIER.extract_owner_features(understood.prepared, case.context)
        said, allowed = understood.verdict.bucket, case.labels.buckets
        likely = max(allowed, key=lambda bucket: seen.chances[BUCKETS.index(bucket)])
        sender = understood.message.sender.address if understood.message.sender else ""
        found.append(
            Mail(
                case=case,
                prepared=understood.prepared,
                sender=sender.lower(),
                shipped=understood.verdict,
                seen=seen,
                answer=said if said in allowed else likely,
                kinds=kinds_of(TIER.findings(understood.prepared, case.context)),
            )
        )
    return found


def measure(source: str, mailbox: Sequence[Mail], corrections: int, rounds: int = ROUNDS) -> Measured:
    """Correct so many messages, score the others, in as many ways; 20 are chosen as `teach` chooses, others drawn."""
    scored: dict[int, list[tuple[bool, bool, bool, bool]]] = {}
    constant = max(BUCKETS, key=[bucket for mail in mailbox for bucket in mail.case.labels.buckets].count)
    left = 0
    for turn in range(rounds):
        asked, rest = _dealt(mailbox, corrections, turn)
        left = len(rest)
        judged = _Judging([mailbox[at] for at in asked])
        for at in rest:
            mail = mailbox[at]
            near = max(asked, key=lambda one: overlap(mailbox[one].seen, mail.seen))
            said = (mail.shipped.bucket, judged(mail), constant, mailbox[near].answer)
            first, second, third, fourth = (bucket in mail.case.labels.buckets for bucket in said)
            scored.setdefault(at, []).append((first, second, third, fourth))
    columns = [mean([mean([row[at] for row in rows]) for rows in scored.values()]) for at in range(4)]
    gains = [mean([after - before for before, after, _, _ in rows]) for rows in scored.values()]
    dice = random.Random(1)
    again = sorted(mean(dice.choices(gains, k=len(gains))) for _ in range(RESAMPLED))
    return Measured(
        source=source,
        corrections=corrections,
        left=left,
        before=columns[0],
        after=columns[1],
        constant=columns[2],
        neighbour=columns[3],
        gain=(mean(gains), *middle_95(again)),
    )


def _dealt(mailbox: Sequence[Mail], corrections: int, turn: int) -> tuple[list[int], list[int]]:
    order = list(range(len(mailbox)))
    random.Random(turn).shuffle(order)
    if corrections != COUNTS[0]:
        return order[:corrections], order[corrections:]
    # As in a mailbox that goes on: asked about what is there, two thirds, and scored on what comes after.
    pool = order[: max(corrections, len(order) * 2 // 3)]
    candidates = [
        QuestionCandidate(key=str(at), sender=mail.sender, seen=mail.seen, kinds=mail.kinds)
        for at, mail in [(at, mailbox[at]) for at in pool]
    ]
    chosen = [int(one.key) for one in choose(candidates, corrections)]
    return chosen, [at for at in order if at not in pool]


class _Judging:
    """What the product says after these corrections: the exact ones first, then what resembles them."""

    def __init__(self, answered: Sequence[Mail]) -> None:
        self._model = OwnersModel(
            OwnerLesson(number=number, seen=mail.seen, bucket=mail.answer)
            for number, mail in enumerate(answered)
        )
        self._says = OwnerSays.of(
            OneCorrection(
                account=_ACCOUNT,
                message_id=mail.case.name,
                sender=mail.sender,
                was=mail.shipped.bucket,
                now=mail.answer,
            )
            for mail in answered
        )

    def __call__(self, mail: Mail) -> Bucket:
        verdict = apply_lessons(mail.shipped, self._model, mail.sender)
        return self._says.judge(_ACCOUNT, mail.case.name, mail.sender, verdict).bucket


def table(rows: Sequence[Measured]) -> str:
    """As Markdown; a count that leaves fewer to score than it corrects has a star."""
    lines = [
        "| source | corrections | scored | before | after | gain | constant | neighbour |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in rows:
        gain, low, high = (f"{100 * value:+.1f}" for value in one.gain)
        star = "" if one.left >= one.corrections else "*"
        lines.append(
            f"| {one.source} | {one.corrections}{star} | {one.left} | {one.before:.3f} | {one.after:.3f} "
            f"| {gain} ({low} to {high}) | {one.constant:.3f} | {one.neighbour:.3f} |"
        )
    for count in sorted({one.corrections for one in rows}):
        gains = [one.gain[0] for one in rows if one.corrections == count]
        lines.append(f"\nMean gain after {count}: {100 * mean(gains):+.1f} points over {len(gains)} sources.")
    return "\n".join(lines)


def mailboxes(folder: Path) -> dict[str, list[Mail]]:
    """The sets of a folder by name."""
    return {
        listing.parent.name: mails(read_labelled(listing))
        for listing in sorted(folder.glob("*/expected.jsonl"))
    }


def real_mailboxes(corpora: Path) -> Iterator[tuple[str, list[Mail]]]:
    """The owners of real mail that have enough of it, each judged by a model that saw no mail of theirs."""
    trainer = Trainer(corpora)
    for source, labelled in sources(corpora).items():
        if source != SENT and len(labelled) >= COUNTS[0] + FEWEST_LEFT:
            with judged_by(trainer.without([source])):
                yield source, mails(mail.case for mail in labelled)


def measured(sets: Mapping[str, Sequence[Mail]], rounds: int = ROUNDS) -> Iterator[Measured]:
    """Every set with every count that leaves at least ten messages to score."""
    for name, mailbox in sets.items():
        for count in COUNTS:
            if len(mailbox) - count >= FEWEST_LEFT:
                yield measure(name, mailbox, count, rounds)


def seconds_a_lesson(lessons: Sequence[OwnerLesson]) -> float:
    """How long the last of these corrections takes to be learned."""
    model = OwnersModel(lessons[:-1])
    started = perf_counter()
    model.learn(lessons[-1])
    return perf_counter() - started


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What corrections are worth.")
    parser.add_argument("folder", type=Path, nargs="?", default=DATA)
    folder: Path = parser.parse_args().folder
    sets = mailboxes(folder)
    sys.stdout.write(table(list(measured(sets))) + "\n")
    if folder == DATA and (real := list(measured(dict(real_mailboxes(DATA.parent))))):
        sys.stdout.write("\nReal mail, by our own labels and models that saw no mail of the owner:\n\n")
        sys.stdout.write(table(real) + "\n")
    lessons = [
        OwnerLesson(number=at, seen=one.seen, bucket=one.answer)
        for at, one in enumerate(mail for mailbox in sets.values() for mail in mailbox)
    ]
    spent = 1000 * seconds_a_lesson(lessons)
    sys.stdout.write(f"\nOne more correction after {len(lessons) - 1}: {spent:.1f} ms.\n")


if __name__ == "__main__":
    main()
