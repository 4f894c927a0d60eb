"""One logged-in IMAP connection: commands, the selected folder, pipelines, streams. Entry: `connect`.

Calls block, and only one thread may use a connection at a time. Arguments are built with `arguments`; nothing is quoted
here.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from gaia_imap_mcp.protocol.arguments import CommandArgument, ImapLiteral, literally, mailbox
from gaia_imap_mcp.protocol.bounds import OPENING, ORDINARY, ResponseBounds
from gaia_imap_mcp.protocol.errors import ConnectionDropped, ExcessiveResponse, refusal, translate_errors
from gaia_imap_mcp.protocol.login import log_in
from gaia_imap_mcp.protocol.numbers import LAST_MODSEQ, LAST_UID, number
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.protocol.wire import (
    CommandReply,
    ResponseLine,
    Wire,
    WireRefused,
    read_reply,
    response_code,
    tokens,
)
from gaia_imap_mcp.settings import ImapSettings

CLIENT_ID = (b'"name"', b'"gaia-email"')
_LITERAL_MINUS = 4096
_ANY_SIZE = 1 << 62
_MAX_KEPT = 50_000
"""Maximum number of responses of one answer that are kept in memory."""
_NEWS = re.compile(rb"\* [0-9]{1,10} (?:EXPUNGE|FETCH|EXISTS|RECENT)\b", re.IGNORECASE)

CommandParts = Sequence[CommandArgument]
"""A command and its arguments: `(b"UID STORE", b"1:4", b"+FLAGS.SILENT", flag_list(…))`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """The selected folder as the server described it when it was selected."""

    name: str
    read_only: bool
    uidvalidity: int
    uidnext: int
    exists: int
    modseq: int
    """HIGHESTMODSEQ; 0 if the folder has none."""
    permanent_flags: frozenset[str]
    r"""Flags that can be changed permanently; `\*` means that new keywords can be created."""
    lines: tuple[ResponseLine, ...] = ()
    """VANISHED and FETCH responses of a QRESYNC select."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespaces:
    """Prefixes of folder names (RFC 2342): `prefix` for the user's own, `foreign` for other people's.

    `separator` separates the levels of a name; empty if there are none.
    """

    prefix: str = ""
    separator: str = ""
    foreign: tuple[str, ...] = ()


class Connection:
    """One logged-in connection; `capabilities` are those announced after the login."""

    def __init__(self, stream: SocketStream, settings: ImapSettings) -> None:
        self.settings = settings
        self.capabilities: frozenset[str] = frozenset()
        self.selected: Selected | None = None
        self.closed = False
        self.last_used = now()
        self.namespaces: Namespaces | None = None
        """None until requested."""
        self.spelled: dict[str, bytes] = {}
        """Server spellings of folder names that are not in modified UTF-7, by name."""
        self.beside: dict[str, str] = {}
        """Names of Gmail folders that only show part of All Mail and need not be followed, by label."""
        self.names_no_uids = False
        """True if the server has answered UID FETCH without UIDs."""
        self._stream = stream
        self._wire = Wire(stream)

    def has(self, capability: str) -> bool:
        """Return True if the server has this capability, given in capitals."""
        return capability in self.capabilities

    @property
    def commands(self) -> int:
        """Number of commands sent; if it has not changed, the connection was not used meanwhile."""
        return self._wire.count

    @property
    def is_gmail(self) -> bool:
        """True if the server has Gmail's extensions: stable ids, labels, threads."""
        return self.has("X-GM-EXT-1")

    def mailbox(self, name: str) -> CommandArgument:
        """Return a folder's name as an argument.

        Raises:
            BadArgument: As `arguments.mailbox`.
        """
        raw = self.spelled.get(name)
        return mailbox(name) if raw is None else literally(raw)

    def ready(self, wake: socket.socket, timeout_s: float) -> bool:
        """Return True if the server has sent something; wait until it does, `wake` is readable or time is up."""
        with self._busy():
            return self._stream.ready(wake, timeout_s)

    def prepare(self) -> None:
        """Read the capabilities again after the login, identify this client and enable extensions."""
        self.capabilities = self._read_capabilities()
        if self.has("LITERAL+"):
            self._wire.literal_plus = _ANY_SIZE
        elif self.has("LITERAL-"):
            self._wire.literal_plus = _LITERAL_MINUS
        wanted: list[CommandParts] = []
        if self.has("ID"):
            wanted.append((b"ID", b"(" + b" ".join(CLIENT_ID) + b")"))
        if self.has("ENABLE") and self.has("QRESYNC"):
            wanted.append((b"ENABLE", b"QRESYNC"))
        for reply in self.pipeline(wanted):
            if reply.status == "BAD":
                raise refusal(reply.code, reply.text, bad=True)

    def command(self, *parts: CommandArgument, bounds: ResponseBounds | None = None) -> CommandReply:
        """Send a command and await its result; message news that comes with it is dropped.

        Args:
            parts: The command and its arguments.
            bounds: Limits of the answer; None for the ordinary ones.

        Raises:
            CommandRefused: The server answered NO or BAD.
            ConnectionDropped: The connection is gone; the command may have been executed.
            ExcessiveResponse: The answer exceeds its bounds; the command may have been executed.
            BadArgument: An argument cannot be sent; nothing was sent.
        """
        with self._busy(bounds or ORDINARY.among(self.exists)):
            reply = self._finish(self._wire.send(parts), news=False)
        return _check(reply)

    @property
    def exists(self) -> int:
        """Messages in the selected folder when it was selected; 0 if no folder is."""
        return self.selected.exists if self.selected is not None else 0

    def probe(self, timeout_s: float) -> None:
        """Check that the server still answers.

        Raises:
            ConnectionDropped, CommandRefused: It did not answer in that time, or not as expected.
        """
        connected = self._stream.socket
        before = connected.gettimeout()
        with self._busy():
            connected.settimeout(timeout_s)
        self.command(b"NOOP")
        with self._busy():
            connected.settimeout(before)

    def pipeline(
        self, commands: Sequence[CommandParts], bounds: ResponseBounds = ORDINARY
    ) -> list[CommandReply]:
        """Send several commands at once and await all results, even refusals; `bounds` limits them together."""
        replies: list[CommandReply] = []
        tags: list[bytes] = []
        with self._busy(bounds.together(len(commands))):
            for parts in commands:
                if any(isinstance(part, ImapLiteral) for part in parts):
                    # The go-ahead for a literal must not get mixed up with other answers.
                    replies += [self._finish(tag) for tag in tags]
                    tags.clear()
                try:
                    tags.append(self._wire.send(parts))
                except WireRefused as error:
                    replies.append(read_reply(error.line, []))
            return replies + [self._finish(tag) for tag in tags]

    def stream(self, commands: Sequence[CommandParts], bounds: ResponseBounds) -> Iterator[ResponseLine]:
        """Yield the untagged responses to several commands in order, each as soon as it arrives.

        The next command is sent while the answers to the previous one are read. If the caller stops early, the
        connection is closed, because it can no longer be used.

        Args:
            commands: Commands with their arguments.
            bounds: Limits of the answer to each command.

        Raises:
            CommandRefused: As `command`, after the answers to all commands.
            ConnectionDropped, ExcessiveResponse: As `command`.
        """
        finished = False
        refused: CommandReply | None = None
        try:
            with self._busy():
                tags = [self._wire.send(commands[0])] if commands else []
                for at in range(len(commands)):
                    self._stream.expect(bounds)
                    if at + 1 < len(commands):
                        tags.append(self._wire.send(commands[at + 1]))
                    end = tags[at] + b" "
                    while not (line := self._wire.read()).parts[0].startswith(end):
                        yield self._note(line)
                    reply = read_reply(line, [])
                    if reply.status != "OK" and refused is None:
                        refused = reply
            finished = True
        finally:
            if not finished:
                self.abort()
        if refused is not None:
            raise refusal(refused.code, refused.text, bad=refused.status == "BAD")

    def begin(self, *parts: CommandArgument) -> bytes:
        """Send a command whose result comes later (IDLE); return its tag. All until then counts as one answer."""
        with self._busy(ORDINARY.among(self.exists)):
            return self._wire.send(parts)

    def say(self, data: bytes) -> None:
        """Send a line that is not a command (DONE)."""
        with self._busy():
            self._wire.send_line(data)

    def listen(self) -> ResponseLine:
        """Return the next response, whatever it is."""
        with self._busy():
            return self._note(self._wire.read())

    def finish(self, tag: bytes) -> CommandReply:
        """Await the result of a command sent with `begin`."""
        with self._busy():
            reply = self._finish(tag)
        return _check(reply)

    def examine(self, name: str, *, known: tuple[int, int] | None = None) -> Selected:
        """Select a folder read-only; see `select`."""
        return self._open(b"EXAMINE", name, known)

    def select(self, name: str) -> Selected:
        """Select a folder for writing, unless it is already.

        Raises:
            CommandRefused: The folder does not exist or may not be opened.
        """
        if self.selected is not None and self.selected.name == name and not self.selected.read_only:
            return self.selected
        return self._open(b"SELECT", name, None)

    def ensure(self, name: str) -> Selected:
        """Select a folder read-only, unless it is already selected in either mode."""
        if self.selected is not None and self.selected.name == name:
            return self.selected
        return self.examine(name)

    def leave(self) -> list[CommandParts]:
        """Return commands that close the selected folder without expunging, to be sent before the next ones.

        STATUS need not report changes in the selected folder (RFC 9051 §6.3.11).
        """
        selected, self.selected = self.selected, None
        if selected is None:
            return []
        if self.has("UNSELECT"):
            return [(b"UNSELECT",)]
        return (
            [(b"CLOSE",)] if selected.read_only else [(b"EXAMINE", self.mailbox(selected.name)), (b"CLOSE",)]
        )

    def append(
        self, folder: str, raw: bytes, flags: bytes = b"()", date: bytes | None = None
    ) -> tuple[int, int] | None:
        """Append a message; return its UIDVALIDITY and UID if the server reports them (UIDPLUS).

        Args:
            folder: The folder's name.
            raw: The message, with CR LF line ends.
            flags: From `arguments.flag_list`.
            date: `"21-Nov-2026 09:00:00 +0000"` including the quotes; None for now.
        """
        parts: list[CommandArgument] = [b"APPEND", self.mailbox(folder), flags]
        if date is not None:
            parts.append(date)
        reply = self.command(*parts, ImapLiteral(raw))
        return _two_numbers(reply.arguments) if reply.code == "APPENDUID" else None

    def excess(self, what: str) -> ExcessiveResponse:
        """Close the connection and return the error for a server that did `what`."""
        self.abort()
        return self._stream.excess(what)

    def close(self) -> None:
        """Log out and close; safe to call twice, and never waits for a server that is gone."""
        if not self.closed:
            with suppress(ConnectionDropped, OSError):
                self._stream.socket.settimeout(1.0)
                self._wire.send((b"LOGOUT",))
        self.abort()

    def abort(self) -> None:
        """Close the connection at once; may be called from another thread, and makes a pending read fail."""
        self.closed = True
        with suppress(OSError):
            self._stream.socket.shutdown(socket.SHUT_RDWR)
        self._stream.close()

    def _open(self, verb: bytes, name: str, known: tuple[int, int] | None) -> Selected:
        self.selected = None
        parts: list[CommandArgument] = [verb, self.mailbox(name)]
        if known is not None and self.has("QRESYNC"):
            parts.append(b"(QRESYNC (%d %d))" % known)
        elif self.has("CONDSTORE"):
            parts.append(b"(CONDSTORE)")
        with self._busy(OPENING):
            reply = self._finish(self._wire.send(parts))
        self.selected = read_select_reply(name, _check(reply), examined=verb == b"EXAMINE")
        return self.selected

    def _finish(self, tag: bytes, *, news: bool = True) -> CommandReply:
        """Return the result of a command; with `news`, including changes to messages reported meanwhile."""
        lines: list[ResponseLine] = []
        while not (line := self._wire.read()).start.startswith(tag + b" "):
            self._note(line)
            if news or not _NEWS.match(line.start):
                lines.append(line)
            if len(lines) > _MAX_KEPT:
                raise self.excess(f"sent more than {_MAX_KEPT:,} lines in one answer")
        return read_reply(line, lines)

    def _note(self, line: ResponseLine) -> ResponseLine:
        start = line.parts[0]
        if start[2:5].upper() == b"BYE" and start[:2] == b"* " and start[5:6] in (b"", b" "):
            raise ConnectionDropped(f"The mail server said goodbye: {response_code(line.start[6:])[2][:200]}")
        return line

    def _read_capabilities(self) -> frozenset[str]:
        for line in self.command(b"CAPABILITY").lines:
            words = line.start.split()
            if len(words) > 1 and words[1].upper() == b"CAPABILITY":
                return frozenset(word.decode("ascii", "replace").upper() for word in words[2:])
        return frozenset()

    @contextmanager
    def _busy(self, bounds: ResponseBounds | None = None) -> Generator[None]:
        """Close the connection if the block fails, because both sides are then out of step.

        With `bounds`, a new answer starts.
        """
        if self.closed:
            raise ConnectionDropped(f"The connection to {self.settings.host} is closed.")
        if bounds is not None:
            self._stream.expect(bounds)
        try:
            with translate_errors(self.settings.host):
                yield
        except WireRefused as error:
            raise _refusal_from(read_reply(error.line, [])) from None
        except BaseException as error:
            if not isinstance(error, GeneratorExit):
                self.abort()
            raise
        self.last_used = now()


