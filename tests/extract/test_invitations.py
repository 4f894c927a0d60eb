"""Invitations under other names, zones as programs call them, and the next date of a series."""

from __future__ import annotations

import base64
from datetime import datetime

import pytest

from gaia_mail.mime.read import parse_message
from gaia_understanding.prepare.extract.ics import read_meeting
from gaia_understanding.prepare.extract.model import Meeting

SENT = datetime.fromisoformat("2026-03-02T09:00:00+00:00")


def calendar(*lines: str, head: str = "") -> str:
    event = "\r\n".join(["BEGIN:VEVENT", "UID:u@example.com", "SUMMARY:Budget", *lines, "END:VEVENT"])
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\n{head}{event}\r\nEND:VCALENDAR\r\n"


def meeting(*lines: str, head: str = "", sent: datetime | None = SENT) -> Meeting:
    found = read_meeting((calendar(*lines, head=head),), sent)
    assert found is not None
    return found


PLAIN = calendar("DTSTART:20260310T140000Z")


@pytest.mark.parametrize(
    "header",
    [
        'Content-Type: application/ics; name="invite.ics"',
        "Content-Type: application/ics",
        'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="invite.ics"',
        "Content-Type: application/octet-stream; name=Invite.ICS",
        'Content-Type: text/plain; name="meeting.ics"',
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="meeting.ics"',
        "Content-Type: text/x-vcalendar; charset=utf-8",
        'Content-Type: text/x-vcalendar; name="meeting.vcs"',
        'Content-Type: application/x-unknown\r\nContent-Disposition: inline; filename="=?utf-8?Q?T=C3=A9rmin.ics?="',
    ],
)
@pytest.mark.parametrize("encoding", ["7bit", "base64"])
def test_an_invitation_is_one_whatever_its_part_is_called(header: str, encoding: str) -> None:
    body = PLAIN if encoding == "7bit" else base64.encodebytes(PLAIN.encode()).decode()
    raw = (
        "From: Pat <pat@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=s\r\n\r\n"
        f"--s\r\nContent-Type: text/plain\r\n\r\nInvitation\r\n--s\r\n{header}\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n{body}\r\n--s--\r\n"
    )
    message = parse_message(raw.encode())
    assert message.text.strip() == "Invitation"
    found = read_meeting(message.calendars)
    assert found is not None and found.start == "2026-03-10T14:00:00+00:00"
    assert len(message.attachments) == 1


def test_a_file_that_is_only_called_a_calendar_stays_a_file() -> None:
    raw = (
        b"From: a@a.example\r\nContent-Type: multipart/mixed; boundary=s\r\n\r\n--s\r\n\r\nHello\r\n--s\r\n"
        b'Content-Type: application/octet-stream; name="x.ics"\r\n\r\nnothing of the kind\r\n--s--\r\n'
    )
    message = parse_message(raw)
    assert (message.calendars, len(message.attachments)) == ((), 1)


@pytest.mark.parametrize("filename", ["winmail.dat", "WINMAIL.DAT", "att0001.dat"])
@pytest.mark.parametrize(
    "kind", ["application/ms-tnef", "application/octet-stream", "application/vnd.ms-tnef"]
)
def test_what_outlook_packed_is_named_with_what_to_do(filename: str, kind: str) -> None:
    content = base64.encodebytes(bytes.fromhex("789f3e220100")).decode()
    raw = (
        f'From: a@a.example\r\nContent-Type: {kind}; name="{filename}"\r\n'
        f"Content-Disposition: attachment; filename={filename}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{content}"
    )
    (defect,) = [one for one in parse_message(raw.encode()).defects if "Outlook" in one]
    assert "winmail.dat" in defect and "ask the sender" in defect


WINTER, SUMMER = "20260310T100000", "20260710T100000"
ZONES = {
    "GMT+0100": ("+01:00", "+01:00"),
    "GMT+01:00": ("+01:00", "+01:00"),
    "GMT-5": ("-05:00", "-05:00"),
    "UTC-5": ("-05:00", "-05:00"),
    "UTC+05:30": ("+05:30", "+05:30"),
    "UTC": ("+00:00", "+00:00"),
    "-0330": ("-03:30", "-03:30"),
    "(UTC+01:00) Amsterdam": ("+01:00", "+02:00"),
    "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna": ("+01:00", "+02:00"),
    "(GMT+01.00) nowhere": ("", ""),
    "(UTC+09:00) Osaka, Sapporo, Tokyo": ("+09:00", "+09:00"),
    "(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi": ("+05:30", "+05:30"),
    "(UTC-08:00) Pacific Time (US & Canada)": ("-07:00", "-07:00"),
    "(UTC+02:00) Somewhere of ours": ("+02:00", "+02:00"),
    "W. Europe Standard Time": ("+01:00", "+02:00"),
    "tzone://Microsoft/Utc": ("+00:00", "+00:00"),
    "/citadel.example/20260101_1/Europe/Berlin": ("+01:00", "+02:00"),
    "No such zone": ("", ""),
    "GMT+99": ("", ""),
}


