"""Items waiting for the user, as this server lists and shows them. Entries: `list_waiting`, `asked_about`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.short import plain
from gaia_email.app.operations import questions
from gaia_email.app.operations.questions import WaitingInput
from gaia_email.interfaces.cli.pending_lines import confirmation_lines
from gaia_email.interfaces.mcp.served_mailbox import ServedMailbox

SHOWN = 10
"""Maximum messages named in a question; the rest are counted."""


async def list_waiting(served: ServedMailbox, limit: int) -> Json:
    """Return the waiting items, oldest first."""
    document = await served.document(questions.waiting, WaitingInput())
    rows = [_row(one) for one in document["waiting"]]
    return {"total": len(rows), "shown": min(limit, len(rows)), "items": rows[:limit]}


def _row(waiting: Mapping[str, Any]) -> Json:
    call, item = waiting["confirmation"], waiting["item"]
    if call is not None:
        text = plain(call["text"] if call["server"] else confirmation_lines(call)[0])
        return {"id": call["id"], "type": "confirmation", "text": text, "origin": call["origin"]["text"]}
    messages = waiting["messages"]
    return {
        "id": item["id"],
        "type": item["type"],
        "cohort": item["cohort"] or None,
        "text": plain(item["proposal"]["text"]),
        "messages": [
            {"id": one["id"], "from": plain(one["address"], 120), "subject": plain(one["subject"], 160)}
            for one in messages[:SHOWN]
        ],
        "message_count": len(messages),
        "why": plain(item["why"]),
        "origin": item["origin"]["text"],
    }


async def asked_about(served: ServedMailbox, given: str, *, yes: bool) -> tuple[str, str]:
    """Return a waiting item's full id, and the question for the user, which code builds from the proposed action.

    Raises:
        ToolError: No waiting item has this id, or the ledger cannot be read.
    """
    document = await served.document(questions.waiting, WaitingInput(id=given))
    (waiting,) = document["waiting"]
    verb = "Approve this?" if yes else "Do nothing of this?"
    call = waiting["confirmation"]
    if call is None:
        return waiting["id"], _item_question(waiting, verb)
    # The remaining time is not shown, so that the question stays the same while it is being answered.
    at = call["created_at"] if call["server"] else call["expires_at"]
    lines = confirmation_lines(call, now=datetime.fromisoformat(at).timestamp())
    return waiting["id"], "\n".join([verb, *lines])


def _item_question(waiting: Mapping[str, Any], verb: str) -> str:
    item, messages = waiting["item"], waiting["messages"]
    lines = [f"{verb} {item['proposal']['text']}"]
    lines += [
        f"  {plain(one['name'], 60)} <{plain(one['address'], 120)}> · {plain(one['subject'], 160)}"
        for one in messages[:SHOWN]
    ]
    if len(messages) > SHOWN:
        lines.append(f"  and {len(messages) - SHOWN:,} more")
    if item["why"]:
        lines.append(f"  why: {plain(item['why'])}")
    lines.append(f"  {item['origin']['text']}")
    return "\n".join(lines)
