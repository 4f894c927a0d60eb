"""Fetches messages and reads them as they arrive. Entries: `fetch_heads`, `fetch_marks`, `fetch_bodies`.

An impossible number (UID 0, a size of twenty digits) costs at most its own message. If a message is shorter than
announced, that may be the server's fault: callers fetch such a message again, alone.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gaia_imap_mcp.protocol import bounds, labels_from_flags
from gaia_imap_mcp.protocol.arguments import folder_name, uid_sets
from gaia_imap_mcp.protocol.connection import CommandParts, Connection
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.facts import HEAD_BYTES, MessageHead, read_head
from gaia_imap_mcp.protocol.fetch_answers import answers
from gaia_imap_mcp.protocol.numbers import LAST_UID, MAX_UIDS, ascending, number, read_ranges, read_uid_set
from gaia_imap_mcp.protocol.wire import ResponseLine, Token

BATCH = 500
"""Messages of one FETCH; the next FETCH is sent while an answer is read."""

_HEAD = re.compile(
    rb'\* [0-9]+ FETCH \(UID ([1-9][0-9]{0,9}) FLAGS \(([^()"\[\]{}]*)\) INTERNALDATE "([^"\\]*)" '
    rb"RFC822\.SIZE ([0-9]{1,18}) BODY\[\](?:<0>)? "
)
_SEARCH = re.compile(rb"\* SEARCH\b", re.IGNORECASE)
_ESEARCH = re.compile(rb"\* ESEARCH\b.*? ALL ([0-9:,*]+)", re.IGNORECASE)
_VANISHED = re.compile(rb"\* VANISHED (?:\(EARLIER\) )?([0-9:,]+)", re.IGNORECASE)
_WINDOW = 1 << 16
_REMEMBERED = 512
"""Longer lists of flags are not cached."""

MAX_SIZE = 1 << 40
"""A larger announced size is ignored."""

ESTIMATE = 20
"""Servers estimate sizes: a message that lacks less than 1/`ESTIMATE` of its size is complete."""

_ATTACHED_TYPES = (b"text", b"image", b"multipart")


class ListedCopy(NamedTuple):
    """A copy in a listing of flags."""

    uid: int
    marks: str


class FetchedCopy(NamedTuple):
    """A copy with the head of its message, for the index.

    `is_cut` is True if the message is longer than the head, `is_blank` if the server returned none of a header that
    exists. `missing` counts bytes of the head that the server did not return.
    """

    uid: int
    marks: str
    head: MessageHead
    is_cut: bool
    missing: int = 0
    is_blank: bool = False

    @property
    def weight(self) -> int:
        """Its approximate size in memory, in bytes."""
        return 1000 + len(self.marks) + len(self.head.facts) + 40 * len(self.head.chain)


Items = dict[bytes, Token]


def fetch_heads(
    connection: Connection, uids: Sequence[int], *, together: int = BATCH
) -> Iterator[FetchedCopy]:
    """Yield the heads of messages in the selected folder, in the server's order within each batch of `together`.

    Messages that are gone meanwhile are left out.
    """
    items = [b"UID", b"FLAGS", b"INTERNALDATE", b"RFC822.SIZE", *_identity_items(connection)]
    wanted = b"(" + b" ".join(items) + b" BODY.PEEK[]<0.%d>)" % HEAD_BYTES
    limits = bounds.heads(together, HEAD_BYTES, connection.exists)
    for line in answers(connection, _in_batches(uids, wanted, together), limits, (b"RFC822.SIZE",)):
        found = _read_ordered_head(line) or _read_unordered_head(line)
        if found is not None:
            yield found


def _read_ordered_head(line: ResponseLine) -> FetchedCopy | None:
    """Read a head whose items have the requested order, as from most servers; None for anything else."""
    parts = line.parts
    found = _HEAD.fullmatch(parts[0]) if len(parts) == 3 and parts[2] == b")" else None
    if found is None:
        return None
    uid, flags, date, size = found.groups()
    if int(uid) > LAST_UID:
        return None
    marks = (
        _flag_marks(flags) if len(flags) < _REMEMBERED else _join_marks.__wrapped__(tuple(flags.split()), ())
    )
    return _make_copy(int(uid), marks, parts[1], _size(size), date)


def _read_unordered_head(line: ResponseLine) -> FetchedCopy | None:
    """Read a head whose items have any order; None for another response."""
    found = _read(line)
    body = found.get(b"BODY[]<0>", found.get(b"BODY[]"))
    uid, date, size = number(found.get(b"UID")), found.get(b"INTERNALDATE"), found.get(b"RFC822.SIZE")
    if not uid or b"RFC822.SIZE" not in found or (body is not None and not isinstance(body, bytes)):
        return None
    return _make_copy(
        uid,
        _marks(found),
        body or b"",
        _size(size),
        date if isinstance(date, bytes) else b"",
        server_id=_text(found.get(b"X-GM-MSGID")) or _text(found.get(b"EMAILID")),
        server_thread=_text(found.get(b"X-GM-THRID")) or _text(found.get(b"THREADID")),
    )


def _make_copy(
    uid: int,
    marks: str,
    data: bytes,
    size: int | None,
    date: bytes,
    *,
    server_id: str = "",
    server_thread: str = "",
) -> FetchedCopy:
    """Return the copy; `size` is None if the server announced no possible one."""
    told = len(data) if size is None else size
    head = read_head(data, told, date, server_id=server_id, server_thread=server_thread)
    missing = max(min(told, HEAD_BYTES) - len(data), 0) if size is not None or data else 1
    cut = told > HEAD_BYTES and len(data) >= HEAD_BYTES
    return FetchedCopy(uid, marks, head, cut, missing, missing > 0 and is_blank(data))


def is_blank(data: bytes) -> bool:
    """Return True if the bytes contain no header."""
    return not data or data.startswith((b"\r", b"\n"))


def _size(text: Token) -> int | None:
    """Return RFC822.SIZE; None if it is not possible."""
    return 0 if text == b"0" else number(text, MAX_SIZE) or None


def is_short(missing: int, size: int) -> bool:
    """Return True if more bytes are missing than a server's estimate of the size can explain."""
    return missing * ESTIMATE > size


