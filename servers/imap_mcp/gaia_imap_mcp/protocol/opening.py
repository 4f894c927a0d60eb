"""Opens a connection in a way that can be cancelled. Entry: `Opening`.

A server that accepts connections but stays silent is given up only after a timeout. The work runs in a daemon thread,
so that the program can end without waiting for that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import ConnectionDropped
from gaia_imap_mcp.settings import ImapSettings


class Opening:
    """Opens one connection at a time with `opener`, until `end` is called."""

    def __init__(self, opener: Callable[[ImapSettings], Connection]) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._ended = False

    def open(self, settings: ImapSettings) -> Connection:
        """Return what the opener returns, or raise what it raises.

        Raises:
            ConnectionDropped: `end` was called, before or meanwhile.
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
                raise _closed_error(settings)
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
        raise _closed_error(settings)

    def end(self) -> None:
        """Stop opening connections; may be called from another thread, and more than once."""
        with self._lock:
            self._ended = True
            self._done.set()


def _closed_error(settings: ImapSettings) -> ConnectionDropped:
    return ConnectionDropped(f"The connection to {settings.host} is closed.")
