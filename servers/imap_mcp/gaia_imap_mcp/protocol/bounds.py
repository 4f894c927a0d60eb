"""How much a server may say in answer to what it was asked, and for how long. Entries: `ResponseBounds`, `ORDINARY`.

A server is bounded as a hostile message is: whatever it says beyond this ends the connection, so that it costs neither
memory nor time without end. `stream.SocketStream` is the one place that counts. Time is that spent waiting for the
server, and every byte that comes earns some, so that a slow line is not taken for a server that strings us along.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from gaia_imap_mcp.protocol.numbers import MAX_UIDS
from gaia_mail.files.model import MAX_MESSAGE_BYTES

KIB, MIB = 1 << 10, 1 << 20

SLOWEST_BYTES_A_S = 2048
"""A line that is slower than this over a whole answer is given up once the time of the bounds is over."""

MAX_FOLDERS = 10_000
MAX_LITERAL_BYTES = 512 * MIB
"""A larger message is not believed, whatever its size is said to be."""

_A_MESSAGE_BYTES = 256
"""Flags, labels and numbers of one message in a listing."""

_NEWS = 100_000
"""Messages of which there may be news in an answer about something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseBounds:
    """Of the answer to one command."""

    line: int = 256 * KIB
    """Bytes of text between two literals."""
    literal: int = 64 * KIB
    answer: int = 4 * MIB
    """All bytes together."""
    lines: int = 20_000
    patience: float = 5.0
    """Times the silence that is borne; the answer has to be there then, but for the time that its bytes have earned."""
    too_many: str = ""
    """What to say of a server that sends more lines; empty for just that."""

    def among(self, messages: int) -> ResponseBounds:
        """With a folder of so many messages open: there may be news of each of them."""
        count = min(messages, _NEWS)
        return replace(self, lines=self.lines + 2 * count, answer=self.answer + 128 * count)

    def together(self, commands: int) -> ResponseBounds:
        """For so many commands sent at once: each of them takes its time."""
        return replace(self, patience=self.patience + commands / 20)


BEFORE_LOGIN = ResponseBounds(line=16 * KIB, literal=4 * KIB, answer=64 * KIB, lines=200, patience=4.0)
"""From the greeting to the end of the login: nobody has proved to be anybody yet."""

SMTP_REPLY = ResponseBounds(line=8 * KIB, literal=0, answer=64 * KIB, lines=200, patience=2.0)

ORDINARY = ResponseBounds()

OPENING = ResponseBounds(line=4 * MIB, answer=8 * MIB, lines=50_000)
"""SELECT and EXAMINE, which with QRESYNC tell every change since the last time."""

LISTING = ResponseBounds(
    answer=16 * MIB, lines=2 * MAX_FOLDERS + 1000, too_many=f"lists more than {MAX_FOLDERS:,} folders"
)
"""LIST and STATUS of all folders."""


def searching(messages: int) -> ResponseBounds:
    """SEARCH in a folder of so many messages, whose numbers are all in one line."""
    count = min(messages, MAX_UIDS)
    longest = ORDINARY.line + 11 * count
    return replace(ORDINARY.among(count), line=longest, answer=ORDINARY.answer + longest)


def marks(messages: int) -> ResponseBounds:
    """The flags of so many messages."""
    count = min(messages, MAX_UIDS)
    usual = ORDINARY.among(count)
    return replace(usual, lines=usual.lines + count, answer=usual.answer + _A_MESSAGE_BYTES * count)


def heads(messages: int, of_each: int, folder: int) -> ResponseBounds:
    """The first bytes of so many messages, in a folder of `folder`."""
    usual = ORDINARY.among(folder)
    return replace(
        usual, line=64 * KIB, literal=of_each + KIB, answer=usual.answer + messages * (of_each + 4 * KIB)
    )


def structures(messages: int, folder: int) -> ResponseBounds:
    """BODYSTRUCTURE of so many messages, in a folder of `folder`."""
    usual = ORDINARY.among(folder)
    return replace(usual, line=MIB, answer=usual.answer + messages * 16 * KIB)


def bodies(sizes: Collection[int], folder: int, *, strict: bool = False) -> ResponseBounds:
    """Messages said to be of these sizes, in a folder of `folder`.

    Servers estimate sizes. A wrong one is borne within `MAX_MESSAGE_BYTES` for all messages of a command together,
    with `strict` within little.
    """
    usual = ORDINARY.among(folder)
    leeway = 64 * KIB if strict else MAX_MESSAGE_BYTES
    believed = [min(size, MAX_LITERAL_BYTES) * 5 // 4 for size in sizes]
    return replace(
        usual,
        literal=max(believed, default=0) + leeway,
        answer=usual.answer + sum(believed) + leeway,
    )
