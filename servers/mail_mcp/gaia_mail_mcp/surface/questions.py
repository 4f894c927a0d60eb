"""What the user is shown before a destructive call: made here from the exact arguments. Entry: `question`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.inputs import ToolInput
from gaia_mail_mcp import convention
from gaia_mail_mcp.surface.call import Surface

_SHOWN_TEXT = 600
_SHOWN_MESSAGES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` is shown; `content` is a digest of what is too long to show but must not change either."""

    text: str
    content: str = ""


async def question(surface: Surface, name: str, given: ToolInput) -> Question:
    """What `name` would do with these arguments.

    Raises:
        MailError: Something it is about does not exist.
    """
    match given:
        case inputs.SendEmail():
            return _send(surface, given)
        case inputs.ReplyToEmail() | inputs.ForwardEmail() | inputs.SendDraft():
            return await _prepared(surface, given)
        case inputs.DeleteEmail():
            return await _about_messages(surface, _delete(given.permanent), [given.message_id])
        case inputs.BatchDeleteEmails():
            return await _about_messages(surface, _delete(given.permanent), given.message_ids)
        case inputs.BatchModifyEmails():
            added = ", ".join(given.add_label_ids or ()) or "nothing"
            removed = ", ".join(given.remove_label_ids or ()) or "nothing"
            what = f"Add {added} and remove {removed}"
            what += ", each only where that was changed since" if given.since else ""
            return await _about_messages(surface, what, given.message_ids)
        case inputs.Unsubscribe():
            return await _about_messages(surface, "Unsubscribe from the list", [given.message_id])
        case inputs.SetVacation():
            from gaia_mail_mcp.surface.vacation import wanted_answer

            told = await wanted_answer(surface, given)
            return Question(text=f"Answer everybody who writes, by itself?\n{_printable(told)}", content=told)
        case inputs.CreateCalendarEvent() | inputs.RespondToInvitation() | inputs.DeleteCalendarEvent():
            return await _about_event(surface, given)
        case _:
            return await _about_rules(surface, name, given)


def _delete(permanent: bool) -> str:
    return "Delete for good, without Trash" if permanent else "Move to Trash"


def _send(surface: Surface, given: inputs.SendEmail) -> Question:
    from gaia_mail_mcp.surface.jail import load
    from gaia_mail_mcp.surface.outgoing import check_head

    check_head(given)
    files = load(surface.settings.attachment_dir, given.attachments or [])
    text = mail_question(
        "Send this email?",
        sender=given.from_ or "",
        to=given.to,
        cc=given.cc or (),
        bcc=given.bcc or (),
        subject=given.subject,
        body=(given.body or given.html_body or "") + ("\n\n[and your signature]" if given.signature else ""),
        attachments=[f"{name} ({len(content)} bytes)" for name, content in files],
    )
    return Question(text=text, content=digest(content for _, content in files))


async def _prepared(
    surface: Surface, given: inputs.ReplyToEmail | inputs.ForwardEmail | inputs.SendDraft
) -> Question:
    """A reply, a forward or a stored draft, as it would go out."""
    from gaia_mail_mcp.mime.read import parse_message
    from gaia_mail_mcp.surface import outgoing

    match given:
        case inputs.ReplyToEmail():
            built = await outgoing.reply(surface, given)
        case inputs.ForwardEmail():
            built = await outgoing.forwarded(surface, given)
        case inputs.SendDraft():
            built = await outgoing.find_draft(surface, given.draft_id)
    message = parse_message(built.raw)
    sender = message.sender
    text = mail_question(
        "Send this email?",
        sender=""
        if sender is None or _is_own(surface, sender.address)
        else _shown(sender.name, sender.address),
        to=[_shown(mailbox.name, mailbox.address) for mailbox in message.to],
        cc=[_shown(mailbox.name, mailbox.address) for mailbox in message.cc],
        bcc=[_shown(mailbox.name, mailbox.address) for mailbox in message.bcc],
        subject=message.subject,
        body=message.text or message.html,
        attachments=[
            f"{part.filename or part.content_type} ({part.size} bytes)" for part in message.attachments
        ],
    )
    bodies = (message.text.encode(), message.html.encode())
    return Question(text=text, content=digest((*bodies, *(part.content for part in message.attachments))))


