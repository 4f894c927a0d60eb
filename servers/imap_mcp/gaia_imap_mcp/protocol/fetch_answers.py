"""Reads answers to UID FETCH, and repairs those of servers that break the rules. Entry: `answers`.

Some servers close the parenthesis after the message and send the other items on a separate line. Others never name
the UID, though RFC 9051 §6.4.9 requires it: for those, the UIDs are listed first and updated with every EXPUNGE.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

from gaia_imap_mcp.protocol.bounds import ResponseBounds, searching
from gaia_imap_mcp.protocol.connection import CommandParts, Connection
from gaia_imap_mcp.protocol.numbers import number, read_ranges
from gaia_imap_mcp.protocol.wire import ResponseLine

_FETCH = re.compile(rb"\* ([0-9]{1,10}) FETCH \(", re.IGNORECASE)
_UID = re.compile(rb"[ (]UID +[0-9]", re.IGNORECASE)
_SEARCH = re.compile(rb"\* SEARCH\b([ 0-9]*)", re.IGNORECASE)
_EXPUNGE = re.compile(rb"\* ([0-9]{1,10}) EXPUNGE\b", re.IGNORECASE)
_VANISHED = re.compile(rb"\* VANISHED ([0-9:,]+)", re.IGNORECASE)


def answers(
    connection: Connection, commands: Sequence[CommandParts], limits: ResponseBounds, wanted: Sequence[bytes]
) -> Iterator[ResponseLine]:
    """Yield the untagged responses to UID FETCH commands; those about messages are complete and have a UID.

    Args:
        connection: A connection with the folder selected.
        commands: UID FETCH commands for the same items.
        limits: Limits of the answer to each command.
        wanted: Items that every answer has, and that distinguish it from news of other messages.

    Raises:
        CommandRefused, ConnectionDropped, ExcessiveResponse: As `Connection.stream`.
    """
    uids = _list_uids(connection) if connection.names_no_uids else None
    named = nameless = 0
    for line in _join_lines(connection.stream(commands, limits), wanted):
        found = _FETCH.match(line.start)
        if found is None:
            if uids is not None:
                _count_down(uids, line.start)
        elif _has(line, _UID):
            named += 1
        elif all(_names(line, name) for name in wanted):
            nameless += 1
            position = number(found[1])
            if uids is not None and 0 < position <= len(uids):
                start = (
                    line.start[: found.end()] + b"UID %d " % uids[position - 1] + line.start[found.end() :]
                )
                line = ResponseLine([start, *line.parts[1:]])
        yield line
    if uids is None and nameless and not named:
        connection.names_no_uids = True
        yield from answers(connection, commands, limits, wanted)


def _join_lines(lines: Iterator[ResponseLine], wanted: Sequence[bytes]) -> Iterator[ResponseLine]:
    """Yield lines, each joined with its remainder if that came as the next line."""
    held: ResponseLine | None = None
    for line in lines:
        if held is not None:
            if line.start[:1] == b" ":
                held.parts[-1:] = [held.parts[-1] + line.start, *line.parts[1:]]
                continue
            yield held
            held = None
        if _FETCH.match(line.start) and not (_has(line, _UID) and all(_names(line, name) for name in wanted)):
            held = line
        else:
            yield line
    if held is not None:
        yield held


def _list_uids(connection: Connection) -> array[int]:
    """Return the UIDs of the selected folder in the order of its message numbers."""
    uids: array[int] = array("I")
    for line in connection.stream([(b"UID SEARCH", b"ALL")], searching(connection.exists)):
        if found := _SEARCH.match(line.start):
            uids.extend(sorted(uid for word in found[1].split() if (uid := number(word))))
        else:
            _count_down(uids, line.start)
    return uids


def _count_down(uids: array[int], text: bytes) -> None:
    """Remove messages that are gone, which renumbers those behind them."""
    if found := _EXPUNGE.match(text):
        position = number(found[1])
        if 0 < position <= len(uids):
            del uids[position - 1]
    elif found := _VANISHED.match(text):
        gone = list(read_ranges(found[1]))
        uids[:] = array("I", (uid for uid in uids if not any(low <= uid <= high for low, high in gone)))


def _has(line: ResponseLine, item: re.Pattern[bytes]) -> bool:
    return any(item.search(part) for part in line.parts[::2])


def _names(line: ResponseLine, name: bytes) -> bool:
    return any(name in part or name in part.upper() for part in line.parts[::2])
