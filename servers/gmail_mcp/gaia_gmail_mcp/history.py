"""Follows a Gmail account: `changes`, `cursor` and `wait`, from `users.history.list`. Entry: `HistoryFollower`.

A cursor is `g1.account.history`; during the first listing it is `g1.account.history.seen-token`. The listing covers the
messages at its start, the history everything that has happened since.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gaia_email_registry.contract.wire import Changed, Summary
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp import batch
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import GmailCall, Resource, get
from gaia_gmail_mcp.profile import MOST_LISTED, history_call
from gaia_gmail_mcp.push import News
from gaia_gmail_mcp.reading import GmailReader
from gaia_gmail_mcp.units import Units
from gaia_gmail_mcp.watching import PushWatch
from gaia_mail_mcp import progress
from gaia_mail_mcp.label_names import flags_of
from gaia_mail_mcp.mailbox import Changes

FOREIGN = "the cursor is not one of this mailbox"
TOO_OLD = "the cursor is older than what Gmail remembers"

FIRST_POLL_S = 2.0
LONGEST_POLL_S = 20.0
"""Seconds between polls, which cost 2 units each; the pause grows while nothing happens."""

PUSHED_POLL_S = 300.0
"""Seconds between polls while push notifications arrive: Google warns that some may get lost."""

_CURSOR = re.compile(r"g1\.([0-9a-f]{8})\.(\d{1,30})(?:\.(\d{1,12})-([\x21-\x7e]+))?\Z", re.ASCII)
_KINDS = ("messagesAdded", "labelsAdded", "labelsRemoved", "messagesDeleted")


@dataclass(slots=True, kw_only=True)
class Events:
    """Net changes in a page of history, by message id; the value in `changed` is the labels, None if not given."""

    added: dict[str, None]
    changed: dict[str, list[str] | None]
    removed: dict[str, None]


class HistoryFollower:
    """Returns the changes since a cursor, and waits for new ones.

    Attributes:
        news: Notifications that Google pushed.
    """

    first_poll_s = FIRST_POLL_S
    longest_poll_s = LONGEST_POLL_S
    pushed_poll_s = PUSHED_POLL_S

    def __init__(self, account: GmailAccount, reader: GmailReader, watch: PushWatch) -> None:
        self._account, self._reader, self._watch = account, reader, watch
        self.news = News()
        self._messages_total = 0
        """Messages in the account, as of the latest first listing."""

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """Return the changes since `cursor`. After the first listing, `limit` counts history records."""
        await self._account.connect()
        limit = max(1, min(limit, MOST_LISTED))
        if cursor is None:
            return await self._listing(await self._history_id(), "", limit, reason="")
        found = _CURSOR.match(cursor)
        if found is None or found[1] != self._mark():
            return await self._listing(await self._history_id(), "", limit, reason=FOREIGN)
        if found[3]:
            return await self._listing(found[2], found[4], limit, reason="", seen=int(found[3]))
        try:
            page = await self._account.client.call(history_call(found[2], limit))
        except (NotFound, BadArgument):
            return await self._listing(await self._history_id(), "", limit, reason=TOO_OLD)
        return await self._changes_of(page)

    async def cursor(self) -> str:
        """Return the current cursor."""
        await self._account.connect()
        return self._cursor(await self._history_id())

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """Wait until something happens after `cursor`; return False on timeout.

        Gmail is asked every few seconds, or whenever it pushes a notification.
        """
        await self._account.connect()
        found = _CURSOR.match(cursor)
        if found is None or found[1] != self._mark() or found[3]:
            return True
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        start, pause = found[2], self.first_poll_s
        async with self._watch.hearing() as pushed:
            while True:
                heard = self.news.heard
                try:
                    page = await self._account.client.call(_first_event(start))
                except (NotFound, BadArgument):
                    return True
                if page.get("history"):
                    return True
                start = page.get("historyId", start)
                left = deadline - loop.time()
                if left <= 0:
                    return False
                await self.news.after(heard, min(self.pushed_poll_s if pushed else pause, left))
                pause = min(pause * 1.5, self.longest_poll_s)

    async def _history_id(self) -> str:
        profile = await self._account.profile()
        self._messages_total = profile.holds["messages"] if profile.holds else 0
        return profile.history

    async def _listing(self, history: str, token: str, limit: int, reason: str, *, seen: int = 0) -> Changes:
        """Return a page of the first listing, and report progress after each batch of messages."""
        try:
            page = await self._reader.list_page("", (), True, limit, token)
        except BadArgument:
            page, reason, seen = await self._reader.list_page("", (), True, limit, ""), FOREIGN, 0
        ids = [item["id"] for item in page.get("messages", ())]
        added: list[Summary] = []
        for start in range(0, len(ids), batch.MOST):
            added += await self._summaries(ids[start : start + batch.MOST])
            done = seen + min(start + batch.MOST, len(ids))
            await progress.tell(done, max(self._messages_total, done))
        seen += len(ids)
        token = page.get("nextPageToken", "")
        if not token:
            self._account.client.health.note_sync()
        return Changes(
            cursor=self._cursor(history, f"{seen}-{token}" if token else ""),
            added=tuple(added),
            changed=(),
            removed=(),
            reset=bool(reason),
            reason=reason,
            more=bool(token),
        )

    async def _changes_of(self, page: Resource) -> Changes:
        records: list[Resource] = page.get("history", [])
        events = _events(records)
        self._account.known.apply(records)
        unsure = [message_id for message_id, labels in events.changed.items() if labels is None]
        summaries = await self._summaries([*events.added, *unsure])
        labels = {summary["id"]: summary["labels"] for summary in summaries}
        labels.update({item: told for item, told in events.changed.items() if told is not None})
        more = bool(page.get("nextPageToken"))
        if not more:
            self._account.client.health.note_sync()
        return Changes(
            cursor=self._cursor(records[-1]["id"] if more else page["historyId"]),
            added=tuple(summary for summary in summaries if summary["id"] in events.added),
            changed=tuple(
                Changed(id=message_id, labels=sorted(labels[message_id]), flags=flags_of(labels[message_id]))
                for message_id in events.changed
                if message_id in labels
            ),
            removed=tuple(events.removed),
            reset=False,
            reason="",
            more=more,
        )

    async def _summaries(self, ids: Sequence[str]) -> list[Summary]:
        self._account.known.distrust()
        found = await self._reader.summaries(ids)
        return [found[message_id] for message_id in ids if message_id in found]

    def _cursor(self, history: str, token: str = "") -> str:
        text = f"g1.{self._mark()}.{history}"
        return f"{text}.{token}" if token else text

    def _mark(self) -> str:
        return hashlib.sha256(self._account.address.casefold().encode()).hexdigest()[:8]


def _first_event(start: str) -> GmailCall:
    query = {"startHistoryId": start, "maxResults": 1}
    return get("history", units=Units.HISTORY, query=query, fields="history/id,historyId")


def _events(records: Sequence[Resource]) -> Events:
    """Return the net effect of some records; a message that was also deleted in them appears only as removed."""
    events = Events(added={}, changed={}, removed={})
    for record in records:
        for kind in _KINDS:
            for item in record.get(kind, ()):
                _note(events, kind, item["message"])
    return events


def _note(events: Events, kind: str, message: Resource) -> None:
    message_id: str = message["id"]
    if kind == "messagesDeleted":
        events.removed[message_id] = None
        events.added.pop(message_id, None)
        events.changed.pop(message_id, None)
    elif kind == "messagesAdded":
        events.added[message_id] = None
    elif message_id not in events.added:
        events.changed[message_id] = message.get("labelIds")
