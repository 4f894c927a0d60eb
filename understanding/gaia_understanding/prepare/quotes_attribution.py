"""Recognise the line that announces a quote and its author. Entries: `find_attribution`, `is_attribution`.

An attribution has a verb of writing, a date or an address, in any of some thirty languages' orders, and may
be wrapped over several lines. Prose that only mentions writing ("On Friday I wrote a letter:") is not one.
"""

from __future__ import annotations

import re
import unicodedata

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.quotes_tables import (
    OPENERS,
    PRONOUNS,
    QUOTING,
    UNSPACED_VERBS,
    VERBS,
    WEAK_VERBS,
)

MAX_LINES = 5
MAX_LINE = 300
MAX_CHARS = 500
MAX_LOWER = 3
MAX_DATE_HEAD = 50
MAX_TAIL = 24
MAX_HEAD_WORDS = 6
EDGE = " \t\r\u00a0*_-\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069"

_CLOCK = lazy_pattern(
    r"(?<![\d.])\d{1,2}[:：.h時时시]\s?\d{2}(?!\.?\d)|(?<!\d)\d{1,2} ?[ap]\.?m\b", re.IGNORECASE
)
_DAY = lazy_pattern(
    r"(?<!\d)(?:\d{1,4}[./-] ?\d{1,2}[./-] ?\d{2,4}(?!\d)|\d{1,2}-[^\W\d_]{3,9}\.?-\d{2,4}|(?:19|20)\d\d(?!\d))"
)
_DAY_OF_MONTH = lazy_pattern(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)")
_YEAR_FIRST = lazy_pattern(r"(?:19|20)\d\d[ ,]")
_WORD = lazy_pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ADDRESS = lazy_pattern(r"[^\s<>()\[\]\"',;:]{1,120}@[^\s<>()\[\]\"',;:]{1,200}")
_MID_LINE = lazy_pattern(r"-{2,} ?(?=[^\W\d_])")


def is_attribution(text: str, *, quote_follows: bool) -> bool:
    """Return True if all of `text` announces a quote; `quote_follows`: the next line with text starts with `>`."""
    core = text.strip(EDGE)
    if not 4 < len(core) <= MAX_CHARS:
        return False
    has_address = "@" in core
    clock = _CLOCK.search(core) is not None
    dated = _DAY.search(core) is not None
    if not (has_address or clock or dated or quote_follows):
        return False
    if core[-1:] not in (":", "："):
        return _ends_with_address(core) and dated and quote_follows
    body = unicodedata.normalize("NFC", core[:-1].strip(EDGE))
    verb = _last_verb(body)
    if verb is None:
        return _verbless(body, clock=clock, dated=dated, quote_follows=quote_follows)
    start, end, weak = verb
    if not _tail_is_name(body[end:], clock=clock):
        return False
    if quote_follows:
        return True
    if has_address:
        return clock or dated or _opens_with_date(core)
    if _told_by_pronoun(body[:start], body[end:]):
        return False
    if weak:
        return clock and dated and end == len(body) and _lower_words(body[:start]) <= 1
    return clock or (dated and _lower_words(body[:start]) <= MAX_LOWER)


def _lower_words(text: str) -> int:
    return sum(1 for word in _WORD.findall(text) if word.islower())


def _holds_verb(line: str) -> bool:
    """Return True if the last line of a possible attribution has the verb; a cheap test without `>` below."""
    core = line.rstrip(" :：*_\t\u00a0")
    last = core.rsplit(None, 1)[-1].rsplit(">", 1)[-1] if core else ""
    return last.casefold() in VERBS or (
        bool(core) and _last_verb(unicodedata.normalize("NFC", core)) is not None
    )


def _ends_with_address(core: str) -> bool:
    return core[-1] in ">)]" and "@" in core[-120:]


def _last_verb(body: str) -> tuple[int, int, bool] | None:
    found: tuple[int, int, bool] | None = None
    last = body[body.rfind(" ") + 1 :]
    if last.isalpha() and last.casefold() in VERBS:
        return len(body) - len(last), len(body), False
    for word in _WORD.finditer(body):
        folded = word.group().casefold()
        if folded in VERBS:
            found = word.start(), word.end(), False
        elif folded in WEAK_VERBS and found is None:
            found = word.start(), word.end(), True
    if found is None and not body.isascii():
        for verb in UNSPACED_VERBS:
            at = body.rfind(verb)
            if at >= 0:
                return at, at + len(verb), False
    return found


def _tail_is_name(tail: str, *, clock: bool) -> bool:
    """Return True if the verb is followed by nothing, a name, an address, or (in some languages) the time."""
    if not any(char.isalnum() for char in tail):
        return True
    if "@" in tail:
        return True
    words = _WORD.findall(tail)
    lower = sum(1 for word in words if word.islower() and len(word) > 1)
    if len(words) <= 6 and (lower <= 1 or tail.lstrip()[:1] == "("):
        return True
    return clock and lower <= 3 and len(words) <= 8


def _verbless(body: str, *, clock: bool, dated: bool, quote_follows: bool) -> bool:
    """Return True for `3 Mar 2025 10:00 Pat <pat@example.com>:`, or `Quoting Pat <pat@example.com>:`."""
    if body.casefold().startswith(QUOTING):
        return "@" in body or quote_follows
    address = _ADDRESS.search(body)
    if address is None:
        return False
    rest = body[: address.start()] + body[address.end() :]
    prose = sum(1 for word in _WORD.findall(rest) if word.islower() and len(word) > 3)
    if prose > 3:
        return False
    if quote_follows or (clock and dated):
        return True
    return dated and body[0].isdigit()


