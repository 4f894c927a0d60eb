"""The only code that calls a write tool over MCP, or can. Entry points: `MailWriter`, `opened`, `call_server`.

A writer makes the one call its pass is for, on the account it was opened on; the arguments come from the pass itself,
so nothing can be changed after the gate has looked.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from gaia_email.actions.change import LabelIdChange
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.foreign import ForeignSession
from gaia_email.mailbox.tool_calls import (
    CallResult,
    ToolSession,
    as_mailbox,
    call_tool,
    failure,
    listed_arguments,
    open_session,
)
from gaia_email.policy.gate import Pass, consume
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract import wire
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound, ProviderError
from gaia_email_registry.servers import ServerSpec

Result = TypeVar("Result")

REPLY, SEND, KEEP, FORWARD = "reply_to_email", "send_email", "draft_email", "forward_email"

AT_ONCE = 100
"""Messages a call: more would be a destructive one, and the stop switch is read between two calls."""


class NotDone(ProviderError):
    """The call was not made, or it changed nothing; it may be tried again."""


class MailWriter:
    """Makes the calls the gate gave leave for."""

    def __init__(self, session: ToolSession, account: str) -> None:
        self._session = session
        self._account = account
        self._tools: Mapping[str, frozenset[str]] | None = None

    async def write(self, given: Pass) -> wire.WriteResult:
        """Make the call; what every write answers.

        Raises:
            NeedsApproval: The pass was used before, or is for another account.
            MailError: Whatever the server refuses it with.
        """
        return await self._make(given, wire.WriteResult)

    async def write_label(self, given: Pass) -> wire.LabelResult:
        """Call a tool that changes a label; otherwise like `write`."""
        return await self._make(given, wire.LabelResult)

    async def leave_list(self, given: Pass) -> wire.UnsubscribeResult:
        """Call the tool that leaves a mailing list; otherwise like `write`."""
        return await self._make(given, wire.UnsubscribeResult)

    async def call(self, given: Pass) -> Mapping[str, object]:
        """Call a tool for whoever takes its answer as it is; otherwise like `write`."""
        return await self._make(given, dict[str, object])

    async def can_leave_lists(self) -> bool:
        """Whether the server can unsubscribe."""
        return await self.can("unsubscribe")

    async def can(self, tool: str) -> bool:
        """Whether the server offers a tool."""
        return tool in await self._listed()

    async def can_answer(self) -> bool:
        """Whether the server sends, and marks an automatic reply as one when told to."""
        tools = await self._listed()
        return SEND in tools and "auto_submitted" in tools.get("reply_to_email", ())

    async def can_send(self) -> bool:
        """Whether the server sends mail."""
        return await self.can(SEND)

    async def _listed(self) -> Mapping[str, frozenset[str]]:
        """The names of the server's tools, each with those of its arguments."""
        if self._tools is None:
            self._tools = await listed_arguments(self._session)
        return self._tools

    async def _make(self, given: Pass, kind: type[Result]) -> Result:
        call = consume(given)
        if call.account != self._account:
            raise NeedsApproval(f"This leave is for {call.account[:200]}, not for {self._account[:200]}.")
        answer = await call_tool(self._session, call.tool, call.arguments)
        token = _server_asks(answer)
        if token is not None:
            # A server that runs by itself asks too. The user has agreed to exactly this call.
            answer = await call_tool(self._session, call.tool, {**call.arguments, "confirm": token})
        if answer.is_error:
            raise failure(call.tool, answer)
        try:
            return TypeAdapter(kind).validate_python(answer.data)
        except ValidationError:
            raise ProviderError(
                f"The mail server's answer to {call.tool} is not what the contract says; it may have done it."
            ) from None


