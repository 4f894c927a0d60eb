"""Tells when something has happened on the server, without asking all the time. Entry: `IdleWatcher`.

A thread holds a connection of its own in IDLE (RFC 2177), with NOTIFY (RFC 5465) for all folders where the server
has it, else for the inbox. It only says that something happened; what, is found out by looking. Since servers,
and networks in between, at times say nothing, who waits looks by himself now and then, too, and soon again where a
look has found mail in the inbox of which IDLE had told nothing.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from gaia_email_registry.backoff import pause_s
from gaia_email_registry.errors import MailError, NeedsAuth
from gaia_imap_mcp.protocol.connection import Connection, connect
from gaia_imap_mcp.protocol.folders import INBOX
from gaia_imap_mcp.protocol.opening import Opening
from gaia_imap_mcp.protocol.wire import ResponseLine
from gaia_imap_mcp.settings import ImapSettings

POLL_WITHOUT_IDLE_S = 5.0

DEAF_S = 30.0
"""An IDLE that has told nothing for so long, and then is found not to have told of mail, is not relied on any more."""

FIRST_PAUSE_S = 1.0
"""Before a second try; longer after each one."""

_LONGEST_PAUSE_S = 120.0
_NEWS = frozenset({b"EXISTS", b"EXPUNGE", b"FETCH", b"RECENT"})
_NEWS_FIRST = frozenset({b"VANISHED", b"STATUS", b"LIST"})
_NOTIFY = (
    b"NOTIFY",
    b"SET",
    b"(selected (MessageNew (UID) MessageExpunge FlagChange))",
    b"(personal (MessageNew MessageExpunge FlagChange MailboxName))",
)


class IdleWatcher:
    """Counts what the server announces. Take `count` before looking, then `wait` for another one.

    Nothing is missed: the connection listens before `count` first changes, and after each reconnect it counts
    one, so that whoever waits looks at what happened meanwhile.
    """

    def __init__(
        self,
        settings: ImapSettings,
        *,
        opener: Callable[[ImapSettings], Connection] = connect,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._opening = Opening(opener)
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._stopping = threading.Event()
        self._wake, self._waker = socket.socketpair()
        self._connection: Connection | None = None
        self.listening = False
        """Whether the server would tell us now."""
        self.was_refused = False
        """Whether it has ended because the login was refused."""
        self.is_deaf = False
        """Whether IDLE has kept mail to itself once; from then on who waits looks as if there were none."""
        self.count = 0
        self._quiet_since = 0.0
        """When the server last told something, or began to listen."""
        self._inbox = 0
        """How far the inbox was seen at the last look."""
        self._doubted: float | None = None
        """When a look found mail that had not been told; it may be told late."""

    def start(self) -> None:
        """Begin to listen, or again after the login was refused; harmless while it goes on."""
        if (self._thread is None or self.was_refused) and not self._stopping.is_set():
            self.was_refused = False
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, name="gaia-imap-idle", daemon=True)
            self._thread.start()

    async def wait(self, count: int, timeout_s: float) -> None:
        """Return when `count` is outdated, when it is time to look anyway, or after `timeout_s`."""
        if self.count != count:
            return
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), min(timeout_s, self.pause_s))

    @property
    def pause_s(self) -> float:
        """After how long it is time to look though nothing was told."""
        relied_on = self.listening and not self.is_deaf and self._doubted is None
        return self._settings.poll_s if relied_on else min(POLL_WITHOUT_IDLE_S, self._settings.poll_s)

    def looked(self, inbox: int) -> None:
        """A look has found the inbox to reach that far (UIDNEXT): find out whether IDLE should have told of it.

        What comes just before a look may not have been told yet. So mail after a silence of `DEAF_S` only makes IDLE
        doubtful; when it is still silent at a look `POLL_WITHOUT_IDLE_S` later, it is deaf.
        """
        now, came, self._inbox = self._clock(), inbox > self._inbox > 0, inbox
        if not self.listening or self.is_deaf:
            self._doubted = None
        elif self._doubted is not None:
            if self._quiet_since >= self._doubted:
                self._doubted = None
            elif now - self._doubted >= POLL_WITHOUT_IDLE_S:
                self.is_deaf = True
        elif came and now - self._quiet_since >= DEAF_S:
            self._doubted = now

    def ring(self) -> None:
        """Let who waits look now: this program has changed something. Called in the event loop."""
        self._count()

    async def aclose(self) -> None:
        """Stop listening and waiting; harmless when called twice."""
        self._stopping.set()
        self._opening.end()
        self._count()
        with suppress(OSError):
            self._waker.send(b".")
        connection = self._connection
        if connection is not None and not self.listening:
            connection.abort()
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.join)
        self._wake.close()
        self._waker.close()

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                self._connection = self._opening.open(self._settings)
                if not self._listen(self._connection):
                    return
            except NeedsAuth:
                self.was_refused = True
                return  # whoever waits looks by himself, and is told so
            except MailError:
                pass
            finally:
                if self.listening:
                    failures = 0
                    self._notice()  # whoever waits looks whether the server is still there
                self.listening = False
                if self._connection is not None:
                    self._connection.close()
            failures += 1
            self._stopping.wait(pause_s(failures, first_s=FIRST_PAUSE_S, longest_s=_LONGEST_PAUSE_S))

    def _listen(self, connection: Connection) -> bool:
        """Stay in IDLE until told to stop; False when the server has no IDLE.

        Raises:
            ConnectionDropped: The connection is gone.
        """
        if not connection.has("IDLE"):
            return False
        connection.examine(INBOX)
        if connection.has("NOTIFY"):
            connection.pipeline([_NOTIFY])
        self._notice()
        while not self._stopping.is_set():
            tag = connection.begin(b"IDLE")
            while not (line := connection.listen()).start.startswith(b"+"):
                if line.start.startswith(tag + b" "):
                    return False
                self.hear(line)
            if not self.listening:
                self.begin_to_listen()
            if connection.ready(self._wake, self._settings.idle_s):
                self.hear(connection.listen())
            connection.say(b"DONE")
            if self._stopping.is_set():
                break  # nobody is left to be told, and the server may be silent for ever
            for line in connection.finish(tag).lines:
                self.hear(line)
        return True

    def begin_to_listen(self) -> None:
        """From now on the server would tell."""
        self._quiet_since = self._clock()
        self.listening = True

    def hear(self, line: ResponseLine) -> None:
        """Take in what the server has said."""
        words = line.start.upper().split(b" ", 3)
        if len(words) > 2 and (words[2] in _NEWS or words[1] in _NEWS_FIRST):
            self._quiet_since = self._clock()
            self._notice()

    def _notice(self) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._count)

    def _count(self) -> None:
        self.count += 1
        self._changed.set()