@pytest.mark.parametrize(("zone", "offsets"), ZONES.items(), ids=ZONES.keys())
def test_a_zone_keeps_its_offset_whatever_it_is_called(zone: str, offsets: tuple[str, str]) -> None:
    for at, offset in zip((WINTER, SUMMER), offsets, strict=True):
        start = meeting(f'DTSTART;TZID="{zone}":{at}').start
        assert start == f"{at[:4]}-{at[4:6]}-{at[6:8]}T10:00:00{offset}"


OWN_ZONE = (
    "BEGIN:VTIMEZONE\r\nTZID:{}\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\n"
    "TZOFFSETTO:+0100\r\nRRULE:FREQ={};INTERVAL=1;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\n"
    "DTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"
    "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
)


@pytest.mark.parametrize(
    "name", ["Customized Time Zone", "(UTC+01:00) Ours", "tzone://Microsoft/Custom", "GMT+0100"]
)
def test_a_zone_that_the_file_defines_counts_before_its_name(name: str) -> None:
    start = meeting(f'DTSTART;TZID="{name}":{SUMMER}', head=OWN_ZONE.format(name, "YEARLY")).start
    assert start == "2026-07-10T10:00:00+02:00"


@pytest.mark.timeout(20)
def test_a_zone_that_changes_by_the_second_costs_no_time() -> None:
    start = meeting(f"DTSTART;TZID=Office:{SUMMER}", head=OWN_ZONE.format("Office", "SECONDLY")).start
    assert start == "2026-07-10T10:00:00"


def test_a_zone_of_the_whole_file_is_that_of_times_without_one() -> None:
    assert meeting("DTSTART:20260310T100000", head="TZ:-05:00\r\n").start == "2026-03-10T10:00:00-05:00"


