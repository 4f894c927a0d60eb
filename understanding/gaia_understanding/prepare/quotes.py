"""Split quoted replies from plain text. Entry: `split_quotes`.

One pass over the lines. Only lines that could begin a quote are examined closely, each within bounds, so time
grows with the length of the text and most messages cost a few microseconds.
"""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.quotes_attribution import EDGE, find_attribution, is_attribution
from gaia_understanding.prepare.quotes_headers import (
    DASHES,
    find_header_block,
    find_memo_head,
    header_kind,
    is_rule,
    separator_kind,
    skip_header_lines,
)
from gaia_understanding.prepare.quotes_marks import in_one_mark, is_supercited
from gaia_understanding.prepare.quotes_tables import HIDDEN_QUOTE, VERBS
from gaia_understanding.prepare.signature_lines import is_device_line
from gaia_understanding.prepare.split import TextSplit, lines_of

LOOK_AHEAD = 6
LONG_LINE = 50
MAX_SIGNATURE = 12
MAX_WRAPPED = 40
MAX_MARKED_HEADER = 12
_FIRST = frozenset(">-_=*#~\u2010\u2011—–─━[")
_LAST = frozenset(":：-—")
_BRACKETS = frozenset(">)]")
_LAST_MARKS = _LAST | frozenset("*\u200e\u200f\u202c\u2069")
_SPACES = frozenset(" \t\v\f\r\x85\xa0\u2002\u2003\u2009\u202f\u3000")
_VERB_TAILS = _SPACES | frozenset(":：")
_HEADS = _FIRST | _SPACES
_TAILS = _LAST_MARKS | _BRACKETS | _SPACES
"""The characters that begin or end a line that is worth examining, or has to be stripped for that."""
MAX_HEAD = 26
_ENDS = frozenset(":：>)]")
_DIFF_COMMAND = lazy_pattern(r"\d{1,7}(?:,\d{1,7})?[acd]\d{1,7}(?:,\d{1,7})?")


_OTHER_MARK = bytes([1]) + bytes(255)
"""The table for `bytes.translate` that inverts marks, to keep what is not marked."""


class _Cut(NamedTuple):
    """The beginning of an earlier message: its announcement covers `start:body`, its text begins at `body`."""

    start: int
    column: int
    body: int
    how: str


def split_quotes(text: str, *, subject: str = "") -> TextSplit:
    """Split the sender's new text (`kept`) from quoted earlier messages (`removed`).

    Answers between and below `>` quotes are kept and joined. Below an announcement without `>` everything is
    quoted. A bare forward or a reply with nothing written above the announcement keeps the earlier message's
    own text, since that is all there is to understand: only its announcement, and what it quotes in turn, is
    removed. A text that is `>` lines throughout keeps nothing.

    Args:
        text: Plain text with bare line feeds; hostile text is fine.
        subject: The message's subject; without a reply prefix a lone `>` line counts as emphasis, not as a quote.

    Returns:
        `how` is the first convention met: `attribution`, `original_message`, `forwarded_message`, `header_block`,
        `reply_above`, `prefix` or `bare_forward`.
    """
    written = lines_of(text)
    lines = in_one_mark(text, written)
    candidates = _candidates(lines, colons=":" in text, wide="：" in text)
    if not candidates:
        return TextSplit(kept=text, removed="", how="")
    return _Scan(lines, written, bare_subject=not _is_reply(subject)).run(candidates)


def _is_reply(subject: str) -> bool:
    head = subject[:12]
    return not subject or ":" in head or "：" in head


def _candidates(lines: list[str], *, colons: bool, wide: bool) -> list[int]:
    """Return the lines that could begin a quote, by their first and last characters and a header's key.

    `colons` and `wide` are True if the text has a colon or a wide colon.
    """
    return [
        at
        for at, line in enumerate(lines)
        if line
        and (line[0] in _HEADS or line[-1] in _TAILS or (colons and ":" in line) or (wide and "：" in line))
        and (line[0] == ">" or _could_begin(line.strip()))
    ]


