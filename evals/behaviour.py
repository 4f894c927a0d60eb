"""What learning from actions is worth with simulated owners, by noise: `python -m evals.behaviour [FOLDER]`.

Nobody's actions are in the sets by other hands, so an owner is simulated who answers most of what their labels say is
wanted, puts most of what is worth nothing away unread and reads the rest, and whose actions now and then mean nothing.
Forty messages or two thirds of a set are seen by the owner, the rest is scored, thirty times over.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.learning import DATA, FEWEST_LEFT, Mail, mailboxes
from gaia_email.triage.learn.owner_actions import OwnerAction, infer_bucket
from gaia_email.triage.learn.teach import suspicious
from gaia_email_evals.statistics import mean
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.model.owner import NOTICED, OwnerLesson, OwnersModel

NOISES = (0.0, 0.2, 0.4, 0.6)
"""Shares of the messages whose action was drawn at random."""

ACTED, MOST, ROUNDS = 0.6, 40, 30
_ACTIONS: tuple[OwnerAction, ...] = ("answered", "archived_unread", "read")


def gain(mailbox: Sequence[Mail], noise: float, rounds: int = ROUNDS) -> float:
    """Points gained on what was not acted upon."""
    gains: list[float] = []
    for turn in range(rounds):
        dice = random.Random(turn)
        order = list(mailbox)
        dice.shuffle(order)
        count = min(MOST, len(order) * 2 // 3)
        lessons = [
            lesson
            for number, mail in enumerate(order[:count])
            for lesson in lessons_of(mail, number, drawn_action(mail, dice, noise))
        ]
        model = OwnersModel(lessons)
        for mail in order[count:]:
            after = apply_lessons(mail.shipped, model, mail.sender).bucket
            allowed = mail.case.labels.buckets
            gains.append(100.0 * ((after in allowed) - (mail.shipped.bucket in allowed)))
    return mean(gains)


def drawn_action(mail: Mail, dice: random.Random, noise: float) -> OwnerAction | None:
    """What the simulated owner does with a message; None for nothing."""
    if dice.random() < noise:
        return dice.choice(_ACTIONS)
    if dice.random() >= ACTED:
        return None
    if mail.answer in ("urgent", "actionable"):
        return "answered"
    return "archived_unread" if mail.answer == "low_priority" else "read"


def lessons_of(mail: Mail, number: int, done: OwnerAction | None) -> list[OwnerLesson]:
    """As `gaia_email.triage.learn.behaviour` would keep it; nothing where the action says nothing."""
    bucket = None if done is None or suspicious(mail.shipped) else infer_bucket(done, mail.shipped.bucket)
    if bucket is None:
        return []
    return [OwnerLesson(number=number, seen=mail.seen, bucket=bucket, weight=NOTICED)]


def table(sets: Mapping[str, Sequence[Mail]]) -> str:
    """As Markdown: a row a set, a column a share of actions that mean nothing."""
    large = {name: mailbox for name, mailbox in sets.items() if len(mailbox) >= 3 * FEWEST_LEFT}
    rows = {name: [gain(mailbox, noise) for noise in NOISES] for name, mailbox in large.items()}
    rows["mean"] = [mean([found[at] for found in rows.values()]) for at in range(len(NOISES))]
    lines = [
        "| source | " + " | ".join(f"{noise:.0%} mean nothing" for noise in NOISES) + " |",
        "|---" * (1 + len(NOISES)) + "|",
    ]
    lines += [
        f"| {name} | " + " | ".join(f"{one:+.1f}" for one in found) + " |" for name, found in rows.items()
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What learning from deeds is worth.")
    parser.add_argument("folder", type=Path, nargs="?", default=DATA)
    folder: Path = parser.parse_args().folder
    sys.stdout.write(table(mailboxes(folder)) + "\n")


if __name__ == "__main__":
    main()
