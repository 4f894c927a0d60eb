"""Questions about existing messages: deleting, moving, labelling, and leaving their list."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gaia_email_registry.contract import inputs
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.asking.changes import LabelEffect, effect_groups, tool_effect
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import NO_MESSAGE, StoredMessage
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.moving import changes_of, require_deletion
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion, digest, join_values

LOOKED_AT = 100
"""Maximum number of messages that are named and compared after the approval; the rest is counted."""

IN_BRIEF = 5
"""Number of messages named per change in the brief text."""

_PASSING = frozenset(("UNREAD", "IMPORTANT"))
"""Labels that change by reading a message, or that the provider changes by itself."""


async def about_deletion(surface: Surface, ids: Sequence[str], *, permanent: bool) -> ApprovalQuestion:
    """Return the question about moving messages to Trash or deleting them permanently."""
    if permanent:
        require_deletion(surface)
    effect = tool_effect("batch_delete_emails", {"permanent": permanent})
    return await _about_messages(surface, _upper(effect), ids)


async def about_labels(
    surface: Surface, given: inputs.ModifyEmail | inputs.BatchModifyEmails
) -> ApprovalQuestion:
    """Return the question about label changes: every effect with its messages; labels by name."""
    names = {label["id"]: label["name"] for label in await surface.mailbox.labels()}
    changes = [
        (
            LabelEffect(add=change.add, remove=change.remove, snooze_until=change.snooze_until or ""),
            concerned,
        )
        for change, concerned in changes_of(given).items()
    ]
    groups = [(_upper(effect), concerned) for effect, concerned in effect_groups(changes, names)]
    return await _about_groups(surface, groups, [id_ for _, concerned in changes for id_ in concerned])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


async def about_many(surface: Surface, name: str, given: inputs.MessageIds) -> ApprovalQuestion:
    """Return the question about a tool with one effect, if it has many messages."""
    effect = tool_effect(name, given.model_dump(by_alias=True))
    return await _about_messages(surface, _upper(effect), given.ids)


async def about_leaving(surface: Surface, message_id: str) -> ApprovalQuestion:
    """Return the question about leaving a message's list, with the address that is asked."""
    stored = await surface.mailbox.read([message_id], raw=True)
    if not stored:
        raise _absent([message_id])
    headers = parse_message(stored[0].raw or b"").headers
    links = headers.get_all("list-unsubscribe")
    if not links or not headers.get_all("list-unsubscribe-post"):
        raise BadArgument("This message offers no one-click unsubscribe (RFC 8058).", argument="message_id")
    shown = await _about_messages(surface, "Leave the mailing list", [message_id])
    where = "\n".join(f"│ {convention.one_line(link)[:500]}" for link in links)
    return ApprovalQuestion(
        text=f"{shown.text}\nThe sender's server is asked, at the address that the message names:\n{where}",
        content=digest((shown.content.encode(), *(link.encode() for link in links))),
    )


async def _about_messages(surface: Surface, what: str, ids: Sequence[str]) -> ApprovalQuestion:
    wanted = tuple(dict.fromkeys(ids))
    return await _about_groups(surface, [(what, wanted)], wanted)


async def _about_groups(
    surface: Surface, groups: Sequence[tuple[str, Sequence[str]]], ids: Sequence[str]
) -> ApprovalQuestion:
    """Return the question about effects on messages; `groups` may name one of `ids` several times."""
    wanted = list(dict.fromkeys(ids))
    stored = await surface.mailbox.read(wanted[:LOOKED_AT], raw=False)
    if not stored and len(wanted) <= LOOKED_AT:
        raise _absent(wanted)
    there = {item.summary["id"]: item for item in stored}
    looked_at = frozenset(wanted[:LOOKED_AT])

    def compose(most: int) -> str:
        lines = [f"Change {_messages(len(wanted))} in these ways?"] if len(groups) > 1 else []
        for what, concerned in groups:
            lines.append(f"{what}: {_messages(len(concerned))}{'?' if len(groups) == 1 else ''}")
            found = [there[message_id] for message_id in concerned if message_id in there]
            lines += [_line(item) for item in found[:most]]
            absent = len(looked_at.intersection(concerned)) - len(found)
            more = len(concerned) - absent - len(found[:most])
            lines += [f"and {more} more"] if more > 0 else []
            lines += (
                [f"{absent} of them {'is' if absent == 1 else 'are'} not there any more"] if absent else []
            )
        return "\n".join(lines)

    return ApprovalQuestion(
        text=compose(LOOKED_AT), brief=compose(IN_BRIEF), content=_label_digest(wanted, stored)
    )


def _messages(count: int) -> str:
    return f"{count} {'message' if count == 1 else 'messages'}"


def _line(item: StoredMessage) -> str:
    subject = convention.one_line(item.summary["subject"]) or "(no subject)"
    places = [label for label in item.summary["labels"] if label not in _PASSING]
    where = f" ({join_values(sorted(places)[:5])})" if places else ""
    return f"- {subject}, from {convention.one_line(convention.address(item.summary))}{where}"


def _label_digest(ids: Sequence[str], stored: Sequence[StoredMessage]) -> str:
    where = {item.summary["id"]: sorted(set(item.summary["labels"]) - _PASSING) for item in stored}
    return digest([json.dumps([list(ids), where], sort_keys=True).encode()])


def _absent(ids: Sequence[str]) -> NotFound:
    if len(ids) == 1:
        return NotFound(f"Message {convention.one_line(ids[0])[:80]}: {NO_MESSAGE}", argument="ids")
    return NotFound(
        "None of these messages is there; search for them again. Nothing was done.", argument="ids"
    )
