"""A mailbox of another process as `--server` reaches it, in the shape the contract suite takes. Entry: `open_served`.

Every method is calls of the agent's own client, and what changes something goes through a gate and the writer.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from gaia_email.actions.writing import MailWriter
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.tool_calls import ToolSession, as_mailbox, call_tool, failure, open_session
from gaia_email.policy.gate import Consent, Gate, Pass, PromptAnswer
from gaia_email.policy.question import CallQuestion
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract import wire
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.servers import HttpServer, StdioServer
from gaia_mail.query.canonical import to_text
from gaia_mail.query.nodes import Query
from gaia_mail_mcp.mailbox import (
    Capability,
    Changes,
    Draft,
    IdPage,
    Mailbox,
    MailboxStatus,
    StoredMessage,
    WriteOutcome,
)
from tests.gate.every_call import facts_for
from tests.gate.in_memory import InMemory

ASKED = Consent(by="user", why="A test wants it.")


class Agreeing:
    """A user who says yes to everything."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        return "yes"


async def open_served(spec: StdioServer | HttpServer) -> Mailbox:
    """The mailbox that a server gives; closing it ends the session, and the server with it where it was started."""
    opened: asyncio.Future[ToolSession] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def hold() -> None:
        # A session is closed by the task that opened it; a test may close its mailbox from another one.
        async with open_session(spec) as session:
            opened.set_result(as_mailbox(session))
            await over.wait()

    held = asyncio.ensure_future(hold())
    await asyncio.wait((held, opened), return_when=asyncio.FIRST_COMPLETED)
    if held.done():
        held.result()
    session = opened.result()

    async def close() -> None:
        over.set()
        await held

    return ServedMailbox(session, await MailClient(session).status(), close)


class ServedMailbox:
    """The `Mailbox` protocol over the tools of a server."""

    capabilities = frozenset((Capability.MODIFY, Capability.LABELS))

    def __init__(
        self, session: ToolSession, status: wire.StatusResult, close: Callable[[], Awaitable[None]]
    ) -> None:
        self._close = close
        self._session = session
        self._mail = MailClient(session)
        self.account, self.provider = status["account"], status["provider"]
        self._writer = MailWriter(session, self.account)
        self._gate = Gate(InMemory(), prompt=Agreeing())

    async def _told(self, tool: str, **arguments: object) -> dict[str, Any]:
        answer = await call_tool(self._session, tool, arguments)
        if answer.is_error:
            raise failure(tool, answer)
        return dict(answer.data or {})

    async def _leave(self, tool: str, **arguments: object) -> Pass:
        call = ToolCall.of(self.account, tool, arguments)
        given = await self._gate.ask(call, ASKED, facts_for(call))
        assert isinstance(given, Pass)
        return given

    async def _applied(self, tool: str, **arguments: object) -> WriteOutcome:
        told = await self._writer.write(await self._leave(tool, **arguments))
        return WriteOutcome(ids=tuple(told["ids"]), failed=tuple(told["failed"]))

    async def _label(self, tool: str, **arguments: object) -> wire.Label:
        told = await self._writer.write_label(await self._leave(tool, **arguments))
        assert "label" in told
        return told["label"]

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        found = await self._mail.list_emails(query=to_text(query), limit=limit, cursor=cursor)
        ids = tuple(one["id"] for one in found["emails"])
        return IdPage(ids=ids, next_cursor=found["next_cursor"], total=len(ids), exact=False)

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        if most is not None:
            told = await self._told("read_emails", ids=list(ids), format="raw", max_bytes=most)
            emails = cast("list[wire.Email]", told["emails"])
        else:
            emails = (await self._mail.read_emails(ids, format="raw" if raw else "summary"))["emails"]
        return [_stored(one) for one in emails]

    async def thread(self, thread_id: str) -> list[str]:
        found = await self._mail.get_thread(thread_id, format="summary")
        return [one["id"] for one in found["emails"]]

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        told = await self._told("get_attachment", message_id=message_id, attachment_id=attachment_id)
        data = base64.urlsafe_b64decode(told["data"]) if "data" in told else told["text"].encode()
        return told["filename"], told["content_type"], data

    async def labels(self) -> list[wire.Label]:
        return await self._mail.labels()

    async def create_label(self, name: str, visibility: dict[str, str]) -> wire.Label:
        return await self._label("create_label", name=name, **visibility)

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> wire.Label:
        named = {} if name is None else {"name": name}
        return await self._label("update_label", id=label_id, **named, **visibility)

    async def delete_label(self, label_id: str) -> wire.Label:
        return await self._label("delete_label", id=label_id)

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        return await self._applied(
            "batch_modify_emails", messageIds=list(ids), addLabelIds=list(add), removeLabelIds=list(remove)
        )

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._applied("trash_email", ids=list(ids))

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._applied("untrash_email", ids=list(ids))

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._applied("batch_delete_emails", messageIds=list(ids), permanent=True)

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        return await self._applied("snooze_email", ids=list(ids), until=until)

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        page = await self._mail.sync_emails(_given(cursor), limit=limit)
        return Changes(
            cursor=page["cursor"],
            added=tuple(page["added"]),
            changed=tuple(page["changed"]),
            removed=tuple(page["removed"]),
            reset=page["reset"],
            reason=page.get("reason", ""),
            more=page["more"],
        )

    async def cursor(self) -> str:
        """That of who has listed everything: over MCP there is no other."""
        page = await self._mail.sync_emails(None)
        while page["more"]:
            page = await self._mail.sync_emails(page["cursor"])
        return page["cursor"]

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        return (await self._mail.wait_for_changes(_given(cursor) or "", timeout_s=timeout_s))["changed"]

    async def status(self) -> MailboxStatus:
        return MailboxStatus(connected=(await self._mail.status())["connected"])

    async def aclose(self) -> None:
        await self._close()

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        raise BadArgument("Bytes cannot be given to a mail tool.")

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        raise BadArgument("Bytes cannot be given to a mail tool.")

    async def drafts(self, *, limit: int) -> list[Draft]:
        raise BadArgument("Drafts are not looked at here.")

    async def delete_draft(self, draft_id: str) -> bytes:
        raise BadArgument("Bytes are not answered by a mail tool.")

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        raise BadArgument("Nothing is sent here.")

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        raise BadArgument("Nothing is sent here.")


def _given(cursor: str | None) -> str | None:
    """A cursor as the tools take it: they refuse an empty one, for which another stands that they never gave."""
    return "empty" if cursor == "" else cursor


def _stored(email: wire.Email) -> StoredMessage:
    summary = {name: value for name, value in email.items() if name in wire.Summary.__annotations__}
    if "raw" not in email:
        return StoredMessage(summary=cast("wire.Summary", summary), raw=None)
    raw = base64.urlsafe_b64decode(email["raw"])
    left_out = max(0, email["size"] - len(raw)) if email.get("defects") else 0
    return StoredMessage(summary=cast("wire.Summary", summary), raw=raw, left_out=left_out)
