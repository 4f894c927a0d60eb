"""What an owner gains or loses who corrects mistakes only: `python -m evals.curves [FOLDER…]`.

A simulated owner reads some mails of a mailbox, drawn at random, corrects those that the product has wrong and leaves
the rest as read and left alone; or answers twenty questions of `teach`. Scored are mails that they did not read, none
of a conversation that they read in. Every source is a mailbox, and so are all sources of a part together.

Whatever is chosen in the mechanism is chosen on `TUNING` and on nothing else; `HELD_OUT` was looked at once it stood.
Sources by the same hands are in the same part.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from evals.datasets import listings
from evals.learning import FEWEST_LEFT, Mail, mails, real_mailboxes
from evals.real_mail import conversation
from gaia_email.policy.owner_says import OneCorrection, OwnerSays
from gaia_email.triage.learn.owner_actions import infer_bucket
from gaia_email.triage.learn.questions import QuestionCandidate, choose
from gaia_email.triage.learn.teach import QUESTIONS, suspicious
from gaia_email_evals.labelled import read_labelled
from gaia_email_evals.statistics import mean
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.model.owner import NOTICED, OwnerLesson, Owners
from gaia_understanding.cascade.verdict import Bucket

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA = (_SHARED / "triage_foreign", _SHARED / "triage_langchain")

TUNING = ("hari_inbox", "hareez_support", "triage_langchain")
HELD_OUT = ("yuvaraj_enronlike", "springboard_golden", "springboard_intern")

READ = (20, 40, 100)
DRAWS = 20
_OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """What the owner saw, whether they said of each where it belongs, and what is scored."""

    seen: list[Mail]
    left: list[Mail]
    confirms: bool = False


Way = Callable[[Sequence[Mail], random.Random], Dealt]
"""How an owner meets some mail of a mailbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One mailbox after one owner: how many were right before and after of those scored, and of those urgent alone."""

    scored: int
    before: int
    after: int
    urgent: int
    urgent_before: int
    urgent_after: int

    @property
    def gain(self) -> float:
        """In points."""
        return 100.0 * (self.after - self.before) / self.scored


def reading(many: int) -> Way:
    """So many mails, drawn at random; what shares a conversation with one of them is not scored."""
    return lambda mailbox, dice: _dealt(mailbox, many, dice)


def asked(mailbox: Sequence[Mail], dice: random.Random) -> Dealt:
    """What `teach` asks about of two thirds of a mailbox; the last third is scored."""
    pool = _dealt(mailbox, max(QUESTIONS, len(mailbox) * 2 // 3), dice)
    candidates = [
        QuestionCandidate(key=str(at), sender=mail.sender, seen=mail.seen, kinds=mail.kinds)
        for at, mail in enumerate(pool.seen)
        if not suspicious(mail.shipped)
    ]
    chosen = [pool.seen[int(one.key)] for one in choose(candidates, QUESTIONS)]
    return Dealt(seen=chosen, left=pool.left, confirms=True)


WAYS: Mapping[str, tuple[int, Way]] = {
    **{f"reads {many}": (many, reading(many)) for many in READ},
    f"teach {QUESTIONS}": (QUESTIONS, asked),
}
"""Name → how many mails it takes, and how they are met."""


def _dealt(mailbox: Sequence[Mail], many: int, dice: random.Random) -> Dealt:
    order = list(mailbox)
    dice.shuffle(order)
    known = {_conversation(mail) for mail in order[:many]}
    return Dealt(seen=order[:many], left=[mail for mail in order[many:] if _conversation(mail) not in known])


def _conversation(mail: Mail) -> tuple[str, str]:
    return mail.sender, conversation(mail.case.raw)


def is_right(mail: Mail) -> bool:
    """Whether the product as it ships has a mail where its label allows it."""
    return mail.shipped.bucket in mail.case.labels.buckets


class Owner:
    """What the product says after some mails were corrected, and others read and left alone or confirmed."""

    def __init__(self, dealt: Dealt) -> None:
        self.lessons: list[OwnerLesson] = []
        said: list[OneCorrection] = []
        for number, mail in enumerate(dealt.seen):
            told = dealt.confirms or not is_right(mail)
            bucket = mail.answer if told else _left_alone(mail)
            if bucket is None:
                continue
            self.lessons.append(
                OwnerLesson(number=number, seen=mail.seen, bucket=bucket, weight=1.0 if told else NOTICED)
            )
            said.append(
                OneCorrection(
                    account=_OWNER,
                    message_id=str(number),
                    sender=mail.sender,
                    was=mail.shipped.bucket,
                    now=bucket,
                    left_alone=not told,
                )
            )
        self._model = Owners({_OWNER: self.lessons}).of(_OWNER)
        self._says = OwnerSays.of(said)

    def __call__(self, mail: Mail) -> Bucket:
        """Where a mail stands that the owner did not see."""
        verdict = apply_lessons(mail.shipped, self._model, mail.sender)
        return self._says.judge(_OWNER, "", mail.sender, verdict).bucket


def _left_alone(mail: Mail) -> Bucket | None:
    return None if suspicious(mail.shipped) else infer_bucket("read", mail.shipped.bucket)


def scored(owner: Owner, left: Sequence[Mail]) -> Draw:
    """What an owner's lessons do to mail that they did not see."""
    rows = [(mail.case.labels.buckets, mail.shipped.bucket, owner(mail)) for mail in left]
    urgent = [(was, now) for allowed, was, now in rows if allowed == ("urgent",)]
    return Draw(
        scored=len(rows),
        before=sum(was in allowed for allowed, was, _ in rows),
        after=sum(now in allowed for allowed, _, now in rows),
        urgent=len(urgent),
        urgent_before=sum(was == "urgent" for was, _ in urgent),
        urgent_after=sum(now == "urgent" for _, now in urgent),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What becomes of a mailbox over all draws of one way of teaching."""

    mailbox: str
    way: str
    draws: tuple[Draw, ...]

    @property
    def gain(self) -> float:
        """Points on the mean."""
        return mean([draw.gain for draw in self.draws])

    @property
    def worst(self) -> float:
        """Points of the worst draw."""
        return min(draw.gain for draw in self.draws)

    @property
    def row(self) -> str:
        """As Markdown; what is urgent is counted over all draws."""
        mails = round(mean([float(draw.scored) for draw in self.draws]))
        before, after, of = (
            sum(getattr(draw, name) for draw in self.draws)
            for name in ("urgent_before", "urgent_after", "urgent")
        )
        urgent = f"{before / of:.1%} → {after / of:.1%}" if of else "none there"
        return f"| {self.mailbox} | {self.way} | {mails} | {self.gain:+.1f} | {self.worst:+.1f} | {urgent} |"


def curve(name: str, mailbox: Sequence[Mail], draws: int = DRAWS, seed: int = 0) -> Iterator[Point]:
    """Every way of teaching that leaves enough to score."""
    for way, (many, deal) in WAYS.items():
        if len(mailbox) - many < FEWEST_LEFT:
            continue
        dealings = [deal(mailbox, random.Random(f"{seed} {turn} {way}")) for turn in range(draws)]
        found = [scored(Owner(one), one.left) for one in dealings if one.left]
        if found:
            yield Point(mailbox=name, way=way, draws=tuple(found))


def parts(sources: Mapping[str, Sequence[Mail]]) -> dict[str, list[Mail]]:
    """All sources of a part as one mailbox; a source that nobody here has seen is held out."""
    whole = {
        "all for tuning": [mail for name in sources if name in TUNING for mail in sources[name]],
        "all held out": [mail for name in sources if name not in TUNING for mail in sources[name]],
        "all": [mail for mailbox in sources.values() for mail in mailbox],
    }
    return {name: mailbox for name, mailbox in whole.items() if len(mailbox) < len(whole["all"])} | (
        {"all": whole["all"]} if len(sources) > 1 else {}
    )


def table(sources: Mapping[str, Sequence[Mail]], draws: int = DRAWS, seed: int = 0) -> str:
    """As Markdown: sources for tuning, sources held out, and all of each as one mailbox."""
    tuned = {name: mailbox for name, mailbox in sources.items() if name in TUNING}
    unseen = {name: mailbox for name, mailbox in sources.items() if name not in TUNING}
    lines = ["| mailbox | owner | scored | mean | worst draw | urgent found |", "|---" * 6 + "|"]
    for name, mailbox in chain(tuned.items(), unseen.items(), parts(sources).items()):
        said = f"{name} (held out)" if name in unseen else name
        lines += [point.row for point in curve(said, mailbox, draws, seed)]
    return "\n".join(lines)


def read_folder(folder: Path) -> Iterator[tuple[str, list[Mail]]]:
    """The sets of a folder by name, or the set that the folder is; nothing of a set without buckets."""
    for listing in listings(folder):
        found = mails(read_labelled(listing))
        if found:
            yield listing.parent.name, found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.curves", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=list(DATA), metavar="FOLDER")
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--real", action="store_true", help="real mail, too, by our own labels (minutes)")
    given = parser.parse_args()
    folders: list[Path] = given.folders
    sources = dict(chain.from_iterable(map(read_folder, folders)))
    if not sources:
        parser.error(f"no labelled sets in {', '.join(map(str, folders))}: name a folder of sets")
    sys.stdout.write(table(sources, given.draws, given.seed) + "\n")
    if given.real and (real := dict(real_mailboxes(DATA[0].parent))):
        sys.stdout.write("\nReal mail, by our own labels and models that saw no mail of the owner:\n\n")
        rows = [
            point.row for name, found in real.items() for point in curve(name, found, given.draws, given.seed)
        ]
        sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
