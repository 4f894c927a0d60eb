"""Keeps a large inbox open between two looks, so that looking costs the server nothing. Entry: `OpenInbox`.

To tell the STATUS of a folder a server has to open it, which takes Dovecot tens of milliseconds for 50,000 messages; of
the folder that is open already NOOP tells the news at once. Only the inbox is kept: no other session can delete it or
put another one in its place. Whatever else is done on the connection may swallow news, and ends it.
"""

from __future__ import annotations

from time import monotonic

from gaia_imap_mcp.index.store import FolderState
from gaia_imap_mcp.protocol.connection import Connection, Selected
from gaia_imap_mcp.protocol.folders import INBOX, FolderStatus

LARGE = 2_000
"""Messages from which it is worth a command to open the inbox once more."""

TRUSTED_S = 60.0
"""After this the server is asked for the STATUS again, in case it has kept news of the open folder to itself."""


class OpenInbox:
    """What of one account's inbox is open, and since when."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._commands = 0
        self._selected: Selected | None = None
        self._until = 0.0

    def status(self, connection: Connection, state: FolderState | None) -> FolderStatus | None:
        """How the inbox stands while it is open and NOOP tells no news; None when STATUS has to be asked."""
        if self._selected is None or state is None or not self.is_undisturbed(connection):
            return None
        if connection.selected is not self._selected or monotonic() > self._until:
            return None
        return FolderStatus(
            uidvalidity=state.uidvalidity,
            uidnext=state.uidnext,
            exist=state.exist,
            modseq=state.modseq,
            unseen=state.unseen,
        )

    def looked(self, connection: Connection, state: FolderState | None, *, undisturbed: bool) -> None:
        """After a look that found everything up to date; opens the inbox if nothing but looks happened since the last.

        Raises:
            ConnectionDropped, CommandRefused: See `Connection.examine`.
        """
        if connection.selected is None or connection.selected is not self._selected:
            self._selected = None
            if undisturbed and state is not None and _is_worth_it(connection, state):
                self._open(connection, state)
        self._connection, self._commands = connection, connection.commands

    def is_undisturbed(self, connection: Connection) -> bool:
        """Whether nothing was sent over the connection since the last look ended."""
        return self._connection is connection and self._commands == connection.commands

    def _open(self, connection: Connection, state: FolderState) -> None:
        selected = connection.examine(INBOX, known=(state.uidvalidity, state.modseq))
        found = (selected.uidvalidity, selected.exists, selected.modseq)
        if found == (state.uidvalidity, state.exist, state.modseq) and not selected.lines:
            self._selected = selected
            self._until = monotonic() + TRUSTED_S


def _is_worth_it(connection: Connection, state: FolderState) -> bool:
    return state.exist >= LARGE and state.modseq > 0 and not connection.is_gmail
