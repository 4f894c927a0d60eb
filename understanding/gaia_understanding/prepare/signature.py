"""Split signatures from plain text. Entry: `split_signature`.

It reads the last lines from the end upward until the sender's own prose, then searches for the highest line
at which a signature can begin. Anything doubtful stays in the text: a lost sentence costs more than a kept
signature.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gaia_understanding.prepare.signature_lines import LineKind, SenderWords, line_kind
from gaia_understanding.prepare.split import TextSplit, lines_of

MAX_BLOCK = 16
MAX_NAME = 13
MAX_BELOW_NAME = 6
MAX_GREETING = 40
MAX_GREETING_WORDS = 4
MAX_DELIMITED = 30
MAX_DELIMITED_CHARS = 2000
_NAMES = frozenset({"name", "known_name", "sender_name"})
_EVIDENCE = frozenset({"contact", "device", "title", "noise"})
_OPENERS = frozenset({"rule", "closing", "thanks", "closing_name", "device"})
"""The kinds of lines at which a message that could be all signature may still be split."""
_RULES = " \t\r\n\f\v\xa0.…-–—_=*~|"
"""Characters that draw lines and leave gaps: a text of only these says nothing that could be signed."""
_POSTSCRIPT_INITIALS = frozenset("pPnN")
_POSTSCRIPT = ("ps ", "ps:", "p.s", "pps", "ps.", "ps-", "p. s.", "n.b.", "p/s")


class _Line(NamedTuple):
    at: int
    kind: LineKind
    after_blank: bool


def split_signature(text: str, *, sender_name: str = "", sender_address: str = "") -> TextSplit:
    """Split the signature block at the end of `text`, its closing ("Best regards,") included.

    Call it on text without quoted replies and disclaimers. The text kept always says something: a message
    that is all signature is its text. A postscript below the signature stays in the text. `Thanks, Pat` on
    one line is a signature only if the sender is called Pat.

    Args:
        text: Plain text with bare line feeds.
        sender_name: Display name of the sender, `""` if unknown.
        sender_address: Address of the sender, `""` if unknown.

    Returns:
        `how`: `delimiter` (RFC 3676 section 4.3 and its variants), `closing`, `name`, `contact` or `device`.
    """
    lines = lines_of(text)
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    if end < 2:
        return TextSplit(kept=text, removed="", how="")
    postscript = _postscript(lines, end)
    start, how = _find_delimiter(lines, postscript, _first_dashes(text, len(lines)))
    if start is None:
        sender = SenderWords.of(sender_name, sender_address)
        start, how = _find_block(lines, postscript, sender)
    if start is None or not _has_text(lines, start):
        return TextSplit(kept=text, removed="", how="")
    kept = [*lines[:start], *lines[postscript:]]
    return TextSplit(
        kept="\n".join(kept).rstrip(), removed="\n".join(lines[start:postscript]).strip("\n"), how=how
    )


def _has_text(lines: list[str], end: int) -> bool:
    return any(map(says_something, lines[:end]))


def says_something(text: str) -> bool:
    """Return True if a text has more than white space, dots and drawn lines."""
    return bool(text.strip(_RULES))


def _postscript(lines: list[str], end: int) -> int:
    """Return the line at which a postscript begins; `end` if there is none."""
    for at in range(end - 1, max(0, end - 8), -1):
        line = lines[at].lstrip()
        if line[:1] in _POSTSCRIPT_INITIALS and line[:6].casefold().startswith(_POSTSCRIPT):
            end = at
    return end


def _first_dashes(text: str, lines: int) -> int:
    """Return the first line that begins with two dashes, in a text of `lines` lines; `lines` if there is none."""
    if text.startswith("--"):
        return 0
    at = text.find("\n--")
    return lines if at < 0 else max(0, lines - 1 - text.count("\n", at + 1))


def _find_delimiter(lines: list[str], end: int, first: int) -> tuple[int | None, str]:
    """Return the highest `-- ` line, from `first` on, below which the text may still be a signature."""
    best: int | None = None
    filled = chars = 0
    for at in range(end - 1, first - 1, -1):
        line = lines[at]
        if line[:1] == "-" and line.rstrip() == "--" and filled:
            exact = line.rstrip("\r\n") == "-- "
            if exact or (filled <= MAX_BLOCK and lines[at + 1].strip()):
                best = at
        if line.strip():
            filled += 1
            chars += len(line)
            if filled > MAX_DELIMITED or chars > MAX_DELIMITED_CHARS:
                break
    return best, "delimiter"


def _find_block(lines: list[str], end: int, sender: SenderWords) -> tuple[int | None, str]:
    block = _trailing_lines(lines, end, sender)
    whole = False
    for position, line in enumerate(block):
        if whole and line.kind not in _OPENERS:
            continue
        how = _begins(block[position:], sender, lines)
        if how and _has_text(lines, line.at):
            return line.at, how
        whole = whole or bool(how)
    if block and _answers_greeting(block[-1], lines):
        return block[-1].at, "name"
    return None, ""


def _answers_greeting(last: _Line, lines: list[str]) -> bool:
    """Return True for one unknown name alone at the end of a letter that opens with a greeting: `Lee,` … `Zorblax`."""
    name = lines[last.at].strip()
    if last.kind != "name" or not last.after_blank or not name.isalpha() or not 2 < len(name) < MAX_NAME:
        return False
    opening = next((line for line in map(str.strip, lines) if line), "").partition("\n")[0].rstrip()
    return (
        len(opening.split()) <= MAX_GREETING_WORDS and len(opening) < MAX_GREETING and opening[-1] in ",:-—!"
    )


def _trailing_lines(lines: list[str], end: int, sender: SenderWords) -> list[_Line]:
    """Return the lines from the end upward that are not prose, in text order."""
    block: list[_Line] = []
    at = end - 1
    while at >= 0 and len(block) < MAX_BLOCK:
        line = lines[at]
        if line.strip():
            kind = line_kind(line, sender)
            if kind == "prose":
                break
            block.append(_Line(at=at, kind=kind, after_blank=at == 0 or not lines[at - 1].strip()))
        at -= 1
    block.reverse()
    return block


def _begins(block: list[_Line], sender: SenderWords, lines: list[str]) -> str:
    """Return the convention of a signature that covers all of `block`; `""` if it is not a signature."""
    first, rest = block[0], block[1:]
    kinds: list[LineKind] = [line.kind for line in rest]
    if first.kind == "rule":
        return "delimiter" if _signed_below(kinds) else ""
    if first.kind in ("closing", "thanks", "closing_name"):
        return "closing" if _closed_by(first.kind, kinds) else ""
    if first.kind in _NAMES:
        return _name_start(first, kinds)
    if first.kind == "dash_name":
        told = all(kind in _EVIDENCE or kind in _NAMES for kind in kinds)
        return "name" if told and len(kinds) <= MAX_BELOW_NAME else ""
    if first.kind == "device":
        return "device" if all(kind in ("device", "noise", "sender_name") for kind in kinds) else ""
    if not first.after_blank:
        return ""
    if first.kind in ("title", "short"):
        named = bool(kinds) and kinds[0] in ("known_name", "sender_name")
        return "contact" if named and "contact" in kinds[1:4] else ""
    own = first.kind == "contact" and _is_own_contact(lines[first.at].casefold(), sender)
    return "contact" if own and all(kind == "contact" for kind in kinds) else ""


def _is_own_contact(line: str, sender: SenderWords) -> bool:
    """Return True for a line with the sender's address, or for a whole signature in one line.

    For example: `Kim Vale | Head of Tea | 020 7946 0000`.
    """
    if sender.address and sender.address in line:
        return True
    head = re.split(r" [|•·] ", line, maxsplit=1)
    return len(head) > 1 and all(sender.owns(word) for word in head[0].strip("*_ ").split())


def _signed_below(kinds: list[LineKind]) -> bool:
    if not kinds:
        return False
    if kinds[0] in ("known_name", "sender_name", "device"):
        return True
    if kinds[0] in ("closing", "thanks"):
        return _closed_by(kinds[0], kinds[1:])
    return "contact" in kinds and any(kind in _NAMES or kind in ("title", "short") for kind in kinds)


def _closed_by(kind: LineKind, kinds: list[LineKind]) -> bool:
    if kind == "closing_name":
        return all(below in _EVIDENCE or below in _NAMES or below == "short" for below in kinds)
    if not kinds:
        return kind == "closing"
    below = kinds[1:] if kinds[0] in ("closing", "thanks") else kinds
    if below and below[0] in ("rule", "noise"):
        below = below[1:]
    if not below:
        return kind == "closing"
    if below[0] in _NAMES or below[0] == "dash_name":
        return _few_bare(below[1:])
    if kind == "closing":
        return below[0] in ("title", "device", "contact", "short") and _few_bare(below)
    return below[0] == "device"


def _few_bare(kinds: list[LineKind]) -> bool:
    """Return True if few lines name no person or place: at most 3, or one more than those that do."""
    bare = sum(1 for kind in kinds if kind in ("short", "name", "known_name"))
    told = sum(1 for kind in kinds if kind in _EVIDENCE)
    return bare <= max(3, told + 1)


def _name_start(first: _Line, kinds: list[LineKind]) -> str:
    own, known = first.kind == "sender_name", first.kind != "name"
    if not (first.after_blank or own):
        return ""
    if not kinds:
        return "name" if known else ""
    below = kinds[:3]
    told = any(kind in ("contact", "device") for kind in below)
    if told and _few_bare(kinds):
        return "contact"
    if known and ("title" in below or "sender_name" in below) and len(kinds) <= MAX_BELOW_NAME:
        return "contact"
    if own and first.after_blank and len(kinds) == 1 and kinds[0] in ("name", "short"):
        return "name"
    return ""
