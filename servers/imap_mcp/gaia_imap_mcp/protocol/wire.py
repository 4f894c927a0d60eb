"""Sends IMAP commands and reads responses, one at a time and without copies. Entries: `Wire`, `tokens`.

imapclient connects and logs in; from then on this module reads. imapclient returns the answer to a FETCH only when it
is complete, it has no pipelining, and its parsing costs more than all the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, Protocol, TypeAlias

from gaia_imap_mcp.protocol.arguments import CommandArgument, ImapLiteral
from gaia_imap_mcp.protocol.errors import ConnectionDropped

MAX_DEPTH = 50
"""Lists within lists; deeper ones are flattened."""

MAX_ITEMS = 50_000
"""Words, strings and lists of one text; the rest is ignored."""

_LITERAL_AT_END = re.compile(rb"~?\{(\d{1,12})\+?\}\r?\n\Z")
# Possessive, and an open string ends with the text: otherwise long garbage costs memory or quadratic time.
_TOKEN = re.compile(
    rb' *+(?:([()])|"((?:[^"\\]|\\.)*+)(?:"|\\?\Z)|((?:[^\s()"\[]|\[[^\]]{0,200}\]|\[)++))', re.DOTALL
)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_CODE = re.compile(rb"\[([^\s\]]+)(?: ([^\]]*))?\] ?")

Token: TypeAlias = "bytes | list[Token] | None"
"""A word, string or literal; None for NIL; a list for a parenthesized list."""

Status = Literal["OK", "NO", "BAD"]


class Stream(Protocol):
    """The byte stream of a connection; see `stream.SocketStream`."""

    def readline(self) -> bytes:
        """Read a line with its end; less at the end of the connection."""
        ...

    def read(self, size: int) -> bytes:
        """Read exactly `size` bytes unless the connection ends."""
        ...

    def send(self, data: bytes) -> None:
        """Send all data."""
        ...


@dataclass(frozen=True, slots=True)
class ResponseLine:
    """One response, as alternating texts and literals; without literals it is one text."""

    parts: list[bytes]

    @property
    def start(self) -> bytes:
        """The text up to the first literal."""
        return self.parts[0]

    def tokens(self) -> list[Token]:
        """Parse the whole response; the first token is `*` or the tag."""
        return tokens(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReply:
    """The result of a command, and the untagged responses before it."""

    status: Status
    code: str
    """The response code in capitals, such as `COPYUID`; empty if there is none."""
    arguments: bytes
    """The rest of the code's brackets."""
    text: str
    lines: list[ResponseLine]


class Wire:
    """Sends commands and reads responses; not thread-safe."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.count = 0
        """Commands sent."""
        self.literal_plus = 0
        """The largest literal that may be sent without a go-ahead (RFC 7888)."""

    def send(self, parts: Sequence[CommandArgument]) -> bytes:
        """Send a command, its parts joined by spaces; return its tag without awaiting the result.

        Raises:
            ConnectionDropped: The connection is gone.
            WireRefused: The server does not accept a literal; the command has ended.
        """
        self.count += 1
        tag = b"g%d" % self.count
        pending = tag
        for part in parts:
            if not isinstance(part, ImapLiteral):
                pending += b" " + part
                continue
            if len(part) <= self.literal_plus:
                self._stream.send(pending + b" {%d+}\r\n" % len(part))
            else:
                self._stream.send(pending + b" {%d}\r\n" % len(part))
                self._await_go_ahead(tag)
            self._stream.send(part)
            pending = b""
        self._stream.send(pending + b"\r\n")
        return tag

    def send_line(self, data: bytes) -> None:
        """Send a line that is not a command, such as `DONE`."""
        self._stream.send(data + b"\r\n")

    def read(self) -> ResponseLine:
        """Return the next response.

        Raises:
            ConnectionDropped: The connection has ended.
            ExcessiveResponse: As `stream.SocketStream`.
        """
        stream = self._stream
        line = stream.readline()
        parts: list[bytes] = []
        while True:
            if not line.endswith(b"\n"):
                raise ConnectionDropped("The mail server closed the connection.")
            found = _LITERAL_AT_END.search(line, max(len(line) - 20, 0)) if line[-3:-2] == b"}" else None
            if found is None:
                parts.append(line.rstrip(b"\r\n"))
                return ResponseLine(parts)
            size = int(found[1])
            data = stream.read(size)
            if len(data) != size:
                raise ConnectionDropped("The mail server closed the connection in the middle of a message.")
            parts.append(line[: found.start()])
            parts.append(data)
            line = stream.readline()

    def _await_go_ahead(self, tag: bytes) -> None:
        while not (line := self.read()).start.startswith(b"+"):
            if line.start.startswith(tag + b" "):
                raise WireRefused(line)


class WireRefused(Exception):
    """The server ended a command instead of accepting its literal; `line` is its tagged response."""

    def __init__(self, line: ResponseLine) -> None:
        super().__init__()
        self.line = line


def read_reply(line: ResponseLine, lines: list[ResponseLine]) -> CommandReply:
    """Return the result of a command from its tagged response and the `lines` before it."""
    _, status, rest = (*line.start.split(b" ", 2), b"", b"")[:3]
    code, arguments, text = response_code(rest)
    word = status.upper()
    return CommandReply(
        status="OK" if word == b"OK" else "NO" if word == b"NO" else "BAD",
        code=code,
        arguments=arguments,
        text=text,
        lines=lines,
    )


def response_code(rest: bytes) -> tuple[str, bytes, str]:
    """Split `[CODE arguments] text` into the code in capitals, its arguments and the text.

    Without a code, the first two are empty.
    """
    found = _CODE.match(rest)
    if found is None:
        return "", b"", rest.decode("utf-8", "replace")
    code = found[1].decode("ascii", "replace").upper()
    return code, found[2] or b"", rest[found.end() :].decode("utf-8", "replace")


def tokens(parts: Sequence[bytes]) -> list[Token]:
    """Parse a response. Never raises: lists and strings that are not closed end with the response."""
    top: list[Token] = []
    stack = [top]
    beyond = 0
    for number, part in enumerate(parts):
        if number % 2:
            stack[-1].append(part)
            continue
        for bracket, quoted, word in _found(part):
            if word:
                stack[-1].append(None if len(word) == 3 and word.upper() == b"NIL" else word)
            elif bracket == b"(":
                if len(stack) > MAX_DEPTH:
                    beyond += 1
                    continue
                inner: list[Token] = []
                stack[-1].append(inner)
                stack.append(inner)
            elif bracket == b")":
                if beyond:
                    beyond -= 1
                elif len(stack) > 1:
                    stack.pop()
            else:
                stack[-1].append(_ESCAPED.sub(rb"\1", quoted) if b"\\" in quoted else quoted)
    return top


def _found(part: bytes) -> Iterable[tuple[bytes, bytes, bytes]]:
    """Return the bracket, string or word of each item."""
    if len(part) < MAX_ITEMS:
        return _TOKEN.findall(part)
    return (
        (found[1] or b"", found[2] or b"", found[3] or b"")
        for found in islice(_TOKEN.finditer(part), MAX_ITEMS)
    )
