"""Keeps a large inbox selected between two checks, so that a check costs the server nothing. Entry: `OpenInbox`.

To report the STATUS of a folder, a server has to open it, which takes Dovecot tens of milliseconds for 50,000 messages;
for the selected folder, NOOP reports news at once. Only the inbox is kept selected, because no other session can delete
or replace it. Any other use of the connection may consume news, and ends this.
"""

from __future__ import annotations

from time import monotonic

from gaia_imap_mcp.index.store import FolderState
from gaia_imap_mcp.protocol.connection import Connection, Selected
from gaia_imap_mcp.protocol.folders import INBOX, FolderStatus

LARGE = 2_000
"""Messages in an inbox that is worth a command to select it."""

TRUSTED_S = 60.0
"""Time after which STATUS is requested again, in case the server does not report news of the selected folder."""


class OpenInbox:
    """The selected inbox of one account, and how long its state may be trusted."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._commands = 0
        self._selected: Selected | None = None
        self._until = 0.0

    def status(self, connection: Connection, state: FolderState | None) -> FolderStatus | None:
        """Return the status of the inbox while it is selected and undisturbed; None if STATUS is needed."""
        if self._selected is None or state is None or not self.is_quiet(connection):
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

    def note_check(self, connection: Connection, state: FolderState | None, *, undisturbed: bool) -> None:
        """Record a check that found everything up to date; with `undisturbed`, select the inbox if that is worth it.

        Raises:
            ConnectionDropped, CommandRefused: See `Connection.examine`.
        """
        if connection.selected is None or connection.selected is not self._selected:
            self._selected = None
            if undisturbed and state is not None and _is_worth_it(connection, state):
                self._open(connection, state)
        self._connection, self._commands = connection, connection.commands

    def is_quiet(self, connection: Connection) -> bool:
        """Return True if nothing was sent over the connection since the last check ended."""
        return self._connection is connection and self._commands == connection.commands

    def _open(self, connection: Connection, state: FolderState) -> None:
        selected = connection.examine(INBOX, known=(state.uidvalidity, state.modseq))
        found = (selected.uidvalidity, selected.exists, selected.modseq)
        if found == (state.uidvalidity, state.exist, state.modseq) and not selected.lines:
            self._selected = selected
            self._until = monotonic() + TRUSTED_S


def _is_worth_it(connection: Connection, state: FolderState) -> bool:
    return state.exist >= LARGE and state.modseq > 0 and not connection.is_gmail
