"""Limits on the size and the time of a server's answers. Entries: `ResponseBounds`, `ORDINARY`.

A server is limited like a hostile message: exceeding a limit ends the connection, so that it cannot use up memory or
time. Only `stream.SocketStream` counts. Only time spent waiting for the server counts, and every received byte earns
some, so that a slow line is not mistaken for a server that stalls.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from gaia_imap_mcp.protocol.numbers import MAX_UIDS
from gaia_mail.files.model import MAX_MESSAGE_BYTES

KIB, MIB = 1 << 10, 1 << 20

SLOWEST_BYTES_A_S = 2048
"""A connection slower than this over a whole answer is given up when the time of the bounds is over."""

MAX_FOLDERS = 10_000
MAX_LITERAL_BYTES = 512 * MIB
"""The largest message size that is believed, whatever the server announces."""

_A_MESSAGE_BYTES = 256
"""Flags, labels and numbers of one message in a listing."""

_NEWS = 100_000
"""Maximum number of messages with news in an answer about something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseBounds:
    """Limits of the answer to one command."""

    line: int = 256 * KIB
    """Bytes of text between two literals."""
    literal: int = 64 * KIB
    answer: int = 4 * MIB
    """All bytes together."""
    lines: int = 20_000
    patience: float = 5.0
    """Time limit as a multiple of the longest silence, to which the time earned by received bytes is added."""
    too_many: str = ""
    """Error text for a server that sends more lines; empty for the default."""

    def among(self, messages: int) -> ResponseBounds:
        """Return the bounds while a folder with so many messages is open: each of them may have news."""
        count = min(messages, _NEWS)
        return replace(self, lines=self.lines + 2 * count, answer=self.answer + 128 * count)

    def together(self, commands: int) -> ResponseBounds:
        """Return the bounds for so many commands sent at once: each of them takes time."""
        return replace(self, patience=self.patience + commands / 20)


BEFORE_LOGIN = ResponseBounds(line=16 * KIB, literal=4 * KIB, answer=64 * KIB, lines=200, patience=4.0)
"""From the greeting to the end of the login."""

SMTP_REPLY = ResponseBounds(line=8 * KIB, literal=0, answer=64 * KIB, lines=200, patience=2.0)

ORDINARY = ResponseBounds()

OPENING = ResponseBounds(line=4 * MIB, answer=8 * MIB, lines=50_000)
"""SELECT and EXAMINE, which with QRESYNC report every change since the last time."""

LISTING = ResponseBounds(
    answer=16 * MIB, lines=2 * MAX_FOLDERS + 1000, too_many=f"lists more than {MAX_FOLDERS:,} folders"
)
"""LIST and STATUS of all folders."""


def searching(messages: int) -> ResponseBounds:
    """Return the bounds for SEARCH in a folder with so many messages, all numbered in one line."""
    count = min(messages, MAX_UIDS)
    longest = ORDINARY.line + 11 * count
    return replace(ORDINARY.among(count), line=longest, answer=ORDINARY.answer + longest)


def marks(messages: int) -> ResponseBounds:
    """Return the bounds for the flags of so many messages."""
    count = min(messages, MAX_UIDS)
    usual = ORDINARY.among(count)
    return replace(usual, lines=usual.lines + count, answer=usual.answer + _A_MESSAGE_BYTES * count)


def heads(messages: int, of_each: int, folder: int) -> ResponseBounds:
    """Return the bounds for the first `of_each` bytes of messages, in a folder with `folder` messages."""
    usual = ORDINARY.among(folder)
    return replace(
        usual, line=64 * KIB, literal=of_each + KIB, answer=usual.answer + messages * (of_each + 4 * KIB)
    )


def structures(messages: int, folder: int) -> ResponseBounds:
    """Return the bounds for the BODYSTRUCTURE of messages, in a folder with `folder` messages."""
    usual = ORDINARY.among(folder)
    return replace(usual, line=MIB, answer=usual.answer + messages * 16 * KIB)


def bodies(sizes: Collection[int], folder: int, *, strict: bool = False) -> ResponseBounds:
    """Return the bounds for messages of these announced sizes, in a folder with `folder` messages.

    Servers estimate sizes. All messages of a command together may exceed them by `MAX_MESSAGE_BYTES`; with `strict`,
    by 64 KiB.
    """
    usual = ORDINARY.among(folder)
    leeway = 64 * KIB if strict else MAX_MESSAGE_BYTES
    believed = [min(size, MAX_LITERAL_BYTES) * 5 // 4 for size in sizes]
    return replace(
        usual,
        literal=max(believed, default=0) + leeway,
        answer=usual.answer + sum(believed) + leeway,
    )
