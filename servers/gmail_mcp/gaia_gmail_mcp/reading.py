"""Searches and reads messages of a Gmail account. Entry: `GmailReader`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email_registry.contract.wire import Failure
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp import batch
from gaia_gmail_mcp.account import GmailAccount, loop_time
from gaia_gmail_mcp.cache_refresh import CacheRefresh
from gaia_gmail_mcp.calls import Resource, get
from gaia_gmail_mcp.profile import MOST_LISTED
from gaia_gmail_mcp.queries import search_of
from gaia_gmail_mcp.summaries import metadata_call, raw_call, raw_of, summary_of, summary_of_raw
from gaia_gmail_mcp.units import Units
from gaia_mail.query.grammar import Query
from gaia_mail_mcp import progress
from gaia_mail_mcp.mailbox import NO_MESSAGE, IdPage, StoredMessage

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary

RAW_AT_ONCE = 50
RAW_BYTES_AT_ONCE = 16_000_000
"""Limits per batch of whole messages, by count and total size: responses with attachments can be large."""
UNKNOWN_SIZE = RAW_BYTES_AT_ONCE // 20
"""Assumed size of a message whose size is not known."""


_MESSAGE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}\Z", re.ASCII)
_CURSOR = re.compile(r"(\d{1,9}):([\x21-\x7e]+)\Z", re.ASCII)


class GmailReader:
    """Reads messages without changing anything; cached messages are fetched again only if they may have changed."""

    def __init__(self, account: GmailAccount) -> None:
        self._account, self._known = account, account.known
        self._refresh = CacheRefresh(account)

    async def search(
        self, query: Query, *, limit: int, cursor: str | None = None, snoozed_label: str | None = None
    ) -> IdPage:
        """Return the ids that match, newest first.

        `total` counts the ids listed so far, plus one if there are more. `snoozed_label` is the label of snoozed
        messages, if there are any.
        """
        await self._account.connect()
        found = search_of(query, snoozed_label)
        seen, token = _read_cursor(cursor) if cursor is not None else (0, "")
        ids: list[str] = []
        while True:
            listing = self.list_page(
                found.q, found.label_ids, found.include_spam_trash, limit - len(ids), token
            )
            page, right = await asyncio.gather(listing, self._refresh.refresh_meanwhile())
            found_ids = [item["id"] for item in page.get("messages", ())]
            if not right:
                self._known.forget(found_ids)
            ids += found_ids
            token = page.get("nextPageToken", "")
            if not token or len(ids) >= limit:
                break
        seen += len(ids)
        return IdPage(
            ids=tuple(ids),
            next_cursor=f"{seen}:{token}" if token else None,
            total=seen + 1 if token else seen,
            exact=not token,
        )

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """Return the messages among `ids` that exist, in the given order."""
        notes = await self._account.connect()
        wanted = list(dict.fromkeys(message_id for message_id in ids if _MESSAGE_ID.match(message_id)))
        found: Mapping[str, tuple[Summary, bytes | None]]
        if raw:
            found = await self._read_raw(wanted)
        else:
            found = {item: (summary, None) for item, summary in (await self.summaries(wanted)).items()}
        snoozed = notes.read().snoozed if found else {}
        return [
            StoredMessage(
                summary=found[message_id][0],
                raw=found[message_id][1],
                snoozed_until=snoozed.get(message_id),
                written=self._known.headers(message_id),
            ).within(most)
            for message_id in ids
            if message_id in found
        ]

    async def thread(self, thread_id: str) -> list[str]:
        """Return the ids of a conversation, oldest first; raises `NotFound` if there is none."""
        await self._account.connect()
        query = {"format": "minimal"}
        try:
            call = get("threads", thread_id, units=Units.THREAD, query=query, fields="messages/id")
            found = await self._account.client.call(call)
        except (NotFound, BadArgument):
            found = {}
        ids = [item["id"] for item in found.get("messages", ())]
        if not ids:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")
        return ids

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """Return the filename, content type and bytes; raises `NotFound` if either id is unknown."""
        from gaia_mail.mime.read import parse_message

        stored = await self.read([message_id], raw=True)
        if not stored:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        for part in parse_message(stored[0].raw or b"").attachments:
            if part.id == attachment_id:
                return part.filename, part.content_type, part.content
        raise NotFound(
            f"Message {message_id} has no attachment {attachment_id[:80]!r}.", argument="attachment_id"
        )

    async def existing(self, ids: Sequence[str]) -> tuple[dict[str, frozenset[str]], list[Failure]]:
        """Return the labels of the messages that exist, in order and deduplicated, and the missing ones."""
        await self._account.connect()
        unique = list(dict.fromkeys(ids))
        found = await self.summaries([message_id for message_id in unique if is_message_id(message_id)])
        present = {
            message_id: frozenset(found[message_id]["labels"]) for message_id in unique if message_id in found
        }
        failed = [
            Failure(id=message_id, error=NO_MESSAGE) for message_id in unique if message_id not in found
        ]
        return present, failed

    async def list_page(
        self, q: str, label_ids: Sequence[str], away: bool, limit: int, token: str
    ) -> Resource:
        """Return a page of ids, newest first; `away` includes Spam and Trash.

        Raises:
            BadArgument: Gmail rejects the query or the page token.
        """
        query = {
            "q": q,
            "labelIds": label_ids,
            "includeSpamTrash": away or None,
            "maxResults": max(1, min(limit, MOST_LISTED)),
            "pageToken": token,
        }
        fields = "messages/id,nextPageToken"
        try:
            return await self._account.client.call(
                get("messages", units=Units.MESSAGE, query=query, fields=fields)
            )
        except BadArgument as error:
            raise BadArgument(error.message, argument="cursor" if token else "query") from None

    async def _read_raw(self, ids: Sequence[str]) -> dict[str, tuple[Summary, bytes | None]]:
        kept = [message_id for message_id in ids if self._known.raw(message_id) is not None]
        await self._refresh.refresh(kept)
        found: dict[str, tuple[Summary, bytes | None]] = {}
        for message_id in kept:
            summary, raw = self._known.get(message_id), self._known.raw(message_id)
            if summary is not None and raw is not None:
                found[message_id] = (summary, raw)
        missing = [message_id for message_id in ids if message_id not in found]
        for group in self._groups(missing):
            for resource in await self._account.present(group, raw_call, most=len(group)):
                raw = raw_of(resource)
                summary, written = summary_of_raw(resource, raw, self._account.address)
                self._known.put(summary, written, loop_time())
                self._known.put_raw(summary["id"], raw)
                found[summary["id"]] = (summary, raw)
        return found

    def _groups(self, ids: Sequence[str]) -> list[list[str]]:
        """Split the ids into groups that are each fetched in one batch."""
        groups: list[list[str]] = []
        left = 0
        for message_id in ids:
            summary = self._known.get(message_id)
            size = summary["size"] if summary is not None else UNKNOWN_SIZE
            if not groups or size > left or len(groups[-1]) == RAW_AT_ONCE:
                groups.append([])
                left = RAW_BYTES_AT_ONCE
            groups[-1].append(message_id)
            left -= size
        return groups

    async def summaries(self, ids: Sequence[str]) -> dict[str, Summary]:
        """Return the summaries of the messages that exist, by id, with their current labels."""
        await self._refresh.refresh(ids)
        kept = ((message_id, self._known.get(message_id)) for message_id in ids)
        found = {message_id: summary for message_id, summary in kept if summary is not None}
        missing = [message_id for message_id in ids if message_id not in found]
        for start in range(0, len(missing), batch.MOST):
            for resource in await self._account.present(missing[start : start + batch.MOST], metadata_call):
                summary, written = summary_of(resource, self._account.address)
                self._known.put(summary, written, loop_time())
                found[summary["id"]] = summary
            if len(missing) > batch.MOST:
                await progress.tell(min(start + batch.MOST, len(missing)), len(missing))
        return found


def is_message_id(text: str) -> bool:
    """Return True if the text has the form of a Gmail message id."""
    return _MESSAGE_ID.match(text) is not None


def _read_cursor(text: str) -> tuple[int, str]:
    found = _CURSOR.match(text)
    if found is None:
        raise BadArgument(
            "That is not a cursor of this search: give back the next_cursor of the page before.",
            argument="cursor",
        )
    return int(found[1]), found[2]
