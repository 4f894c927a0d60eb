"""Reads the messages that are new to the index. Entry: `Intake`.

A message that the server does not return is left out and requested again later. So is one that came without its header
although the server announces content: stored like that, it would stay empty for ever, and all such messages of one size
would be the same message. Some servers answer like this to a FETCH of several messages, but return each of them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.facts import HEAD_BYTES
from gaia_imap_mcp.protocol.fetch import BATCH, FetchedCopy, fetch_heads, fetch_uids_with_attachment, is_short

STORED = 2_000
"""Messages stored in one transaction; every transaction rewrites much the same pages of the index."""

STORED_BYTES = 8 << 20
"""Bytes stored in one transaction, reached first if headers are unusually large."""

SLICE = 10_000
"""Messages read before the server is asked which of the large ones have attachments."""

ONE_BY_ONE = 500
"""Maximum number of messages fetched one by one after the server failed to return them together."""

SAMPLE = 20
"""Messages shorter than announced that are fetched again alone. If none of them is longer then, the server estimates
sizes, and the others are accepted."""


class Intake:
    """Reads messages of the selected folder; `store` stores some of them in one transaction."""

    def __init__(self, connection: Connection, store: Callable[[Sequence[FetchedCopy]], None]) -> None:
        self._connection = connection
        self._store = store
        self.stored = 0
        self.left_out = 0
        """Messages that exist but could not be read."""
        self.short = 0
        """Messages shorter than the server announced."""
        self._estimates = False
        self._batch: list[FetchedCopy] = []
        self._cut: list[FetchedCopy] = []
        self._weight = self._cut_weight = 0
        self._left: set[int] = set()

    def read(self, uids: Sequence[int]) -> None:
        """Read and store these messages, newest first."""
        for start in range(0, len(uids), SLICE):
            some = uids[start : start + SLICE]
            self._left = set(some)
            try:
                self._together(some)
            except CommandRefused:
                for uid in sorted(self._left, reverse=True)[:ONE_BY_ONE]:
                    with suppress(CommandRefused):
                        self._together([uid])
            self.left_out += len(self._left)

    def _together(self, uids: Sequence[int]) -> None:
        self._cut, self._cut_weight = [], 0
        blank: set[int] = set()
        short: dict[int, FetchedCopy] = {}
        weight = 0
        try:
            for fetched in self._fetch_missing(uids):
                if fetched.is_blank or (fetched.missing and weight > STORED_BYTES):
                    blank.add(fetched.uid)
                elif fetched.missing and not self._estimates:
                    short[fetched.uid] = fetched
                    weight += fetched.weight
                else:
                    self._keep(fetched)
            self._alone(sorted(blank, reverse=True))
            self._doubtful(short)
        finally:
            self._flush()
        attached = fetch_uids_with_attachment(self._connection, [fetched.uid for fetched in self._cut])
        self._batch = [_with_attachment(fetched, fetched.uid in attached) for fetched in self._cut]
        self._flush()

    def _doubtful(self, short: Mapping[int, FetchedCopy]) -> None:
        """Keep messages that are shorter than announced, or fetch them alone if that returns more."""
        sample, rest = list(short)[:SAMPLE], list(short)[SAMPLE:]
        missing = self._alone(sample)
        if any(missing.get(uid, 0) < short[uid].missing for uid in sample):
            self._alone(rest)
            return
        self._estimates |= len(sample) == SAMPLE
        for uid in rest:
            self._keep(short[uid])

    def _alone(self, uids: Sequence[int]) -> dict[int, int]:
        """Fetch each message alone and keep it unless it is still blank; return the missing bytes of each."""
        missing: dict[int, int] = {}
        for fetched in self._fetch_missing(uids, together=1):
            missing[fetched.uid] = fetched.missing
            if not fetched.is_blank:
                self._keep(fetched)
        return missing

    def _fetch_missing(self, uids: Sequence[int], *, together: int = BATCH) -> Iterable[FetchedCopy]:
        """Fetch messages, ignoring those that were not requested or are stored already."""
        found = fetch_heads(self._connection, uids, together=together)
        return (fetched for fetched in found if fetched.uid in self._left)

    def _keep(self, fetched: FetchedCopy) -> None:
        self.short += is_short(fetched.missing, min(fetched.head.size, HEAD_BYTES))
        unsure = fetched.is_cut and not fetched.head.has_attachments
        if unsure and self._cut_weight < STORED_BYTES:
            self._cut.append(fetched)
            self._cut_weight += fetched.weight
            return
        self._batch.append(fetched)
        self._weight += fetched.weight
        if len(self._batch) >= STORED or self._weight > STORED_BYTES:
            self._flush()

    def _flush(self) -> None:
        batch, self._batch, self._weight = self._batch, [], 0
        if batch:
            batch.sort(key=lambda fetched: -fetched.uid)
            self._store(batch)
            self.stored += len(batch)
            self._left.difference_update(fetched.uid for fetched in batch)


def _with_attachment(fetched: FetchedCopy, attached: bool) -> FetchedCopy:
    return fetched._replace(head=fetched.head._replace(has_attachments=attached))
