"""Who owes whom, by source, on threads with labels: `python -m evals.followups --corpora FOLDER [--errors]`.

`followups.jsonl` names threads of real mail by their files and says how each stands after its last message; `also` is
what a careful person might say as well. Threads of the `first` part were read before the rules were written, those of
the `second` were labelled before the rules had seen them. `gaia_followups` is another program's test of sent threads,
and `followups_apart` has mails that two labellers read.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast

from evals.followups_apart import apart_lines, apart_mails, half_of, is_agreed, kappa
from evals.real_mail import REAL_CORPUS, lines
from gaia_email.triage.followups.notes import note_of, reader_of
from gaia_email.triage.followups.standing import Owes, ThreadMail, ThreadStanding, standing_of
from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.pipeline import prepare

OTHER_CORPUS = "gaia_followups"
LABELS = Path(__file__).with_name("followups.jsonl")
PRECISION, RECALL = 0.90, 0.85
"""What chasing asks for before it is on by itself."""

DRAWS, SEED, WORST = 1_000, 31, 0.025
"""Draws of as many threads as there are, with repeats; the figure that so small a share of them falls below."""

_OPEN = frozenset({"you", "they"})
_FORWARD = re.compile(r"\s*(?:fwd?|wg|tr|rv)\s*:", re.IGNORECASE)
_REPLY = re.compile(r"\s*(?:re|aw|sv)\s*:", re.IGNORECASE)
_SURNAME = 6
"""Letters of a mailbox's name by which its owner's addresses are known; some systems cut names so short."""
_USER = "sam@acme.io"


class LabelledThread(TypedDict):
    """A line of `followups.jsonl`."""

    group: str
    files: list[str]
    owes: Owes
    part: str
    also: NotRequired[list[Owes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedThread:
    """A thread with what is right of it, and what was found."""

    source: str
    name: str
    right: Owes
    also: frozenset[Owes]
    found: ThreadStanding

    @property
    def said(self) -> Owes:
        """Who owes, with what is settled counted as nothing."""
        return self.found.owes if self.found.owes in _OPEN else "nothing"

    @property
    def is_right(self) -> bool:
        """Whether it is what somebody careful would say."""
        return self.said == self.right or self.said in self.also


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowupScore:
    """Of what is said to be owed, how much is; of what is owed, how much is said."""

    threads: int
    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """1 where nothing was said."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """1 where nothing is owed."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def labelled_threads() -> list[LabelledThread]:
    """What the labels file says."""
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def scored(threads: Sequence[JudgedThread]) -> FollowupScore:
    """The score of some threads; what may be said either way counts for nothing where nothing is said."""
    return FollowupScore(
        threads=len(threads),
        right=sum(one.said in _OPEN and one.is_right for one in threads),
        wrong=sum(one.said in _OPEN and not one.is_right for one in threads),
        missed=sum(one.right in _OPEN and not one.is_right and one.said != one.right for one in threads),
    )


def worst_draw(threads: Sequence[JudgedThread]) -> tuple[float, float]:
    """Precision and recall that nearly every draw of as many threads reaches."""
    chance = random.Random(SEED)
    scores = [scored(chance.choices(threads, k=len(threads))) for _ in range(DRAWS)]
    place = int(DRAWS * WORST)
    return sorted(one.precision for one in scores)[place], sorted(one.recall for one in scores)[place]


def agreement() -> tuple[int, int]:
    """In how many of the threads whose last mail others labelled for itself both say whether an answer is expected.

    Those labels know answers only, neither promises nor errands; `also` counts.
    """
    needs = {(line["group"], line["file"]): line["needs_reply"] for line in lines()}
    both = [
        (needs[thread["group"], thread["files"][-1]], {thread["owes"], *thread.get("also", [])})
        for thread in labelled_threads()
        if (thread["group"], thread["files"][-1]) in needs
    ]
    same = sum(bool(said & _OPEN) if expected else "nothing" in said for expected, said in both)
    return same, len(both)


