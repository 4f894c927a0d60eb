"""Draft tools: create, change, list, delete."""

from __future__ import annotations

import base64

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import DraftResult, DraftsResult, DraftSummary, Undo
from gaia_email_registry.errors import NotFound
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import Draft
from gaia_mail_mcp.surface import outgoing, texts
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo
from gaia_mail_mcp.surface.writes import write_result

MAX_UNDO_BYTES = 1_000_000
"""Largest draft that is included in an undo."""


@handles(inputs.DraftEmail)
async def draft_email(surface: Surface, given: inputs.DraftEmail) -> ToolReply:
    """Create a draft."""
    built = await outgoing.build_message(surface, given)
    draft = await surface.mailbox.create_draft(built.raw, built.thread_id)
    return ToolReply(text=convention.draft_email(draft.id), data=draft_result(draft))


@handles(inputs.UpdateDraft)
async def update_draft(surface: Surface, given: inputs.UpdateDraft) -> ToolReply:
    """Replace parts of a draft; fields that are not given stay."""
    before = await outgoing.find_draft(surface, given.draft_id)
    raw = await outgoing.edit_draft(surface, before.raw, given)
    draft = await surface.mailbox.update_draft(given.draft_id, raw)
    answer = draft_result(draft)
    answer.pop("undo", None)
    if len(before.raw) <= MAX_UNDO_BYTES:
        answer["undo"] = undo("update_draft", draft_id=draft.id, raw=_encode(before.raw))
    return ToolReply(text=f"Draft {draft.id} updated.", data=answer)


@handles(inputs.ListDrafts)
async def list_drafts(surface: Surface, given: inputs.ListDrafts) -> ToolReply:
    """List the drafts, newest first."""
    found = await surface.mailbox.drafts(limit=given.limit)
    messages = await surface.mailbox.read([draft.message_id for draft in found], raw=False)
    by_id = {item.summary["id"]: item.summary for item in messages}
    drafts: list[DraftSummary] = [
        {"id": draft.id, "email": by_id[draft.message_id]} for draft in found if draft.message_id in by_id
    ]
    answer: DraftsResult = {"drafts": drafts}
    lines = [f"Draft ID: {draft['id']}\n{texts.summaries([draft['email']], None)}" for draft in drafts]
    return ToolReply(text="\n".join(lines) or "No drafts.", data=answer)


@handles(inputs.DeleteDraft)
async def delete_draft(surface: Surface, given: inputs.DeleteDraft) -> ToolReply:
    """Delete a draft; the undo stores it again, under another id."""
    before = await outgoing.find_draft(surface, given.draft_id)
    raw = await surface.mailbox.delete_draft(given.draft_id)
    answer = write_result([given.draft_id], back=_again(raw, await _kept_thread(surface, before.thread_id)))
    return ToolReply(text=f"Draft {given.draft_id} deleted.", data=answer)


def draft_result(draft: Draft) -> DraftResult:
    """Return the result of storing a draft."""
    return {
        "ok": True,
        "ids": [draft.id],
        "failed": [],
        "message_id": draft.message_id,
        "thread_id": draft.thread_id,
        "undo": undo("delete_draft", draft_id=draft.id),
    }


async def _kept_thread(surface: Surface, thread_id: str | None) -> dict[str, str]:
    """Return the draft's conversation as an argument, if it exists without the draft."""
    if thread_id is None:
        return {}
    try:
        await surface.mailbox.thread(thread_id)
    except NotFound:
        return {}
    return {"threadId": thread_id}


def _again(raw: bytes, thread: dict[str, str]) -> Undo | None:
    """Return the call that stores the bytes as a draft again; its other arguments only satisfy the schema."""
    if len(raw) > MAX_UNDO_BYTES:
        return None
    from gaia_mail.mime.read import parse_message

    message = parse_message(raw)
    return undo(
        "draft_email",
        to=[mailbox.address for mailbox in message.to],
        subject=message.subject,
        body=message.text,
        raw=_encode(raw),
        **thread,
    )


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii")
