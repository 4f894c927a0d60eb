"""Lists and searches of headers are answered from the replica after updating it; only bodies are fetched."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from typing_extensions import override

from gaia_email_registry.contract.wire import Changed, Label
from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_graph_mcp.abilities import CAPABILITIES
from gaia_graph_mcp.calls import get
from gaia_graph_mcp.client import GraphClient
from gaia_graph_mcp.replica import Replica
from gaia_graph_mcp.rows import ReplicaRow
from gaia_graph_mcp.searching import GraphHits, search_replica
from gaia_graph_mcp.sync import GraphSyncer
from gaia_mail.mime.read import parse_message
from gaia_mail.query.grammar import Query
from gaia_mail_mcp.label_names import flags_of, label_list
from gaia_mail_mcp.mailbox import Capability, Changes, IdPage, Mailbox, MailboxStatus, StoredMessage
from gaia_mail_mcp.notifier import Notifier

FRESH_S = 30.0
"""Seconds for which the replica counts as up to date when messages are read by id."""

POLL_S = 30.0
"""Seconds between polls while a call waits for mail and nothing is pushed."""

PUSHED_POLL_S = 300.0
"""Seconds between polls while Microsoft pushes, in case a push got lost."""

LARGE = 1_000_000
"""Size in bytes above which a message is fetched on its own: the response of a batch is limited."""

FOREIGN = "the cursor is not one of this mailbox"
TOO_OLD = "the cursor is older than what this server remembers"

_CURSOR = re.compile(r"([0-9a-f]{16}):(\d{1,15})(?::(-?[\d.e+-]{1,30}):(\d{1,15}))?", re.ASCII)
_PAGE = re.compile(r"(-?[\d.e+-]{1,30}):(\d{1,15})", re.ASCII)

PagePosition = tuple[float, int]


class GraphReading(Mailbox):
    """One account; must not be shared between event loops."""

    def __init__(
        self,
        client: GraphClient,
        replica: Path | str,
        *,
        account: str,
        capabilities: frozenset[Capability] = CAPABILITIES,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._account = account
        self._capabilities = capabilities
        self.client = client
        self.poll_s = POLL_S
        self._replica_at = replica
        self._opened: Replica | None = None
        self._syncer_of: GraphSyncer | None = None
        self._now = now
        self._notifier = Notifier()
        self._heard = 0
        self._closed = False
        self._last_sync: dt.datetime | None = None
        self._errors: tuple[str, ...] = ()

    @property
    @override
    def account(self) -> str:
        return self._account

    @property
    @override
    def provider(self) -> str:
        return "graph"

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        return self._capabilities

    @property
    def replica(self) -> Replica:
        """The local copy, opened on first use."""
        if self._opened is None:
            self._opened = Replica(self._replica_at)
        return self._opened

    @override
    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """`total` is exact unless the query searches bodies."""
        after = _read_page(cursor) if cursor is not None else None
        await self.refresh()
        hits: GraphHits = await search_replica(self, query, limit=max(limit, 1), after=after, now=self._now())
        return IdPage(
            ids=tuple(row.id for _, row in hits.found),
            next_cursor=_page(*hits.found[-1]) if hits.more else None,
            total=hits.total,
            exact=hits.exact,
        )

    @override
    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        rows = await self.rows(ids)
        bodies = await self.bodies(list(rows.values())) if raw else {}
        folders = self.replica.folders()
        snoozed = self.replica.snooze_times()
        return [
            StoredMessage(
                summary=rows[id_].summary(self.account, folders.labels_of(rows[id_])),
                raw=bodies[id_] if raw else None,
                snoozed_until=snoozed.get(id_),
            ).within(most)
            for id_ in ids
            if id_ in rows and (not raw or id_ in bodies)
        ]

    @override
    async def thread(self, thread_id: str) -> list[str]:
        await self.refresh(within_s=FRESH_S)
        found = self.replica.conversation(thread_id)
        if not found:
            await self.refresh()
            found = self.replica.conversation(thread_id)
        if not found:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")
        return found

    @override
    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        stored = await self.read([message_id], raw=True)
        if not stored:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        for part in parse_message(stored[0].raw or b"").attachments:
            if part.id == attachment_id:
                return part.filename, part.content_type, part.content
        raise NotFound(
            f"Message {message_id} has no attachment {attachment_id[:80]!r}.", argument="attachment_id"
        )

    @override
    async def labels(self) -> list[Label]:
        """Return the system labels, then categories and the user's folders by name."""
        await self.refresh(within_s=FRESH_S)
        return self.known_labels()

    def known_labels(self) -> list[Label]:
        """Return the labels in the replica, without asking Microsoft."""
        shown = self.replica.own_labels()
        found = label_list({*shown, *self.replica.categories()}, shown)
        folders = self.replica.folders().own()
        return found + [
            Label(id=id_, name=path, type="user")
            for id_, path in sorted(folders.items(), key=lambda item: item[1])
        ]

    @override
    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        await self.refresh()
        limit = max(limit, 1)
        position, after, reason = self._read_cursor(cursor)
        if reason or cursor is None or after is not None:
            return self._listing(position, after, limit, reason)
        return self._events(position, limit)

    @override
    async def cursor(self) -> str:
        await self.refresh()
        return self._cursor(self.replica.end)

    @override
    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """Ask Microsoft every half minute; every five minutes if it pushes, in case a push got lost."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while not self._closed:
            poll_s = PUSHED_POLL_S if await self.is_pushed() else self.poll_s
            heard = self._heard
            await self.refresh()
            if cursor != self._cursor(self.replica.end):
                return True
            left = deadline - loop.time()
            if left <= 0:
                break
            if heard == self._heard:
                await self._notifier.wait(min(left, poll_s))
        return False

    async def is_pushed(self) -> bool:
        """Return True if Microsoft pushes notifications to this program."""
        return False

    def tell(self) -> None:
        """Signal that something happened in the mailbox; waiting calls check at once."""
        self._heard += 1
        self._notifier.notify()

    @override
    async def status(self) -> MailboxStatus:
        try:
            await self.refresh(within_s=FRESH_S)
        except MailError as error:
            self._errors = (error.message,)
            connected = False
        else:
            connected = not self._closed
        last = self._last_sync.isoformat(timespec="seconds") if self._last_sync else None
        return MailboxStatus(connected=connected, last_sync=last, errors=self._errors)

    @override
    async def aclose(self) -> None:
        self._closed = True
        self._notifier.notify()
        await self.client.http.aclose()
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    async def refresh(self, *, within_s: float = 0.0) -> None:
        """Bring the replica up to date, unless that was done in the last `within_s` seconds.

        Raises:
            MailError: Microsoft does not respond. A folder that cannot be read is reported by `status` instead.
        """
        if self._syncer_of is None:
            self._syncer_of = GraphSyncer(self.client, self.replica)
        await self._syncer_of.sync(within_s=within_s)
        self._last_sync, self._errors = self._now(), self._syncer_of.errors

    async def rows(self, ids: Sequence[str]) -> dict[str, ReplicaRow]:
        """Return the messages that exist, by id."""
        await self.refresh(within_s=FRESH_S)
        if any(self.replica.get(id_) is None for id_ in ids):
            await self.refresh()
        found = {id_: self.replica.get(id_) for id_ in ids}
        return {id_: row for id_, row in found.items() if row is not None}

    async def bodies(self, rows: Sequence[ReplicaRow]) -> dict[str, bytes]:
        """Return the messages' bytes by id; a message that vanished meanwhile is left out."""
        small = [row.id for row in rows if row.size < LARGE]
        outcomes = await self.client.many([get("messages", id_, "$value", raw=True) for id_ in small])
        found: dict[str, bytes] = {}
        for id_, outcome in zip(small, outcomes, strict=True):
            if isinstance(outcome, bytes):
                found[id_] = outcome
            elif isinstance(outcome, MailError) and not isinstance(outcome, NotFound):
                raise outcome
        for row in rows:
            if row.size >= LARGE:
                try:
                    found[row.id] = await self.client.raw(get("messages", row.id, "$value", raw=True))
                except NotFound:
                    continue
        return found

    def _read_cursor(self, cursor: str | None) -> tuple[int, PagePosition | None, str]:
        """Return the position, the place in the first listing, and the reason if the cursor cannot be used."""
        end = self.replica.end
        if cursor is None:
            return end, None, ""
        match = _CURSOR.fullmatch(cursor)
        if match is None or match[1] != self.replica.name or int(match[2]) > end:
            return end, None, FOREIGN
        position = int(match[2])
        if position < self.replica.oldest:
            return end, None, TOO_OLD
        try:
            return position, (float(match[3]), int(match[4])) if match[3] else None, ""
        except ValueError:
            return end, None, FOREIGN

    def _cursor(self, position: int, after: PagePosition | None = None) -> str:
        where = f":{after[0]!r}:{after[1]}" if after is not None else ""
        return f"{self.replica.name}:{position}{where}"

    def _listing(self, position: int, after: PagePosition | None, limit: int, reason: str) -> Changes:
        page: list[tuple[int, ReplicaRow]] = []
        following = self._cursor(position)
        for number, row in self.replica.newest_first(after, position):
            if len(page) == limit:
                last, shown = page[-1]
                following = self._cursor(position, (shown.when, last))
                break
            page.append((number, row))
        folders = self.replica.folders()
        return Changes(
            cursor=following,
            added=tuple(row.summary(self.account, folders.labels_of(row)) for _, row in page),
            changed=(),
            removed=(),
            reset=bool(reason),
            reason=reason,
            more=following != self._cursor(self.replica.end),
        )

    def _events(self, position: int, limit: int) -> Changes:
        first, reached = self.replica.since(position, limit)
        rows = {id_: self.replica.get(id_) for id_ in first}
        folders = self.replica.folders()
        labels = {id_: folders.labels_of(row) for id_, row in rows.items() if row is not None}
        return Changes(
            cursor=self._cursor(reached),
            added=tuple(
                row.summary(self.account, labels[id_])
                for id_, row in rows.items()
                if row is not None and first[id_] == "added"
            ),
            changed=tuple(
                Changed(id=id_, labels=labels[id_], flags=flags_of(labels[id_]))
                for id_ in labels
                if first[id_] != "added"
            ),
            removed=tuple(id_ for id_, row in rows.items() if row is None and first[id_] != "added"),
            reset=False,
            reason="",
            more=reached < self.replica.end,
        )


def _page(number: int, row: ReplicaRow) -> str:
    return f"{row.when!r}:{number}"


def _read_page(text: str) -> PagePosition:
    match = _PAGE.fullmatch(text)
    try:
        if match is not None:
            return float(match[1]), int(match[2])
    except ValueError:
        pass
    raise BadArgument(
        "That is not a cursor of this search: give back the next_cursor of the page before.",
        argument="cursor",
    )
