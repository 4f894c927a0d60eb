"""What waits for later: the queue to be answered, and what is snoozed. Entry: `later_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from gaia_email.app.documents.followups import person_row
from gaia_email.document import Count, FromAddress, Time, Version, at_if_known, clean
from gaia_email_registry.contract.wire import Summary


class LaterRow(FromAddress):
    """A message; `until` is when a snoozed one comes back."""

    id: str
    account: str
    subject: str
    date: str | None
    until: Time | None


class LaterDocument(TypedDict):
    """What `later` prints, the oldest of the queue and the next to come back first."""

    schema_version: Version
    total: Count
    reply_later: list[LaterRow]
    snoozed: list[LaterRow]


LATER_DOCUMENTS: dict[str, object] = {"later": LaterDocument}


def later_document(queue: Sequence[Summary], snoozed: Sequence[tuple[Summary, float]]) -> LaterDocument:
    """Both lists in their order."""
    return {
        "schema_version": 1,
        "total": len(queue) + len(snoozed),
        "reply_later": [_row(one, None) for one in queue],
        "snoozed": [_row(one, until) for one, until in snoozed],
    }


def _row(one: Summary, until: float | None) -> LaterRow:
    return {
        "id": one["id"],
        "account": clean(one["account"]),
        "from": person_row(one["from"]),
        "subject": clean(one["subject"]),
        "date": one["date"] or None,
        "until": at_if_known(until),
    }
