"""Who owes whom in single mails that two labellers read apart from each other. Entries: `apart_mails`, `kappa`.

`followups_apart.jsonl` names mails of `forge` (real, of a company's staff, with headers replaced) and of the small sets
of `triage_foreign`, with what each labeller said; `also` is what either thought might be said as well. What both say is
taken for right, and what they disagree on is counted beside. A mail's name puts it into one of two halves: errors of
`dev` may be looked at, those of `held out` are counted only.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

from gaia_email.triage.followups.standing import Owes
from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.cascade.understand import decode

APART_LABELS = Path(__file__).with_name("followups_apart.jsonl")
REAL, INVENTED = "forge", "triage_foreign"

Half = Literal["dev", "held out"]


class ApartLine(TypedDict):
    """A line of `followups_apart.jsonl`; `owes` has one answer a labeller."""

    source: str
    file: str
    owes: list[Owes]
    also: NotRequired[list[Owes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartMail:
    """A mail with its line, and the address of the mailbox it came to."""

    line: ApartLine
    half: Half
    message: ParsedMessage
    owner: str


def apart_lines() -> list[ApartLine]:
    """What the labels file says."""
    return [json.loads(line) for line in APART_LABELS.read_text(encoding="utf-8").splitlines()]


def half_of(line: ApartLine) -> Half:
    """The half that a mail is in, by its name alone."""
    return "held out" if sha256(f"{line['source']}/{line['file']}".encode()).digest()[0] & 1 else "dev"


def is_agreed(line: ApartLine) -> bool:
    """Whether both labellers say the same."""
    return len(set(line["owes"])) == 1


def kappa(lines: Sequence[ApartLine]) -> float:
    """How far two labellers agree beyond chance (Cohen's kappa); 1 where they agree in all."""
    first, second = (Counter(line["owes"][place] for line in lines) for place in (0, 1))
    agreed = sum(map(is_agreed, lines)) / len(lines)
    chance = sum(first[owes] * second[owes] for owes in first) / len(lines) ** 2
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def apart_mails(corpora: Path) -> Iterator[ApartMail]:
    """Every mail whose corpus is there and on which both labellers agree."""
    listing = corpora / REAL / "expected.jsonl"
    rows = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    real = {row["file"]: str(row["message"]) for row in map(json.loads, rows)}
    for line in apart_lines():
        path = corpora / INVENTED / line["source"] / "messages" / line["file"]
        is_real = line["source"] == REAL
        if not is_agreed(line) or (line["file"] not in real if is_real else not path.is_file()):
            continue
        message = decode(real[line["file"]].encode() if is_real else path.read_bytes())
        owner = message.to[0].address.lower() if message.to else ""
        yield ApartMail(line=line, half=half_of(line), message=message, owner=owner)
