"""One account: its index, its connection and the sync between them. Entry: `ImapAccount`.

Every method blocks and runs in the account's only worker thread.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from gaia_email_registry.errors import ProviderError
from gaia_imap_mcp.index.cursor import fingerprint
from gaia_imap_mcp.index.store import ImapIndex, IndexOutdated, open_index
from gaia_imap_mcp.index.views import message_copies, rows
from gaia_imap_mcp.protocol.arguments import uid_set
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import CommandRefused, ExcessiveResponse, TooSlow
from gaia_imap_mcp.protocol.fetch import fetch_bodies, is_blank, search_uids
from gaia_imap_mcp.protocol.folders import INBOX
from gaia_imap_mcp.protocol.link import HeldConnection
from gaia_imap_mcp.settings import ImapSettings
from gaia_imap_mcp.sync.index_lock import Turns
from gaia_imap_mcp.sync.syncer import MANY, ImapSyncer

T = TypeVar("T")

_TRIES = 20


class _Shelf(NamedTuple):
    """A folder and the number of bytes to fetch of each message in it; None fetches whole messages."""

    folder: str
    uidvalidity: int
    most: int | None


class ImapAccount:
    """An account, created and used in its worker thread; `note` is a warning to report in `errors`."""

    def __init__(self, settings: ImapSettings, link: HeldConnection, note: str = "") -> None:
        host, port = settings.endpoint
        self.settings = settings
        self.link = link
        self.fingerprint = fingerprint(host, port, settings.user)
        self.index: ImapIndex
        self.index, found = open_index(settings.cache, f"{host}:{port}:{settings.user}")
        self.notes: tuple[str, ...] = tuple(text for text in (note, found) if text)
        self.last_sync: str | None = None
        self.is_complete: bool | None = None
        """True if the last refresh left no message unread; None before the first refresh."""
        self.unwanted = threading.Event()
        """Set when the caller has stopped waiting for the current job."""
        self._syncer = ImapSyncer(self.index, Turns(settings.cache))

    @property
    def errors(self) -> tuple[str, ...]:
        """Warnings from opening the index, then folders that the last refresh could not read."""
        return (*self.notes, *self._syncer.errors.values())

    @property
    def first_reading(self) -> tuple[int, int] | None:
        """Messages read and messages expected; None unless a refresh left some for later."""
        if self.is_complete is not False:
            return None
        read = self.index.newest_key
        return read, max(read, self._syncer.expected)

    def connection(self) -> Connection:
        """Return a logged-in connection; raises as `HeldConnection.connection`."""
        return self.link.connection()

    def attempt(self, use: Callable[[Connection], T]) -> T:
        """Call `use` with the connection, and again with a new one if it breaks; `use` must be repeatable."""
        return self.link.attempt(use)

    def refresh(self, *, limit: int | None = None) -> bool:
        """Bring the index up to date, in one round trip if nothing has changed.

        Args:
            limit: Maximum number of new messages to read; None for all.

        Returns:
            False if more messages are waiting.

        Raises:
            NeedsAuth, ProviderError: The server cannot be reached; the index stays as it was.
        """
        complete = self._refresh(limit)
        if self._syncer.refused_anew:
            # A Dovecot session may report a folder as gone after another session recreated it; a new session sees it.
            self.link.close()
            complete = self._refresh(limit)
        self.is_complete = complete
        self.last_sync = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        return complete

    def _refresh(self, limit: int | None) -> bool:
        room = MANY if limit is None else limit
        for _ in range(_TRIES):
            try:
                return self.link.attempt(lambda connection: self._syncer.refresh(connection, limit=room))
            except IndexOutdated:
                continue
        raise ProviderError("Another program keeps changing this mailbox; try again in a moment.")

    def folder_of(self, label: str) -> str | None:
        """Return the folder that represents a label, the first if there are several; `""` is the archive."""
        return next((folder.name for folder in self.index.folders() if folder.label == label), None)

    @property
    def inbox_reaches(self) -> int:
        """UIDNEXT of the inbox as of the last refresh; 0 if it was never read."""
        inbox = self.index.folder(INBOX)
        return inbox.uidnext if inbox is not None else 0

    def labels_beside(self) -> dict[str, str]:
        """Return folder names of Gmail labels that are not followed as folders; see `Connection.beside`."""
        return self.link.beside

    def bodies(self, ids: Sequence[str], limits: Mapping[str, int] | None = None) -> dict[str, bytes]:
        """Return the bytes of messages, without those that are gone.

        Args:
            ids: Messages.
            limits: Byte limits of messages, by id; messages without one are fetched whole.

        Raises:
            NeedsAuth, ProviderError: The server cannot be reached, or the caller has stopped waiting.
        """
        if self.unwanted.is_set():
            raise ProviderError("This call was cancelled.")
        found: dict[str, bytes] = {}
        missing = list(dict.fromkeys(ids))
        for again in (False, True):
            if again and missing:
                self.refresh()
            found.update(self._bodies(missing, limits or {}, strict=again and len(ids) > 1))
            missing = [id_ for id_ in missing if id_ not in found]
        return found

    def _bodies(self, ids: Iterable[str], limits: Mapping[str, int], *, strict: bool) -> dict[str, bytes]:
        wanted: dict[_Shelf, dict[int, str]] = {}
        for id_ in ids:
            for copy in message_copies(self.index, id_)[:1]:
                shelf = _Shelf(copy.folder, copy.uidvalidity, limits.get(id_))
                wanted.setdefault(shelf, {})[copy.uid] = id_
        found: dict[str, bytes] = {}
        for shelf, uids in wanted.items():
            found.update(self._in_folder(shelf, uids, strict=strict))
        return found

    def _in_folder(self, shelf: _Shelf, uids: dict[int, str], *, strict: bool = False) -> dict[str, bytes]:
        """Return messages of one folder, without those that the server does not return.

        A message that arrives without its header, or shorter than its announced size, is fetched again alone:
        some servers fail this way when asked for several at once.
        """
        known = rows(self.index, uids.values())
        sizes = {uid: known[id_].size if id_ in known else 0 for uid, id_ in uids.items()}
        found = self._given(shelf, sizes, strict=strict)
        if found is None:
            return self._one_by_one(shelf, uids) if len(uids) > 1 else {}
        wanted = {uid: size if shelf.most is None else min(size, shelf.most) for uid, size in sizes.items()}
        for uid in [uid for uid, raw in found.items() if len(raw) < wanted[uid]]:
            alone = self._given(shelf, {uid: sizes[uid]}, strict=True) or {}
            raw = max(found[uid], alone.get(uid, b""), key=len)
            if is_blank(raw):
                del found[uid]
            else:
                found[uid] = raw
        return {uids[uid]: raw for uid, raw in found.items()}

    def _given(self, shelf: _Shelf, sizes: dict[int, int], *, strict: bool) -> dict[int, bytes] | None:
        """Return the bytes of these UIDs; None if the server refuses or exceeds the response bounds."""

        def use(connection: Connection) -> dict[int, bytes]:
            if connection.ensure(shelf.folder).uidvalidity != shelf.uidvalidity:
                return {}
            return dict(fetch_bodies(connection, sizes, most=shelf.most, strict=strict))

        try:
            return self.link.attempt(use)
        except CommandRefused:
            return None
        except TooSlow:
            raise
        except ExcessiveResponse:
            if len(sizes) == 1 and not strict:
                raise
            return None

    def _one_by_one(self, shelf: _Shelf, uids: dict[int, str]) -> dict[str, bytes]:
        """Fetch each message alone, after a fetch of all of them failed."""
        found: dict[str, bytes] = {}
        for uid, id_ in uids.items():
            found.update(self._in_folder(shelf, {uid: id_}, strict=True))
        return found

    def narrow(self, folder: str, uids: Sequence[int], criteria: Sequence[bytes]) -> set[int]:
        """Return those of `uids` in a folder that the server finds by the given criteria."""

        def use(connection: Connection) -> set[int]:
            connection.ensure(folder)
            return set(search_uids(connection, b"UID", uid_set(uids), *criteria))

        return self.link.attempt(use)

    def close(self) -> None:
        """Log out and close the index; safe to call twice."""
        self.link.close()
        self.index.close()
