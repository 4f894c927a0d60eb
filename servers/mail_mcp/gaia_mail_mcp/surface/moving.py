"""Tools that change labels and flags of messages, move them to Trash or delete them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.tools import MOVING, moves
from gaia_email_registry.contract.wire import Failure, SpamResult, WriteResult
from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import Capability, PhishingReporter, WriteOutcome
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo
from gaia_mail_mcp.surface.refusals import no_deletion
from gaia_mail_mcp.surface.writes import (
    MessageChange,
    WritableState,
    change_each,
    change_labels,
    require_all,
    states,
    undo_of,
    ways_back,
    write_result,
)


@handles(inputs.ModifyEmail)
async def modify_email(surface: Surface, given: inputs.ModifyEmail) -> ToolReply:
    """Change the labels of one message; as in the convention, `addLabelIds` wins over `labelIds`."""
    answer = await change_each(surface, changes_of(given))
    require_all(WriteOutcome(ids=tuple(answer["ids"]), failed=tuple(answer["failed"])), "messageId")
    return ToolReply(text=convention.modify_email(given.message_id), data=answer)


@handles(inputs.BatchModifyEmails)
async def batch_modify_emails(surface: Surface, given: inputs.BatchModifyEmails) -> ToolReply:
    """Change the labels of many messages; `perMessage` adds changes to single ones."""
    answer = await change_each(surface, changes_of(given))
    text = convention.batch_modify_emails(len(answer["ids"]), answer["failed"])
    return ToolReply(text=text, data=answer)


def changes_of(given: inputs.ModifyEmail | inputs.BatchModifyEmails) -> dict[MessageChange, list[str]]:
    """Return the messages of each change, grouped so that the provider gets few calls."""
    if isinstance(given, inputs.ModifyEmail):
        add = given.add_label_ids if given.add_label_ids is not None else given.label_ids
        return {
            MessageChange(add=tuple(add or ()), remove=tuple(given.remove_label_ids or ())): [
                given.message_id
            ]
        }
    shared = MessageChange(add=tuple(given.add_label_ids or ()), remove=tuple(given.remove_label_ids or ()))
    groups: dict[MessageChange, list[str]] = {}
    for message_id in given.message_ids:
        change = shared
        extra = (given.per_message or {}).get(message_id)
        if extra is not None:
            change = MessageChange(
                add=(*shared.add, *extra.add),
                remove=(*shared.remove, *extra.remove),
                snooze_until=_time(extra.snooze_until) if extra.snooze_until else None,
            )
        groups.setdefault(change, []).append(message_id)
    return groups


def moved_by(name: str, given: inputs.ToolInput) -> list[str]:
    """Return the messages that a call hides, moves, snoozes or brings back."""
    match given:
        case inputs.ModifyEmail() | inputs.BatchModifyEmails():
            return [
                message_id
                for change, ids in changes_of(given).items()
                if change.snooze_until is not None or moves(change.add, change.remove)
                for message_id in ids
            ]
        case inputs.MessageIds() if name in MOVING:
            return list(given.ids)
        case _:
            return []


@handles(inputs.DeleteEmail)
async def delete_email(surface: Surface, given: inputs.DeleteEmail) -> ToolReply:
    """Move one message to Trash, or delete it permanently."""
    answer = await _delete(surface, [given.message_id], permanent=given.permanent)
    require_all(WriteOutcome(ids=tuple(answer["ids"]), failed=tuple(answer["failed"])), "messageId")
    return ToolReply(text=convention.delete_email(given.message_id), data=answer)


@handles(inputs.BatchDeleteEmails)
async def batch_delete_emails(surface: Surface, given: inputs.BatchDeleteEmails) -> ToolReply:
    """Move many messages to Trash, or delete them permanently."""
    answer = await _delete(surface, given.message_ids, permanent=given.permanent)
    text = convention.batch_delete_emails(len(answer["ids"]), answer["failed"])
    return ToolReply(text=text, data=answer)


async def _delete(surface: Surface, ids: Sequence[str], *, permanent: bool) -> WriteResult:
    if not permanent:
        return await _trash(surface, ids)
    require_deletion(surface)
    applied = await surface.mailbox.delete(ids)
    return write_result(applied.ids, applied.failed)


def require_deletion(surface: Surface) -> None:
    """Refuse permanent deletion if the mailbox does not support it.

    Raises:
        NeedsApproval: It does not.
    """
    if Capability.DELETE not in surface.source.capabilities:
        raise no_deletion()


async def _trash(surface: Surface, ids: Sequence[str]) -> WriteResult:
    before = await states(surface, ids)
    applied = await surface.mailbox.trash(ids)
    moved = [message_id for message_id in applied.ids if not _in_trash(before, message_id)]
    return write_result(applied.ids, applied.failed, undo("untrash_email", ids=moved) if moved else None)


@handles(inputs.MessageIds)
async def archive_email(surface: Surface, given: inputs.MessageIds) -> ToolReply:
    """Move messages out of the inbox."""
    return _reply("Archived", await change_labels(surface, given.ids, MessageChange(remove=("INBOX",))))


@handles(inputs.MessageIds)
async def trash_email(surface: Surface, given: inputs.MessageIds) -> ToolReply:
    """Move messages to Trash."""
    return _reply("Moved to Trash", await _trash(surface, given.ids))


@handles(inputs.MessageIds)
async def untrash_email(surface: Surface, given: inputs.MessageIds) -> ToolReply:
    """Take messages out of Trash, back to where they were."""
    before = await states(surface, given.ids)
    elsewhere = [id_ for id_ in dict.fromkeys(given.ids) if id_ in before and not _in_trash(before, id_)]
    applied = await surface.mailbox.untrash([id_ for id_ in given.ids if id_ not in elsewhere])
    failed = [*applied.failed, *(Failure(id=id_, error="it is not in Trash") for id_ in elsewhere)]
    back = undo("trash_email", ids=list(applied.ids)) if applied.ids else None
    return _reply("Taken out of Trash", write_result(applied.ids, failed, back))


@handles(inputs.MarkRead)
async def mark_read(surface: Surface, given: inputs.MarkRead) -> ToolReply:
    """Mark messages as read or unread."""
    change = MessageChange(remove=("UNREAD",)) if given.read else MessageChange(add=("UNREAD",))
    answer = await _toggle(surface, given.ids, change, "mark_read", "read", given.read)
    return _reply("Marked as read" if given.read else "Marked as unread", answer)


@handles(inputs.StarEmail)
async def star_email(surface: Surface, given: inputs.StarEmail) -> ToolReply:
    """Add or remove a star."""
    change = MessageChange(add=("STARRED",)) if given.starred else MessageChange(remove=("STARRED",))
    answer = await _toggle(surface, given.ids, change, "star_email", "starred", given.starred)
    return _reply("Starred" if given.starred else "Star removed", answer)


async def _toggle(
    surface: Surface, ids: Sequence[str], change: MessageChange, tool: str, argument: str, on: bool
) -> WriteResult:
    """Change labels through a tool whose undo is the same tool with the opposite value."""
    answer = await change_labels(surface, ids, change)
    if "undo" in answer:
        changed = answer["undo"]["arguments"]["messageIds"]
        answer["undo"] = undo(tool, ids=changed, **{argument: not on})
    return answer


@handles(inputs.ReportSpam)
async def report_spam(surface: Surface, given: inputs.ReportSpam) -> ToolReply:
    """Move messages to Spam; with `phishing`, also report them to the provider if it accepts reports."""
    changed = await change_labels(surface, given.ids, MessageChange(add=("SPAM",), remove=("INBOX",)))
    mailbox = surface.mailbox
    told = given.phishing and Capability.REPORT_PHISHING in mailbox.capabilities
    if told and changed["ids"] and isinstance(mailbox, PhishingReporter):
        await mailbox.report_phishing(changed["ids"])
    answer: SpamResult = {**changed, "phishing": told}
    reply = _reply("Reported as phishing" if told else "Reported as spam", answer)
    if not given.phishing or told:
        return reply
    text = f"{reply.text}\nThis provider takes no phishing reports from programs: report it on its own page."
    return ToolReply(text=text, data=answer)


@handles(inputs.SnoozeEmail)
async def snooze_email(surface: Surface, given: inputs.SnoozeEmail) -> ToolReply:
    """Take messages out of the inbox until a given time."""
    until = _time(given.until)
    before = await states(surface, given.ids)
    applied = await surface.mailbox.snooze(given.ids, until)
    answer = write_result(applied.ids, applied.failed, undo_of(await ways_back(surface, before, applied.ids)))
    return _reply(f"Snoozed until {until}", answer)


def _in_trash(before: Mapping[str, WritableState], message_id: str) -> bool:
    return message_id in before and "TRASH" in before[message_id].labels


def _time(text: str) -> str:
    from datetime import datetime

    try:
        instant = datetime.fromisoformat(text.strip())
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise BadArgument(
            "until must be a time with an offset, for example 2030-01-31T08:00:00+01:00.", argument="until"
        )
    return instant.isoformat()


def _reply(what: str, answer: WriteResult) -> ToolReply:
    count = len(answer["ids"])
    lines = [f"{what}: {count} {'message' if count == 1 else 'messages'}."]
    lines += [
        f"Failed: {convention.one_line(f['id'])} ({convention.one_line(f['error'])})"
        for f in answer["failed"]
    ]
    return ToolReply(text="\n".join(lines), data=answer)
