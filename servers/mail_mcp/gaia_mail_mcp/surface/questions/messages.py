"""Questions about messages that are there: to delete, to move, to label, to leave the list of."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gaia_email_registry.contract import inputs
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import StoredMessage
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.moving import require_deletion
from gaia_mail_mcp.surface.questions.model import Question, digest, listed

SHOWN_MESSAGES = 5
LOOKED_AT = 100
"""Messages of a large change whose places are compared after the yes; of more, only that it is about them."""

_PASSING = frozenset(("UNREAD", "IMPORTANT"))
"""Labels that reading a message changes, or the provider by itself."""


async def about_deletion(surface: Surface, ids: Sequence[str], *, permanent: bool) -> Question:
    """To Trash, or away for good."""
    if permanent:
        require_deletion(surface)
    what = "Delete for good, without Trash" if permanent else "Move to Trash"
    return await _about_messages(surface, what, ids)


async def about_labels(surface: Surface, given: inputs.BatchModifyEmails) -> Question:
    """What is added and removed, by the names of labels."""
    names = {label["id"]: label["name"] for label in await surface.mailbox.labels()}
    added, removed = given.add_label_ids or [], given.remove_label_ids or []
    parts = [f"add {listed([names.get(id_, id_) for id_ in added])}"] if added else []
    parts += [f"remove {listed([names.get(id_, id_) for id_ in removed])}"] if removed else []
    parts += ["change each in its own way"] if given.per_message else []
    what = " and ".join(parts) or "change nothing"
    what = what[0].upper() + what[1:]
    return await _about_messages(surface, what, given.message_ids)


async def about_many(surface: Surface, name: str, given: inputs.MessageIds) -> Question:
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


async def about_leaving(surface: Surface, message_id: str) -> Question:
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
    return Question(
        text=f"{shown.text}\nThe sender's server is asked, at the address that the message names:\n{where}",
        content=digest((shown.content.encode(), *(link.encode() for link in links))),
    )


async def _about_messages(surface: Surface, what: str, ids: Sequence[str]) -> Question:
    wanted = list(dict.fromkeys(ids))
    stored = await surface.mailbox.read(wanted[:LOOKED_AT], raw=False)
    if not stored and len(wanted) <= LOOKED_AT:
        raise _absent(wanted)
    absent = len(wanted[:LOOKED_AT]) - len(stored)
    lines = [f"{what}: {len(wanted)} {'message' if len(wanted) == 1 else 'messages'}?"]
    lines += [_line(item) for item in stored[:SHOWN_MESSAGES]]
    more = len(wanted) - absent - len(stored[:SHOWN_MESSAGES])
    lines += [f"and {more} more"] if more > 0 else []
    lines += [f"{absent} of them {'is' if absent == 1 else 'are'} not there any more"] if absent else []
    return Question(text="\n".join(lines), content=_places(wanted, stored))


def _line(item: StoredMessage) -> str:
    subject = convention.one_line(item.summary["subject"]) or "(no subject)"
    places = [label for label in item.summary["labels"] if label not in _PASSING]
    where = f" ({listed(sorted(places)[:5])})" if places else ""
    return f"- {subject}, from {convention.one_line(convention.address(item.summary))}{where}"


def _places(ids: Sequence[str], stored: Sequence[StoredMessage]) -> str:
    where = {item.summary["id"]: sorted(set(item.summary["labels"]) - _PASSING) for item in stored}
    return digest([json.dumps([list(ids), where], sort_keys=True).encode()])


def _absent(ids: Sequence[str]) -> NotFound:
    if len(ids) == 1:
        return NotFound(
            f"Message {convention.one_line(ids[0])[:80]}: there is no such message", argument="ids"
        )
    return NotFound(
        "None of these messages is there; search for them again. Nothing was done.", argument="ids"
    )
