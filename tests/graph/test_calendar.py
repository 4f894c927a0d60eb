"""The calendar tools over the emulated Graph: zones of two kinds, series, lost answers, invitations, other people."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from fastmcp import Client

from gaia_email_registry.errors import BadArgument
from gaia_graph_mcp.abilities import capabilities_of
from gaia_graph_mcp.login import scopes_of
from gaia_graph_mcp.zones import iana_of, windows_of
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import Seed
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import throttled
from tests.graph.emulator.calendar import CalendarRoutes, timed
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import open_emulated

Json = dict[str, Any]

INVITATION = (
    b"From: boss@example.org\r\nTo: me@example.org\r\nSubject: Planning\r\nMessage-ID: <i@example.org>\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\n"
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:%s\r\nDTSTART:20260323T090000Z\r\n"
    b"END:VEVENT\r\nEND:VCALENDAR\r\n"
)


class Session:
    """A client of a server over an emulated account."""

    def __init__(self, emulator: Emulator, client: Client[Any]) -> None:
        self.emulator, self.client = emulator, client
        self.calendar: CalendarRoutes = emulator.calendar

    async def call(self, tool: str, **arguments: object) -> Json:
        """What a tool answers; its text is under `text`."""
        found = await self.client.call_tool(tool, arguments, raise_on_error=False)
        text = "".join(item.text for item in found.content if item.type == "text")
        return {**(found.structured_content or {}), "text": text, "failed_whole": found.is_error}


Play = Callable[..., None]


def span(start: str, end: str) -> Json:
    """Both ends in UTC."""
    return {"start": timed(start, "UTC"), "end": timed(end, "UTC")}


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    """Runs a scenario; the calendar is in Berlin."""

    def play(scenario: Callable[[Session], Awaitable[None]], *seeds: Seed, no_send: bool = False) -> None:
        async def main() -> None:
            emulator = Emulator()
            mailbox = await open_emulated(emulator, tmp_path, seeds)
            try:
                settings = SurfaceSettings(approval=CALLER, no_send=no_send)
                async with Client(create_server(mailbox, settings)) as client, asyncio.timeout(20):
                    await scenario(Session(emulator, client))
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


def test_a_weekly_meeting_stays_at_its_hour_when_the_clocks_change(play: Play) -> None:
    async def scenario(session: Session) -> None:
        series = session.calendar.put(
            "Standup", timed("2026-03-23T09:00:00"), timed("2026-03-23T10:00:00"), weekly=3
        )
        answer = await session.call("list_calendar_events", start="2026-03-23", end="2026-04-08")
        assert [event["start"] for event in answer["events"]] == [
            "2026-03-23T09:00:00+01:00",
            "2026-03-30T09:00:00+02:00",
            "2026-04-06T09:00:00+02:00",
        ]
        assert {event["recurring_id"] for event in answer["events"]} == {series}
        assert {event["time_zone"] for event in answer["events"]} == {"Europe/Berlin"}
        tokyo = await session.call(
            "list_calendar_events", start="2026-03-30", end="2026-03-31", time_zone="Asia/Tokyo"
        )
        assert [event["start"] for event in tokyo["events"]] == ["2026-03-30T16:00:00+09:00"]

    play(scenario)


def test_windows_names_iana_names_and_made_up_names_of_zones_are_all_understood(play: Play) -> None:
    async def scenario(session: Session) -> None:
        calendar = session.calendar
        calendar.put(
            "Far", timed("2026-07-01T09:00:00", "Pacific Standard Time"),
            timed("2026-07-01T10:00:00", "Pacific Standard Time"),
        )  # fmt: skip
        calendar.put(
            "Near",
            timed("2026-07-02T09:00:00", "Europe/Berlin"),
            timed("2026-07-02T10:00:00", "Europe/Berlin"),
        )
        calendar.put(
            "Odd", timed("2026-07-03T09:00:00"), timed("2026-07-03T10:00:00"),
            originalStartTimeZone="tzone://Microsoft/Custom",
        )  # fmt: skip
        answer = await session.call("list_calendar_events", start="2026-07-01", end="2026-07-04")
        assert [(event["title"], event["start"], event["time_zone"]) for event in answer["events"]] == [
            ("Far", "2026-07-01T18:00:00+02:00", "America/Los_Angeles"),
            ("Near", "2026-07-02T09:00:00+02:00", "Europe/Berlin"),
            ("Odd", "2026-07-03T09:00:00+02:00", "Europe/Berlin"),
        ]

    play(scenario)


@pytest.mark.parametrize(
    ("windows", "iana"),
    [("W. Europe Standard Time", "Europe/Berlin"), ("Tokyo Standard Time", "Asia/Tokyo"), ("UTC", "Etc/UTC")],
)
def test_zones_have_a_name_in_both_worlds(windows: str, iana: str) -> None:
    assert iana_of(windows) in (iana, "UTC")
    assert windows_of(iana) == windows
    assert iana_of(iana) == iana
    assert iana_of("Nowhere Standard Time") == iana_of("../etc/passwd") == ""
    assert windows_of("Europe/Ljubljana") == "Central Europe Standard Time"


NO_ZONES = {"Antarctica/Troll", "Factory", "localtime", "posixrules"}
"""Troll has a clock of its own, the others are no places."""

ANOTHER_CLOCK = {"America/Scoresbysund", "Antarctica/Casey", "Antarctica/Vostok"}
"""They changed theirs lately, and CLDR has them with the zone that they had."""


def test_every_zone_has_a_name_in_both_worlds_or_a_sentence_says_that_it_has_none() -> None:
    there = available_timezones()
    assert len(there) > 500
    for name in sorted(there - NO_ZONES):
        back = iana_of(windows_of(name))
        assert iana_of(name) in (name, "Etc/UTC")
        if name not in ANOTHER_CLOCK:
            assert _clock(back) == _clock(name), name
    for name in ("Antarctica/Troll", "Factory", "Nowhere/City"):
        with pytest.raises(BadArgument, match=r"Outlook has no time zone .* Europe/Berlin"):
            windows_of(name)


def _clock(zone: str) -> list[dt.timedelta | None]:
    return [dt.datetime(2026, month, 1, 12, tzinfo=ZoneInfo(zone)).utcoffset() for month in (1, 7)]


def test_an_event_keeps_its_hour_in_a_zone_that_windows_calls_otherwise(play: Play) -> None:
    async def scenario(session: Session) -> None:
        given = {"title": "Tea", "start": "2026-07-01T15:00:00", "end": "2026-07-01T16:00:00"}
        made = await session.call("create_calendar_event", **given, time_zone="Europe/Amsterdam")
        (stored,) = session.calendar.stored.values()
        assert stored["start"] == {"dateTime": "2026-07-01T15:00:00", "timeZone": "W. Europe Standard Time"}
        assert made["event"]["start"] == "2026-07-01T15:00:00+02:00"

    play(scenario)


def test_a_calendar_in_a_zone_that_somebody_made_up_says_what_to_do(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.emulator.account.zone = "Customized Time Zone"
        failed = await session.call("list_calendar_events", start="2026-07-01", end="2026-07-04")
        assert "'Customized Time Zone', is not known here; choose one" in failed["error"]["message"]

    play(scenario)


def test_whole_days_are_the_same_dates_in_every_zone(play: Play) -> None:
    async def scenario(session: Session) -> None:
        made = await session.call("create_calendar_event", title="Trip", start="2026-07-04", end="2026-07-06")
        assert (made["event"]["start"], made["event"]["end"]) == ("2026-07-04", "2026-07-06")
        for zone in ("Asia/Tokyo", "America/Los_Angeles"):
            answer = await session.call(
                "list_calendar_events", start="2026-07-01", end="2026-07-10", time_zone=zone
            )
            (event,) = answer["events"]
            assert (event["start"], event["end"], event["all_day"]) == ("2026-07-04", "2026-07-06", True)

    play(scenario)


@pytest.mark.parametrize("carried_out", [False, True])
def test_an_event_is_made_once_however_often_the_answer_is_lost(play: Play, carried_out: bool) -> None:
    async def scenario(session: Session) -> None:
        emulator, left = session.emulator, [2]

        def fault(request: Request) -> Response | None:
            if request.method == "POST" and request.path.endswith("/events") and left[0]:
                left[0] -= 1
                if carried_out and left[0] == 1:
                    session.calendar.answer(request, "events", [])
                return Response(hang_up=True)
            return None

        emulator.fault = fault
        made = await session.call(
            "create_calendar_event",
            title="Tea",
            start="2026-07-01T15:00:00",
            end="2026-07-01T16:00:00",
            attendees=["Ann <ann@example.org>"],
            description="With cake.",
            location="Garden",
        )
        (stored,) = session.calendar.stored.values()
        assert made["event"]["id"] == stored["id"] and not left[0]
        assert session.calendar.mails == [("invitation", ("ann@example.org",), "")]
        assert stored["start"]["timeZone"] == "W. Europe Standard Time"
        assert (made["event"]["description"], made["event"]["location"]) == ("With cake.", "Garden")

    play(scenario)


def test_a_throttled_calendar_is_asked_again(play: Play) -> None:
    async def scenario(session: Session) -> None:
        answers = [throttled(), None]
        session.emulator.fault = lambda request: answers.pop(0) if answers else None
        answer = await session.call("list_calendar_events", start="2026-07-01")
        assert answer["events"] == [] and not answers

    play(scenario)


def test_an_invitation_is_found_by_its_message_and_accepted_with_a_word(play: Play) -> None:
    async def scenario(session: Session) -> None:
        calendar = session.calendar
        event_id = calendar.invite("Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T11:00:00"))
        uid = calendar.stored[event_id]["iCalUId"]
        session.emulator.account.put(INVITATION % uid.encode())
        (found,) = (await session.call("search_emails", query="subject:Planning"))["emails"]
        answer = await session.call(
            "respond_to_invitation", message_id=found["id"], response="accepted", comment="Gladly"
        )
        assert answer["event"]["response"] == "accepted"
        assert calendar.mails == [("accepted", ("boss@example.org",), "Gladly")]
        assert calendar.stored[event_id]["responseStatus"]["response"] == "accepted"

    play(scenario)


def test_what_is_declined_is_told_as_declined_although_microsoft_removes_it(play: Play) -> None:
    async def scenario(session: Session) -> None:
        event_id = session.calendar.invite(
            "Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T11:00:00")
        )
        await session.call("respond_to_invitation", event_id=event_id, response="accepted", notify=False)
        answer = await session.call(
            "respond_to_invitation", event_id=event_id, response="declined", notify=False
        )
        assert (answer["event"]["response"], answer["event"]["busy"]) == ("declined", False)
        assert "undo" not in answer, "what is gone cannot be answered differently"
        assert session.calendar.mails == [] and session.calendar.stored == {}

    play(scenario)


def test_an_answer_whose_receipt_was_lost_is_not_given_twice(play: Play) -> None:
    async def scenario(session: Session) -> None:
        calendar = session.calendar
        event_id = calendar.invite("Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T11:00:00"))
        lost = [True]

        def fault(request: Request) -> Response | None:
            if request.path.endswith("/accept") and lost:
                lost.clear()
                calendar.answer(request, "events", [event_id, "accept"])
                return Response(hang_up=True)
            return None

        session.emulator.fault = fault
        answer = await session.call("respond_to_invitation", event_id=event_id, response="accepted")
        assert answer["event"]["response"] == "accepted" and not lost
        assert [kind for kind, _, _ in calendar.mails] == ["accepted"]

    play(scenario)


def test_taking_an_answer_back_is_refused_by_name(play: Play) -> None:
    async def scenario(session: Session) -> None:
        event_id = session.calendar.invite(
            "Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T11:00:00")
        )
        await session.call("respond_to_invitation", event_id=event_id, response="tentative")
        answer = await session.call("respond_to_invitation", event_id=event_id, response="needsAction")
        assert answer["failed_whole"] and "lets nobody take an answer back" in answer["text"]

        first = session.calendar.invite("Review", timed("2026-03-24T10:00:00"), timed("2026-03-24T11:00:00"))
        answered = await session.call("respond_to_invitation", event_id=first, response="accepted")
        assert "undo" not in answered, "there is no way back to no answer"
        changed = await session.call("respond_to_invitation", event_id=first, response="tentative")
        assert changed["undo"]["arguments"]["response"] == "accepted"

    play(scenario)


def test_another_time_is_proposed_to_the_organizer(play: Play) -> None:
    async def scenario(session: Session) -> None:
        calendar = session.calendar
        event_id = calendar.invite("Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T10:45:00"))
        answer = await session.call(
            "respond_to_invitation",
            event_id=event_id,
            response="tentative",
            propose_start="2026-03-30T10:00:00",
        )
        assert answer["event"]["response"] == "tentative"
        assert calendar.mails == [("tentativelyAccepted", ("boss@example.org",), "2026-03-30T10:00:00")]
        (said,) = [json.loads(one.body) for one in session.emulator.parts if one.path.endswith("Accept")]
        assert said["proposedNewTime"] == {
            "start": timed("2026-03-30T10:00:00"),
            "end": timed("2026-03-30T10:45:00"),
        }

    play(scenario)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"response": "accepted"}, "with declined or tentative"),
        ({"response": "declined", "notify": False}, "notify true"),
        ({"response": "declined", "propose_end": "2026-03-23T08:00:00"}, "ends after it starts"),
    ],
)
def test_another_time_that_cannot_be_proposed_is_refused(play: Play, given: Json, said: str) -> None:
    async def scenario(session: Session) -> None:
        event_id = session.calendar.invite(
            "Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T10:45:00")
        )
        asked = {"event_id": event_id, "propose_start": "2026-03-30T10:00:00", **given}
        answer = await session.call("respond_to_invitation", **asked)
        assert answer["failed_whole"] and said in answer["text"]
        session.calendar.stored[event_id]["allowNewTimeProposals"] = False
        asked = {"event_id": event_id, "propose_start": "2026-03-30T10:00:00", "response": "declined"}
        answer = await session.call("respond_to_invitation", **asked)
        assert answer["failed_whole"] and "takes no other times" in answer["text"]
        assert session.calendar.mails == []

    play(scenario)


def test_an_organizer_who_wants_no_answers_gets_none(play: Play) -> None:
    async def scenario(session: Session) -> None:
        event_id = session.calendar.invite(
            "Planning", timed("2026-03-23T10:00:00"), timed("2026-03-23T10:45:00"), responseRequested=False
        )
        refused = await session.call("respond_to_invitation", event_id=event_id, response="accepted")
        assert refused["failed_whole"] and "wants no answers" in refused["text"]
        done = await session.call(
            "respond_to_invitation", event_id=event_id, response="accepted", notify=False
        )
        assert done["event"]["response"] == "accepted" and session.calendar.mails == []

    play(scenario)


def test_other_peoples_times_are_told_or_said_to_be_unknown(play: Play) -> None:
    async def scenario(session: Session) -> None:
        session.calendar.others["ann@example.org"] = [
            {"status": status, **span(f"2026-07-01T{hour}:00:00", f"2026-07-01T{hour}:30:00")}
            for status, hour in (("busy", "09"), ("free", "11"))
        ]
        session.calendar.put("Own", timed("2026-07-01T10:00:00", "UTC"), timed("2026-07-01T11:00:00", "UTC"))
        asked = {
            "start": "2026-07-01T08:00:00Z",
            "end": "2026-10-20T18:00:00Z",
            "time_zone": "UTC",
            "calendars": ["me@example.org", "ann@example.org", "nobody@example.org"],
        }
        answer = await session.call("find_free_busy", **asked)
        me, ann, nobody = answer["calendars"]
        assert me["busy"] == [{"start": "2026-07-01T10:00:00+00:00", "end": "2026-07-01T11:00:00+00:00"}]
        assert ann["busy"] == [{"start": "2026-07-01T09:00:00+00:00", "end": "2026-07-01T09:30:00+00:00"}]
        assert "not shared" in nobody["error"]
        session.calendar.personal = True
        me, ann, _ = (await session.call("find_free_busy", **asked))["calendars"]
        assert me["busy"] and "only to work and school accounts" in ann["error"]

    play(scenario)


def test_a_meeting_with_guests_is_not_deleted_in_silence(play: Play) -> None:
    async def scenario(session: Session) -> None:
        guest = {"emailAddress": {"name": "Ann", "address": "ann@example.org"}, "type": "required"}
        event_id = session.calendar.put(
            "Tea", timed("2026-07-01T09:00:00"), timed("2026-07-01T10:00:00"), attendees=[guest]
        )
        refused = await session.call("delete_calendar_event", event_id=event_id, notify=False)
        assert refused["failed_whole"] and "tells the guests" in refused["text"]
        assert session.calendar.stored
        gone = await session.call("delete_calendar_event", event_id=event_id, notify=True)
        assert session.calendar.mails == [("cancellation", ("ann@example.org",), "")]
        again = gone["undo"]
        await session.call(again["tool"], **again["arguments"])
        (back,) = session.calendar.stored.values()
        assert (
            back["subject"] == "Tea" and back["attendees"][0]["emailAddress"]["address"] == "ann@example.org"
        )

    play(scenario)


@pytest.mark.parametrize(
    "event_id",
    ["..", ".", "a/../../users/boss", "x?$select=id", "%2e%2e/x", "x#y", "x\x00y", "é/ü", "' or 1 eq 1"],
)
def test_no_id_leads_anywhere_but_to_an_event(play: Play, event_id: str) -> None:
    async def scenario(session: Session) -> None:
        stored = session.calendar.put("Tea", timed("2026-07-01T09:00:00"), timed("2026-07-01T10:00:00"))
        session.emulator.parts.clear()
        for tool, more in (
            ("delete_calendar_event", {"notify": False}),
            ("respond_to_invitation", {"response": "declined"}),
        ):
            answer = await session.call(tool, event_id=event_id, **more)
            assert answer["error"]["kind"] in ("not_found", "bad_argument"), answer
        assert list(session.calendar.stored) == [stored]
        for one in session.emulator.parts:
            assert one.segments[1:3] == ["me", "events"] and len(one.segments) == 4, one.target

    play(scenario)


@pytest.mark.parametrize("cursor", ["1", "2026-07-01|x", "2026-07-01T00:00:00+00:00|", "|", "x|y"])
def test_a_cursor_of_somebody_elses_is_refused(play: Play, cursor: str) -> None:
    async def scenario(session: Session) -> None:
        answer = await session.call("list_calendar_events", start="2026-07-01", cursor=cursor)
        assert answer["error"]["argument"] == "cursor"

    play(scenario)


def test_a_long_view_is_read_over_all_its_pages(play: Play) -> None:
    async def scenario(session: Session) -> None:
        for number in range(620):
            hour = f"2026-07-{1 + number // 24:02d}T{number % 24:02d}"
            session.calendar.put(f"N{number}", timed(f"{hour}:00:00"), timed(f"{hour}:30:00"))
        answer = await session.call("list_calendar_events", start="2026-07-01", end="2026-08-01", limit=1000)
        assert [event["title"] for event in answer["events"]] == [f"N{number}" for number in range(620)]
        views = [one for one in session.emulator.requests if one.path.endswith("/calendarView")]
        assert len(views) == 2

    play(scenario)


def test_the_calendar_is_offered_only_where_it_was_asked_for() -> None:
    calendar = {Capability.CALENDAR, Capability.CALENDAR_WRITE}
    assert not calendar & capabilities_of(scopes_of(""))
    assert calendar <= capabilities_of(scopes_of("mail,calendar"))
    assert Capability.SEND not in capabilities_of(scopes_of("calendar"))
    assert "Mail.ReadWrite" in scopes_of("calendar")
