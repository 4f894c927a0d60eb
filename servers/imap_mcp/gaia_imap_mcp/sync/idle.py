"""Notices events on the server without constant polling. Entry: `IdleWatcher`.

A thread keeps a connection of its own in IDLE (RFC 2177), with NOTIFY (RFC 5465) for all folders if the server has it,
else for the inbox. It only reports that something happened; a check finds out what. Since servers and networks
sometimes stay silent, a waiting caller also checks now and then, and soon again if a check has found mail in the inbox
that IDLE had not announced.
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
"""If IDLE has been silent for so long and then fails to announce mail, it is no longer relied on."""

FIRST_PAUSE_S = 1.0
"""The pause before the second attempt; later ones are longer."""

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
    """Counts what the server announces. Read `count` before a check, then `wait` for another value.

    Nothing is missed: the connection listens before `count` first changes, and each reconnect adds one, so that a
    waiting caller checks what happened meanwhile.
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
        """True while the server would announce changes."""
        self.was_refused = False
        """True if listening has ended because the login was refused."""
        self.is_deaf = False
        """True if IDLE has failed to announce mail; from then on, callers poll as if there were no IDLE."""
        self.count = 0
        self._quiet_since = 0.0
        """Time of the last announcement, or of the start of listening."""
        self._inbox = 0
        """UIDNEXT of the inbox at the last check."""
        self._doubted: float | None = None
        """Time of a check that found mail before its announcement, which may be late; else None."""

    def start(self) -> None:
        """Start to listen, also after a refused login; does nothing while listening."""
        if (self._thread is None or self.was_refused) and not self._stopping.is_set():
            self.was_refused = False
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, name="gaia-imap-idle", daemon=True)
            self._thread.start()

    async def wait(self, count: int, timeout_s: float) -> None:
        """Wait until `count` is outdated, until it is time to check anyway, or for `timeout_s`."""
        if self.count != count:
            return
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), min(timeout_s, self.pause_s))

    @property
    def pause_s(self) -> float:
        """Seconds after which it is time to check even without an announcement."""
        relied_on = self.listening and not self.is_deaf and self._doubted is None
        return self._settings.poll_s if relied_on else min(POLL_WITHOUT_IDLE_S, self._settings.poll_s)

    def note_check(self, inbox: int) -> None:
        """Record the UIDNEXT that a check has found for the inbox, and judge if IDLE should have announced mail.

        Mail that came just before a check may not have been announced yet. So mail after a silence of `DEAF_S` only
        makes IDLE doubtful; if it is still silent at a check `POLL_WITHOUT_IDLE_S` later, it is deaf.
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
        """Make waiting callers check now, because this program has changed something. Call it in the event loop."""
        self._count()

    async def aclose(self) -> None:
        """Stop listening and waiting; safe to call twice."""
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
                return  # a waiting caller checks by itself and gets the error
            except MailError:
                pass
            finally:
                if self.listening:
                    failures = 0
                    self._notice()  # a waiting caller checks if the server is still there
                self.listening = False
                if self._connection is not None:
                    self._connection.close()
            failures += 1
            self._stopping.wait(pause_s(failures, first_s=FIRST_PAUSE_S, longest_s=_LONGEST_PAUSE_S))

    def _listen(self, connection: Connection) -> bool:
        """Stay in IDLE until stopped; return False if the server has no IDLE.

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
                break  # the answer is not needed, and the server may stay silent for ever
            for line in connection.finish(tag).lines:
                self.hear(line)
        return True

    def begin_to_listen(self) -> None:
        """Record that the server announces changes from now on."""
        self._quiet_since = self._clock()
        self.listening = True

    def hear(self, line: ResponseLine) -> None:
        """Handle a response from the server."""
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
