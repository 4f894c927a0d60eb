"""The only code that can call a write tool over MCP. Entry points: `MailWriter`, `open_mailbox`, `call_server`.

A writer makes the one call of its pass, on the account it was opened for; the arguments come from the pass itself, so
nothing can change after the gate's check.
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
"""Messages per call: more would make the call destructive, and the stop switch is checked between two calls."""


class NotDone(ProviderError):
    """The call was not made or changed nothing; it may be tried again."""


class MailWriter:
    """Makes the calls that the gate permitted."""

    def __init__(self, session: ToolSession, account: str) -> None:
        self._session = session
        self._account = account
        self._tools: Mapping[str, frozenset[str]] | None = None

    async def write(self, given: Pass) -> wire.WriteResult:
        """Make the call and return the answer common to all writes.

        Raises:
            NeedsApproval: The pass was used before, or is for another account.
            MailError: The server refused the call.
        """
        return await self._make(given, wire.WriteResult)

    async def write_label(self, given: Pass) -> wire.LabelResult:
        """Call a tool that changes a label; otherwise like `write`."""
        return await self._make(given, wire.LabelResult)

    async def leave_list(self, given: Pass) -> wire.UnsubscribeResult:
        """Call the tool that leaves a mailing list; otherwise like `write`."""
        return await self._make(given, wire.UnsubscribeResult)

    async def call(self, given: Pass) -> Mapping[str, object]:
        """Call a tool and return its answer without conversion; otherwise like `write`."""
        return await self._make(given, dict[str, object])

    async def can_leave_lists(self) -> bool:
        """Return True if the server can unsubscribe."""
        return await self.can("unsubscribe")

    async def can(self, tool: str) -> bool:
        """Return True if the server offers a tool."""
        return tool in await self._listed()

    async def can_answer(self) -> bool:
        """Return True if the server can send, and can mark a reply as automatic."""
        tools = await self._listed()
        return SEND in tools and "auto_submitted" in tools.get("reply_to_email", ())

    async def can_send(self) -> bool:
        """Return True if the server can send mail."""
        return await self.can(SEND)

    async def _listed(self) -> Mapping[str, frozenset[str]]:
        """Return the names of the server's tools, each with its argument names."""
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
            # A server may also ask by itself. The user has already agreed to exactly this call.
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
    """A mailbox that can be read and, with passes, changed; `account` is its name at the server."""

    mail: MailClient
    writer: MailWriter
    account: str


@asynccontextmanager
async def open_mailbox(spec: ServerSpec) -> AsyncGenerator[OpenedMailbox, None]:
    """Connect to a mail server for reading and writing, and close the connection at the end.

    Raises:
        BadArgument: The mailbox is read-only.
        MailError: As in `mail.open_mail`.
    """
    async with open_session(spec) as session:
        yield await on_session(as_mailbox(session))


async def read_once(spec: ServerSpec, call: ToolCall) -> Mapping[str, object]:
    """Make a read-only call and return its answer.

    Raises:
        NeedsApproval: The call is not read-only.
        MailError: The server refused the call.
    """
    if call.risk != "read":
        raise NeedsApproval("Only the gate gives leave to change a mailbox.")
    async with open_session(spec) as session:
        answer = await call_tool(as_mailbox(session), call.tool, call.arguments)
    if answer.is_error:
        raise failure(call.tool, answer)
    return answer.data or {"text": answer.text}


async def call_server(given: Pass, spec: Callable[[str], ServerSpec]) -> Mapping[str, object]:
    """Call a tool of another MCP server once, and return its answer.

    Args:
        given: The pass for the call.
        spec: Returns how to start the server with this name.

    Raises:
        NeedsApproval: The tool has changed since it was approved, or the pass was used.
        NotDone: The server could not be reached; it was not called.
        MailError: The connection broke; the outcome is unknown.
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
    """Return the mailbox of a connection.

    Raises:
        BadArgument: The mailbox is read-only.
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
    """Return the call that changes labels of at most `AT_ONCE` messages."""
    arguments = {
        "messageIds": list(ids),
        "addLabelIds": list(change.add),
        "removeLabelIds": list(change.remove),
    }
    return ToolCall.of(account, "batch_modify_emails", arguments)


def make_label(account: str, name: str, *, shown: bool) -> ToolCall:
    """Return the call that creates a label unless one with this name exists."""
    visibility = "labelShow" if shown else "labelHide"
    return ToolCall.of(account, "get_or_create_label", {"name": name, "labelListVisibility": visibility})


def remove_label(account: str, label_id: str) -> ToolCall:
    """Return the call that removes an unused label."""
    return ToolCall.of(account, "delete_label", {"id": label_id, "unusedOnly": True})


def leave_list(account: str, message_id: str) -> ToolCall:
    """Return the call that leaves the mailing list of a message."""
    return ToolCall.of(account, "unsubscribe", {"message_id": message_id})


def reply_automatically(account: str, message_id: str, body: str) -> ToolCall:
    """Return the call that answers a message's sender, marked as an automatic reply (RFC 3834)."""
    arguments = {"message_id": message_id, "body": body, "auto_submitted": True}
    return ToolCall.of(account, "reply_to_email", arguments)


def reply_as_draft(account: str, message_id: str, body: str) -> ToolCall:
    """Return the call that saves a reply to a message's sender as a draft."""
    return ToolCall.of(account, REPLY, {"message_id": message_id, "body": body, "draft": True})


def send_as_written(
    account: str, to: Sequence[str], subject: str, body: str, **more: Sequence[str] | str
) -> ToolCall:
    """Return the call that sends a plain-text mail; `more` are further arguments of the tool."""
    return ToolCall.of(account, SEND, {"to": list(to), "subject": subject, "body": body, **more})


def draft_as_written(
    account: str, to: Sequence[str], subject: str, body: str, **more: Sequence[str] | str
) -> ToolCall:
    """Return the call that saves such a mail as a draft."""
    return ToolCall.of(account, KEEP, {"to": list(to), "subject": subject, "body": body, **more})


def forward_as_written(
    account: str, message_id: str, to: Sequence[str], body: str, *, draft: bool = False
) -> ToolCall:
    """Return the call that forwards a message with its files, or saves this as a draft."""
    arguments = {"message_id": message_id, "to": list(to), "body": body, "draft": draft}
    return ToolCall.of(account, FORWARD, arguments)
