"""What FETCH answers, message by message as it comes in. Entries: `fetch_heads`, `fetch_marks`, `fetch_bodies`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gaia_imap_mcp import standing
from gaia_imap_mcp.arguments import folder_name, read_ranges, read_uid_set, uid_sets
from gaia_imap_mcp.connection import Command, Connection
from gaia_imap_mcp.errors import Refused
from gaia_imap_mcp.facts import HEAD_BYTES, Head, read_head
from gaia_imap_mcp.wire import Line, Token

BATCH = 500
"""Messages of one FETCH; the next one is on its way while an answer is read."""

_HEAD = re.compile(
    rb'\* [0-9]+ FETCH \(UID ([1-9][0-9]{0,9}) FLAGS \(([^()"\[\]{}]*)\) INTERNALDATE "([^"\\]*)" '
    rb"RFC822\.SIZE ([0-9]{1,18}) BODY\[\](?:<0>)? "
)
_ATTACHED_TYPES = (b"text", b"image", b"multipart")


class Copy(NamedTuple):
    """A copy as a listing of flags shows it."""

    uid: int
    marks: str


class Fetched(NamedTuple):
    """A copy with what the index takes in of its message; `is_cut` when there was more than the head."""

    uid: int
    marks: str
    head: Head
    is_cut: bool


Items = dict[bytes, Token]


def fetch_heads(connection: Connection, uids: Sequence[int]) -> Iterator[Fetched]:
    """The beginnings of messages of the selected folder, in the order of the server within each batch.

    Those that are gone meanwhile are left out.
    """
    items = [b"UID", b"FLAGS", b"INTERNALDATE", b"RFC822.SIZE", *_identity_items(connection)]
    wanted = b"(" + b" ".join(items) + b" BODY.PEEK[]<0.%d>)" % HEAD_BYTES
    for line in connection.stream(_in_batches(uids, wanted)):
        found = _as_asked(line) or _as_it_came(line)
        if found is not None:
            yield found


def _as_asked(line: Line) -> Fetched | None:
    """A head that came in the order it was asked for, as from most servers; None for anything else."""
    parts = line.parts
    found = _HEAD.fullmatch(parts[0]) if len(parts) == 3 and parts[2] == b")" else None
    if found is None:
        return None
    uid, flags, date, size = found.groups()
    return _fetched(int(uid), _flag_marks(flags), parts[1], int(size), date)


def _as_it_came(line: Line) -> Fetched | None:
    """A head in whatever order; None for another response."""
    found = _read(line)
    body = found.get(b"BODY[]<0>", found.get(b"BODY[]"))
    uid, size, date = _number(found, b"UID"), _number(found, b"RFC822.SIZE"), found.get(b"INTERNALDATE")
    if not uid or b"RFC822.SIZE" not in found or (body is not None and not isinstance(body, bytes)):
        return None
    return _fetched(
        uid,
        _marks(found),
        body or b"",
        size,
        date if isinstance(date, bytes) else b"",
        server_id=_text(found.get(b"X-GM-MSGID")) or _text(found.get(b"EMAILID")),
        server_thread=_text(found.get(b"X-GM-THRID")) or _text(found.get(b"THREADID")),
    )


def _fetched(
    uid: int, marks: str, data: bytes, size: int, date: bytes, *, server_id: str = "", server_thread: str = ""
) -> Fetched:
    head = read_head(data, size, date, server_id=server_id, server_thread=server_thread)
    return Fetched(uid, marks, head, size > HEAD_BYTES and len(data) >= HEAD_BYTES)


def fetch_marks(connection: Connection, uids: bytes, *, since: int = 0) -> Iterator[Copy]:
    """Flags of copies in the selected folder; with `since` of those that changed after that MODSEQ."""
    command = [b"UID FETCH", uids, _mark_items(connection)]
    if since:
        command.append(b"(CHANGEDSINCE %d)" % since)
    for line in connection.stream([command]):
        copy = read_marks(line)
        if copy is not None:
            yield copy


def read_marks(line: Line) -> Copy | None:
    """UID and flags of a FETCH response; None when it does not have both."""
    found = _read(line)
    uid = _number(found, b"UID")
    return Copy(uid, _marks(found)) if uid and b"FLAGS" in found else None


def read_vanished(line: Line) -> list[tuple[int, int]]:
    """First and last UIDs of the runs of a VANISHED response; empty for any other.

    A server may name all numbers that it has no message for (RFC 7162 §3.2.10.1), up to four thousand million.
    """
    words = line.start.split()
    if len(words) < 3 or words[1].upper() != b"VANISHED":
        return []
    return read_ranges(words[-1])


def fetch_bodies(
    connection: Connection, uids: Iterable[int], *, most: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Messages of the selected folder, `most` of their first bytes if given; those that are gone are left out."""
    wanted = b"(UID BODY.PEEK[])" if most is None else b"(UID BODY.PEEK[]<0.%d>)" % most
    for line in connection.stream([(b"UID FETCH", piece, wanted) for piece in uid_sets(uids)]):
        found = _read(line)
        body = found.get(b"BODY[]", found.get(b"BODY[]<0>"))
        uid = _number(found, b"UID")
        if uid and isinstance(body, bytes):
            yield uid, body


