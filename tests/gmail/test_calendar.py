"""The calendar tools over the emulated Google Calendar: zones, clock changes, instances, conflicts, undo."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from fastmcp import Client

from gaia_email_registry.errors import BadArgument
from gaia_gmail_mcp.scopes import capabilities_of, names_of, read_names, urls_of
from gaia_mail_mcp.calendar import NewCalendarEvent
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault, no_scope
from tests.gmail.support import EmulatedMailbox, open_emulated

Json = dict[str, Any]
SCOPE = "https://www.googleapis.com/auth/calendar"
BERLIN = "Europe/Berlin"


class Session:
    """A client of a server over an emulated account."""

    def __init__(self, mailbox: EmulatedMailbox, client: Client[Any]) -> None:
        self.mailbox, self.emulator, self.client = mailbox, mailbox.emulator, client
        self.calendar = mailbox.emulator.calendar

    async def call(self, tool: str, **arguments: object) -> Json:
        """What a tool answers; its text is under `text`."""
        found = await self.client.call_tool(tool, arguments, raise_on_error=False)
        text = "".join(item.text for item in found.content if item.type == "text")
        return {**(found.structured_content or {}), "text": text}


Play = Callable[..., None]


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    """Runs a scenario; the calendar is in Berlin."""

    def play(scenario: Callable[[Session], Awaitable[None]], *, no_send: bool = False) -> None:
        async def main() -> None:
            mailbox = await open_emulated(Emulator(), tmp_path)
            try:
                settings = SurfaceSettings(approval=CALLER, no_send=no_send)
                async with Client(create_server(mailbox, settings)) as client:
                    async with asyncio.timeout(20):
                        await scenario(Session(mailbox, client))
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


def timed(text: str, zone: str = BERLIN) -> Json:
    return {"dateTime": text, "timeZone": zone}


def test_a_weekly_meeting_stays_at_its_hour_when_the_clocks_change(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.calendar.put(
            "weekly",
            timed("2026-03-23T09:00:00+01:00"),
            timed("2026-03-23T10:00:00+01:00"),
            summary="Standup",
            recurrence=["RRULE:FREQ=WEEKLY;COUNT=3"],
        )
        answer = await session.call("list_calendar_events", start="2026-03-23", end="2026-04-08")
        assert [event["start"] for event in answer["events"]] == [
            "2026-03-23T09:00:00+01:00",
            "2026-03-30T09:00:00+02:00",
            "2026-04-06T09:00:00+02:00",
        ]
        assert {event["recurring_id"] for event in answer["events"]} == {"weekly"}
        tokyo = await session.call(
            "list_calendar_events", start="2026-03-30", end="2026-03-31", time_zone="Asia/Tokyo"
        )
        assert tokyo["events"][0]["start"] == "2026-03-30T16:00:00+09:00"

    play(scenario)


def test_bounds_are_midnights_of_the_calendar_also_on_a_day_of_23_hours(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.calendar.put("late", timed("2026-03-29T23:30:00+02:00"), timed("2026-03-30T00:00:00+02:00"))
        session.calendar.put("next", timed("2026-03-30T00:00:00+02:00"), timed("2026-03-30T01:00:00+02:00"))
        answer = await session.call("list_calendar_events", start="2026-03-29", end="2026-03-30")
        assert [event["id"] for event in answer["events"]] == ["late"]
        free = await session.call("find_free_busy", start="2026-03-29", end="2026-03-30")
        assert free["free"] == [{"start": "2026-03-29T00:00:00+01:00", "end": "2026-03-29T23:30:00+02:00"}]

    play(scenario)


def test_conflicts_are_worked_out_and_free_or_declined_time_is_none(play: Play) -> None:
    me = {"email": "me@example.org", "self": True}
    nine, ten, eleven = (timed(f"2026-03-02T{hour}:00:00+01:00") for hour in ("09", "10", "11"))

    async def scenario(session: Session) -> None:
        put = session.calendar.put
        put("first", nine, eleven, summary="One")
        put("touching", eleven, timed("2026-03-02T12:00:00+01:00"))
        put("second", ten, eleven, summary="Two")
        put("shown-as-free", ten, eleven, transparency="transparent")
        put("declined", ten, eleven, attendees=[{**me, "responseStatus": "declined"}])
        put("holiday", {"date": "2026-03-02"}, {"date": "2026-03-03"}, transparency="transparent")
        answer = await session.call("list_calendar_events", start="2026-03-02", end="2026-03-03")
        assert len(answer["events"]) == 6
        assert answer["conflicts"] == [
            {
                "ids": ["first", "second"],
                "start": "2026-03-02T10:00:00+01:00",
                "end": "2026-03-02T11:00:00+01:00",
            }
        ]
        assert "Conflict: One and Two, 2026-03-02T10:00:00+01:00" in answer["text"]
        holiday = next(event for event in answer["events"] if event["id"] == "holiday")
        assert (holiday["start"], holiday["end"], holiday["all_day"]) == ("2026-03-02", "2026-03-03", True)

    play(scenario)


def test_a_conflict_with_an_event_of_another_page_is_told_on_both(play: Play) -> None:
    day = {"start": "2026-03-02", "end": "2026-03-03"}

    async def scenario(session: Session) -> None:
        put = session.calendar.put
        put("long1", timed("2026-03-02T09:00:00+01:00"), timed("2026-03-02T13:30:00+01:00"), summary="Long")
        for hour in range(10, 15):
            begin = timed(f"2026-03-02T{hour}:00:00+01:00")
            put(f"e{hour}", begin, timed(f"2026-03-02T{hour}:30:00+01:00"), summary=f"At {hour}")
        put("after", timed("2026-03-03T00:00:00+01:00"), timed("2026-03-03T01:00:00+01:00"))
        put("night", timed("2026-03-02T23:00:00+01:00"), timed("2026-03-03T02:00:00+01:00"))
        whole = await session.call("list_calendar_events", **day)
        pairs = [pair["ids"] for pair in whole["conflicts"]]
        assert pairs == [["long1", f"e{hour}"] for hour in range(10, 14)]
        told: list[list[list[str]]] = []
        cursor = None
        while True:
            session.emulator.forget_requests()
            page = await session.call("list_calendar_events", **day, limit=2, cursor=cursor)
            assert session.emulator.calls["calendar.events.list"] <= 2
            assert "conflicts_note" not in page
            told.append([pair["ids"] for pair in page["conflicts"]])
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert told == [pairs, pairs[1:3], pairs[3:], []]
        found = await session.call("list_calendar_events", **day, limit=1, query="At 1")
        assert found["conflicts"] == [], "of what was not looked for nothing is told"

    play(scenario)


def test_what_was_not_compared_is_said(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_mail_mcp.surface.calendar.MOST_COMPARED", 2)

    async def scenario(session: Session) -> None:
        begin, end = timed("2026-03-02T09:00:00+01:00"), timed("2026-03-02T13:00:00+01:00")
        for number in range(4):
            session.calendar.put(f"same{number}", begin, end)
        day = {"start": "2026-03-02", "end": "2026-03-03"}
        page = await session.call("list_calendar_events", **day, limit=1)
        note = "Conflicts with events that start after 2026-03-02T09:00:00+01:00 were not looked for"
        assert page["conflicts_note"].startswith(note) and note in page["text"]
        monkeypatch.setattr("gaia_mail_mcp.calendar_time.MOST_OVERLAPS", 3)
        whole = await session.call("list_calendar_events", **day)
        assert len(whole["conflicts"]) == 3
        assert whole["conflicts_note"] == "Of the conflicts these are the first 3."

    play(scenario)


def test_pages_lead_on(play: Play) -> None:
    async def scenario(session: Session) -> None:
        for hour in range(10, 15):
            session.calendar.put(
                f"e{hour}", timed(f"2026-03-02T{hour}:00:00+01:00"), timed(f"2026-03-02T{hour}:30:00+01:00")
            )
        seen: list[str] = []
        cursor = None
        while True:
            page = await session.call(
                "list_calendar_events", start="2026-03-02", end="2026-03-03", limit=2, cursor=cursor
            )
            seen += [event["id"] for event in page["events"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert seen == [f"e{hour}" for hour in range(10, 15)]
        wrong = await session.call("list_calendar_events", cursor="nonsense")
        assert wrong["error"]["argument"] == "cursor"

    play(scenario)


def test_an_event_is_made_says_what_it_overlaps_and_is_taken_back(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.calendar.put("there", timed("2026-10-25T02:30:00+01:00"), timed("2026-10-25T04:00:00+01:00"))
        made = await session.call(
            "create_calendar_event", title="Call", start="2026-10-25T03:00", end="2026-10-25T04:30"
        )
        assert [sorted(pair["ids"]) for pair in made["conflicts"]] == [sorted(["there", *made["ids"]])]
        assert made["event"]["start"] == "2026-10-25T03:00:00+01:00"
        assert session.calendar.notices == [("insert", "none", made["ids"][0])]
        gone = await session.call(made["undo"]["tool"], **made["undo"]["arguments"])
        assert session.calendar.stored[made["ids"][0]]["status"] == "cancelled"
        back = await session.call(gone["undo"]["tool"], **gone["undo"]["arguments"])
        assert back["ids"] == made["ids"] and back["event"]["status"] == "confirmed"

    play(scenario)


def test_whole_days_are_dates_and_guests_are_told(play: Play) -> None:
    async def scenario(session: Session) -> None:
        made = await session.call(
            "create_calendar_event", title="Fair", start="2026-03-28", attendees=["ann@example.com"]
        )
        stored = session.calendar.stored[made["ids"][0]]
        assert (stored["start"], stored["end"]) == ({"date": "2026-03-28"}, {"date": "2026-03-29"})
        assert session.calendar.notices == [("insert", "all", made["ids"][0])]
        assert made["undo"]["arguments"]["notify"] is True

    play(scenario)


def test_an_event_is_made_once_when_the_answer_is_lost(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.emulator.fail(Fault(method="calendar.events.insert", cut=True))
        made = await session.call("create_calendar_event", title="Once", start="2026-03-02T10:00")
        assert made["ok"] and list(session.calendar.stored) == made["ids"]
        assert session.emulator.calls["calendar.events.insert"] == 2

    play(scenario)


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"start": "tomorrow"}, "start"),
        ({"start": "2026-02-30"}, "start"),
        ({"start": "2026-03-02T10:00", "end": "2026-03-03"}, "end"),
        ({"start": "2026-03-02T10:00", "end": "2026-03-02T10:00"}, "end"),
        ({"start": "2026-03-02", "time_zone": "Mars/Base"}, "time_zone"),
        ({"start": "2026-03-02", "time_zone": "../../etc/passwd"}, "time_zone"),
        ({"start": "2026-03-02", "attendees": ["no address"]}, "attendees"),
        ({"start": "2026-03-02", "attendees": ["a@b.co\r\nBcc: c@d.co"]}, "attendees"),
    ],
)
def test_what_is_wrong_with_an_event_is_named(play: Play, arguments: Json, argument: str) -> None:
    async def scenario(session: Session) -> None:
        answer = await session.call("create_calendar_event", title="x", **arguments)
        assert answer["error"]["argument"] == argument
        assert not session.calendar.stored

    play(scenario)


INVITATION = (
    b"From: Ann <ann@example.com>\r\nTo: me@example.org\r\nSubject: Invitation\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\n"
    b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:plan-0123456789\r\n @google.com\r\n"
    b"DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_an_invitation_is_answered_from_its_mail_and_nobody_elses_answer_is_lost(play: Play) -> None:
    guests = [
        {"email": "ann@example.com", "organizer": True, "responseStatus": "accepted"},
        {"email": "me@example.org", "self": True, "responseStatus": "needsAction"},
        {"email": "bo@example.com", "responseStatus": "tentative"},
    ]

    async def scenario(session: Session) -> None:
        await session.emulator.deliver(INVITATION)
        (message,) = (await session.call("search_emails", query="subject:invitation"))["emails"]
        nine, ten = timed("2026-03-02T10:00:00+01:00"), timed("2026-03-02T11:00:00+01:00")
        session.calendar.put(
            "plan-0123456789", nine, ten, organizer={"email": "ann@example.com"}, attendees=guests
        )
        session.calendar.put("other", nine, ten)
        done = await session.call("respond_to_invitation", message_id=message["id"], response="accepted")
        stored = session.calendar.stored["plan-0123456789"]["attendees"]
        assert [guest["responseStatus"] for guest in stored] == ["accepted", "accepted", "tentative"]
        assert session.calendar.notices == [("patch", "all", "plan-0123456789")]
        assert [sorted(pair["ids"]) for pair in done["conflicts"]] == [["other", "plan-0123456789"]]
        await session.call(done["undo"]["tool"], **done["undo"]["arguments"])
        assert session.calendar.stored["plan-0123456789"]["attendees"] == guests
        other_time = await session.call(
            "respond_to_invitation",
            event_id="plan-0123456789",
            response="declined",
            propose_start="2026-03-03T10:00:00",
        )
        assert "takes no other time" in other_time["error"]["message"]
        own = await session.call("respond_to_invitation", event_id="other", response="accepted")
        assert own["error"]["kind"] == "bad_argument"

    play(scenario)


def test_one_instance_can_be_declined(play: Play) -> None:
    me = {"email": "me@example.org", "self": True, "responseStatus": "accepted"}

    async def scenario(session: Session) -> None:
        session.calendar.put(
            "daily",
            timed("2026-03-02T09:00:00+01:00"),
            timed("2026-03-02T10:00:00+01:00"),
            attendees=[me],
            recurrence=["RRULE:FREQ=DAILY;COUNT=3"],
        )
        listed = await session.call("list_calendar_events", start="2026-03-02", end="2026-03-09")
        instance = listed["events"][1]["id"]
        await session.call("respond_to_invitation", event_id=instance, response="declined", notify=False)
        after = await session.call("list_calendar_events", start="2026-03-02", end="2026-03-09")
        assert [event["busy"] for event in after["events"]] == [True, False, True]
        assert session.calendar.notices == [("patch", "none", instance)]

    play(scenario)


def test_free_time_is_free_for_everybody_that_is_known(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.calendar.put("mine", timed("2026-03-02T09:00:00+01:00"), timed("2026-03-02T10:00:00+01:00"))
        session.calendar.others["ann@example.com"] = [
            ("2026-03-02T09:30:00+01:00", "2026-03-02T11:45:00+01:00")
        ]
        answer = await session.call(
            "find_free_busy",
            start="2026-03-02T08:45:00+01:00",
            end="2026-03-02T13:00:00+01:00",
            calendars=["me@example.org", "ann@example.com", "stranger@example.com"],
        )
        assert answer["free"] == [{"start": "2026-03-02T11:45:00+01:00", "end": "2026-03-02T13:00:00+01:00"}]
        assert answer["calendars"][2] == {
            "calendar": "stranger@example.com",
            "busy": [],
            "error": "it does not exist, or is not shared with this account",
        }

    play(scenario)


def test_a_year_of_busy_times_is_asked_for_in_pieces(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.calendar.put("trip", timed("2026-02-20T00:00:00+01:00"), timed("2026-03-10T00:00:00+01:00"))
        answer = await session.call("find_free_busy", start="2026-01-01", end="2026-12-31")
        assert answer["calendars"][0]["busy"] == [
            {"start": "2026-02-20T00:00:00+01:00", "end": "2026-03-10T00:00:00+01:00"}
        ]
        too_long = await session.call("find_free_busy", start="2026-01-01", end="2028-01-01")
        assert too_long["error"]["argument"] == "end"

    play(scenario)


def test_without_sending_nobody_hears_of_events(play: Play) -> None:
    async def scenario(session: Session) -> None:
        made = await session.call("create_calendar_event", title="Alone", start="2026-03-02")
        refusals = [
            ("create_calendar_event", {"title": "x", "start": "2026-03-02", "attendees": ["a@b.co"]}),
            ("delete_calendar_event", {"event_id": made["ids"][0]}),
        ]
        for tool, arguments in refusals:
            assert (await session.call(tool, **arguments))["error"]["kind"] == "needs_approval"
        assert (await session.call(made["undo"]["tool"], **made["undo"]["arguments"]))["ok"]

    play(scenario, no_send=True)


def test_the_calendar_says_what_google_says(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.emulator.fail(Fault(method="calendar.events.list", error=no_scope()))
        refused = await session.call("list_calendar_events")
        assert refused["error"]["kind"] == "needs_approval"
        session.emulator.fail(Fault(method="calendar.events.list", error=ApiError(503, "busy")))
        assert (await session.call("list_calendar_events"))["events"] == []
        missing = await session.call("delete_calendar_event", event_id="nothing")
        assert missing["error"]["kind"] == "not_found"

    play(scenario)


def test_an_undo_of_what_is_long_gone_makes_it_anew(play: Play) -> None:
    async def scenario(session: Session) -> None:
        start = dt.datetime(2026, 3, 2, 10, tzinfo=ZoneInfo(BERLIN))
        new = NewCalendarEvent(
            title="Again", start=start, end=start + dt.timedelta(hours=1), time_zone=BERLIN, event_id="gone0"
        )
        made = await session.mailbox.create_event(new)
        assert made["id"] != "gone0" and made["title"] == "Again"

    play(scenario)


def test_calendar_scopes_are_the_least_and_wider_ones_count() -> None:
    assert set(urls_of(("calendar",)).split()) == {f"{SCOPE}.events", f"{SCOPE}.freebusy"}
    assert names_of([SCOPE]) == ("calendar-readonly", "calendar")
    assert names_of([f"{SCOPE}.readonly"]) == ("calendar-readonly",)
    assert names_of([f"{SCOPE}.events"]) == ()
    assert capabilities_of(names_of([f"{SCOPE}.readonly"])) == {Capability.CALENDAR}
    with pytest.raises(BadArgument):
        read_names("calendar")
