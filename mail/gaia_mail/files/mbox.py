"""Reads mbox files of every dialect (mboxo, mboxrd, mboxcl, mboxcl2, Takeout) in one pass over a window.

Entry: `split`. RFC 4155 describes the format. The dialects differ in how they protect a body line that begins with
`From `: they quote it with `>`, or count the body in `Content-Length`. A length is trusted only if it leads exactly to
the next boundary. A `From ` line without a date separates messages only if a mail header follows.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gaia_mail.files.model import MAX_MESSAGE_BYTES
from gaia_mail.files.opening import HEADER_BYTES, header_end
from gaia_mail.files.window import InputWindow

_LOOK_BYTES = 640
_HEADER_LOOK_BYTES = 4096
_FIRST_BYTES = 8 * 1024

MOST_EMPTY = 100
"""Consecutive empty messages that are returned individually; any more are only counted."""

_MONTHS = (b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec")
_DATE = re.compile(
    rb"\b(" + b"|".join(_MONTHS) + rb")[ ]{1,3}(\d{1,2})[ ]{1,3}(\d{1,2}):(\d\d)(?::(\d\d))?"
    rb"(?:[ ]{1,3}(?:[A-Z]{1,5}|([+-]\d{4})))?[ ]{1,3}((?:19|20)\d\d)(?:[ ]{1,3}([+-]\d{4}))?"
)
_LOOSE_DATE = re.compile(rb"\b(?:19|20)\d\d[ ]{1,3}\d{1,2}:\d\d|\b(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d")
_FIELD_NAME = rb"[!-9;-~]{1,100}[ \t]{0,9}:"
_UNDATED_SENDER = rb"-|[^\s@]{1,200}@|[^\n]{0,480}\n" + _FIELD_NAME
_CANDIDATE = re.compile(
    rb"\nFrom(?:[ \t](?:[^\n]{0,631}?(?:19|20)\d\d|" + _UNDATED_SENDER + rb")|\r?\n" + _FIELD_NAME + rb")"
)
"""Finds every boundary and skips most look-alike lines, at a tenth of the cost of a full check."""

_DATED = rb"From (?=[^\n]{0,600}?(?:" + _DATE.pattern + rb"|" + _LOOSE_DATE.pattern + rb"))"
_EMPTY = re.compile(rb"(?:" + _DATED + rb"[^\n]{0,600}\n\r?\n(?=" + _DATED + rb"))+")
"""Empty messages, up to one that another such line follows."""

_UNDATED = re.compile(rb"From (?:-|[^\s@]{1,200}@[^\s@]{1,200})\s*$")
_NAMELESS = re.compile(rb"From[ \t]*\r?$")
_ONE_WORD = re.compile(rb"From(?:[ \t]+\S{0,200})?[ \t]*\r?$")
_FIELD = re.compile(_FIELD_NAME + rb"|>From ")
_MAIL_FIELD = re.compile(
    rb"(?i)(from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|content-type)"
    rb"[ \t]{0,9}:"
)
_MOST_TELLING = frozenset({b"from", b"date", b"message-id", b"received", b"return-path"})
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]{0,9}(\d{1,12})[ \t]{0,9}\r?$")
_QUOTED = re.compile(rb"\n>(>*From )")


@dataclass(frozen=True, slots=True, kw_only=True)
class MboxSpan:
    """One message of an mbox: `[start, end)` in bytes, without its `From ` line and the empty line after it.

    `envelope` is the `From ` line, empty if the file begins without one. `header` includes the empty line. `counted` is
    True if `Content-Length` gave the end. `kept` contains the message's first `MAX_MESSAGE_BYTES` if the window could
    not keep them. `skipped`, if not 0, is the number of empty messages that this span replaces.
    """

    start: int
    end: int
    envelope: bytes
    header: bytes
    counted: bool
    kept: bytes | None = None
    skipped: int = 0

    def read(self, window: InputWindow) -> bytes:
        """Return the message, cut at `MAX_MESSAGE_BYTES`, with body lines unquoted."""
        length = min(self.end - self.start, MAX_MESSAGE_BYTES)
        raw = self.kept[:length] if self.kept is not None else window.at(self.start, length)
        return unquote(raw, len(self.header))


def split(window: InputWindow) -> Iterator[MboxSpan]:
    """Yield every message in order; an input without any boundary is one message."""
    offset: int | None = _skip_empty_lines(window)
    empty = 0
    while offset is not None:
        if empty >= MOST_EMPTY:
            skipped, offset = _skip_empty_messages(window, offset)
            if skipped:
                line = _envelope(window, offset)
                yield MboxSpan(
                    start=offset, end=offset, envelope=line, header=b"", counted=False, skipped=skipped
                )
            empty = 0
        window.release(offset - 4)
        envelope = _envelope(window, offset)
        start = offset + len(envelope)
        header = _header(window, start)
        counted = _by_length(window, start, header)
        if counted is not None:
            end, following, kept = *counted, None
        else:
            end, following, kept = _by_search(window, start)
        if end > start or envelope:
            yield MboxSpan(
                start=start,
                end=end,
                envelope=envelope,
                header=header[: end - start],
                counted=counted is not None,
                kept=kept,
            )
        empty = empty + 1 if end == start else 0
        offset = following


def unquote(raw: bytes, body: int) -> bytes:
    """Remove one `>` from every line `>From `, `>>From ` … after offset `body`."""
    if raw.find(b"From ", body) < 0 or raw.find(b"\n>", max(body - 1, 0)) < 0:
        return raw
    cut = max(body - 1, 0)
    return raw[:cut] + _QUOTED.sub(rb"\n\1", raw[cut:])


def is_boundary_line(line: bytes) -> bool:
    """Return True for a `From ` line with a date, as every mbox writer creates it."""
    return line.startswith(b"From ") and bool(_DATE.search(line) or _LOOSE_DATE.search(line))


def starts_boundary(data: bytes) -> bool:
    """Return True if `data` begins like a separator line; some programs drop the space after a lone `From `."""
    return data.startswith((b"From ", b"From\t", b"From\n", b"From\r\n"))


def parse_arrival_time(envelope: bytes) -> float:
    """Return the arrival time in a `From ` line, in seconds since the epoch; 0 if there is none."""
    found = _DATE.search(envelope)
    if found is None:
        return 0.0
    month, day, hour, minute, second, zone, year, late_zone = found.groups()
    fields = (int(year), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second or 0))
    try:
        instant = calendar.timegm((*fields, 0, 0, 0))
    except (ValueError, OverflowError):
        return 0.0
    offset = zone or late_zone or b"+0000"
    seconds = (int(offset[1:3]) * 60 + int(offset[3:5])) * 60
    return float(instant + seconds if offset[:1] == b"-" else instant - seconds)


def _skip_empty_lines(window: InputWindow) -> int | None:
    head = window.at(0, _FIRST_BYTES)
    if not head:
        return None
    body = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    return len(head) - len(body) if starts_boundary(body) else 0


def _skip_empty_messages(window: InputWindow, offset: int) -> tuple[int, int]:
    """Return the number of empty messages at `offset`, and the offset of the first one that may have content."""
    skipped = 0
    while True:
        base, data, _ = window.chunk(offset, 2 * _LOOK_BYTES)
        found = _EMPTY.match(data, offset - base)
        if found is None:
            return skipped, offset
        skipped += data.count(b"\nFrom ", found.start(), found.end()) + 1
        offset = base + found.end()
        window.release(offset - 4)


def _envelope(window: InputWindow, offset: int) -> bytes:
    look = window.at(offset, _LOOK_BYTES)
    if not starts_boundary(look):
        return b""
    line, newline, _ = look.partition(b"\n")
    return line + newline


def _header(window: InputWindow, start: int) -> bytes:
    for length in (_FIRST_BYTES, HEADER_BYTES):
        data = window.at(start, length)
        end = header_end(data)
        if end >= 0:
            return data[:end]
        if len(data) < length:
            break
    return data


def _by_length(window: InputWindow, start: int, header: bytes) -> tuple[int, int | None] | None:
    """Return the message's end and the next one's start by `Content-Length`; None unless it fits exactly."""
    found = _LENGTH.search(header) if b"ength:" in header else None
    if found is None:
        return None
    end = start + len(header) + int(found[1])
    if end - start > MAX_MESSAGE_BYTES:
        return None
    before = window.at(end - 1, 1) if end > start else b"\n"
    after = window.at(end, _LOOK_BYTES)
    rest = after.lstrip(b"\r\n")
    gap = len(after) - len(rest)
    if len(before) < 1 or gap > 4 or (gap == 0 and before != b"\n"):
        return None
    if not rest and len(after) < _LOOK_BYTES:
        return end, None
    line = rest.partition(b"\n")[0]
    following = end + gap
    return (end, following) if is_boundary_line(line) or _is_boundary(window, following) is not None else None


def _by_search(window: InputWindow, start: int) -> tuple[int, int | None, bytes | None]:
    """Return the message's end, the next one's start, and the message's beginning if the window dropped it."""
    offset = start - 1 if start else 0
    kept: bytes | None = None
    while True:
        base, data, last = window.chunk(offset, _LOOK_BYTES)
        found = _CANDIDATE.search(data, offset - base)
        while found is not None:
            following = base + found.start() + 1
            blank = _is_boundary(window, following)
            if blank is not None:
                return max(start, following - blank), following, kept
            found = _CANDIDATE.search(data, found.start() + 1)
        end = base + len(data)
        if last:
            return end, None, kept
        offset = end - _LOOK_BYTES
        if offset - start > MAX_MESSAGE_BYTES:
            if kept is None:
                kept = window.at(start, MAX_MESSAGE_BYTES)
            window.release(offset - 4)