BERLIN = "DTSTART;TZID=Europe/Berlin:20250107T100000"
SERIES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "weekly": ((BERLIN, "RRULE:FREQ=WEEKLY"), "2026-03-03T10:00:00+01:00", "every week"),
    "every other week": (
        (BERLIN, "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        "2026-03-03T10:00:00+01:00",
        "every 2 weeks on Tuesday",
    ),
    "weekdays": (
        (BERLIN, "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        "2026-03-02T10:00:00+01:00",
        "every weekday",
    ),
    "monthly": ((BERLIN, "RRULE:FREQ=MONTHLY;BYDAY=-1FR"), "2026-03-27T10:00:00+01:00", "every month"),
    "yearly": ((BERLIN, "RRULE:FREQ=YEARLY"), "2027-01-07T10:00:00+01:00", "every year"),
    "ended": (
        (BERLIN, "RRULE:FREQ=WEEKLY;UNTIL=20250121T090000Z"),
        "2025-01-21T10:00:00+01:00",
        "every week",
    ),
    "counted": ((BERLIN, "RRULE:FREQ=WEEKLY;COUNT=3"), "2025-01-21T10:00:00+01:00", "every week"),
    "taken out": (
        (BERLIN, "RRULE:FREQ=WEEKLY", "EXDATE;TZID=Europe/Berlin:20260303T100000,20260310T100000"),
        "2026-03-17T10:00:00+01:00",
        "every week",
    ),
    "day taken out": (
        (BERLIN, "RRULE:FREQ=WEEKLY", "EXDATE;VALUE=DATE:20260303", "EXDATE:20260310T090000Z"),
        "2026-03-17T10:00:00+01:00",
        "every week",
    ),
    "dates": (
        (BERLIN, "RDATE;TZID=Europe/Berlin:20250301T100000,20260305T130000"),
        "2026-03-05T13:00:00+01:00",
        "on several dates",
    ),
    "days of a month": (
        ("DTSTART:20250107T100000Z", "RRULE:FREQ=DAILY;BYMONTH=1,4;BYDAY=TU"),
        "2026-04-07T10:00:00+00:00",
        "every day on Tuesday",
    ),
    "whole days": (("DTSTART;VALUE=DATE:20250107", "RRULE:FREQ=WEEKLY"), "2026-03-03", "every week"),
    "UTC": (("DTSTART:20250107T100000Z", "RRULE:FREQ=DAILY"), "2026-03-02T10:00:00+00:00", "every day"),
    "not begun": (
        ("DTSTART:20260401T100000Z", "RRULE:FREQ=WEEKLY"),
        "2026-04-01T10:00:00+00:00",
        "every week",
    ),
    "by the hour": (
        ("DTSTART:20250107T100000Z", "RRULE:FREQ=HOURLY"),
        "2025-01-07T10:00:00+00:00",
        "repeatedly",
    ),
    "vCalendar 1.0": (
        ("DTSTART:20250107T100000Z", "RRULE:W1 TU #0"),
        "2025-01-07T10:00:00+00:00",
        "repeatedly",
    ),
}


@pytest.mark.parametrize(("lines", "start", "words"), SERIES.values(), ids=SERIES.keys())
def test_a_series_is_at_its_next_date_and_says_that_it_repeats(
    lines: tuple[str, ...], start: str, words: str
) -> None:
    found = meeting(*lines)
    assert (found.start, found.recurrence) == (start, words)


def test_the_end_goes_with_the_date_through_a_change_of_the_clock() -> None:
    sent = datetime.fromisoformat("2026-04-01T09:00:00+00:00")
    found = meeting(BERLIN, "DURATION:PT90M", "RRULE:FREQ=WEEKLY", sent=sent)
    assert (found.start, found.end) == ("2026-04-07T10:00:00+02:00", "2026-04-07T11:30:00+02:00")


def series_with(*changed: str, sent: datetime = SENT) -> Meeting:
    series = calendar(BERLIN, "RRULE:FREQ=WEEKLY", "LOCATION:Room 1").replace("END:VCALENDAR\r\n", "")
    event = "\r\n".join(["BEGIN:VEVENT", "UID:u@example.com", *changed, "END:VEVENT", "END:VCALENDAR", ""])
    found = read_meeting((series + event,), sent)
    assert found is not None
    return found


def test_an_occurrence_that_was_moved_is_where_it_was_moved_to() -> None:
    found = series_with(
        "RECURRENCE-ID;TZID=Europe/Berlin:20260303T100000",
        "DTSTART;TZID=Europe/Berlin:20260304T150000",
        "LOCATION:Room 2",
    )
    assert (found.start, found.location) == ("2026-03-04T15:00:00+01:00", "Room 2")
    assert (found.summary, found.recurrence) == ("Budget", "every week")


def test_an_occurrence_that_was_called_off_is_passed_over() -> None:
    found = series_with("RECURRENCE-ID:20260303T090000Z", "DTSTART:20260303T090000Z", "STATUS:CANCELLED")
    assert (found.start, found.location) == ("2026-03-10T10:00:00+01:00", "Room 1")


def test_without_a_date_of_the_mail_a_series_is_at_its_first() -> None:
    found = meeting(BERLIN, "RRULE:FREQ=WEEKLY", sent=None)
    assert (found.start, found.recurrence) == ("2025-01-07T10:00:00+01:00", "every week")


def test_one_meeting_does_not_repeat() -> None:
    assert meeting("DTSTART:20260310T140000Z").recurrence == ""


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=WEEKLY;BYMONTH=13",
        "FREQ=WEEKLY;BYMONTHDAY=30;BYMONTH=2",
        "FREQ=DAILY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY",
        "FREQ=DAILY;BYHOUR=1,2;BYMINUTE=1,2;BYSECOND=1,2",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=99999999999",
        "FREQ=MONTHLY;BYSETPOS=999",
        "FREQ=DAILY;COUNT=99999999999999999999",
        "FREQ=WEEKLY;UNTIL=99999999T999999Z",
        "FREQ=WEEKLY;BYDAY=99MO",
        "FREQ=;;=;",
    ],
)
@pytest.mark.parametrize("year", ["0001", "1970", "2025", "9998"])
@pytest.mark.timeout(20)
def test_no_rule_costs_time_or_raises(rule: str, year: str) -> None:
    assert meeting(f"DTSTART:{year}0107T100000Z", f"RRULE:{rule}").start
