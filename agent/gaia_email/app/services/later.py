"""Messages that the user postponed: to answer later, or snoozed. Entry: `put_off`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email.actions.reply_later import REPLY_LATER
from gaia_email.app import App
from gaia_email.app.services.opening import with_copy
from gaia_email.document import Count, Document, NamedAddress, Timestamp, named_address
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.triage.surveying import summaries_of
from gaia_mail.snoozing import snoozed_until

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_email_registry.contract.wire import Summary


class PutOffMessage(Document, frozen=True, kw_only=True):
    """A message; `until` is the time at which a snoozed one returns."""

    id: str
    account: str
    from_: NamedAddress
    subject: str
    date: str | None
    until: Timestamp | None


class PutOffMail(Document, frozen=True, kw_only=True):
    """Messages to answer later, oldest first, and snoozed ones, next to return first."""

    total: Count
    reply_later: list[PutOffMessage]
    snoozed: list[PutOffMessage]


def put_off(app: App, sources: Sequence[SourceSpec]) -> PutOffMail:
    """List the messages to answer later and the snoozed ones."""
    queue: list[Summary] = []
    snoozed: list[tuple[Summary, float]] = []

    async def look(mail: MailReader) -> None:
        labels = {one["id"]: one["name"] for one in await mail.labels()}
        ours = {id_: name for id_, name in labels.items() if name.startswith("gaia/")}
        if not ours:
            return
        async for summary in summaries_of(mail, None):
            for name in (ours[one] for one in summary["labels"] if one in ours):
                until = snoozed_until(name)
                if name.casefold() == REPLY_LATER:
                    queue.append(summary)
                elif until is not None:
                    snoozed.append((summary, until))

    for source in sources:
        with_copy(app, source, look, now=app.clock())
    queue.sort(key=lambda one: parse_date(one["date"]) or 0.0)
    snoozed.sort(key=lambda pair: (pair[1], pair[0]["id"]))
    return PutOffMail(
        total=len(queue) + len(snoozed),
        reply_later=[_message(one, None) for one in queue],
        snoozed=[_message(one, Timestamp(until)) for one, until in snoozed],
    )


def _message(one: Summary, until: Timestamp | None) -> PutOffMessage:
    return PutOffMessage(
        id=one["id"],
        account=one["account"],
        from_=named_address(one["from"]),
        subject=one["subject"],
        date=one["date"] or None,
        until=until,
    )
