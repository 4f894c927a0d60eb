"""Real mail with labels of our own, by file name. Entries: `labelled`, `agreement`.

`real_mail.jsonl` names mails of the corpus that `docs/learned-model.md` describes and says what `LABELS.md` makes of
each. What two people got was labelled twice, by hands apart from each other, and both answers stand. A mail that a
mailbox's owner sent is labelled as who got it would.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NotRequired, TypedDict

from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.labelled import MESSAGES, read_labelled
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

REAL_CORPUS = "real_mail"
LABELS = Path(__file__).with_name("real_mail.jsonl")
SENT = "sent"
"""The source of what owners wrote themselves."""

_ANSWERED = re.compile(r"^(?:(?:re|fw|fwd)\s*:\s*)+", re.IGNORECASE)
_SUBJECT, _TELLING, _BEGINNING = 40, 8, 80


class Line(TypedDict):
    """A line of `real_mail.jsonl`: `bucket` has one answer a pass, `also` what a careful person might say as well."""

    group: str
    file: str
    bucket: list[Bucket]
    also: NotRequired[list[Bucket]]
    needs_reply: bool
    sent: NotRequired[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealMail:
    """A labelled mail.

    Attributes:
        source: Whose mailbox it is, or `SENT`.
        conversation: What it shares with other copies of it and with answers to it, in whosever mailbox.
        answers: What each pass said.
        case: The mail in its mailbox; every answer and every second one is right.
    """

    source: str
    conversation: str
    answers: tuple[Bucket, ...]
    case: LabelledMessage


def labelled(corpora: Path) -> Iterator[RealMail]:
    """Every labelled mail of the corpus, mailbox by mailbox; nothing where the corpus is not here."""
    folder = corpora / REAL_CORPUS / MESSAGES
    if not folder.is_dir():
        return
    known = lines()
    owners = _owners(folder, [line for line in known if not line.get("sent")])
    by_mailbox: dict[tuple[str, str], list[Line]] = {}
    for line in known:
        user = _addressee(folder / line["file"]) if line.get("sent") else owners[line["group"]]
        source = SENT if line.get("sent") else line["group"]
        by_mailbox.setdefault((source, user), []).append(line)
    for (source, user), some in by_mailbox.items():
        answers = {line["file"]: tuple(line["bucket"]) for line in some}
        for case in _cases(folder, user, some):
            case_there = replace(case, source=f"{REAL_CORPUS}/{source}")
            yield RealMail(
                source=source,
                conversation=conversation(case.raw),
                answers=answers[case.name],
                case=case_there,
            )


def lines() -> list[Line]:
    """What the labels file says."""
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def agreement(pairs: Sequence[tuple[Bucket, Bucket]]) -> tuple[float, float]:
    """How often two passes say the same, and Cohen's kappa (1960): the same beyond what chance would have made."""
    often = [Counter(column) for column in zip(*pairs, strict=True)]
    same = sum(first == second for first, second in pairs) / len(pairs)
    chance = sum(often[0][bucket] * often[1][bucket] for bucket in BUCKETS) / len(pairs) ** 2
    return same, (same - chance) / (1 - chance)


def _cases(folder: Path, user: str, some: Sequence[Line]) -> list[LabelledMessage]:
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / MESSAGES).symlink_to(folder)
        listing = Path(place) / "expected.jsonl"
        rows = [{**line, "bucket": [*line["bucket"], *line.get("also", [])], "user": user} for line in some]
        listing.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return list(read_labelled(listing))


def _owners(folder: Path, received: Sequence[Line]) -> dict[str, str]:
    """Whose mailbox a group is: whoever its mail went to most often. No address stands in this repository."""
    recipients: dict[str, Counter[str]] = {}
    for line in received:
        message = decode((folder / line["file"]).read_bytes())
        addresses = [mailbox.address.lower() for mailbox in (*message.to, *message.cc)]
        recipients.setdefault(line["group"], Counter()).update(addresses)
    return {group: often.most_common(1)[0][0] for group, often in recipients.items()}


def _addressee(file: Path) -> str:
    to = decode(file.read_bytes()).to
    return to[0].address.lower() if to else ""


def conversation(raw: bytes) -> str:
    """What copies of a mail and answers to it have in common: its telling subject, else how its text begins."""
    message = decode(raw)
    subject = re.sub(r"\W+", "", _ANSWERED.sub("", message.subject.strip().lower()))[:_SUBJECT]
    return subject if len(subject) > _TELLING else " ".join((message.text or "").split())[:_BEGINNING]