def fetch_marks(connection: Connection, uids: bytes, *, since: int = 0) -> Iterator[ListedCopy]:
    """Yield the flags of copies in the selected folder; with `since`, only those changed after that MODSEQ."""
    command = [b"UID FETCH", uids, _mark_items(connection)]
    if since:
        command.append(b"(CHANGEDSINCE %d)" % since)
    for line in answers(connection, [command], bounds.marks(connection.exists), (b"FLAGS",)):
        copy = read_marks(line)
        if copy is not None:
            yield copy


def read_marks(line: ResponseLine) -> ListedCopy | None:
    """Return UID and flags of a FETCH response; None if it does not have both."""
    found = _read(line)
    uid = number(found.get(b"UID"))
    return ListedCopy(uid, _marks(found)) if uid and b"FLAGS" in found else None


def read_vanished_uids(line: ResponseLine) -> Iterator[tuple[int, int]]:
    """Return the ends of the UID runs in a VANISHED response; empty for any other.

    A server may name every UID that it has no message for (RFC 7162 §3.2.10.1), up to four billion.
    """
    found = _VANISHED.match(line.start)
    return read_ranges(found[1]) if found else iter(())


def fetch_bodies(
    connection: Connection, sizes: Mapping[int, int], *, most: int | None = None, strict: bool = False
) -> Iterator[tuple[int, bytes]]:
    """Yield UID and bytes of messages in the selected folder, without those that are gone.

    Args:
        connection: A connection with the folder selected.
        sizes: Sizes announced by the server, by UID.
        most: Maximum number of bytes to fetch of each message; None for all.
        strict: True to enforce the sizes; see `bounds.bodies`.
    """
    wanted = b"(UID BODY.PEEK[])" if most is None else b"(UID BODY.PEEK[]<0.%d>)" % most
    expected = [size if most is None else min(size, most) for size in sizes.values()]
    limits = bounds.bodies(expected, connection.exists, strict=strict)
    commands: list[CommandParts] = [(b"UID FETCH", piece, wanted) for piece in uid_sets(sizes)]
    for line in answers(connection, commands, limits, (b"BODY[",)):
        found = _read(line)
        body = found.get(b"BODY[]", found.get(b"BODY[]<0>"))
        uid = number(found.get(b"UID"))
        if uid in sizes and isinstance(body, bytes):
            yield uid, body


def fetch_uids_with_attachment(connection: Connection, uids: Sequence[int]) -> set[int]:
    """Return those of `uids` whose BODYSTRUCTURE has an attachment."""
    if not uids:
        return set()
    attached: set[int] = set()
    limits = bounds.structures(BATCH, connection.exists)
    for line in answers(
        connection, _in_batches(uids, b"(UID BODYSTRUCTURE)", BATCH), limits, (b"BODYSTRUCTURE",)
    ):
        found = _read(line)
        if _has_attachment(found.get(b"BODYSTRUCTURE"), top=True):
            attached.add(number(found.get(b"UID")))
    return attached


