"""Search, calendar and readiness in the peer's shapes. Entries: `search`, `events`, `readiness`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime

from gaia_email.app import App
from gaia_email.app.services.calendar import calendar_events
from gaia_email.app.services.searching import SearchRequest, search_mail
from gaia_email.app.services.source import SourceSpec
from gaia_email.document import clean
from gaia_email_gaia.answers import (
    EventAnswer,
    EventsAnswer,
    InitAnswer,
    SearchAnswer,
    SearchRowAnswer,
)
from gaia_email_gaia.inputs import CONTRACT, EventsInput, PeerSearchInput
from gaia_email_gaia.overview import sender_text
from gaia_email_registry.errors import NotFound

DEEPEST = 2_000
"""Maximum number of results across all pages; a narrower query finds the rest."""

MODEL_TIER = "T2"
"""The only tier of language models that is shown mail."""


def search(app: App, source: SourceSpec, asked: PeerSearchInput) -> SearchAnswer:
    """Return a page of search results, newest first.

    Raises:
        NotFound: The page does not exist.
        BadArgument: The query is invalid.
        MailError: There is neither a mailbox nor a copy of it.
    """
    start = _start(asked.page_token)
    labels = [f"label:{_label(label)}" for label in asked.labels or ()]
    query = " ".join(
        [*([f"({asked.query})"] if asked.query and labels else [asked.query or ""]), *labels]
    ).strip()
    limit = start + asked.max_results
    found = search_mail(
        app, source, SearchRequest(query=query or "in:inbox", limit=limit + 1, newest=True)
    ).found
    hits = found.hits[start:limit]
    more = len(found.hits) > limit and limit < DEEPEST
    rows: list[SearchRowAnswer] = [
        {
            "id": hit.message.message_id,
            "thread_id": hit.message.thread_id,
            "from": sender_text(hit.message.sender_name, hit.message.sender),
            "to": clean(hit.message.to),
            "subject": clean(hit.message.subject),
            "date": _date(hit.message.date),
            "snippet": clean(hit.message.snippet or hit.excerpt.text),
            "label_ids": [clean(label) for label in hit.message.labels],
        }
        for hit in hits
    ]
    return {
        "schema_version": CONTRACT,
        "query": asked.query,
        "count": len(rows),
        "messages": rows,
        "next_page_token": str(limit) if more else None,
    }


def _start(token: str | None) -> int:
    if not token:
        return 0
    if not (token.isascii() and token.isdecimal()) or len(token) > 6 or int(token) >= DEEPEST:
        raise NotFound("There is no such page: page_token is what next_page_token of the page before says.")
    return int(token)


def _label(label: str) -> str:
    """Quote a label for the search grammar."""
    return '"' + label.replace('"', "") + '"' if not label.isalnum() else label


def _date(epoch: float | None) -> str:
    """Format a time as in a Date header (RFC 5322, 3.3)."""
    try:
        return "" if epoch is None else format_datetime(datetime.fromtimestamp(epoch, UTC))
    except (OverflowError, ValueError, OSError):
        return ""


def events(app: App, source: SourceSpec, asked: EventsInput) -> EventsAnswer:
    """Return events of the mailbox's calendar; by default those of the next week.

    Raises:
        NotFound: The mailbox has no calendar here.
        BadArgument: A time is invalid.
        MailError: The calendar cannot be reached.
    """
    rows: list[EventAnswer] = [
        {
            "id": event["id"],
            "summary": clean(event["title"]),
            "start": event["start"] or None,
            "end": event["end"] or None,
            "location": clean(event["location"]) or None,
            "organizer": clean(event["organizer"]["address"]) or None,
        }
        for event in calendar_events(app, source, start=asked.time_min or "", end=asked.time_max or "")
    ]
    return {"schema_version": CONTRACT, "events": rows}


async def readiness(models: Mapping[str, str]) -> InitAnswer:
    """Report if everything that the user chose is available; a language model is needed only if one is chosen.

    Raises:
        BadArgument: The choice cannot be read, or names an address that is not on this machine.
    """
    from gaia_email.models.choice import read_choice
    from gaia_email.models.servers import find

    chosen = read_choice(models)
    name = chosen.tiers.get(MODEL_TIER, "")
    found = await find(chosen.address) if name else []
    server = next((one for one in found if one.model(name) is not None), found[0] if found else None)
    model = None if server is None else server.model(name)
    hint = None
    if name and server is None:
        hint = "No language model server answers; start it, or gaia email models use none to do without."
    elif name and model is None:
        hint = f"The server has no model {clean(name)[:100]!r}; load it there, or choose another."
    loaded = model is not None and bool(model.loaded)
    return {
        "ready": hint is None,
        "hint": hint,
        "lemonade": {
            "base_url": str(server.address if server else chosen.address or ""),
            "reachable": server is not None,
            "version": (server.version or None) if server else None,
            "min_version": "0",
            "compatible": True if server is not None and server.version else None,
        },
        "model": {
            "id": clean(name),
            "present": model is not None,
            "loadable": None,
            "ctx_size": model.context if model is not None and loaded else None,
        },
    }
