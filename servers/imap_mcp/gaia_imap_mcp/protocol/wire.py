"""IMAP's lines: commands out, responses in, one at a time and without copies. Entries: `Wire`, `tokens`.

imapclient makes the connection and logs in; from then on we read ourselves. Its answer to a FETCH is there only
when all of it has come, it has no pipelining, and taking the answer apart costs more than all the rest.
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
"""Lists within lists; deeper ones are read as if they were not nested any further."""

MAX_ITEMS = 50_000
"""Words, strings and lists of one text; the rest is passed over."""

_LITERAL_AT_END = re.compile(rb"~?\{(\d{1,12})\+?\}\r?\n\Z")
# Possessive, and an open string ends with the text: else long nonsense costs memory, or its square in time.
_TOKEN = re.compile(
    rb' *+(?:([()])|"((?:[^"\\]|\\.)*+)(?:"|\\?\Z)|((?:[^\s()"\[]|\[[^\]]{0,200}\]|\[)++))', re.DOTALL
)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_CODE = re.compile(rb"\[([^\s\]]+)(?: ([^\]]*))?\] ?")

Token: TypeAlias = "bytes | list[Token] | None"
"""A word, string or literal; None for NIL; a list for what is in parentheses."""

Status = Literal["OK", "NO", "BAD"]


class Stream(Protocol):
    """What is needed of a connection; see `stream.SocketStream`."""

    def readline(self) -> bytes:
        """A line with its end; less at the end of the connection."""
        ...

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes unless the connection ends."""
        ...

    def send(self, data: bytes) -> None:
        """Send all of it."""
        ...


@dataclass(frozen=True, slots=True)
class ResponseLine:
    """One response: text, literal, text, …; a response without literals is one text."""

    parts: list[bytes]

    @property
    def start(self) -> bytes:
        """The text up to the first literal."""
        return self.parts[0]

    def tokens(self) -> list[Token]:
        """The whole response, taken apart; begins with `*` or the tag."""
        return tokens(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReply:
    """How a command ended, and the untagged responses that came before."""

    status: Status
    code: str
    """The response code in capitals, such as `COPYUID`; empty without one."""
    arguments: bytes
    """What follows the code inside its brackets."""
    text: str
    lines: list[ResponseLine]


class Wire:
    """Sends commands and reads responses. Not for several threads at once."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.count = 0
        """Commands that were sent."""
        self.literal_plus = 0
        """Literals up to this size are sent without asking (RFC 7888)."""

    def send(self, parts: Sequence[CommandArgument]) -> bytes:
        """Send a command, its parts joined by spaces; answers its tag without awaiting the result.

        Raises:
            ConnectionDropped: The connection is gone.
            WireRefused: The server does not take a literal; the command has ended.
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
        """Send something that is no command, such as `DONE`."""
        self._stream.send(data + b"\r\n")

    def read(self) -> ResponseLine:
        """The next response.

        Raises:
            ConnectionDropped: The connection has ended.
            ExcessiveResponse: See `stream`.
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
    """The server ended a command instead of taking its literal; `line` is its tagged response."""

    def __init__(self, line: ResponseLine) -> None:
        super().__init__()
        self.line = line


def read_reply(line: ResponseLine, lines: list[ResponseLine]) -> CommandReply:
    """The result of a command from its tagged response."""
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
    """`[CODE arguments] text`: the code in capitals, its arguments, the text; without a code two are empty."""
    found = _CODE.match(rest)
    if found is None:
        return "", b"", rest.decode("utf-8", "replace")
    code = found[1].decode("ascii", "replace").upper()
    return code, found[2] or b"", rest[found.end() :].decode("utf-8", "replace")


def tokens(parts: Sequence[bytes]) -> list[Token]:
    """Take a response apart. Never raises: what is not closed ends with the response."""
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
    """Bracket, string or word of each item."""
    if len(part) < MAX_ITEMS:
        return _TOKEN.findall(part)
    return (
        (found[1] or b"", found[2] or b"", found[3] or b"")
        for found in islice(_TOKEN.finditer(part), MAX_ITEMS)
    )
