"""Normalise lines before the search for quotes: all marks as `>`, digits as ASCII, addresses whole.

Entry: `in_one_mark`. Mailing lists have other marks from Supercite, VM, exmh and old habits. A bar or a
bracket counts only below a line that names an author, because it also draws tables and lists.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.quotes_attribution import is_attribution
from gaia_understanding.prepare.quotes_headers import header_kind

_INITIALS = lazy_pattern(r"^ {0,4}([A-Z][A-Za-z]{0,3}|[a-z]{1,2})> ?", 8)
"""At the beginning of any line (8: `re.MULTILINE`)."""
_PROMPTS = frozenset(("SQL", "DOS", "C", "D", "R", "FTP", "TV", "PS", "CMD"))
"""Words before `>` in the prompts of programs, and in headings."""
_OTHER = frozenset("|})]:")
_SUPERCITE = lazy_pattern(r"^>{3,6} ?(?:\"|On |[A-Z][\w.]+ [A-Z])[^\n]{1,160}:$")
_REACH = 3
_NATIVE_DIGIT = lazy_pattern(r"(?![0-9])\d")
_CUT_ADDRESS = lazy_pattern(r"(?:^|\n)>[ \t]?[),;]?[^\n>]{0,80}[:：]\s{0,9}(?:\n|\Z)")
_OPEN_ADDRESS = lazy_pattern(r"<\s?[^\s<>]{0,200}@[^\s<>]{1,200}$")
"""An address whose closing bracket is missing at the end of a line."""


def in_one_mark(text: str, lines: list[str]) -> list[str]:
    """Return the lines with `> ` for every other mark that quotes here; `lines` itself if there is none.

    Digits of other scripts become ASCII ones, and an address that a line break cut gets its bracket back.
    """
    if not text.isascii() and _NATIVE_DIGIT.search(text):
        lines = [line if line.isascii() else _NATIVE_DIGIT.sub(_ascii_digit, line) for line in lines]
    if ">" in text:
        lines = (
            _closed_addresses(_initials(text, lines)) if _CUT_ADDRESS.search(text) else _initials(text, lines)
        )
    if any(mark in text for mark in ("\n|", "\n }", "\n }", "\n)", "\n}", "\n:", "\n |", "\n  |", "\n]")):
        lines = _marks(lines)
    return lines


def _ascii_digit(found: re.Match[str]) -> str:
    return str(unicodedata.decimal(found[0]))


def _closed_addresses(lines: list[str]) -> list[str]:
    """Move a `>` that a program wrapped onto the next line back to the end of its address.

    A `)` in its place shows `find_attribution` that the announcement begins above.
    """
    changed = list(lines)
    for at in range(1, len(lines)):
        line = lines[at]
        if line[:1] != ">" or line.rstrip()[-1:] not in (":", "："):
            continue
        above = lines[at - 1].rstrip()
        if at > 1 and "<" not in above:
            above = f"{lines[at - 2].strip()} {above}"
        if above[-400:].rfind("<") > above[-400:].rfind(">") and _OPEN_ADDRESS.search(above[-500:]):
            changed[at - 1], changed[at] = lines[at - 1].rstrip() + ">", ")" + line[1:]
    return changed


def is_supercited(line: str) -> bool:
    """Return True for a marked line like `>>>>> "KM" == Kim Moss <kim@example.com> writes:`."""
    return _SUPERCITE.match(line) is not None and is_attribution(line.lstrip("> "), quote_follows=True)


def _initials(text: str, lines: list[str]) -> list[str]:
    marks = Counter(_INITIALS.findall(text))
    if not marks:
        return lines
    quoting = {mark for mark, often in marks.items() if often > 1 and mark.isupper() and mark not in _PROMPTS}
    changed: list[str] = []
    for line in lines:
        found = _INITIALS.match(line) if ">" in line[:10] else None
        known = found is not None and (found[1] in quoting or _announces(changed))
        changed.append("> " + line[found.end() :] if found is not None and known else line)
    return changed


def _marks(lines: list[str]) -> list[str]:
    changed, marks = list(lines), set[str]()
    for at, line in enumerate(lines):
        core = line.lstrip()
        mark = core[:1]
        if (
            mark not in _OTHER
            or (mark == "|" and core.rstrip().endswith("|") and len(core) > 1)
            or core[1:2] == "-"
        ):
            continue
        if mark not in marks and _announces(changed[:at]):
            marks.add(mark)
        if mark in marks and core[1:2] in ("", " ", "\t", mark, "["):
            changed[at] = "> " + core[1:].lstrip()
    return changed


def _announces(lines: list[str]) -> bool:
    """Return True if the last line with text names the author of what follows."""
    above = next((line for line in reversed(lines[-_REACH:]) if line.strip()), "").strip()
    if above[-1:] in (":", "："):
        return is_attribution(above.lstrip("> "), quote_follows=True)
    return above[:11].casefold() == "message-id:" or header_kind(above) in ("from", "date", "subject")