def mail_question(
    asked: str,
    *,
    sender: str = "",
    to: Sequence[str],
    cc: Sequence[str],
    bcc: Sequence[str],
    subject: str,
    body: str,
    attachments: Sequence[str],
) -> str:
    """An email as the user checks it: every recipient, the subject, the beginning of the text, the files.

    `sender` is empty where it is the account itself.
    """
    lines = [asked, *([f"From: {convention.one_line(sender)}"] if sender else []), f"To: {_listed(to)}"]
    lines += [f"Cc: {_listed(cc)}"] if cc else []
    lines += [f"Bcc: {_listed(bcc)}"] if bcc else []
    lines.append(f"Subject: {convention.one_line(subject)}")
    lines += [f"Attachments: {_listed(attachments)}"] if attachments else []
    more = "" if len(body) <= _SHOWN_TEXT else f"\n[{len(body) - _SHOWN_TEXT} more characters]"
    return "\n".join(lines) + f"\n\n{_printable(body[:_SHOWN_TEXT])}{more}"


async def _about_messages(surface: Surface, what: str, ids: Sequence[str]) -> Question:
    stored = await surface.mailbox.read(ids[:_SHOWN_MESSAGES], raw=False)
    lines = [f"{what}: {len(ids)} {'message' if len(ids) == 1 else 'messages'}?"]
    lines += [
        f"- {convention.one_line(item.summary['subject']) or '(no subject)'}, "
        f"from {convention.one_line(convention.address(item.summary))}"
        for item in stored
    ]
    lines += [f"and {len(ids) - _SHOWN_MESSAGES} more"] if len(ids) > _SHOWN_MESSAGES else []
    return Question(text="\n".join(lines))


async def _about_rules(surface: Surface, name: str, given: ToolInput) -> Question:
    """Labels and filters: what stands, or falls, after the call."""
    from gaia_mail_mcp.surface import filters

    match given:
        case inputs.DeleteLabel():
            labels = await surface.mailbox.labels()
            names = [label["name"] for label in labels if label["id"] == given.id]
            label = convention.one_line(names[0] if names else given.id)
            return Question(text=f'Delete the label "{label}" and take it off every message?')
        case inputs.CreateFilter():
            criteria, action = filters.criteria_of(given.criteria), filters.action_of(given.action)
        case inputs.CreateFilterFromTemplate():
            criteria, action = filters.from_template(given)
        case inputs.DeleteFilter():
            found = await filters.find_filter(surface, given.filter_id)
            rule = f"{convention.pairs(found['criteria'])} → {convention.pairs(found['action'])}"
            return Question(text=f"Delete the filter {rule}?")
        case _:
            return Question(text=f"Run {name}?", content=given.model_dump_json())
    rule = f"{convention.pairs(criteria)} → {convention.pairs(action)}"
    return Question(text=f"Create a filter for all new mail: {rule}?")


async def _about_event(
    surface: Surface,
    given: inputs.CreateCalendarEvent | inputs.RespondToInvitation | inputs.DeleteCalendarEvent,
) -> Question:
    """What others would be told about an event, and who."""
    from gaia_mail_mcp.calendar_time import rfc3339
    from gaia_mail_mcp.surface import calendar

    store = calendar.store_of(surface)
    match given:
        case inputs.CreateCalendarEvent():
            new = await calendar.new_event(store, given)
            lines = [
                f"Create this event and invite {_listed(new.attendees)}?",
                f"Title: {convention.one_line(new.title)}",
                f"When: {rfc3339(new.start)} to {rfc3339(new.end)} ({new.time_zone})",
            ]
            lines += [f"Where: {convention.one_line(new.location)}"] if new.location else []
            text = "\n".join(lines) + f"\n\n{_printable(new.description[:_SHOWN_TEXT])}"
            return Question(text=text.rstrip(), content=digest([new.description.encode()]))
        case inputs.RespondToInvitation():
            event = await calendar.invited_to(surface, given)
            organizer = event["organizer"]
            whom = convention.one_line(_shown(organizer["name"], organizer["address"]))
            comment = f"\nComment: {convention.one_line(given.comment)}" if given.comment else ""
            asked = f"Answer {given.response} and tell {whom}?"
            return Question(text=f"{asked}\n{calendar.event_line(event)}{comment}")
        case inputs.DeleteCalendarEvent():
            event = await store.event(given.event_id)
            guests = [guest["address"] for guest in event["attendees"] if not guest["me"]]
            told = f" and tell {_listed(guests)}" if given.notify and guests else ""
            return Question(text=f"Delete this event{told}?\n{calendar.event_line(event)}")


def digest(parts: Iterable[bytes]) -> str:
    """Of all parts, told apart by their lengths."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def _is_own(surface: Surface, address: str) -> bool:
    return address.casefold() == surface.mailbox.account.casefold() or address.endswith("@localhost.invalid")


def _shown(name: str, address: str) -> str:
    return f"{name} <{address}>" if name else address


def _listed(values: Sequence[str]) -> str:
    return ", ".join(convention.one_line(value) for value in values)


def _printable(text: str) -> str:
    """Line ends stay, other control characters go: this is shown on a terminal or in a dialog."""
    return "\n".join(convention.one_line(line) for line in text.splitlines())