def _server_asks(answer: CallResult) -> str | None:
    content: Mapping[str, object] = answer.data or {}
    token = content.get("confirm") if answer.is_error else None
    return token if isinstance(token, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedMailbox:
    """A mailbox that can be read and, with passes, changed; `account` is what its server calls it."""

    mail: MailClient
    writer: MailWriter
    account: str


@asynccontextmanager
async def opened(spec: ServerSpec) -> AsyncGenerator[OpenedMailbox, None]:
    """Connect to a mail server for reading and writing, and close it at the end.

    Raises:
        BadArgument: It can only be read.
        MailError: As `mail.open_mail`.
    """
    async with open_session(spec) as session:
        yield await on_session(as_mailbox(session))


async def read_once(spec: ServerSpec, call: ToolCall) -> Mapping[str, object]:
    """The answer of a call that only reads.

    Raises:
        NeedsApproval: It does not only read.
        MailError: Whatever the server refuses it with.
    """
    if call.risk != "read":
        raise NeedsApproval("Only the gate gives leave to change a mailbox.")
    async with open_session(spec) as session:
        answer = await call_tool(as_mailbox(session), call.tool, call.arguments)
    if answer.is_error:
        raise failure(call.tool, answer)
    return answer.data or {"text": answer.text}


async def call_server(given: Pass, spec: Callable[[str], ServerSpec]) -> Mapping[str, object]:
    """Call a tool of another MCP server, once; what it answered, a tool that failed included.

    Args:
        given: Leave for the call.
        spec: The server of a name, to be started.

    Raises:
        NeedsApproval: The tool is not as it was approved, or the pass was used.
        NotDone: The server could not be reached; it was not called.
        MailError: The connection broke; nobody knows what it did.
    """
    call = consume(given)
    server, _, tool = call.tool.partition(".")
    was_called = False
    try:
        async with open_session(spec(server)) as session:
            if not isinstance(session, ForeignSession):
                raise BadArgument(f"{server} is none of the servers of others.", argument="server")
            if tool not in session.listing.forms:
                raise NotFound(f"The MCP server {server} has no tool {tool} any more.", argument="tool")
            was_called = tool in session.approved
            answer = await call_tool(session, tool, call.arguments)
    except ProviderError as error:
        if was_called:
            raise
        raise NotDone(error.message, hint=error.hint) from None
    if answer.is_error:
        raise BadArgument(f"{call.tool} says: {answer.text[:500] or 'it failed'}", argument="tool")
    return answer.data if answer.data is not None else {"text": answer.text}


async def on_session(session: ToolSession) -> OpenedMailbox:
    """The mailbox behind a connection.

    Raises:
        BadArgument: It can only be read.
    """
    mail = MailClient(session)
    account = (await mail.status())["account"]
    writer = MailWriter(session, account)
    if not await writer.can("batch_modify_emails"):
        raise BadArgument(
            f"{account[:200]} can only be read here, so nothing in it can be changed.",
            hint="use a connected account (gaia email connect) or a Maildir, or lift its limit (Integrations in the "
            "browser).",
        )
    return OpenedMailbox(mail=mail, writer=writer, account=account)


def relabel(account: str, ids: Sequence[str], change: LabelIdChange) -> ToolCall:
    """The call that changes labels of at most `AT_ONCE` messages."""
    arguments = {
        "messageIds": list(ids),
        "addLabelIds": list(change.add),
        "removeLabelIds": list(change.remove),
    }
    return ToolCall.of(account, "batch_modify_emails", arguments)


def make_label(account: str, name: str, *, shown: bool) -> ToolCall:
    """The call that makes a label where there is none of that name."""
    visibility = "labelShow" if shown else "labelHide"
    return ToolCall.of(account, "get_or_create_label", {"name": name, "labelListVisibility": visibility})


def remove_label(account: str, label_id: str) -> ToolCall:
    """The call that removes a label that no message carries."""
    return ToolCall.of(account, "delete_label", {"id": label_id, "unusedOnly": True})


def leave_list(account: str, message_id: str) -> ToolCall:
    """The call that leaves the mailing list of a message."""
    return ToolCall.of(account, "unsubscribe", {"message_id": message_id})


def reply_automatically(account: str, message_id: str, body: str) -> ToolCall:
    """The call that answers a message's sender, marked as an automatic reply (RFC 3834)."""
    arguments = {"message_id": message_id, "body": body, "auto_submitted": True}
    return ToolCall.of(account, "reply_to_email", arguments)


def reply_as_draft(account: str, message_id: str, body: str) -> ToolCall:
    """The call that keeps a reply to a message's sender as a draft."""
    return ToolCall.of(account, REPLY, {"message_id": message_id, "body": body, "draft": True})


def send_as_written(
    account: str, to: Sequence[str], subject: str, body: str, **more: Sequence[str] | str
) -> ToolCall:
    """The call that sends a mail of its own, as plain text; `more` are further arguments of the tool."""
    return ToolCall.of(account, SEND, {"to": list(to), "subject": subject, "body": body, **more})


def draft_as_written(
    account: str, to: Sequence[str], subject: str, body: str, **more: Sequence[str] | str
) -> ToolCall:
    """The call that keeps such a mail as a draft."""
    return ToolCall.of(account, KEEP, {"to": list(to), "subject": subject, "body": body, **more})


def forward_as_written(
    account: str, message_id: str, to: Sequence[str], body: str, *, draft: bool = False
) -> ToolCall:
    """The call that forwards a message with its files, or keeps that as a draft."""
    arguments = {"message_id": message_id, "to": list(to), "body": body, "draft": draft}
    return ToolCall.of(account, FORWARD, arguments)
