"""Opens a connection so that whoever waits for it can be called off. Entry: `Opening`.

A server that takes connections and says nothing is given up only after a while. Nobody who wants to end the
program shall wait for that, so the work is done in a thread that the program does not wait for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import ConnectionDropped
from gaia_imap_mcp.settings import ImapSettings


class Opening:
    """Opens one connection at a time by `opener`, until it is ended for good."""

    def __init__(self, opener: Callable[[ImapSettings], Connection]) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._ended = False

    def open(self, settings: ImapSettings) -> Connection:
        """What the opener answers or raises.

        Raises:
            ConnectionDropped: This was ended, before or meanwhile.
        """
        found: list[Connection] = []
        failures: list[BaseException] = []

        def work() -> None:
            try:
                connection = self._opener(settings)
            except BaseException as error:  # raised below, in the thread that waits
                failures.append(error)
            else:
                with self._lock:
                    if self._ended:
                        connection.abort()
                    else:
                        found.append(connection)
            self._done.set()

        with self._lock:
            if self._ended:
                raise _closed(settings)
            self._done.clear()
        threading.Thread(target=work, name="gaia-imap-connect", daemon=True).start()
        self._done.wait()
        with self._lock:
            if failures and not self._ended:
                raise failures[0]
            if found and not self._ended:
                return found[0]
        for connection in found:
            connection.abort()
        raise _closed(settings)

    def end(self) -> None:
        """Open nothing any more; may be called from another thread, and again."""
        with self._lock:
            self._ended = True
            self._done.set()


def _closed(settings: ImapSettings) -> ConnectionDropped:
    return ConnectionDropped(f"The connection to {settings.host} is closed.")