def _is_boundary(window: InputWindow, offset: int) -> int | None:
    """Return the number of bytes in the empty line before a boundary at `offset`; None if it is not a boundary."""
    before = window.at(offset - 3, 3) if offset >= 3 else b""
    blank = 2 if before == b"\n\r\n" else 1 if before[1:] == b"\n\n" else 0
    look = window.at(offset, _LOOK_BYTES)
    line, _, rest = look.partition(b"\n")
    dated = is_boundary_line(line)
    field = not rest or _FIELD.match(rest) is not None
    if (dated and (blank or field)) or (blank and field and _UNDATED.match(line)):
        return blank
    return blank if not dated and _leads_to_mail(window, offset, line, after_blank=blank > 0) else None


def _leads_to_mail(window: InputWindow, offset: int, line: bytes, *, after_blank: bool) -> bool:
    """Return True if a mail header follows an undated `From ` line at `offset`.

    The less the line resembles a separator, the more header fields are required: prose begins lines with `From `, too.
    """
    rest = window.at(offset, _HEADER_LOOK_BYTES).partition(b"\n")[2]
    if not (starts_boundary(line + b"\n") and _FIELD.match(rest)):
        return False
    names: set[bytes] = set()
    for each in rest.split(b"\n"):
        if each[:1] not in (b" ", b"\t") and not _FIELD.match(each):
            break
        if found := _MAIL_FIELD.match(each):
            names.add(found[1].lower())
    if after_blank and _NAMELESS.match(line):
        return bool(names)
    return len(names) > 2 and bool(names & _MOST_TELLING) and (after_blank or bool(_ONE_WORD.match(line)))
