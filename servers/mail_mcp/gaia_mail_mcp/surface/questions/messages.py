"""Questions about messages that are there: to delete, to move, to label, to leave the list of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from gaia_email_registry.contract import inputs
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import NO_MESSAGE, StoredMessage
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.moving import changes_of, require_deletion
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion, digest, listed
from gaia_mail_mcp.surface.writes import MessageChange

LOOKED_AT = 100
"""Messages of a large change that are named, and whose places are compared after the yes; the rest is counted."""

IN_BRIEF = 5
"""Of those, the messages of each change that are named where there is little room."""

_PASSING = frozenset(("UNREAD", "IMPORTANT"))
"""Labels that reading a message changes, or the provider by itself."""


async def about_deletion(surface: Surface, ids: Sequence[str], *, permanent: bool) -> ApprovalQuestion:
    """To Trash, or away for good."""
    if permanent:
        require_deletion(surface)
    what = "Delete for good, without Trash" if permanent else "Move to Trash"
    return await _about_messages(surface, what, ids)


async def about_labels(
    surface: Surface, given: inputs.ModifyEmail | inputs.BatchModifyEmails
) -> ApprovalQuestion:
    """Everything that happens to any of the messages, and to which; labels by their names."""
    names = {label["id"]: label["name"] for label in await surface.mailbox.labels()}
    happens: dict[str, list[str]] = {}
    ids: list[str] = []
    for change, concerned in changes_of(given).items():
        ids += concerned
        for effect in _effects(change, names) or ["change nothing"]:
            happens.setdefault(effect, []).extend(concerned)
    together: dict[tuple[str, ...], list[str]] = {}
    for effect, concerned in happens.items():
        together.setdefault(tuple(dict.fromkeys(concerned)), []).append(effect)
    groups = [(_upper(" and ".join(effects)), concerned) for concerned, effects in together.items()]
    return await _about_groups(surface, groups, ids)


def _effects(change: MessageChange, names: Mapping[str, str]) -> list[str]:
    """What a change does, one after the other."""
    found = [_ADDED.get(id_) or f"add {listed([names.get(id_, id_)])}" for id_ in change.add]
    found += [_REMOVED.get(id_) or f"remove {listed([names.get(id_, id_)])}" for id_ in change.remove]
    found += [f"take out of the inbox until {listed([change.snooze_until])}"] if change.snooze_until else []
    return list(dict.fromkeys(found))


_ADDED = {
    "INBOX": "move to the inbox",
    "SPAM": "move to Spam",
    "TRASH": "move to Trash",
    "STARRED": "star",
    "UNREAD": "mark as unread",
}
_REMOVED = {
    "INBOX": "take out of the inbox",
    "SPAM": "take out of Spam",
    "TRASH": "take out of Trash",
    "STARRED": "take the star away",
    "UNREAD": "mark as read",
}


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


async def about_many(surface: Surface, name: str, given: inputs.MessageIds) -> ApprovalQuestion:
    """Tools that take nothing but messages, when they are many."""
    match given:
        case inputs.MarkRead():
            what = "Mark as read" if given.read else "Mark as unread"
        case inputs.StarEmail():
            what = "Star" if given.starred else "Take the star away"
        case inputs.ReportSpam():
            what = "Report as phishing and move to Spam" if given.phishing else "Move to Spam"
        case inputs.SnoozeEmail():
            what = f"Take out of the inbox until {convention.one_line(given.until)}"
        case _:
            what = _PLAIN.get(name, f"Run {name}")
    return await _about_messages(surface, what, given.ids)


_PLAIN = {
    "archive_email": "Archive",
    "trash_email": "Move to Trash",
    "untrash_email": "Take out of Trash",
}


async def about_leaving(surface: Surface, message_id: str) -> ApprovalQuestion:
    """The list of a message: who is asked, and by which message."""
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
    """What happens to which messages; `groups` may name one of `ids` several times."""
    wanted = list(dict.fromkeys(ids))
    stored = await surface.mailbox.read(wanted[:LOOKED_AT], raw=False)
    if not stored and len(wanted) <= LOOKED_AT:
        raise _absent(wanted)
    there = {item.summary["id"]: item for item in stored}
    looked_at = frozenset(wanted[:LOOKED_AT])

    def told(most: int) -> str:
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

    return ApprovalQuestion(text=told(LOOKED_AT), brief=told(IN_BRIEF), content=_label_digest(wanted, stored))


def _messages(count: int) -> str:
    return f"{count} {'message' if count == 1 else 'messages'}"


def _line(item: StoredMessage) -> str:
    subject = convention.one_line(item.summary["subject"]) or "(no subject)"
    places = [label for label in item.summary["labels"] if label not in _PASSING]
    where = f" ({listed(sorted(places)[:5])})" if places else ""
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
