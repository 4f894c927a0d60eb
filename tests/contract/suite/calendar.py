"""The contract of a mailbox's calendar, and of news that is pushed."""
# the names of tests are sentences

from __future__ import annotations

import datetime as dt

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.calendar import CalendarStore, NewCalendarEvent, TimeWindow, Watchable
from gaia_mail_mcp.calendar_time import between, zone_of
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.base import ContractBase, refusal

MONDAY = dt.datetime(2031, 3, 3, 9, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


def _calendar(mailbox: Mailbox) -> CalendarStore:
    if not isinstance(mailbox, CalendarStore):
        raise BadArgument("This mailbox has no calendar.")
    return mailbox


def _new(title: str, start: dt.datetime = MONDAY, length: dt.timedelta = HOUR) -> NewCalendarEvent:
    return NewCalendarEvent(title=title, start=start, end=start + length, time_zone="UTC")


def _window(start: dt.datetime = MONDAY, length: dt.timedelta = DAY) -> TimeWindow:
    return TimeWindow(start=start, end=start + length, time_zone="UTC")


async def _titles(store: CalendarStore, window: TimeWindow, query: str = "") -> list[str]:
    page = await store.events(window, query=query, limit=50)
    return [event["title"] for event in page.events]


class CalendarContract(ContractBase):
    """`CalendarStore`, `Watchable`."""

    def test_an_event_is_seen_where_it_touches_and_nowhere_else(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            made = await store.create_event(_new("Tea"))
            zone = zone_of(await store.calendar_zone())
            assert between(made, zone) == (MONDAY, MONDAY + HOUR)
            assert (made["title"], made["all_day"], made["attendees"]) == ("Tea", False, [])
            again = await store.event(made["id"])
            assert (again["id"], between(again, zone)) == (made["id"], (MONDAY, MONDAY + HOUR))
            assert await _titles(store, _window()) == ["Tea"]
            assert await _titles(store, _window(MONDAY + HOUR / 2, HOUR / 4)) == ["Tea"]
            assert await _titles(store, _window(MONDAY + HOUR)) == [], "an end is exclusive"
            assert await _titles(store, _window(MONDAY - DAY)) == []

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_events_come_by_their_start_in_pages(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            for number in (3, 1, 2):
                await store.create_event(_new(f"Number {number}", MONDAY + number * HOUR))
            titles: list[str] = []
            cursor: str | None = None
            while True:
                page = await store.events(_window(), query="", limit=1, cursor=cursor)
                assert len(page.events) == 1
                titles.append(page.events[0]["title"])
                cursor = page.next_cursor
                if cursor is None:
                    break
            assert titles == ["Number 1", "Number 2", "Number 3"]

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_words_find_an_event(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            await store.create_event(_new("Garden party"))
            await store.create_event(_new("Dentist"))
            assert await _titles(store, _window(), "party") == ["Garden party"]
            assert await _titles(store, _window(), "submarine") == []

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_an_event_of_whole_days_is_dates(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            first = dt.date(2031, 3, 4)
            made = await store.create_event(
                NewCalendarEvent(title="Trip", start=first, end=first + 2 * DAY, time_zone="UTC")
            )
            assert (made["start"], made["end"], made["all_day"]) == ("2031-03-04", "2031-03-06", True)
            noon = dt.datetime(2031, 3, 5, 12, tzinfo=dt.UTC)
            assert await _titles(store, _window(noon, HOUR)) == ["Trip"]
            assert await _titles(store, _window(noon + 2 * DAY, HOUR)) == []

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_busy_time_is_cut_to_the_window_and_nobodys_calendar_is_guessed(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            await store.create_event(_new("One", length=2 * HOUR))
            await store.create_event(_new("Two", MONDAY + HOUR, 2 * HOUR))
            (own,) = await store.busy(_window(MONDAY + HOUR / 2, 2 * HOUR), [])
            assert own.spans == ((MONDAY + HOUR / 2, MONDAY + 2.5 * HOUR),) and not own.error
            (free,) = await store.busy(_window(MONDAY + 5 * HOUR, HOUR), [])
            assert free.spans == ()
            (unknown,) = await store.busy(_window(), ["nobody@elsewhere.example"])
            assert unknown.error and unknown.spans == ()

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_a_deleted_event_is_gone_until_it_is_brought_back(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            made = await store.create_event(_new("Tea"))
            gone = await store.delete_event(made["id"], notify=False)
            assert (gone["id"], gone["title"]) == (made["id"], "Tea")
            assert await _titles(store, _window()) == []
            assert isinstance(await refusal(store.delete_event(made["id"], notify=False)), NotFound)
            back = await store.create_event(
                NewCalendarEvent(
                    title="Tea", start=MONDAY, end=MONDAY + HOUR, time_zone="UTC", event_id=made["id"]
                )
            )
            assert await _titles(store, _window()) == ["Tea"]
            assert (await store.event(back["id"]))["title"] == "Tea"

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_an_event_that_is_over_before_it_begins_is_refused(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            await store.delete_event((await store.create_event(_new("Tea")))["id"], notify=False)
            assert isinstance(await refusal(store.create_event(_new("Never", length=-HOUR))), BadArgument)
            assert await _titles(store, _window(MONDAY - DAY, 3 * DAY)) == []

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_only_who_is_invited_can_answer(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _calendar(mailbox)
            own = await store.create_event(_new("Tea"))
            answers = (
                (own["id"], BadArgument),
                ("nothing", NotFound),
            )
            for event_id, kind in answers:
                call = store.respond(event_id, "accepted", comment=None, notify=False)
                assert isinstance(await refusal(call), kind)
            assert isinstance(await refusal(store.invitation("nobody@elsewhere.example")), NotFound)

        self.run([], scenario, needs=Capability.CALENDAR_WRITE)

    def test_a_calendar_that_can_only_be_read_says_what_there_is(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            if Capability.CALENDAR not in mailbox.capabilities:
                return  # a wrapper that lets nothing be written still shows the calendar inside
            store = _calendar(mailbox)
            zone_of(await store.calendar_zone())
            assert await _titles(store, _window()) == []
            assert isinstance(await refusal(store.event("nothing")), NotFound)
            if Capability.CALENDAR_WRITE not in mailbox.capabilities:
                await refusal(store.create_event(_new("Tea")))

        self.run([], scenario)

    def test_news_is_pushed_until_it_is_ended(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            if not isinstance(mailbox, Watchable):
                raise BadArgument("This mailbox's provider pushes no news.")
            until = await mailbox.watch()
            assert until.tzinfo is not None
            assert await mailbox.watch() >= until, "again renews"
            assert await mailbox.unwatch()
            assert not await mailbox.unwatch()

        self.run([], scenario, needs=Capability.PUSH)
