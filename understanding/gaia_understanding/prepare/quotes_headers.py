"""Recognise pasted messages by header blocks and dashed separators, in many languages.

Entry points: `find_header_block`, `find_memo_head`, `header_kind`, `separator_kind`.
"""

from __future__ import annotations

from typing import Literal

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.quotes_tables import (
    ABOVE_LINE,
    ANSWER_STEMS,
    BELOW_LINE,
    FORWARD_PHRASES,
    FORWARDED_BY,
    HEADER_KINDS,
    ORIGINAL_PHRASES,
)

Separator = Literal["original_message", "forwarded_message", "reply_above", "rule", ""]

MAX_KEY = 24
MAX_TITLE = 200
MAX_BLOCK = 40
MAX_CONTINUATION = 4
WRAPPED = 70
DASHES = " \t\r\u00a0-_=*~#\u2010\u2011—–─━\u200e\u200f"
_RULE = frozenset("-_=*~#\u2010\u2011—–─━ \t\r\u00a0")

MAX_MEMO, MAX_MEMO_LINE, MAX_NAME_WORDS = 9, 120, 5
_MEMO_DATE = lazy_pattern(r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4},?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?$")
_MEMO_FIELDS = (
    "sent by:",
    "please respond to",
    "gesendet von:",
    "bitte antwort an",
    "envoyé par",
    "enviado por",
)

_FRAME = "-_=*~\u2010\u2011—–─━"
_RULE_STARTS = frozenset("-_=*~#\u2010\u2011—–─━[<")

_MOMENT = lazy_pattern(r"\d{1,2}[:.h]\d{2}|(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d年|\d일")
MIN_ABOVE = 8
_FRAMED = lazy_pattern(r"[-_=*~]{2,80} ?([^-_=*~\n]{3,60}?) ?[-_=*~]{2,80}")
"""The dashed title alone: some phones write the headers on the same line."""
_GROUPWISE = lazy_pattern(
    r">>>? ?[^<>\n]{2,120}(?:<[^<>\n]{3,120}>)? ?\(?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[ ,][^\n]{0,40}$"
)


def header_kind(line: str) -> str:
    """Return the header's kind (`from`, `date`, `sent`, `to`, `cc` or `subject`) in any known language, else `""`."""
    at = line.find(":", 0, 80)
    if at < 0 and not line.isascii():
        at = line.find("：", 0, 80)
    if at < 1:
        return ""
    key = line[:at].strip(" \t*>|_\u00a0\u200e\u200f\u202a\u202c")
    if not key or len(key) > MAX_KEY:
        return ""
    return HEADER_KINDS.get(key.casefold(), "")


def find_header_block(lines: list[str], start: int) -> int | None:
    """Return the index just below the header block that begins at `lines[start]`, or None if there is none.

    A block needs headers that mail programs write together; `From: Berlin`, `To: Paris` alone is an
    itinerary.
    """
    found: dict[str, str] = {}
    last, loose, at = start, 0, start
    stop = min(len(lines), start + MAX_BLOCK)
    while at < stop:
        line = lines[at].strip()
        kind = header_kind(line) if line else ""
        if kind:
            if kind in found and kind != "cc":
                break
            found[kind] = line
            last, loose = at, 0
        elif not line:
            if at > last + 1:
                break
        elif at - 1 > last and not lines[at - 1].strip():
            break
        else:
            loose += 1
            if loose > MAX_CONTINUATION and "@" not in line:
                break
        at += 1
    return last + 1 + _is_wrapped_subject(lines, last) if _is_message_header(found) else None


def _is_wrapped_subject(lines: list[str], at: int) -> bool:
    """Return True if the header line at `at` was wrapped at a mail program's width and its rest is alone below it."""
    below = [line.strip() for line in lines[at + 1 : at + 3]]
    return len(lines[at].strip()) >= WRAPPED and len(below) == 2 and bool(below[0]) and not below[1]


def find_memo_head(lines: list[str], start: int) -> int:
    """Return the first line of a Lotus Notes header whose block is at `start`; `start` itself for any other.

    Notes puts author and time on lines of their own above `To:`, and with them `Sent by:` and `Please respond
    to`.
    """
    if header_kind(lines[start]) != "to":
        return start
    at, dated = start, False
    for above in range(start - 1, max(-1, start - MAX_MEMO), -1):
        line = lines[above].strip()
        if not line:
            continue
        if len(line) > MAX_MEMO_LINE:
            break
        if _MEMO_DATE.search(line):
            dated, at = True, above
            if line[:1] not in "0123456789":
                return at
        elif line.casefold().startswith(_MEMO_FIELDS):
            at = above
        else:
            return above if dated and len(line.split()) <= MAX_NAME_WORDS else start
    return at if dated else start


def skip_header_lines(lines: list[str], start: int) -> int:
    """Return the index below the header lines at `start`; below a separator, one line is enough for a header."""
    at = start
    while at < min(len(lines), start + MAX_BLOCK) and header_kind(lines[at]):
        at += 1
    return at


def _is_message_header(found: dict[str, str]) -> bool:
    sender, to = found.get("from", ""), found.get("to", "")
    when = found.get("sent") or found.get("date") or ""
    instant = _MOMENT.search(when) is not None
    if "subject" in found:
        if sender and (when or to or "@" in sender):
            return True
        return bool(to) and ("cc" in found or instant)
    if sender and "@" in sender:
        return bool(when or to)
    if sender and "sent" in found:
        return instant
    return "@" in to and instant


def is_rule(line: str) -> bool:
    """Return True if the line is only a drawn line of dashes, underscores and the like, 3 or more."""
    core = line.strip()
    return len(core) >= 3 and _RULE.issuperset(core)


def separator_kind(line: str) -> Separator:
    """Return the kind of separator: the dashed `Original Message`, Apple's `Begin forwarded message:` and so on."""
    core = line.strip()
    if not core or (len(core) > MAX_TITLE and not core.startswith("--")):
        return ""
    core = core[:MAX_TITLE]
    if core.startswith(">>") and _GROUPWISE.match(core):
        return "original_message"
    if core[0] not in _RULE_STARTS and core[-1] not in ":：*":
        return ""
    inner = core.strip(DASHES)
    if not inner:
        return "rule"
    framed = core[0] in _FRAME and (core[1:2] in _FRAME or core[-1] in _FRAME)
    if framed and (title := _FRAMED.match(core)):
        inner = title.group(1)
    if not framed and core[0] not in "#[<" and inner[-1] not in ":：":
        return ""
    phrase = _phrase(inner)
    if framed or inner[-1] in ":：":
        if phrase in FORWARD_PHRASES or (framed and phrase.startswith(FORWARDED_BY)):
            return "forwarded_message"
        if framed and phrase in ORIGINAL_PHRASES:
            return "original_message"
    if (framed or core[0] in "#[<") and len(phrase) > MIN_ABOVE and _asks_to_answer_above(phrase):
        return "reply_above"
    return ""


def _asks_to_answer_above(phrase: str) -> bool:
    if any(map(phrase.__contains__, BELOW_LINE)):
        return True
    return any(above in phrase and line in phrase for above, line in ABOVE_LINE) and any(
        map(phrase.__contains__, ANSWER_STEMS)
    )


def _phrase(inner: str) -> str:
    plain = inner.rstrip(":： ").replace("\u00a0", " ").replace("&nbsp;", " ")
    # The dot that case folding leaves of a Turkish capital İ is not in the table.
    return " ".join(plain.casefold().replace("\u0307", "").split())
