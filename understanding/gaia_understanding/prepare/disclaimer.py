"""Remove legal boilerplate, scanner notes and mailing-list footers from plain text. Entry: `split_disclaimer`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from ahocorasick_rs import BytesAhoCorasick

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.split import TextSplit, lines_of

MAX_TAIL = 12_000
MAX_PARAGRAPHS = 12
MAX_PARAGRAPH = 4000
MAX_PLACES = 4
WINDOW = 260
MAX_REMEMBERED = 600
"""The characters up to which paragraphs are cached: footers come with every message of a list or a sender."""

_OF_MAIL = ("mail", "message", "communication", "transmission", "information", "document")
_NAMES_MAIL = r"\b(?:e-?mail|message|communication"
"""The beginning of patterns that name the mail itself; without such a word in the text, they need not be tried."""


class _Signs(NamedTuple):
    """The signs of boilerplate.

    Attributes:
        stems: Literals of which the case-folded paragraph must contain one (cheap).
        patterns: For each stem, the patterns of which one must then match.
        find: Finds the stems.
    """

    stems: tuple[str, ...]
    patterns: tuple[tuple[str, ...], ...]
    find: Callable[..., list[tuple[int, int, int]]]


@cache
def _signs() -> _Signs:
    table = WordTable("gaia_understanding.prepare", "boilerplate.txt")
    stems = tuple(title.replace("_", " ") for title in table.titles())
    return _Signs(
        stems=stems,
        patterns=tuple(map(table.choices, table.titles())),
        find=BytesAhoCorasick([stem.encode() for stem in stems]).find_matches_as_indexes,
    )


_DELIMITERS = frozenset(("--", "—", "–"))
_RULE_LINE = lazy_pattern(r"[-_=*~#\s—–]{3,400}")
_GLUE = lazy_pattern(r"\W{0,8}(?:(?:https?://|www\.|mailto:)\S{1,400}|[\w.+-]{1,64}@[\w.-]{1,120})\W{0,8}")

_ADDRESS_MARKS = ("@", "://", "www.", "mailto:")


def split_disclaimer(text: str) -> TextSplit:
    """Split the boilerplate paragraphs at the end of `text` from the text above them.

    Call it after `split_quotes` and before `split_signature`. The text kept is never empty: a message that is
    all boilerplate is its text. An ordinary sentence with "confidential" in it is not boilerplate.

    Returns:
        `how` is `boilerplate`, or `""` if there is none.
    """
    lines = lines_of(text)
    below = len(lines)
    while below and lines[below - 1]:
        below -= 1
    last = lines[below:]
    if all(map(str.strip, last)) and not _is_boilerplate(last) and not _is_glue(last):
        return TextSplit(kept=text, removed="", how="")
    start = _boilerplate_start(lines)
    if start >= len(lines) or not any(line.strip() for line in lines[:start]):
        return TextSplit(kept=text, removed="", how="")
    return TextSplit(
        kept="\n".join(lines[:start]).rstrip(),
        removed="\n".join(lines[start:]).strip("\n"),
        how="boilerplate",
    )


def _boilerplate_start(lines: list[str]) -> int:
    """Return the first line of the boilerplate at the end of the text; `len(lines)` if there is none."""
    start = end = len(lines)
    budget = MAX_TAIL
    for _ in range(MAX_PARAGRAPHS):
        while end and not lines[end - 1].strip():
            end -= 1
        first = end
        while first and lines[first - 1].strip():
            first -= 1
        paragraph = lines[first:end]
        budget -= sum(map(len, paragraph))
        if first == end or budget < 0:
            break
        at = _paragraph_start(paragraph)
        if at == 0 or (at is None and start < len(lines) and _is_glue(paragraph)):
            start = first if at == 0 else start
            end = first
            continue
        if at is not None:
            return _with_rule_above(lines, first + at)
        if not _is_glue(paragraph):
            break
        end = first
    return _with_rule_above(lines, start)


def _with_rule_above(lines: list[str], start: int) -> int:
    if start >= len(lines):
        return start
    at = start
    while at and not lines[at - 1].strip():
        at -= 1
    return (
        at - 1
        if at and (_RULE_LINE.fullmatch(lines[at - 1]) or lines[at - 1].strip() in _DELIMITERS)
        else start
    )


def _is_glue(paragraph: list[str]) -> bool:
    """Return True for lines that say nothing alone: a drawn line, an address."""
    return len(paragraph) <= 4 and all(
        _RULE_LINE.fullmatch(line) or (any(map(line.__contains__, _ADDRESS_MARKS)) and _GLUE.fullmatch(line))
        for line in paragraph
    )


def _paragraph_start(paragraph: list[str]) -> int | None:
    """Return the line of the paragraph from which on it is boilerplate; None if it contains none."""
    if not _is_boilerplate(paragraph):
        return None
    for at, line in enumerate(paragraph):
        if _RULE_LINE.fullmatch(line) and _is_boilerplate(paragraph[at:]):
            return at
        if _is_boilerplate(paragraph[at : at + 3]):
            return _begin_of_sentence(paragraph, at)
    return 0


def _begin_of_sentence(paragraph: list[str], at: int) -> int:
    """Return the lowest of the three lines examined from which the text still matches."""
    if _is_boilerplate(paragraph[at : at + 1]):
        return at
    for later in (at + 2, at + 1):
        if later < len(paragraph) and _is_boilerplate(paragraph[later : later + 3]):
            whole = " ".join(paragraph[at:later]).strip()
            if whole.endswith((".", "!", "?")) or len(paragraph[later - 1]) < 45:
                return later
    return at


def _is_boilerplate(paragraph: list[str]) -> bool:
    text = " ".join([line.strip() for line in paragraph])
    return _repeated(text) if len(text) <= MAX_REMEMBERED else _holds_sign(text[:MAX_PARAGRAPH])


def _holds_sign(text: str) -> bool:
    text = text.casefold()
    signs = _signs()
    hits = signs.find(text.encode("utf-8", "replace"), overlapping=True)
    if not hits:
        return False
    of_mail = any(map(text.__contains__, _OF_MAIL))
    return any(
        _near(signs.stems[number], pattern, text)
        for number in {number for number, _, _ in hits}
        for pattern in signs.patterns[number]
        if of_mail or _NAMES_MAIL not in pattern
    )


_repeated = lru_cache(maxsize=2048)(_holds_sign)


def _near(stem: str, pattern: str, text: str) -> bool:
    """Return True if the pattern matches around one of the first places of its stem."""
    at = -1
    for _ in range(MAX_PLACES):
        at = text.find(stem, at + 1)
        if at < 0:
            return False
        if _compile(pattern).search(text, max(0, at - WINDOW), at + WINDOW):
            return True
    return False


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
