"""The day's events, from the calendar of a server that has one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from fastmcp import FastMCP

from gaia_email.mailbox import tool_calls
from gaia_email.mailbox.client import open_mail
from gaia_email_registry.contract.wire import CalendarEvent, EventsResult
from gaia_email_registry.errors import ProviderError
from gaia_email_registry.servers import InProcessServer

EVENT: CalendarEvent = {
    "id": "e1",
    "uid": "u1",
    "title": "Review",
    "start": "2026-11-27T10:00:00+01:00",
    "end": "2026-11-27T11:00:00+01:00",
    "all_day": False,
    "time_zone": "Europe/Berlin",
    "status": "confirmed",
    "busy": True,
    "location": "Room 2",
    "description": "",
    "organizer": {"name": "", "address": "dana@other.example"},
    "attendees": [],
    "response": "accepted",
}


def look(monkeypatch: pytest.MonkeyPatch, *, answer: Mapping[str, object] | None) -> EventsResult | None:
    server: FastMCP[None] = FastMCP("fake")
    if answer is not None:

        async def list_calendar_events(
            start: str, end: str, time_zone: str = "", limit: int = 0
        ) -> Mapping[str, object]:
            return answer

        server.tool(list_calendar_events)

    async def main() -> EventsResult | None:
        async with open_mail(InProcessServer(provider="fake")) as client:
            return await client.calendar_events(
                "2026-11-27T00:00:00Z", "2026-11-28T00:00:00Z", "Europe/Berlin", limit=50
            )

    monkeypatch.setattr(tool_calls, "_opener", lambda provider: lambda options: server)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    return asyncio.run(main())


def test_events_are_as_the_contract_says(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"events": [EVENT], "conflicts": [], "time_zone": "Europe/Berlin", "next_cursor": None}
    found = look(monkeypatch, answer=told)
    assert found is not None and [one["title"] for one in found["events"]] == ["Review"]


def test_a_server_without_a_calendar_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look(monkeypatch, answer=None) is None


def test_another_answer_is_not_taken_for_events(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProviderError, match="not what the contract says"):
        look(monkeypatch, answer={"events": "none"})