def _told_by_pronoun(before: str, after: str) -> bool:
    told = after.split()[:2]
    words = before.split()[-1:] + (told[:1] if not (len(told) > 1 and told[1][0].isdigit()) else [])
    return any(word.strip(",").casefold() in PRONOUNS for word in words)


def _opens_with_date(core: str) -> bool:
    head = core[:40]
    first = _WORD.match(head)
    if first is None:
        return (
            _DAY.match(head) is not None
            or _CLOCK.match(head) is not None
            or _DAY_OF_MONTH.match(head) is not None
        )
    if first.group().casefold() not in OPENERS and not head[first.end() : first.end() + 2].startswith(
        (",", ".")
    ):
        return False
    return _DAY_OF_MONTH.search(head) is not None or _DAY.search(head) is not None


def _could_wrap(line: str) -> bool:
    """Return True if an attribution could go on below this line: prose ends its sentences, an attribution does not."""
    if line.endswith(("!", "?", ":", ";")):
        return False
    return not (line.endswith(".") and len(line.rsplit(None, 1)[-1]) > 5)


def _is_rest(core: str) -> bool:
    """Return True if an announcement lacks its beginning: `<kim@example.com> wrote:`, `napsal:`, `10:00写道：`."""
    if core[0] in "<()":
        return True
    close = core.find(">")
    if close >= 0 and "<" not in core[:close]:
        return True
    return len(core) <= MAX_TAIL and not _names_someone(core)


def _names_someone(core: str) -> bool:
    body = unicodedata.normalize("NFC", core.rstrip(":： "))
    verb = _last_verb(body)
    if verb is None:
        return True
    start, end, _ = verb
    rest = f"{body[:start]} {body[end:]}"
    return "@" in rest or any(not word.islower() or len(word) > 4 for word in _WORD.findall(rest))


def _opens_late(core: str) -> bool:
    """Return True if the announcement opens with a year or a time, so that the day may be on the line above."""
    head, _, rest = core.partition(" ")
    if head.isalpha() and head.casefold() in OPENERS:
        core = rest
    return _YEAR_FIRST.match(core) is not None or _CLOCK.match(core) is not None


def _is_date_head(line: str) -> bool:
    """Return True for `On Thu, Nov 6,`, `Am Donnerstag, 6. November`: only the first words of a date."""
    core = line.strip(EDGE)
    if not core or len(core) > MAX_DATE_HEAD or core[-1] in ":;!?":
        return False
    words = core.split()
    if len(words) > MAX_HEAD_WORDS:
        return False
    first = words[0].casefold().strip(".,")
    if len(words) == 1:
        return first in OPENERS or (core[-1] == "," and len(first) <= 3)
    if len(first) <= 4 and words[0][-1] in ".," and _DAY.search(core):
        return True
    lower = sum(1 for word in words[1:] if word.isalpha() and word.islower() and len(word) > 2)
    return first in OPENERS and lower <= 2 and (core[-1] == "," or _DAY_OF_MONTH.search(core) is not None)


def _may_hold_date(line: str) -> bool:
    return any(char.isdigit() for char in line) or _is_date_head(line)


def _tells_time(core: str) -> bool:
    return _CLOCK.search(core) is not None and _DAY.search(core) is not None


def _ends_bracket(lines: list[str], end: int, floor: int) -> bool:
    """Return True if the line may end what the line above says: `16:05):` below an address, or `:`."""
    if lines[end].startswith(")") or lines[end].strip(EDGE) in (":", "："):
        return end > floor
    return end > floor and len(lines[end]) <= MAX_TAIL and "@" in lines[end - 1]


def find_attribution(
    lines: list[str], end: int, floor: int, *, quote_follows: bool
) -> tuple[int, int] | None:
    """Find the attribution whose last line is `lines[end]`, going no higher than `floor`.

    Returns:
        The index of its first line and the column at which it starts there (more than 0 if the reply shares the
        line), or None.
    """
    joined = lines[end].strip()[:MAX_LINE]
    if not (quote_follows or "@" in joined or _holds_verb(joined) or _ends_bracket(lines, end, floor)):
        return None
    best: int | None = None
    at, gap, rest = end, False, False
    for _ in range(MAX_LINES):
        core = joined.strip(EDGE)
        if is_attribution(joined, quote_follows=quote_follows):
            opens = _opens_with_date(core)
            whole = (opens and len(core) > MAX_TAIL) or not _is_rest(core)
            dated = opens or _tells_time(core)
            if best is None or (rest and dated):
                best, rest = at, not whole
            if whole and dated:
                split_date = (not opens or _opens_late(core)) and at > floor and _is_date_head(lines[at - 1])
                if opens or split_date:
                    best = at - split_date
                break
        at -= 1
        while at >= floor and not lines[at].strip() and not gap:
            at, gap = at - 1, True
        if at < floor:
            break
        above = lines[at].strip()[:MAX_LINE]
        if not above or above[0] == ">" or not _could_wrap(above):
            break
        if best is not None and not rest and not _may_hold_date(above):
            break  # the announcement is whole: the author's text is above it
        joined = above + " " + joined.lstrip("> ")
    if best is None:
        return None
    return best, _shared_column(lines[best], best == end, quote_follows=quote_follows)


def _shared_column(line: str, single: bool, *, quote_follows: bool) -> int:
    if not single:
        return 0
    for dash in _MID_LINE.finditer(line[:MAX_LINE]):
        if line[: dash.start()].strip(EDGE) and is_attribution(
            line[dash.end() :], quote_follows=quote_follows
        ):
            return dash.start()
    return 0
