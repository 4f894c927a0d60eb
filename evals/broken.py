"""How much text of broken MIME is found: `python -m evals.broken --corpora FOLDER`.

Every mail of the shared corpora is broken in each of the ways that senders, gateways and lists break mail; its text
counts as found when four in five of the words of the whole mail are still there.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evals.datasets import SPAM_CORPUS
from gaia_email_evals.statistics import mean
from gaia_understanding.cascade.understand import decode
from gaia_understanding.prepare.pipeline import prepare

ENOUGH = 0.8
_WORD = re.compile(r"[a-z]{6,}")
_MANY = 300
_FEW = 3
_BOUNDARY = re.compile(rb'boundary="?([^"\s;]+)"?', re.IGNORECASE)
_CHARSET = re.compile(rb'charset="?[\w-]+"?', re.IGNORECASE)
_PLAIN_ENCODING = re.compile(rb"(Content-Transfer-Encoding:\s*)[78]bit", re.IGNORECASE)
_ENCODING = re.compile(rb"\nContent-Transfer-Encoding: *(?:base64|quoted)[^\n]*", re.IGNORECASE)
_PLAIN = re.compile(rb"(Content-Type:\s*)text/plain", re.IGNORECASE)
_HTML = re.compile(rb"(Content-Type:\s*)text/html", re.IGNORECASE)
_TOP_TYPE = re.compile(rb"^Content-Type:[^\n]*\n(?:[ \t][^\n]*\n)*", re.IGNORECASE | re.MULTILINE)

Breakage = Callable[[bytes], bytes]


def _replacing(pattern: re.Pattern[bytes], by: bytes, count: int = 0) -> Breakage:
    return lambda raw: pattern.sub(by, raw, count=count)


def _single(change: Breakage) -> Breakage:
    return lambda raw: raw if _BOUNDARY.search(raw) else change(raw)


def _of_parts(change: Callable[[bytes, bytes], bytes]) -> Breakage:
    def broken(raw: bytes) -> bytes:
        found = _BOUNDARY.search(raw)
        return change(raw, b"--" + found[1]) if found else raw

    return broken


def _headless_parts(raw: bytes, mark: bytes) -> bytes:
    header, _, body = raw.partition(b"\n\n")
    return header + b"\n\n" + mark.join(part.replace(b"\n\n", b"\n", 1) for part in body.split(mark))


BREAKAGES: dict[str, Breakage] = {
    "bare carriage returns": lambda raw: raw.replace(b"\n", b"\r"),
    "doubled carriage returns": lambda raw: raw.replace(b"\n", b"\r\r\n"),
    "blank lines first": lambda raw: b"\n\n" + raw,
    "byte order mark first": lambda raw: b"\xef\xbb\xbf" + raw,
    "mbox line first": lambda raw: b">From a@example.com Mon Jan 1 00:00:00 2001\n" + raw,
    "no blank line below the header": lambda raw: raw.replace(b"\n\n", b"\n", 1),
    "a header line that is none": lambda raw: raw.replace(b"\n", b"\nthis is no header\n", 1),
    "space before colons": _replacing(re.compile(rb"^([\w-]+):", re.MULTILINE), rb"\1 :", 12),
    "unknown charset": _replacing(_CHARSET, b"charset=x-nothing"),
    "unknown encoding": _replacing(_PLAIN_ENCODING, rb"\1bin7"),
    "base64 announced, none there": _replacing(_PLAIN_ENCODING, rb"\1base64"),
    "base64 or quoted-printable unannounced": _replacing(_ENCODING, b""),
    "type cut short": _replacing(_PLAIN, rb"\1text"),
    "HTML announced as plain text": _replacing(_HTML, rb"\1text/plain"),
    "text announced as octets": _single(_replacing(_PLAIN, rb"\1application/octet-stream")),
    "text announced as attachment": _single(
        _replacing(
            re.compile(rb"(\nContent-Type:\s*text/plain[^\n]*)", re.IGNORECASE),
            rb"\1\nContent-Disposition: attachment",
        )
    ),
    "no closing boundary": _of_parts(lambda raw, mark: raw.replace(b"\n" + mark + b"--", b"\n")),
    "boundary not named": _replacing(re.compile(rb';\s*boundary="?[^"\s;]+"?', re.IGNORECASE), b""),
    "another boundary named": _replacing(_BOUNDARY, rb'boundary="other"', 1),
    "no blank line below part headers": _of_parts(_headless_parts),
    "another type first": _of_parts(lambda raw, _: b"Content-Type: text/plain\n" + raw),
    "multipart without a type": _of_parts(lambda raw, _: _TOP_TYPE.sub(b"", raw, count=1)),
}


def mails(corpora: Path) -> Iterator[bytes]:
    """The mails that are broken: a part of the spam corpus, and whole mail of old and rare programs."""
    for folder, pattern in ((SPAM_CORPUS, "*"), ("mime", "legacy*"), ("mime", "third*")):
        for path in sorted((corpora / folder / "messages").glob(pattern))[:_MANY]:
            yield path.read_bytes().replace(b"\r\n", b"\n")


def text_of(raw: bytes) -> str:
    """All text that the program shows of a mail, in small letters."""
    found = prepare(decode(raw))
    return f"{found.normalized} {found.quoted} {found.signature} {found.disclaimer} {found.hidden}".lower()


def found_by_breakage(corpora: Path) -> dict[str, Sequence[bool]]:
    """For each way to break a mail, whether the text of each mail that can be broken so was found."""
    found: dict[str, list[bool]] = {name: [] for name in BREAKAGES}
    for raw in mails(corpora):
        words = set(_WORD.findall(text_of(raw)))
        if len(words) < _FEW:
            continue
        for name, breakage in BREAKAGES.items():
            broken = breakage(raw)
            if broken != raw:
                text = text_of(broken)
                found[name].append(sum(word in text for word in words) >= ENOUGH * len(words))
    return {name: one for name, one in found.items() if one}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.broken", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with the public corpora")
    corpora: Path = parser.parse_args().corpora
    found = found_by_breakage(corpora)
    if not found:
        parser.error(f"no mail in {corpora}: name the folder that holds {SPAM_CORPUS}")
    print("| broken | mails | text found |\n|---|---|---|")  # noqa: T201
    for name, one in found.items():
        print(f"| {name} | {len(one)} | {mean(list(map(float, one))):.1%} |")  # noqa: T201
    print(f"| mean | | {mean([mean(list(map(float, one))) for one in found.values()]):.1%} |")  # noqa: T201


if __name__ == "__main__":
    main()
