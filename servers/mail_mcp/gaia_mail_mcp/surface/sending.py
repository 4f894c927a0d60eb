"""Sending tools: `send_email`, `reply_to_email`, `forward_email`, `send_draft`, `unsubscribe`."""

from __future__ import annotations

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import SendResult, UnsubscribeResult
from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import Capability, Unsubscriber
from gaia_mail_mcp.surface import outgoing
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles
from gaia_mail_mcp.surface.drafts import draft_result
from gaia_mail_mcp.surface.outgoing import OutgoingMessage
from gaia_mail_mcp.surface.writes import write_result

Sending = inputs.SendEmail | inputs.ReplyToEmail | inputs.ForwardEmail | inputs.SendDraft
"""Calls that send mail, unless a reply or a forward is asked to store a draft."""


async def prepare_message(surface: Surface, given: Sending) -> OutgoingMessage:
    """Return exactly the bytes that the call would send.

    Raises:
        NeedsApproval: This server does not send.
        MailError: There is nothing to send.
    """
    _require_sending(surface)
    match given:
        case inputs.SendEmail():
            return await outgoing.build_message(surface, given)
        case inputs.ReplyToEmail():
            return await outgoing.reply(surface, given)
        case inputs.ForwardEmail():
            return await outgoing.forward(surface, given)
        case inputs.SendDraft():
            return await outgoing.find_draft(surface, given.draft_id)


async def deliver(surface: Surface, given: Sending, built: OutgoingMessage) -> ToolReply:
    """Send exactly what was prepared for the call."""
    if isinstance(given, inputs.SendDraft):
        return _sent(await surface.mailbox.send_draft(given.draft_id, built.raw))
    return await _send(surface, built)


@handles(inputs.SendEmail)
async def send_email(surface: Surface, given: inputs.SendEmail) -> ToolReply:
    """Send a new email."""
    return await _send(surface, await outgoing.build_message(surface, given))


@handles(inputs.ReplyToEmail)
async def reply_to_email(surface: Surface, given: inputs.ReplyToEmail) -> ToolReply:
    """Reply in the thread."""
    return await _send_or_store(surface, await outgoing.reply(surface, given), draft=given.draft)


@handles(inputs.ForwardEmail)
async def forward_email(surface: Surface, given: inputs.ForwardEmail) -> ToolReply:
    """Forward a message."""
    return await _send_or_store(surface, await outgoing.forward(surface, given), draft=given.draft)


@handles(inputs.SendDraft)
async def send_draft(surface: Surface, given: inputs.SendDraft) -> ToolReply:
    """Send a draft as it is stored now."""
    _require_sending(surface)
    message_id = await surface.mailbox.send_draft(given.draft_id)
    return _sent(message_id)


@handles(inputs.Unsubscribe)
async def unsubscribe(surface: Surface, given: inputs.Unsubscribe) -> ToolReply:
    """Unsubscribe from a mailing list with one click (RFC 8058)."""
    if not isinstance(surface.mailbox, Unsubscriber):
        raise BadArgument("This mailbox cannot unsubscribe.")
    outcome = await surface.mailbox.unsubscribe(given.message_id)
    answer: UnsubscribeResult = {
        **write_result([given.message_id]),
        "host": outcome.host,
        "status": outcome.status,
        "at": outcome.at,
    }
    text = f"Unsubscribed: {outcome.host} took the request ({outcome.status})."
    return ToolReply(text=text, data=answer)


async def _send_or_store(surface: Surface, built: OutgoingMessage, *, draft: bool) -> ToolReply:
    if not draft:
        return await _send(surface, built)
    made = await surface.mailbox.create_draft(built.raw, built.thread_id)
    return ToolReply(text=convention.draft_email(made.id), data=draft_result(made))


async def _send(surface: Surface, built: OutgoingMessage) -> ToolReply:
    _require_sending(surface)
    return _sent(await surface.mailbox.send(built.raw, built.thread_id))


def _sent(message_id: str) -> ToolReply:
    answer: SendResult = {"ok": True, "ids": [message_id], "failed": []}
    return ToolReply(text=convention.send_email(message_id), data=answer)


def _require_sending(surface: Surface) -> None:
    if Capability.SEND not in surface.source.capabilities:
        raise NeedsApproval(
            "This server does not send; nothing was sent. Set draft to true to store it as a draft.",
            argument="draft",
        )