def judged_threads(corpora: Path) -> Iterator[JudgedThread]:
    """Every labelled thread whose corpus is there."""
    folder = corpora / REAL_CORPUS / "messages"
    if folder.is_dir():
        for thread in labelled_threads():
            mails = [(name, decode((folder / name).read_bytes())) for name in thread["files"]]
            surname = thread["group"].partition("-")[0][:_SURNAME]
            own = {
                address
                for _, mail in mails
                for address in _addresses(mail)
                if surname in address.partition("@")[0]
            }
            yield JudgedThread(
                source=f"{thread['part']}/{thread['group']}",
                name=thread["files"][-1],
                right=thread["owes"],
                also=frozenset(thread.get("also", [])),
                found=_standing(mails, own),
            )
    listing = corpora / OTHER_CORPUS / "followups.json"
    if listing.is_file():
        cases = cast(Mapping[str, Any], json.loads(listing.read_text(encoding="utf-8")))
        for name, case in cases.items():
            mails = [(str(place), _mail(one)) for place, one in enumerate(case["thread"])]
            right: Owes = "they" if case["awaits_reply"] else "nothing"
            found = _standing(mails, {_USER})
            yield JudgedThread(source=OTHER_CORPUS, name=name, right=right, also=frozenset(), found=found)

    for mail in apart_mails(corpora):
        line = mail.line
        yield JudgedThread(
            source=f"{mail.half}/{line['source']}",
            name=line["file"],
            right=line["owes"][0],
            also=frozenset(line.get("also", [])),
            found=_standing([(line["file"], mail.message)], {mail.owner}),
        )


def _addresses(mail: ParsedMessage) -> set[str]:
    people = (*mail.to, *mail.cc, *((mail.sender,) if mail.sender else ()))
    return {one.address.lower() for one in people if one.address}


def _standing(mails: Sequence[tuple[str, ParsedMessage]], own: set[str]) -> ThreadStanding:
    taken = [_taken(name, mail, own) for name, mail in mails]
    return standing_of(taken, now=max(one.date for one in taken))


def _taken(name: str, mail: ParsedMessage, own: set[str]) -> ThreadMail:
    tier, prepared = BuiltinTier(), prepare(mail)
    sender = mail.sender.address.lower() if mail.sender else ""
    is_own = sender in own
    context = Context(owner=reader_of(mail, own) if is_own else frozenset(own))
    verdict = None if is_own else tier.judge(prepared, context)
    recipients = [one.address.lower() for one in (*mail.to, *mail.cc)]
    return ThreadMail(
        id=name,
        date=mail.date.timestamp() if mail.date else 0.0,
        own=is_own,
        sender=sender,
        recipients=frozenset(one for one in recipients if one not in own),
        to_owner=any(one in own for one in recipients),
        is_forward=_FORWARD.match(mail.subject) is not None,
        answers_others=_REPLY.match(mail.subject) is not None and bool(prepared.quoted),
        note=note_of(prepared, context, verdict=verdict, tier=tier),
    )


def _mail(case: Mapping[str, Any]) -> ParsedMessage:
    made = EmailMessage()
    user = f"Sam <{_USER}>"
    made["From"], made["To"] = case.get("from", user), case.get("to", user)
    made["Subject"] = case["subject"]
    made["Date"] = format_datetime(datetime(2026, 3, 20, 9, tzinfo=UTC) - timedelta(days=case["age_days"]))
    made["Message-ID"] = f"<{case['age_days']}.{parseaddr(made['From'])[1]}>"
    made.set_content(case["body"])
    return decode(made.as_bytes())


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(prog="python -m evals.followups", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with the public corpora")
    parser.add_argument("--errors", action="store_true", help="name the threads that are wrong")
    asked = parser.parse_args()
    threads = list(judged_threads(asked.corpora))
    sources = sorted({one.source for one in threads})
    parts = {source: [one for one in threads if one.source == source] for source in sources}
    for part in ("first", "second", "dev", "held out"):
        parts[f"{part}, all"] = [one for one in threads if one.source.startswith(f"{part}/")]
    for source, some in parts.items():
        if not some:
            continue
        score, (precision, recall) = scored(some), worst_draw(some)
        print(  # noqa: T201
            f"{source:22} threads {score.threads:3}  right {score.right:2}  wrong {score.wrong:2}  missed "
            f"{score.missed:2}  precision {score.precision:.2f}  recall {score.recall:.2f}  "
            f"worst draw {precision:.2f} {recall:.2f}"
        )
    print("agrees with labels of single mails in {} of {}".format(*agreement()))  # noqa: T201
    for half in ("dev", "held out"):
        lines_ = [line for line in apart_lines() if half_of(line) == half]
        agreed = sum(map(is_agreed, lines_))
        print(f"{half}: the labellers agree in {agreed} of {len(lines_)}, kappa {kappa(lines_):.2f}")  # noqa: T201
    for one in threads if asked.errors else ():
        if not one.is_right and not one.source.startswith("held out"):
            print(f"{one.source} {one.name}: {one.right}, found {one.said}: {one.found.why}")  # noqa: T201


if __name__ == "__main__":
    main()