def now() -> float:
    """Return a time in seconds that includes the machine's sleep, if the system counts it."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def connect(settings: ImapSettings) -> Connection:
    """Return a new connection, logged in and ready.

    Raises:
        NeedsAuth, ConnectionDropped, ProviderError: As `login.log_in`.
    """
    connection = Connection(log_in(settings), settings)
    try:
        connection.prepare()
    except BaseException:
        connection.abort()
        raise
    return connection


def read_select_reply(name: str, reply: CommandReply, *, examined: bool) -> Selected:
    """Return the folder that the reply to SELECT or EXAMINE describes."""
    numbers = {"UIDVALIDITY": 0, "UIDNEXT": 0, "HIGHESTMODSEQ": 0}
    exists = 0
    permanent: frozenset[str] = frozenset()
    kept: list[ResponseLine] = []
    for line in reply.lines:
        words = line.start.split(b" ", 2)
        if len(words) == 3 and words[1].upper() == b"OK":
            code, arguments, _ = response_code(words[2])
            if code in numbers:
                numbers[code] = number(arguments, LAST_MODSEQ if code == "HIGHESTMODSEQ" else LAST_UID)
            elif code == "PERMANENTFLAGS":
                permanent = _flags(arguments)
        elif len(words) == 3 and words[2].upper() == b"EXISTS" and words[1].isdigit():
            exists = number(words[1]) or (LAST_UID if words[1].strip(b"0") else 0)
        elif len(words) == 3 and (words[1].upper() == b"VANISHED" or words[2][:5].upper() == b"FETCH"):
            kept.append(line)
    return Selected(
        name=name,
        read_only=examined or reply.code == "READ-ONLY",
        uidvalidity=numbers["UIDVALIDITY"],
        uidnext=numbers["UIDNEXT"],
        exists=exists,
        modseq=numbers["HIGHESTMODSEQ"],
        permanent_flags=permanent,
        lines=tuple(kept),
    )


def _check(reply: CommandReply) -> CommandReply:
    if reply.status != "OK":
        raise _refusal_from(reply)
    return reply


def _refusal_from(reply: CommandReply) -> Exception:
    return refusal(reply.code, reply.text, bad=reply.status == "BAD")


def _flags(text: bytes) -> frozenset[str]:
    found = tokens([text])
    inner = found[0] if found and isinstance(found[0], list) else []
    return frozenset(item.decode("utf-8", "replace") for item in inner if isinstance(item, bytes))


def _two_numbers(text: bytes) -> tuple[int, int] | None:
    words = text.split()
    found = [number(word) for word in words[:2]]
    return (found[0], found[1]) if len(found) == 2 and all(found) else None