def fetch_attached(connection: Connection, uids: Sequence[int]) -> set[int]:
    """Those of `uids` that have an attachment, as their BODYSTRUCTURE says."""
    if not uids:
        return set()
    attached: set[int] = set()
    for line in connection.stream(_in_batches(uids, b"(UID BODYSTRUCTURE)")):
        found = _read(line)
        if _has_attachment(found.get(b"BODYSTRUCTURE"), top=True):
            attached.add(_number(found, b"UID"))
    return attached


def search_uids(connection: Connection, *criteria: bytes) -> list[int]:
    """UIDs in the selected folder that match, ascending; as ranges where the server can say them (ESEARCH).

    Raises:
        Refused: As any command, or the answer cannot be read.
        Dropped: As any command.
    """
    compact = (b"RETURN (ALL)",) if connection.has("ESEARCH") else ()
    found: set[int] = set()
    for line in connection.command(b"UID SEARCH", *compact, *criteria).lines:
        try:
            found.update(read_search(line))
        except ValueError as error:
            raise Refused(f"The mail server's answer to a search is {error}.") from None
    return sorted(found)


def read_search(line: Line) -> list[int]:
    """UIDs of a SEARCH or ESEARCH response; empty for any other.

    Raises:
        ValueError: The set of an ESEARCH response cannot be read.
    """
    words = line.start.split()
    if len(words) < 2:
        return []
    if words[1].upper() == b"SEARCH":
        return [int(word) for word in words[2:] if word.isdigit()]
    if words[1].upper() == b"ESEARCH" and b"ALL" in words[:-1]:
        return read_uid_set(words[words.index(b"ALL") + 1])
    return []


def _in_batches(uids: Sequence[int], wanted: bytes) -> list[Command]:
    commands: list[Command] = []
    for start in range(0, len(uids), BATCH):
        commands.extend((b"UID FETCH", piece, wanted) for piece in uid_sets(uids[start : start + BATCH]))
    return commands


def _identity_items(connection: Connection) -> list[bytes]:
    if connection.is_gmail:
        return [b"X-GM-MSGID", b"X-GM-THRID", b"X-GM-LABELS"]
    return [b"EMAILID", b"THREADID"] if connection.has("OBJECTID") else []


def _mark_items(connection: Connection) -> bytes:
    return b"(UID FLAGS X-GM-LABELS)" if connection.is_gmail else b"(UID FLAGS)"


def _read(line: Line) -> Items:
    """The items of a FETCH response by their names in capitals; empty for any other response."""
    words = line.tokens()
    if len(words) < 4 or words[2] not in (b"FETCH", b"Fetch", b"fetch"):
        return {}
    items = words[3]
    if not isinstance(items, list):
        return {}
    found: Items = {}
    for key, value in zip(items[::2], items[1::2], strict=False):
        if isinstance(key, bytes):
            found[key.upper()] = value
    return found


def _number(found: Items, key: bytes) -> int:
    value = found.get(key)
    return int(value) if isinstance(value, bytes) and value.isdigit() else 0


def _text(value: Token | None) -> str:
    """A word; EMAILID and THREADID have parentheses around it, or are NIL."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value.decode("ascii", "replace") if isinstance(value, bytes) else ""


@lru_cache(maxsize=4096)
def _flag_marks(flags: bytes) -> str:
    return _joined(tuple(flags.split()), ())


def _marks(found: Items) -> str:
    flags, labels = found.get(b"FLAGS"), found.get(b"X-GM-LABELS")
    return _joined(
        tuple(item for item in flags if isinstance(item, bytes)) if isinstance(flags, list) else (),
        tuple(item for item in labels if isinstance(item, bytes)) if isinstance(labels, list) else (),
    )


@lru_cache(maxsize=4096)
def _joined(flags: tuple[bytes, ...], labels: tuple[bytes, ...]) -> str:
    marks = [flag.decode("utf-8", "replace") for flag in flags if flag.lower() != b"\\recent"]
    marks.extend(standing.LABEL + folder_name(label) for label in labels)
    return standing.join(marks)


def _has_attachment(structure: Token, *, top: bool = False) -> bool:
    """Whether a BODYSTRUCTURE (RFC 9051 §7.5.2) has a part that `glance` would call an attachment."""
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
    """The parts of a multipart: the lists before its subtype."""
    for part in structure:
        if not isinstance(part, list):
            return
        yield part