def search_uids(connection: Connection, *criteria: bytes) -> array[int]:
    """Return matching UIDs in the selected folder, ascending; requested as ranges if the server has ESEARCH.

    Raises:
        CommandRefused: As any command, or the answer cannot be read.
        ConnectionDropped, ExcessiveResponse: As any command.
    """
    compact = (b"RETURN (ALL)",) if connection.has("ESEARCH") else ()
    found: array[int] = array("I")
    limits = bounds.searching(connection.exists)
    for line in connection.command(b"UID SEARCH", *compact, *criteria, bounds=limits).lines:
        try:
            found.extend(read_search(line))
            if len(found) > MAX_UIDS:
                raise ValueError("too large a set of numbers")
        except ValueError as error:
            raise CommandRefused(f"The mail server's answer to a search is {error}.") from None
    return ascending(found)


def read_search(line: ResponseLine) -> array[int]:
    """Return the UIDs of a SEARCH or ESEARCH response; empty for any other.

    Raises:
        ValueError: The set of an ESEARCH response cannot be read.
    """
    text = line.start
    if plain := _SEARCH.match(text):
        uids: array[int] = array("I")
        at = plain.end()
        while at < len(text):
            end = text.find(b" ", at + _WINDOW)
            end = len(text) if end < 0 else end
            uids.extend(uid for word in text[at:end].split() if (uid := number(word)))
            at = end
        return uids
    compact = _ESEARCH.match(text)
    return read_uid_set(compact[1]) if compact else array("I")


def _in_batches(uids: Sequence[int], wanted: bytes, together: int) -> list[CommandParts]:
    commands: list[CommandParts] = []
    for start in range(0, len(uids), together):
        commands.extend((b"UID FETCH", piece, wanted) for piece in uid_sets(uids[start : start + together]))
    return commands


def _identity_items(connection: Connection) -> list[bytes]:
    if connection.is_gmail:
        return [b"X-GM-MSGID", b"X-GM-THRID", b"X-GM-LABELS"]
    return [b"EMAILID", b"THREADID"] if connection.has("OBJECTID") else []


def _mark_items(connection: Connection) -> bytes:
    return b"(UID FLAGS X-GM-LABELS)" if connection.is_gmail else b"(UID FLAGS)"


def _read(line: ResponseLine) -> Items:
    """Return the items of a FETCH response by their names in capitals; empty for any other response."""
    words = line.tokens()
    if len(words) < 4 or words[2] not in (b"FETCH", b"Fetch", b"fetch"):
        return {}
    if not isinstance(words[3], list):
        return {}
    items = words[3] + words[4:]  # some servers close the parenthesis too early
    found: Items = {}
    for key, value in zip(items[::2], items[1::2], strict=False):
        if isinstance(key, bytes):
            found[key.upper()] = value
    return found


def _text(value: Token | None) -> str:
    """Return a word; EMAILID and THREADID put it in parentheses, or are NIL."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value.decode("ascii", "replace") if isinstance(value, bytes) else ""


@lru_cache(maxsize=4096)
def _flag_marks(flags: bytes) -> str:
    return _join_marks(tuple(flags.split()), ())


def _marks(found: Items) -> str:
    flags, labels = (
        tuple(item for item in items if isinstance(item, bytes)) if isinstance(items, list) else ()
        for items in (found.get(b"FLAGS"), found.get(b"X-GM-LABELS"))
    )
    if sum(map(len, flags)) + sum(map(len, labels)) > _REMEMBERED:
        return _join_marks.__wrapped__(flags, labels)
    return _join_marks(flags, labels)


@lru_cache(maxsize=4096)
def _join_marks(flags: tuple[bytes, ...], labels: tuple[bytes, ...]) -> str:
    marks = [flag.decode("utf-8", "replace") for flag in flags if flag.lower() != b"\\recent"]
    marks.extend(labels_from_flags.LABEL + folder_name(label) for label in labels)
    return labels_from_flags.join(marks)


def _has_attachment(structure: Token, *, top: bool = False) -> bool:
    """Return True if a BODYSTRUCTURE (RFC 9051 §7.5.2) has a part that `glance` would call an attachment."""
    if not isinstance(structure, list) or not structure:
        return False
    if isinstance(structure[0], list):
        return any(_has_attachment(part) for part in _leaves(structure))
    kind = structure[0].lower() if isinstance(structure[0], bytes) else b""
    for item in structure[8:]:
        if isinstance(item, list) and item and isinstance(item[0], bytes):
            if item[0].lower() == b"attachment":
                return True
            if item[0].lower() == b"inline":
                return not kind.startswith(_ATTACHED_TYPES)
    return not top and not kind.startswith(_ATTACHED_TYPES)


def _leaves(structure: list[Token]) -> Iterator[list[Token]]:
    """Yield the parts of a multipart: the lists before its subtype."""
    for part in structure:
        if not isinstance(part, list):
            return
        yield part
