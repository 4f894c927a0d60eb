"""Split the visible text of an HTML mail into new, quoted and signature. Entry: `part`.

Markup shows where quotes may be; this module decides which of them are earlier mail: an attribution line
before a plain `blockquote`, a header block after a rule. Text between quotes (an inline reply) stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.html.conventions import ConventionKind

_TABLE = WordTable("gaia_understanding.prepare", "quotes.txt")


@dataclass(slots=True, kw_only=True)
class Region:
    """A part of the text that markup sets apart; `end` is set when its element closes."""

    kind: ConventionKind
    how: str
    start: int
    end: int


class PartedText(NamedTuple):
    """The visible text in three parts.

    `how` names the quoting conventions that were found. `whole` is True if there was no text outside the
    quotes and all of the text therefore counts as new.
    """

    new: str
    quoted: str
    signature: str
    how: str
    whole: bool = False


TextSpan = tuple[int, int, str]

VERBS = _TABLE.pattern("html_verbs", flags=re.IGNORECASE)
_MOMENT = lazy_pattern(r"\d{1,2}[:.h]\d\d|\b(?:19|20)\d\d\b|@")
_ORIGINAL = _TABLE.pattern("html_original", r"-{2,}\s{0,3}(?:", ")", flags=re.IGNORECASE)
FORWARD = _TABLE.pattern("html_forward", flags=re.IGNORECASE)
LABELS = _TABLE.words("html_labels")


def part(pieces: Sequence[str], regions: Sequence[Region], *, reply: bool, forward: bool) -> PartedText:
    """Split the text.

    Args:
        pieces: The visible text with its separators, as `Layout.pieces`.
        regions: The parts that markup sets apart, in order of their start.
        reply: True if the message answers another one (by its headers). A plain `blockquote` at the very end then is
            the quoted mail, and a message that quotes and adds nothing has no new text.
        forward: True if the message forwards another one: with nothing written above it, that one is the content.
    """
    if not regions:
        return PartedText(new="".join(pieces), quoted="", signature="", how="")
    signatures = [(r.start, r.end, r.how) for r in regions if r.kind == "signature"]
    spans = _strong(pieces, regions)
    spans += _blockquotes(pieces, regions, spans + signatures, reply)
    if not spans and not signatures:
        return PartedText(new="".join(pieces), quoted="", signature="", how="")
    new = _outside(pieces, spans + signatures)
    how = "+".join(dict.fromkeys(span[2] for span in sorted(spans)))
    if any(character.isalnum() for character in new):
        return PartedText(
            new=new, quoted=_inside(pieces, spans), signature=_inside(pieces, signatures, spans), how=how
        )
    quoted = _inside(pieces, spans)
    convention = any(region.kind != "cue" and region.how != "blockquote" for region in regions)
    if quoted and reply and convention and not forward and not FORWARD.match(quoted):
        marks = f"{new}\n\n" if new else ""
        return PartedText(
            new="", quoted=marks + quoted, signature=_inside(pieces, signatures, spans), how=how
        )
    return PartedText(new="".join(pieces), quoted="", signature="", how="", whole=True)


def _strong(pieces: Sequence[str], regions: Sequence[Region]) -> list[TextSpan]:
    spans: list[TextSpan] = []
    total = len(pieces)
    for region in regions:
        if region.kind == "rest" or (region.kind == "cue" and _header_follows(pieces, region)):
            spans.append((region.start, total, region.how))
            break
        if region.kind == "quote" and region.how != "blockquote":
            spans.append((_find_attribution(pieces, region.start), region.end, region.how))
        elif region.kind == "container":
            spans += _container(pieces, region, regions)
    return spans


def _container(pieces: Sequence[str], region: Region, regions: Sequence[Region]) -> list[TextSpan]:
    inner = [
        other
        for other in regions
        if other.kind == "quote"
        and other.how in {"blockquote", "cite"}
        and region.start <= other.start
        and other.end <= region.end
    ]
    text = "".join(pieces[region.start : region.end][:40])
    start = _find_attribution(pieces, region.start)
    if not inner or FORWARD.match(text):
        return [(start, region.end, region.how)]
    spans = [(start, inner[0].start, region.how)]
    spans += [(_find_attribution(pieces, quote.start), quote.end, region.how) for quote in inner]
    return spans


def _blockquotes(
    pieces: Sequence[str], regions: Sequence[Region], taken: list[TextSpan], reply: bool
) -> list[TextSpan]:
    spans: list[TextSpan] = []
    plain = [region for region in regions if region.kind == "quote" and region.how == "blockquote"]
    last = plain[-1].start if plain else -1
    for region in plain:
        if any(start <= region.start and region.end <= end for start, end, _ in taken + spans):
            continue
        start = _find_attribution(pieces, region.start)
        if start < region.start or _opens_with_quote(pieces, region):
            spans.append((start, region.end, "blockquote"))
        elif reply and (region.start == last or region.end >= plain[-1].end) and region.start > 0:
            rest: list[TextSpan] = [(0, region.end, ""), *taken]
            if not _outside(pieces, rest).strip():
                spans.append((start, region.end, "blockquote"))
    return spans


def _opens_with_quote(pieces: Sequence[str], region: Region) -> bool:
    lines = _lines("".join(pieces[region.start : region.end][:60]))
    return bool(lines) and (
        is_attribution(lines[0])
        or is_attribution(" ".join(lines[:2]))
        or _ORIGINAL.match(lines[0]) is not None
        or is_header_block(lines, 3)
    )


def _header_follows(pieces: Sequence[str], region: Region) -> bool:
    lines = _lines("".join(pieces[region.start : region.start + 60]))
    if lines and _ORIGINAL.match(lines[0]):
        return True
    return is_header_block(lines, 2 if region.how == "outlook" else 3)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()][:10]


def is_header_block(lines: Sequence[str], least: int) -> bool:
    """Return True if at least `least` lines at the beginning have mail header labels in any known language."""
    found = 0
    for number, line in enumerate(lines[:8]):
        label, colon, _ = line.replace("：", ":")[:40].partition(":")
        if colon and label.strip(" \t*_").lower() in LABELS:
            found += 1
        elif number == 0:
            return False
    return found >= least


def is_attribution(line: str) -> bool:
    """Return True for an attribution: `On 1 May 2026 at 10:00, Ann <a@example.com> wrote:`."""
    line = line.strip()
    if len(line) > 300 or not line.endswith((":", "：")):
        return False
    if VERBS.search(line) is not None:
        return any(character.isdigit() for character in line) or "@" in line or len(line) < 60
    return len(_MOMENT.findall(line)) >= 2


def _find_attribution(pieces: Sequence[str], start: int) -> int:
    """Return the start of the attribution before `start`; `start` itself if there is none."""
    at = start
    breaks = 0
    chars = 0
    while at > 0 and chars < 300:
        piece = pieces[at - 1]
        if "\n" in piece and chars:
            if is_attribution("".join(pieces[at:start])):
                return at
            breaks += 1
            if breaks >= 3 or piece.count("\n") > 1:
                return start
        chars += len(piece.strip())
        at -= 1
    return at if at == 0 and is_attribution("".join(pieces[:start])) else start


def _outside(pieces: Sequence[str], spans: Sequence[TextSpan]) -> str:
    kept: list[str] = []
    at = 0
    for start, end, _ in sorted(spans):
        if start > at:
            kept.append("".join(pieces[at:start]))
        at = max(at, end)
    kept.append("".join(pieces[at:]))
    return "\n\n".join(piece.strip("\n") for piece in kept if piece.strip())


def _inside(pieces: Sequence[str], spans: Sequence[TextSpan], but: Sequence[TextSpan] = ()) -> str:
    kept: list[str] = []
    at = 0
    for start, end, _ in sorted(spans):
        first = max(at, start)
        if end > first and not any(low <= start and end <= high for low, high, _ in but):
            kept.append("".join(pieces[first:end]).strip())
            at = end
    return "\n\n".join(piece for piece in kept if piece)
