"""Present a server that has only the convention's tools as a mailbox of the contract. Entry: `ConventionMailbox`.

The convention is the 19 tools that Gmail and IMAP servers share by name. It has no cursor, no raw bytes and no labels
per message. Its calls are translated to those of the contract, so that readers of mail need not know: messages are
listed by searches (`picture.py`) and rebuilt from the server's text (`message.py`), and news are found by polling.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from gaia_email.mailbox.convention import texts
from gaia_email.mailbox.convention.changing import ConventionChanges
from gaia_email.mailbox.convention.message import build_message
from gaia_email.mailbox.convention.picture import (
    STEPS,
    Picture,
    SearchedHits,
    addresses,
    look,
    relabel,
    run_search,
    summary,
)
from gaia_email.mailbox.ref import server_account
from gaia_email_registry.contract.wire import (
    Changed,
    Email,
    Label,
    ListEmailsResult,
    ReadEmailsResult,
    SearchEmailsResult,
    StatusResult,
    Summary,
    SyncResult,
)
from gaia_email_registry.errors import BadArgument, ProviderError

SEARCH, READ, LABELS = "search_emails", "read_email", "list_email_labels"

POLL_S = 180.0
"""Seconds between two checks of a watched mailbox."""

WHOLE_LOOK_S = 3_600.0
"""Seconds after which every label is searched again even if the inbox has not changed."""

AT_ONCE = 4
"""Concurrent calls to a server."""

UNREAD_IN_A_ROW = 3
"""Number of unreadable messages from which a server counts as broken."""

NEVER = float("-inf")
SNIPPET = 200
ANYWHERE = "in:anywhere"
OUT_OF_SIGHT = frozenset(("SPAM", "TRASH"))

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConventionReply:
    """The answer of a tool."""

    text: str
    data: Mapping[str, object] = field(default_factory=dict[str, object])
    failed: bool = False


Call = Callable[[str, dict[str, object]], Awaitable[ConventionReply]]
"""Calls a tool of the server.

Raises:
    ProviderError: The server does not answer.
    NeedsApproval: The tool has changed since it was approved.
