"""An account at work: its index, the way to its server, and what brings the two together. Entry: `ImapAccount`.

Everything here blocks and belongs to the one worker thread of the account.
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
    """What is fetched together: from a folder, whole or at `most` so many first bytes of each message."""

    folder: str
    uidvalidity: int
    most: int | None


class ImapAccount:
    """Made and used in the worker thread; `note` is what has to be said of its index."""

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
        """Whether the last refresh left nothing for later; None before the first one."""
        self.unwanted = threading.Event()
        """Set when nobody waits any more for what is being done."""
        self._syncer = ImapSyncer(self.index, Turns(settings.cache))

    @property
    def errors(self) -> tuple[str, ...]:
        """What could not be read at the last look, and what was odd at the start."""
        return (*self.notes, *self._syncer.errors.values())

    @property
    def first_reading(self) -> tuple[int, int] | None:
        """How many messages were read and how many there are, where a refresh left some for later."""
        if self.is_complete is not False:
            return None
        read = self.index.newest_key
        return read, max(read, self._syncer.expected)

    def connection(self) -> Connection:
        """A connection that is logged in; raises as `HeldConnection.connection`."""
        return self.link.connection()

    def attempt(self, use: Callable[[Connection], T]) -> T:
        """Use the connection, and once more a new one when it breaks: only for what may be repeated."""
        return self.link.attempt(use)

    def refresh(self, *, limit: int | None = None) -> bool:
        """Bring the index up to date: one round trip when nothing has changed.

        Args:
            limit: How many new messages to read at most; None for all of them.

        Returns:
            False when more is waiting than was read.

        Raises:
            NeedsAuth, ProviderError: The server cannot be reached; the index stays as it was.
        """
        complete = self._refresh(limit)
        if self._syncer.refused_anew:
            # A session of Dovecot may insist that a folder is gone which others have made anew: ask in another one.
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
        raise ProviderError("Another program works on this mailbox all the time; try again in a moment.")

    def folder_of(self, label: str) -> str | None:
        """The folder that stands for a label, the first one if there are several; `""` is the archive."""
        return next((folder.name for folder in self.index.folders() if folder.label == label), None)

    @property
    def inbox_reaches(self) -> int:
        """The UID that the next message of the inbox will have, as of the last look; 0 when it was not read yet."""
        inbox = self.index.folder(INBOX)
        return inbox.uidnext if inbox is not None else 0

    def labels_beside(self) -> dict[str, str]:
        """On Gmail the labels that are no followed folders, each with its folder's name; see `Connection.beside`."""
        return self.link.beside

    def bodies(self, ids: Sequence[str], limits: Mapping[str, int] | None = None) -> dict[str, bytes]:
        """The bytes of messages; those that are gone are left out.

        Args:
            ids: Messages.
            limits: Those of which only so many of the first bytes are wanted.

        Raises:
            NeedsAuth, ProviderError: The server cannot be reached, or nobody waits for the answer any more.
        """
        if self.unwanted.is_set():
            raise ProviderError("This was called off.")
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
        """Messages of one folder; those that the server does not give are left out.

        What comes without its header, or shorter than the server says, is asked for again alone: there are servers
        that fail so when they are asked for several at once.
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
        """What the server gives of these UIDs; None when it refuses, or says more than it may."""

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
        """After one of several messages could not be given: the others can."""
        found: dict[str, bytes] = {}
        for uid, id_ in uids.items():
            found.update(self._in_folder(shelf, {uid: id_}, strict=True))
        return found

    def narrow(self, folder: str, uids: Sequence[int], criteria: Sequence[bytes]) -> set[int]:
        """Those of `uids` in a folder that the server finds by some criteria."""

        def use(connection: Connection) -> set[int]:
            connection.ensure(folder)
            return set(search_uids(connection, b"UID", uid_set(uids), *criteria))

        return self.link.attempt(use)

    def close(self) -> None:
        """Log out and close the index; harmless when called twice."""
        self.link.close()
        self.index.close()
