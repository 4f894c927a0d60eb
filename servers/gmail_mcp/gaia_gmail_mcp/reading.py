"""The reading half of a Gmail account as a `Mailbox`. Entry: `GmailReading`."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_gmail_mcp.calls import Call, Resource, get
from gaia_gmail_mcp.client import Client, Outcome
from gaia_gmail_mcp.local_state import Notes
from gaia_gmail_mcp.profile import Profile, history_call, profile_of
from gaia_gmail_mcp.queries import search_of
from gaia_gmail_mcp.summaries import metadata_call, raw_call, raw_of, summary_of, summary_of_raw
from gaia_gmail_mcp.summary_cache import Known
from gaia_gmail_mcp.units import LIMIT, WINDOW_S, Units, bucket_for
from gaia_mail.query.grammar import Query
from gaia_mail_mcp.mailbox import SYSTEM_LABELS, Page, Status, StoredMessage
from gaia_mail_mcp.pacing import Bucket

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Label, Summary

MOST_LISTED = 500
"""Ids that Gmail lists at once."""

RAW_AT_ONCE = 50
RAW_BYTES_AT_ONCE = 16_000_000
"""Whole messages in one batch, and their sizes together: with attachments the answer can be large."""
UNKNOWN_SIZE = RAW_BYTES_AT_ONCE // 20
"""What a message whose size is not known counts as."""

TRUSTED_S = 2.0
"""Seconds for which labels just read are taken as they were; a tool that reads and then writes asks once."""

_HISTORY_PAGES = 4
_READ_PER_PAGE = 50
"""Messages of which reading the labels again costs far more than a page of the history does."""
_FEW = 10
"""So many messages are sooner read again than the history of a change of many is followed."""
_MESSAGE_ID = re.compile(r"[A-Za-z0-9_-]{1,128}\Z", re.ASCII)
_CURSOR = re.compile(r"(\d{1,9}):([\x21-\x7e]+)\Z", re.ASCII)


class GmailReading:
    """Everything that changes nothing.

    Args:
        client: How Gmail is called.
        home: Directory below which the account keeps its quota and notes.
        account: Its address, as far as known; Gmail says it at the first use.
        bucket_of: The quota of the account with that folder.
    """

    provider = "gmail"

    def __init__(
        self,
        client: Client,
        home: Path,
        *,
        account: str = "",
        bucket_of: Callable[[Path], Bucket] = bucket_for,
    ) -> None:
        self.account = account or "gmail"
        self.client = client
        self.known = Known()
        self.home = home
        self._bucket_of = bucket_of
        self._notes: Notes | None = None
        self._connecting = asyncio.Lock()

    async def connect(self) -> Notes:
        """Find out whose mailbox this is, once; where the account's notes are.

        Raises:
            NeedsAuth: It has to be connected first.
            MailError: Gmail cannot be reached.
        """
        if self._notes is not None:
            return self._notes
        async with self._connecting:
            if self._notes is None:
                profile = await self._profile()
                self.account = profile.address
                digest = hashlib.sha256(self.account.casefold().encode()).hexdigest()[:16]
                folder = self.home / "gmail" / digest
                self.client.bucket = self._bucket_of(folder)
                self.known.clear(profile.history)
                self._notes = Notes(folder)
            return self._notes

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """See `Mailbox`. `total` counts what was listed so far, and one more where there is more."""
        await self.connect()
        found = search_of(query, await self._snoozed_label())
        seen, token = _read_cursor(cursor) if cursor is not None else (0, "")
        ids: list[str] = []
        while True:
            listing = self._listed(
                found.q, found.label_ids, found.include_spam_trash, limit - len(ids), token
            )
            page, right = await asyncio.gather(listing, self._look_meanwhile())
            found_ids = [item["id"] for item in page.get("messages", ())]
            if not right:
                self.known.forget(found_ids)
            ids += found_ids
            token = page.get("nextPageToken", "")
            if not token or len(ids) >= limit:
                break
        seen += len(ids)
        return Page(
            ids=tuple(ids),
            next_cursor=f"{seen}:{token}" if token else None,
            total=seen + 1 if token else seen,
            exact=not token,
        )

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """See `Mailbox`."""
        notes = await self.connect()
        wanted = list(dict.fromkeys(message_id for message_id in ids if _MESSAGE_ID.match(message_id)))
        found = await (self._read_raw(wanted) if raw else self._read_summaries(wanted))
        snoozed = notes.read().snoozed if found else {}
        return [
            StoredMessage(
                summary=found[message_id][0],
                raw=found[message_id][1],
                snoozed_until=snoozed.get(message_id),
                written=self.known.written(message_id),
            ).within(most)
            for message_id in ids
            if message_id in found
        ]

    async def thread(self, thread_id: str) -> list[str]:
        """See `Mailbox`."""
        await self.connect()
        query = {"format": "minimal"}
        try:
            call = get("threads", thread_id, units=Units.THREAD, query=query, fields="messages/id")
            found = await self.client.call(call)
        except (NotFound, BadArgument):
            found = {}
        ids = [item["id"] for item in found.get("messages", ())]
        if not ids:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")
        return ids

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """See `Mailbox`."""
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

    async def labels(self) -> list[Label]:
        """See `Mailbox`: Gmail's own in our order, then the user's by name."""
        await self.connect()
        found = await self.client.call(get("labels", units=Units.LIST_SETTINGS))
        labels = [label_of(item) for item in found.get("labels", ())]
        order = {name: number for number, name in enumerate(SYSTEM_LABELS)}
        return sorted(
            labels,
            key=lambda label: (
                label["type"] != "system",
                order.get(label["id"], len(order)),
                label["name"].casefold(),
                label["id"],
            ),
        )

    async def status(self) -> Status:
        """See `Mailbox`: not connected when Gmail cannot be asked, with the reason."""
        health = self.client.health
        try:
            await self.connect()
            profile = await self._profile()
        except MailError as error:
            hint = f" {error.hint}" if error.hint else ""
            return Status(connected=False, errors=(f"{error.message}{hint}", *health.errors()))
        return Status(
            connected=True,
            scopes=self.client.tokens.scopes,
            quota={
                "used": self.client.bucket.used(WINDOW_S),
                "limit": LIMIT * WINDOW_S,
                "window_s": WINDOW_S,
            },
            holds=profile.holds,
            last_sync=health.last_sync,
            errors=health.errors(),
        )

    async def aclose(self) -> None:
        """See `Mailbox`."""
        await self.client.http.aclose()

    async def _profile(self) -> Profile:
        """Whose mailbox it is and where its history stands."""
        return await profile_of(self.client)

    async def _listed(self, q: str, label_ids: Sequence[str], away: bool, limit: int, token: str) -> Resource:
        query = {
            "q": q,
            "labelIds": label_ids,
            "includeSpamTrash": away or None,
            "maxResults": max(1, min(limit, MOST_LISTED)),
            "pageToken": token,
        }
        fields = "messages/id,nextPageToken"
        try:
            return await self.client.call(get("messages", units=Units.MESSAGE, query=query, fields=fields))
        except BadArgument as error:
            raise BadArgument(error.message, argument="cursor" if token else "query") from None

    async def _read_raw(self, ids: Sequence[str]) -> dict[str, tuple[Summary, bytes | None]]:
        kept = [message_id for message_id in ids if self.known.raw(message_id) is not None]
        await self._refreshed(kept)
        found: dict[str, tuple[Summary, bytes | None]] = {}
        for message_id in kept:
            summary, raw = self.known.get(message_id), self.known.raw(message_id)
            if summary is not None and raw is not None:
                found[message_id] = (summary, raw)
        missing = [message_id for message_id in ids if message_id not in found]
        for group in self._groups(missing):
            for resource in await self._fetched(group, raw_call, most=len(group)):
                raw = raw_of(resource)
                summary, written = summary_of_raw(resource, raw, self.account)
                self.known.put(summary, written, loop_time())
                self.known.put_raw(summary["id"], raw)
                found[summary["id"]] = (summary, raw)
        return found

    def _groups(self, ids: Sequence[str]) -> list[list[str]]:
        """Those that are fetched whole in one batch each."""
        groups: list[list[str]] = []
        left = 0
        for message_id in ids:
            summary = self.known.get(message_id)
            size = summary["size"] if summary is not None else UNKNOWN_SIZE
            if not groups or size > left or len(groups[-1]) == RAW_AT_ONCE:
                groups.append([])
                left = RAW_BYTES_AT_ONCE
            groups[-1].append(message_id)
            left -= size
        return groups

    async def _read_summaries(self, ids: Sequence[str]) -> dict[str, tuple[Summary, bytes | None]]:
        await self._refreshed(ids)
        missing = [message_id for message_id in ids if self.known.labels(message_id) is None]
        for resource in await self._fetched(missing, metadata_call):
            self.known.put(*summary_of(resource, self.account), loop_time())
        kept = ((message_id, self.known.get(message_id)) for message_id in ids)
        return {message_id: (summary, None) for message_id, summary in kept if summary is not None}

    async def _refreshed(self, ids: Sequence[str]) -> None:
        """See to it that the labels of those that are kept are right, or that they are kept no more."""
        if not self.known.has_any(ids) or self.known.fresh(ids, loop_time() - TRUSTED_S):
            return
        if len(ids) > _FEW:
            await self.look(max(_HISTORY_PAGES, len(ids) // _READ_PER_PAGE))
        elif not await self._followed(1):
            self.known.forget(ids)

    async def _look_meanwhile(self) -> bool:
        """Beside a search whose hits will likely be kept: whether labels are right; what goes wrong shows later.

        After a change of many messages the history takes more requests than the hits do.
        """
        if not len(self.known) or self.known.fresh((), loop_time() - TRUSTED_S):
            return True
        try:
            return await self._followed(1)
        except MailError:
            return True

    async def look(self, pages: int = _HISTORY_PAGES) -> None:
        """Bring the labels in `known` up to date, or forget them where that takes more pages of the history."""
        if not await self._followed(pages):
            self.known.clear((await self._profile()).history)

    async def _followed(self, pages: int) -> bool:
        """Follow the history for so many pages; whether it was followed to its end."""
        now = loop_time()
        for _ in range(pages):
            try:
                page = await self.client.call(history_call(self.known.history, MOST_LISTED))
            except (NotFound, BadArgument):
                return False
            records: list[Resource] = page.get("history", [])
            self.known.apply(records)
            if not page.get("nextPageToken"):
                self.known.history = page.get("historyId", self.known.history)
                self.known.looked(now)
                return True
            self.known.history = records[-1]["id"]
        return False

    async def _fetched(
        self, ids: Sequence[str], call: Callable[[str], Call], *, most: int = 100
    ) -> list[Resource]:
        """The messages that exist.

        Raises:
            MailError: Gmail refused one for another reason than that it does not exist.
        """
        outcomes = await self.client.many([call(message_id) for message_id in ids], most=most) if ids else []
        return [resource for resource in map(_present, outcomes) if resource is not None]

    async def _snoozed_label(self) -> str | None:
        """The name of the label of what was snoozed; None when this program snoozes nothing."""
        return None


def label_of(resource: Resource) -> Label:
    """Gmail's label as ours."""
    label: Label = {
        "id": resource["id"],
        "name": str(resource.get("name") or resource["id"]),
        "type": "system" if resource.get("type") == "system" else "user",
    }
    if "messageListVisibility" in resource:
        label["messageListVisibility"] = resource["messageListVisibility"]
    if "labelListVisibility" in resource:
        label["labelListVisibility"] = resource["labelListVisibility"]
    return label


def is_message_id(text: str) -> bool:
    """Whether Gmail could have given out this id."""
    return _MESSAGE_ID.match(text) is not None


def _present(outcome: Outcome) -> Resource | None:
    """None for a message that does not exist: 404, or 400 for an id that Gmail never gave out."""
    if isinstance(outcome, (NotFound, BadArgument)):
        return None
    if isinstance(outcome, MailError):
        raise outcome
    return outcome


def loop_time() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


def _read_cursor(text: str) -> tuple[int, str]:
    found = _CURSOR.match(text)
    if found is None:
        raise BadArgument(
            "That is not a cursor of this search: give back the next_cursor of the page before.",
            argument="cursor",
        )
    return int(found[1]), found[2]
