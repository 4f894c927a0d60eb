"""Streams of events over HTTP (text/event-stream, WHATWG HTML 9.2). Entries: `query_stream`, `feed_stream`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from sse_starlette import EventSourceResponse, ServerSentEvent

from gaia_email.app.services.feed import EventFeed, FeedReset, item_ids_of
from gaia_email.document import at
from gaia_email_registry.errors import BadArgument
from gaia_mail.printable import safe_json

if TYPE_CHECKING:
    from gaia_email.ledger import LedgerEvent

HEARTBEAT_S = 10
"""Seconds between two comments while there are no events."""


def query_stream(events: AsyncGenerator[Mapping[str, object], None]) -> EventSourceResponse:
    """Return the events of a query, one JSON object per `data:` line; the run ends when the caller disconnects."""

    async def lines() -> AsyncIterator[ServerSentEvent]:
        async with aclosing(events):
            async for event in events:
                yield ServerSentEvent(data=_json(event))

    return _stream(lines())


def feed_stream(
    feed: EventFeed,
    *,
    holds: Callable[[], bool],
    after: int | None,
    kinds: Collection[str],
    account: str | None,
    run_id: str | None,
) -> EventSourceResponse:
    """Return new entries of the event log with their numbers; `reset` if the next numbers no longer exist.

    The stream ends when `holds` returns False, that is, when its credential becomes invalid.
    """

    async def lines() -> AsyncIterator[ServerSentEvent]:
        events = feed.events(after=after, kinds=kinds, account_id=account, run_id=run_id)
        async with aclosing(events):
            coming = asyncio.ensure_future(anext(events, None))
            try:
                while holds():
                    if not (await asyncio.wait((coming,), timeout=HEARTBEAT_S))[0]:
                        continue
                    if (event := coming.result()) is None or not holds():
                        return
                    yield _told(event)
                    coming = asyncio.ensure_future(anext(events, None))
            finally:
                coming.cancel()
                with suppress(asyncio.CancelledError):
                    await coming

    return _stream(lines())


def _told(event: LedgerEvent | FeedReset) -> ServerSentEvent:
    if isinstance(event, FeedReset):
        return ServerSentEvent(event="reset", data=_json({"oldest": event.oldest}))
    return ServerSentEvent(id=str(event.seq), event=event.kind, data=_json(feed_row(event)))


def feed_row(event: LedgerEvent) -> dict[str, object]:
    """Return an event as logged; the log never contains a message body."""
    return {
        "seq": event.seq,
        "at": at(event.at),
        "kind": event.kind,
        "actor": event.actor,
        "account": event.account_id,
        "message_id": event.message_id,
        "run_id": event.run_id,
        "session_id": event.session_id,
        "action_id": event.action_id,
        "sender": event.sender,
        "subject": event.subject,
        "item_ids": item_ids_of(event),
        "payload": event.payload,
    }


def last_seen(header: str | None) -> int | None:
    """Return the number in `Last-Event-ID`; None if the header is empty.

    Raises:
        BadArgument: It is not a number.
    """
    if not header:
        return None
    if not header.isascii() or not header.isdecimal() or len(header) > 18:
        raise BadArgument("Last-Event-ID is the number of an event.", argument="Last-Event-ID")
    return int(header)


def _stream(lines: AsyncIterator[ServerSentEvent]) -> EventSourceResponse:
    return EventSourceResponse(
        lines, ping=HEARTBEAT_S, ping_message_factory=lambda: ServerSentEvent(comment=""), sep="\n"
    )


def _json(value: Mapping[str, object]) -> str:
    return safe_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