"""


def is_convention(offered: Mapping[str, frozenset[str]]) -> bool:
    """Return True if a server with these tools, each with its arguments, has to be read by the convention."""
    return (
        not {"server_status", "list_emails", "read_emails"} <= offered.keys()
        and {"query", "maxResults"} <= offered.get(SEARCH, frozenset())
        and "messageId" in offered.get(READ, ())
    )


class ConventionMailbox:
    """The contract's tools, as far as the convention allows; implements `gaia_email.mailbox.tool_calls.OwnTools`."""

    poll_s = POLL_S

    def __init__(
        self,
        name: str,
        offered: Mapping[str, frozenset[str]],
        call: Call,
        *,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Send no request yet.

        Args:
            name: The server's name in the list of servers.
            offered: Its tools, each with its arguments.
            call: Calls one of them.
            pause: How to wait between two checks.
            clock: Seconds, for the age of the last check.
        """
        self._account = server_account(name)
        self._offered = offered
        self._call_tool = call
        self._pause = pause
        self._clock = clock
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._picture: Picture | None = None
        self._looked_at = NEVER
        self._peeked: SearchedHits | None = None
        self._changing = ConventionChanges(self, offered, pause).tools
        self._reading: Mapping[str, Callable[[Arguments], Awaitable[object]]] = {
            "server_status": self._status,
            "list_emails": self._list,
            "search_emails": self._search,
            "read_emails": self._read,
            "list_email_labels": self._labels,
            "sync_emails": self._sync,
            "wait_for_changes": self._wait,
        }

    @property
    def remarks(self) -> Sequence[str]:
        """Limitations of the view of the mailbox, a sentence each."""
        return self._picture.remarks if self._picture else ()

    def arguments(self) -> Mapping[str, frozenset[str]]:
        """Return the supported tools; their arguments are the contract's."""
        return dict.fromkeys((*self._reading, *self._changing), frozenset())

    async def reply(self, tool: str, arguments: Arguments, *, timeout_s: float) -> ConventionReply:
        """Call a tool of the contract and return its answer.

        Raises:
            MailError: It cannot.
        """
        if tool in self._changing:
            answer = await self._changed(tool, arguments)
        elif tool in self._reading:
            answer = await self._reading[tool](arguments)
        else:
            raise BadArgument(f"{self._account} has no {tool}, so that cannot be done in this mailbox.")
        return ConventionReply(text="", data=cast("Mapping[str, object]", answer))

    async def aclose(self) -> None:
        """Do nothing: no resource is open here."""

    async def _changed(self, tool: str, arguments: Arguments) -> object:
        """Make a change; refused if the messages of a label that may protect them are unknown."""
        picture = self._picture or await self._looked()
        if picture.unsaid:
            raise BadArgument(picture.remarks[-1])
        try:
            return await self._changing[tool](arguments)
        finally:
            self._looked_at = NEVER  # search every label again, whatever the outcome

    async def _status(self, arguments: Arguments) -> StatusResult:
        return {
            "account": self._account,
            "provider": "mcp",
            "connected": True,
            "scopes": ["read", *(("modify",) if self._changing else ())],
            "read_only": not self._changing,
            "last_sync": None,
            "errors": list(self.remarks),
        }

    async def _list(self, arguments: Arguments) -> ListEmailsResult:
        """Return a page of messages; `cursor` is the number of messages before it."""
        query, label = arguments.get("query"), arguments.get("label")
        if query not in (None, ANYWHERE):
            hits = await self.hits(str(query), _number(arguments, "limit", 50))
            return {"emails": await self._known(hits), "next_cursor": None}
        start, limit = _number(arguments, "cursor", 0), _number(arguments, "limit", 50)
        picture = self._picture if self._picture and start else await self._looked()
        shown = [
            one
            for one in sorted(picture.summaries.values(), key=lambda one: one["date"], reverse=True)
            if (query == ANYWHERE or OUT_OF_SIGHT.isdisjoint(one["labels"]))
            and (label is None or label in one["labels"])
        ]
        end = start + limit
        return {"emails": shown[start:end], "next_cursor": str(end) if end < len(shown) else None}

    async def _search(self, arguments: Arguments) -> SearchEmailsResult:
        hits = await self.hits(str(arguments.get("query", "")), _number(arguments, "maxResults", 50))
        return {"emails": await self._known(hits), "next_cursor": None, "total_estimate": len(hits)}

    async def _known(self, hits: Sequence[texts.ListedMessage]) -> list[Summary]:
        picture = self._picture or await self._looked()
        return [picture.summaries.get(hit.id) or summary(hit, self._account, ()) for hit in hits]

    async def _labels(self, arguments: Arguments) -> dict[str, list[Label]]:
        told = await self.label_names()
        listed = [Label(id=one.id, name=one.name, type="system" if one.is_system else "user") for one in told]
        return {"labels": sorted(listed, key=lambda one: (one["type"], one["name"]))}

    async def _sync(self, arguments: Arguments) -> SyncResult:
        """Return changes; a cursor is the digest of a picture, plus the number of messages given if incomplete."""
        cursor, limit = str(arguments.get("cursor") or ""), _number(arguments, "limit", 500)
        digest, _, given = cursor.partition(".")
        before = self._picture
        if before is not None and given.isdigit() and digest == before.digest:
            return self._page(before, int(given), limit, reset=False)
        picture = await self._looked()
        if picture.digest == cursor:
            return _changes(picture, picture)
        if before is not None and before.digest == cursor:
            return _changes(before, picture)
        return self._page(picture, 0, limit, reset=bool(cursor))

    @staticmethod
    def _page(picture: Picture, start: int, limit: int, *, reset: bool) -> SyncResult:
        end = start + limit
        more = end < len(picture.summaries)
        return {
            "cursor": f"{picture.digest}.{end}" if more else picture.digest,
            "added": list(picture.summaries.values())[start:end],
            "changed": [],
            "removed": [],
            "reset": reset,
            "more": more,
        }

    async def _wait(self, arguments: Arguments) -> dict[str, object]:
        cursor = str(arguments.get("cursor", ""))
        known = self._picture
        if known is None or known.digest != cursor:
            return {"changed": True, "cursor_hint": cursor}
        await self._pause(min(float(_number(arguments, "timeout_s", 0)), POLL_S))
        self._peeked = await run_search(self.hits, "in:inbox", STEPS[-1])
        return {"changed": self._peeked.ids != known.inbox, "cursor_hint": cursor}

    async def _looked(self) -> Picture:
        """Return the current picture; labels are not searched again if the inbox is unchanged since a short time."""
        inbox, self._peeked = self._peeked or await run_search(self.hits, "in:inbox", STEPS[-1]), None
        now, known = self._clock(), self._picture
        if known is None or known.inbox != inbox.ids or now - self._looked_at > WHOLE_LOOK_S:
            self._picture = await look(self.hits, await self.label_names(), self._account, inbox)
            self._looked_at = now
        assert self._picture is not None
        return self._picture

    async def _read(self, arguments: Arguments) -> ReadEmailsResult:
        """Read messages; a message that the server cannot return is listed as missing."""
        ids = list(dict.fromkeys(str(one) for one in cast("Sequence[object]", arguments.get("ids", ()))))
        form = arguments.get("format", "raw")
        picture = self._picture if self._picture and form != "summary" else await self._looked()
        known = {id_: picture.summaries[id_] for id_ in ids if form == "summary" and id_ in picture.summaries}
        asked = [id_ for id_ in ids if id_ not in known]
        read = dict(zip(asked, await asyncio.gather(*map(self._message, asked)), strict=True))
        refused = [one for one in read.values() if isinstance(one, texts.ServerDeclined)]
        if len(refused) == len(ids) and len(refused) >= UNREAD_IN_A_ROW:
            raise ProviderError(refused[0].message)
        emails: list[Email] = []
        for id_ in ids:
            told = read.get(id_)
            if id_ in known:
                emails.append(cast("Email", known[id_]))
            elif isinstance(told, texts.ReadMessage):
                emails.append(self._email(id_, told, picture))
        there = {one["id"] for one in emails}
        return {"emails": emails, "missing": [id_ for id_ in ids if id_ not in there]}

    async def _message(self, id_: str) -> texts.ReadMessage | texts.ServerDeclined:
        try:
            if not texts.is_id(id_):
                raise texts.ServerDeclined(f"{id_[:80]!r} is no id of a message.")
            return texts.message(await self.call(READ, {"messageId": id_}))
        except texts.ServerDeclined as refused:
            return refused

    def _email(self, id_: str, told: texts.ReadMessage, picture: Picture) -> Email:
        message = build_message(told)
        fields = told.fields
        hit = texts.ListedMessage(
            id=id_, subject=fields["subject"], sender=fields["from"], date=fields["date"]
        )
        listed = picture.summaries.get(id_)
        email = cast("Email", relabel(summary(hit, self._account, ()), listed["labels"] if listed else ()))
        email["to"], email["cc"] = addresses(fields.get("to", "")), addresses(fields.get("cc", ""))
        email["snippet"] = "" if told.is_html else " ".join(told.body[: 2 * SNIPPET].split())[:SNIPPET]
        email["size"], email["has_attachments"] = len(message.raw), bool(told.files)
        email["defects"] = list(message.unjudged)
        email["raw"] = base64.urlsafe_b64encode(message.raw).decode()
        return email

    async def label_names(self) -> list[texts.LabelName]:
        """Return the server's labels.

        Raises:
            ProviderError: The server does not answer; `ServerDeclined` if the answer cannot be used.
        """
        if LABELS not in self._offered:
            return []
        return texts.labels(await self.call(LABELS, {}))

    async def hits(self, query: str, most: int) -> list[texts.ListedMessage]:
        """Return the results of a search, newest first.

        Raises:
            ProviderError: The server does not answer; `ServerDeclined` if the answer cannot be used.
        """
        return texts.hits(await self.call(SEARCH, {"query": query, "maxResults": most}), most=most)

    async def call(self, tool: str, arguments: dict[str, object]) -> str:
        """Return the text that a tool of the server answers.

        Raises:
            ProviderError: The server does not answer; `ServerDeclined` if it answers with an error, which some servers
                do not mark as one.
        """
        async with self._turns:
            said = await self._call_tool(tool, arguments)
        if said.failed or said.text.startswith("Error: "):
            why = said.text.removeprefix("Error: ").strip()[:300]
            raise texts.ServerDeclined(f"The mail server failed at {tool}: {why or 'it does not say why'}")
        return said.text


def _changes(before: Picture, now: Picture) -> SyncResult:
    """Return the changes from one picture to the next."""
    old, new = before.summaries, now.summaries
    changed: list[Changed] = [
        {"id": id_, "labels": one["labels"], "flags": one["flags"]}
        for id_, one in new.items()
        if id_ in old and old[id_]["labels"] != one["labels"]
    ]
    return {
        "cursor": now.digest,
        "added": [one for id_, one in new.items() if id_ not in old],
        "changed": changed,
        "removed": [id_ for id_ in old if id_ not in new],
        "reset": False,
        "more": False,
    }


def _number(arguments: Arguments, name: str, otherwise: int) -> int:
    value = arguments.get(name)
    return int(value) if isinstance(value, (int, float, str)) and value else otherwise
