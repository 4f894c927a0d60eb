"""How exactly quoted lines of mailing-list mail are cut: `python -m evals.quoting --corpora FOLDER [--cutter NAME]`.

The authors marked what they quote, line by line, so plain text mail of lists scores itself: a marked line should go, an
unmarked one stay unless it announces a quote, is a signature, or is the list's own footer. Mail with an earlier message
pasted in whole has unmarked quoted lines and is left out.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name

from evals.datasets import SPAM_CORPUS
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.understand import decode
from gaia_understanding.prepare.pipeline import tidy
from gaia_understanding.prepare.quotes import split_quotes

_MARK = re.compile(r"\s{0,4}(?:[A-Za-z]{0,4}>|[|})](?: |$))")
_TABLE = re.compile(r"\|.*\|\s*$|>>?From ")
_VERB = re.compile(
    r"\b(?:wrote|writes|said|says|schrieb\w*|mentioned|typed|Quoting)\b|^On .*\d{4}|^Once upon a time|@.*:$"
)
_PASTED = re.compile(
    r"^[- ]*(?:Original Message|begin forwarded)|^(?:From|Date):\s", re.IGNORECASE | re.MULTILINE
)

Cutter = Callable[[str, str], str]
"""Takes the text and the subject of a message and gives the lines that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The lines of all mails by what they are and what became of them."""

    marked: int
    marked_removed: int
    own: int
    own_kept: int


def list_mails(corpora: Path) -> Iterator[tuple[str, str]]:
    """Text and subject of the plain text mails of lists in the corpus."""
    for case in read_labelled(corpora / SPAM_CORPUS / "expected.jsonl"):
        message = decode(case.raw)
        if case.labels.spam or not message.text or message.html or _PASTED.search(message.text):
            continue
        yield tidy(message.text), message.subject


def shipped(text: str, subject: str) -> str:
    """The product's own cut."""
    return split_quotes(text, subject=subject).kept


def score(mails: Iterator[tuple[str, str]], cutter: Cutter) -> Cut:
    """Count the lines of `mails` that `cutter` kept and removed rightly."""
    count = Counter[str]()
    for text, subject in mails:
        kept = Counter(line.strip() for line in cutter(text, subject).split("\n"))
        for line in filter(None, map(str.strip, text.split("\n"))):
            stays = kept[line] > 0
            kept[line] -= stays
            if _MARK.match(line) and not _TABLE.match(line):
                count["marked"] += 1
                count["marked_removed"] += not stays
            elif not _VERB.search(line):
                count["own"] += 1
                count["own_kept"] += stays
    return Cut(**{name: count[name] for name in ("marked", "marked_removed", "own", "own_kept")})


def _cutter(name: str | None) -> Cutter:
    if name is None:
        return shipped
    extract: Callable[[str], str] = resolve_name(name)
    return lambda text, _: extract(text)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.quoting", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with the public corpora")
    parser.add_argument(
        "--cutter",
        help="another library's function from text to reply, in place of ours: talon.quotations:extract_from_plain",
    )
    arguments = parser.parse_args()
    cut = score(list_mails(arguments.corpora), _cutter(arguments.cutter))
    for what, right, of in (
        ("quoted lines removed", cut.marked_removed, cut.marked),
        ("own lines kept", cut.own_kept, cut.own),
    ):
        print(f"{what}: {right} of {of} ({right / max(1, of):.1%})")  # noqa: T201


if __name__ == "__main__":
    main()
