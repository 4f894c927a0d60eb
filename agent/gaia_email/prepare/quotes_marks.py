"""Quotes marked otherwise than by `>`: the initials of who wrote (`KM> `), bars and brackets. Entry: `in_one_mark`.

Mailing lists have them from Supercite, VM, exmh and old habits. A bar or a bracket counts only below a line that says
who wrote, because it also draws tables and lists.
"""

from __future__ import annotations

from collections import Counter

from gaia_email.prepare.quotes_attribution import is_attribution
from gaia_email.prepare.quotes_headers import header_kind
from gaia_mail.lazy import lazy_pattern

_INITIALS = lazy_pattern(r"^ {0,4}([A-Z][A-Za-z]{0,3}|[a-z]{1,2})> ?", 8)
"""At the beginning of any line (8: `re.MULTILINE`)."""
_PROMPTS = frozenset(("SQL", "DOS", "C", "D", "R", "FTP", "TV", "PS", "CMD"))
"""What stands before `>` where a program waits for a command, and in headings."""
_OTHER = frozenset("|})]:")
_SUPERCITE = lazy_pattern(r"^>{3,6} ?(?:\"|On |[A-Z][\w.]+ [A-Z])[^\n]{1,160}:$")
_REACH = 3


def in_one_mark(text: str, lines: list[str]) -> list[str]:
    """The lines of a text with `> ` in the place of every other mark that quotes here; `lines` itself without any."""
    if ">" in text:
        lines = _initials(text, lines)
    if any(mark in text for mark in ("\n|", "\n }", "\n }", "\n)", "\n}", "\n:", "\n |", "\n  |", "\n]")):
        lines = _marks(lines)
    return lines


def is_supercited(line: str) -> bool:
    """Whether `>>>>> "KM" == Kim Moss <kim@example.com> writes:` or the like stands in a line marked as a quote."""
    return _SUPERCITE.match(line) is not None and is_attribution(line.lstrip("> "), quote_follows=True)


def _initials(text: str, lines: list[str]) -> list[str]:
    marks = Counter(_INITIALS.findall(text))
    if not marks:
        return lines
    quoting = {mark for mark, often in marks.items() if often > 1 and mark.isupper() and mark not in _PROMPTS}
    changed: list[str] = []
    for line in lines:
        found = _INITIALS.match(line) if ">" in line[:10] else None
        known = found is not None and (found[1] in quoting or _announced(changed))
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
        if mark not in marks and _announced(changed[:at]):
            marks.add(mark)
        if mark in marks and core[1:2] in ("", " ", "\t", mark, "["):
            changed[at] = "> " + core[1:].lstrip()
    return changed


def _announced(lines: list[str]) -> bool:
    """Whether the last line with text says who wrote what follows."""
    above = next((line for line in reversed(lines[-_REACH:]) if line.strip()), "").strip()
    if above[-1:] in (":", "："):
        return is_attribution(above.lstrip("> "), quote_follows=True)
    return above[:11].casefold() == "message-id:" or header_kind(above) in ("from", "date", "subject")