def _could_begin(core: str) -> bool:
    if not core:
        return False
    last = core[-1]
    return (
        (core[0] in _FIRST and not _is_item(core))
        or last in _LAST_MARKS
        or (last in _BRACKETS and "@" in core)
        or (":  " in core and "@" in core)
        or ((":" in core[:MAX_HEAD] or "：" in core[:MAX_HEAD]) and header_kind(core) != "")
    )


def _is_item(core: str) -> bool:
    """Return True if a line is an item of a list that ends like a sentence."""
    return core[1:2] == " " and core[0] in "-*" and (core[-1].isalnum() or core[-1] in ".,!?")


class _Scan:
    """The pass over one text; `marks[i]` is 1 for a line that goes to `removed`.

    `lines` are examined, with `>` for all quote marks; the kept and removed lines come from `written`.
    """

    def __init__(self, lines: list[str], written: list[str], *, bare_subject: bool) -> None:
        self.lines = lines
        self.written = written
        self.marks = bytearray(len(lines))
        self.split_line: tuple[int, int] | None = None
        self.how = ""
        self.attributed = False
        self.bare_subject = bare_subject
        self._read_to = 0
        self._written = False

    def run(self, candidates: list[int]) -> TextSplit:
        skip = 0
        for at in candidates:
            if at < skip:
                continue
            core = self.lines[at].strip()
            if core[0] == ">" and not _is_wrapped_verb(core) and separator_kind(core) != "original_message":
                skip = self._quoted_run(at)
                continue
            cut = self._find_cut(at, skip)
            if cut is None:
                continue
            skip = self._apply(cut)
            if skip >= len(self.lines):
                break
        return self._result()

    def _find_cut(self, at: int, floor: int) -> _Cut | None:
        lines = self.lines
        core = lines[at].strip()
        if core == "--":
            return None
        if header_kind(core):
            body = find_header_block(lines, at)
            if body is not None:
                start = max(floor, find_memo_head(lines, at))
                return _Cut(start=start, column=0, body=body, how="header_block")
        kind = separator_kind(core)
        if kind == "forwarded_message" and core.strip(DASHES)[:4].casefold() == "end ":
            self.marks[at] = 1 if self.how else 0
            return None
        if kind in ("original_message", "forwarded_message"):
            body = self._below_headers(at + 1 + self._is_wrapped_separator(at))
            return _Cut(start=at, column=0, body=body, how=kind)
        if kind == "reply_above":
            return _Cut(start=at, column=0, body=at + 1, how=kind)
        if kind == "rule":
            return None
        if core.casefold() in HIDDEN_QUOTE:
            self.marks[at] = 1
            self.how = self.how or "prefix"
            return None
        if _is_dashed_attribution(core):
            return _Cut(start=at, column=0, body=at + 1, how="attribution")
        if core.strip(EDGE)[-1:] not in _ENDS:
            return self._find_run_on(at, core)
        follows = self._quote_follows(at + 1)
        found = find_attribution(lines, at, floor, quote_follows=follows)
        if found is None:
            return None
        return _Cut(start=found[0], column=found[1], body=self._below_headers(at + 1), how="attribution")

    def _is_wrapped_separator(self, at: int) -> bool:
        """Return True if the closing dashes of `---- Forwarded by … on … PM ----` were wrapped onto the next line."""
        if self.lines[at].rstrip().endswith("-") or at + 1 == len(self.lines):
            return False
        rest = self.lines[at + 1].strip()
        return rest.endswith("---") and len(rest.rstrip("-").strip()) <= len("PM")

    def _find_run_on(self, at: int, core: str) -> _Cut | None:
        """Find an announcement with the quoted text after it on its line, as Yahoo's app writes it."""
        head, gap, _ = core.partition(":  ")
        if gap and "@" in head and is_attribution(head + ":", quote_follows=False):
            return _Cut(start=at, column=0, body=at + 1, how="attribution")
        return None

    def _below_headers(self, at: int) -> int:
        """Skip a header block that follows within two blank lines, as Yahoo and Outlook write under a separator."""
        look = self._next_text(at)
        if look is None:
            return at
        if header_kind(self.lines[look]):
            return find_header_block(self.lines, look) or skip_header_lines(self.lines, look)
        return at

    def _next_text(self, at: int) -> int | None:
        for look in range(at, min(at + LOOK_AHEAD, len(self.lines))):
            if self.lines[look].strip():
                return look
        return None

    def _quote_follows(self, at: int) -> bool:
        look = self._next_text(at)
        if look is None:
            return False
        core = self.lines[look].strip()
        return core.startswith(">") and not _is_wrapped_verb(core)

    def _apply(self, cut: _Cut) -> int:
        """Mark the lines of the announcement; return the line at which the pass goes on."""
        start = self._include_rule_above(cut.start)
        bare = not cut.column and not self._written_above(start)
        prefixed = cut.how in (
            "attribution",
            "original_message",
            "forwarded_message",
        ) and self._quote_follows(cut.body)
        self.attributed = True
        if cut.column:
            self.split_line = (cut.start, cut.column)
        if prefixed or bare:
            self.how = self.how or (cut.how if prefixed else "bare_forward")
            self._mark(0 if bare else start, cut.body)
            if cut.column:
                self.marks[cut.start] = 0
            self._read_to = max(self._read_to, cut.body)
            return cut.body
        self.how = self.how or cut.how
        self._mark(start, len(self.lines))
        if cut.column:
            self.marks[cut.start] = 0
        return len(self.lines)

    def _mark(self, start: int, end: int) -> None:
        self.marks[start:end] = b"\x01" * (end - start)

    def _include_rule_above(self, start: int) -> int:
        for at in range(start - 1, max(-1, start - LOOK_AHEAD), -1):
            line = self.lines[at].strip()
            if not line:
                continue
            return at if is_rule(line) else start
        return start

    def _written_above(self, end: int) -> bool:
        """Return True if the sender wrote above `end` more than device lines ("Sent from …") and a bare signature."""
        while not self._written and self._read_to < end:
            line = self.lines[self._read_to].strip()
            if line and not self.marks[self._read_to]:
                if line in ("--", "—") and end - self._read_to <= MAX_SIGNATURE:
                    self._read_to = end
                    return False
                self._written = not is_device_line(line)
            self._read_to += 1
        return self._written

    def _quoted_run(self, start: int) -> int:
        lines, at = self.lines, start
        while at < len(lines):
            line = lines[at]
            core = line if line[:1] == ">" else line.lstrip()
            if core[:1] != ">":
                if not self._is_wrapped_rest(at):
                    break
            elif (
                core[-1] in _VERB_TAILS
                and len(core) < MAX_WRAPPED
                and at > start
                and _is_wrapped_verb(core.rstrip())
            ):
                break
            at += 1
        if self.attributed or self._is_quote(start, at):
            self.how = self.how or "prefix"
            if not self.attributed and self._is_marked_header(start, at):
                start, at = self._include_rule_above(start), len(lines)
            self._mark(start, at)
        return at

    def _is_marked_header(self, start: int, end: int) -> bool:
        """Return True if only the earlier message's headers are marked, not its text (French and Slovak web mail)."""
        if end - start > MAX_MARKED_HEADER or not self._written_above(start):
            return False
        bare = [line.strip("> \t") for line in self.lines[start:end]]
        first = next((at for at, line in enumerate(bare) if header_kind(line)), len(bare))
        body = find_header_block(bare, first) if first <= 1 else None
        return body is not None and not any(bare[body:])

    def _is_wrapped_rest(self, at: int) -> bool:
        """Return True for an unmarked line inside a quote: the rest of a long quoted line, or a link."""
        if at + 1 >= len(self.lines) or not self.lines[at + 1].lstrip().startswith(">"):
            return False
        core = self.lines[at].strip()
        if not core:
            return False
        if core.endswith(" >") or (core.startswith(("http://", "https://", "<http")) and " " not in core):
            return True
        above = self.lines[at - 1].strip()
        return (
            core[0].islower()
            and len(above) > LONG_LINE
            and len(core) < len(above)
            and above[-1] not in ".?!:"
        )

    def _is_quote(self, start: int, end: int) -> bool:
        """Return True if unannounced `>` lines are a quote, and not decoration, code or a diff."""
        first = self.lines[start].strip()
        depth = len(first) - len(first.lstrip("> "))
        if first.endswith("<") or (depth == len(first) and end - start == 1):
            return False
        if is_supercited(first):
            return True
        if first.startswith((">>>", ">= ", ">=")):
            return False
        above = self.lines[start - 1].strip() if start else ""
        if first.startswith((">From ", ">>From ")) and end - start == 1:
            return False
        if above == "---" or above.startswith("< ") or _is_diff_command(above):
            return False
        return not (self.bare_subject and end - start == 1 and above)

    def _keep_own_words(self) -> None:
        """Unmark the lines above the announcement if nothing else would be kept: losing the author's text is worst.

        A quote alone, a forward and a reply that is only a device line or a signature keep nothing, as
        before.
        """
        if any(line.strip() for line, mark in zip(self.lines, self.marks, strict=True) if not mark):
            return
        end = next((at for at, line in enumerate(self.lines) if line[:1] == ">"), 0)
        while end and not self.lines[end - 1].strip():
            end -= 1
        while end and self.lines[end - 1].strip():
            end -= 1
        for at, line in enumerate(self.lines[:end]):
            core = line.strip()
            if core in ("--", "—") and end - at <= MAX_SIGNATURE:
                break
            announces = header_kind(core) or separator_kind(core) or is_attribution(core, quote_follows=True)
            if core and not announces and not is_device_line(core) and any(map(str.isalnum, core)):
                self.marks[at] = 0

    def _result(self) -> TextSplit:
        if not self.how:
            return TextSplit(kept="\n".join(self.written), removed="", how="")
        self._keep_own_words()
        lines, marks = self.written, self.marks
        removed = list(compress(lines, marks))
        kept = list(compress(lines, marks.translate(_OTHER_MARK)))
        if self.split_line is not None:
            at, column = self.split_line
            above = marks[:at].count(1)
            kept[at - above] = lines[at][:column].rstrip()
            removed.insert(above, lines[at][column:])
        return TextSplit(
            kept="\n".join(kept).strip("\n"), removed="\n".join(removed).strip("\n"), how=self.how
        )


def _is_wrapped_verb(core: str) -> bool:
    """Return True for `> wrote:` as Polymail and others wrap it: the end of `<address>` and the verb, not a quote."""
    if len(core) > MAX_WRAPPED or core[-1] not in ":：":
        return False
    words = core.strip("> :：").split()
    return 0 < len(words) <= 2 and words[-1].casefold() in VERBS


def _is_dashed_attribution(core: str) -> bool:
    """Return True for `---- Pat Jones wrote ----`, `------On 3/3/2025, Pat wrote-----`."""
    if (
        len(core) > 200
        or core[0] not in "-_="
        or core[-1] not in "-_="
        or not core.startswith(("--", "__", "=="))
    ):
        return False
    inner = core.strip(DASHES)
    words = inner.split()
    return (
        len(words) > 1 and words[-1].casefold() in VERBS and is_attribution(inner + ":", quote_follows=True)
    )


def _is_diff_command(line: str) -> bool:
    """Return True for `5c5`, `12,14d11`: the command line of a classic diff."""
    return _DIFF_COMMAND.fullmatch(line) is not None
