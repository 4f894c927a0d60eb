"""The brief: what it tells, in every form, and that a scheduled one is kept once."""

from __future__ import annotations

import os
import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gaia_email.app.documents.brief import BriefDocument, brief_document
from gaia_email.app.documents.brief_text import FORMS, SPOKEN_WORDS, brief_text
from gaia_email.app.services.brief import last_brief, make_brief
from gaia_email.app.services.brief_run import keep_brief
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import open_ledger
from gaia_email.runs.job import Job
from gaia_email.triage.followups.agenda import day_bounds, events_of_mail
from gaia_email.triage.followups.message_note import MessageNote
from gaia_email.triage.followups.standing import ThreadMail
from gaia_email_registry.errors import BadArgument, NotFound
from tests.followups.mailbox import ASKS, HER, ME, NOW, SINCE, Mailbox, app
from tests.origins import PERSON

BERLIN = ZoneInfo("Europe/Berlin")
HOSTILE = '<script>alert(1)</script> **bold** [x](http://evil.example) \x1b[31m\u202egnp.exe & "quoted"'


def invitation(
    method: str = "REQUEST", *, start: str, uid: str = "a", day: int = 1, own: bool = False
) -> ThreadMail:
    note = MessageNote(invitation=method, starts=start, title=f"Meeting {uid}", uid=uid, place="Room 2")
    return ThreadMail(id=f"{method}{day}{uid}", date=day * 60.0, own=own, sender=HER, note=note)


def titles(*messages: ThreadMail, day: date = date(2026, 11, 27)) -> list[str]:
    start, end = day_bounds(day, BERLIN)
    return [one.title for one in events_of_mail(ME, messages, BERLIN, start=start, end=end)]


def test_the_newest_word_on_an_event_counts() -> None:
    first = invitation(start="2026-11-27T10:00:00+01:00")
    assert titles(first) == ["Meeting a"]
    assert titles(first, invitation(start="2026-11-28T10:00:00+01:00", day=2)) == []
    assert titles(first, invitation("CANCEL", start="2026-11-27T10:00:00+01:00", day=2)) == []
    assert titles(
        invitation("CANCEL", start="2026-11-27T10:00:00+01:00"), invitation(start="2026-11-27", uid="b")
    ) == ["Meeting b"]


def test_a_day_is_the_owners_even_when_the_clocks_change() -> None:
    start, end = day_bounds(date(2026, 10, 25), BERLIN)
    assert end - start == 25 * 3_600
    assert titles(invitation(start="2026-11-26T23:30:00+00:00")) == ["Meeting a"]
    assert titles(invitation(start="2026-11-27T23:30:00+00:00")) == []


def test_what_was_answered_is_not_open() -> None:
    asked = invitation(start="2026-11-27T10:00:00+01:00")
    reply = invitation("REPLY", start="2026-11-27T10:00:00+01:00", day=2, own=True)
    start, end = day_bounds(date(2026, 11, 27), BERLIN)
    (open_,) = events_of_mail(ME, [asked], BERLIN, start=start, end=end)
    (answered,) = events_of_mail(ME, [asked, reply], BERLIN, start=start, end=end)
    assert (open_.response, answered.response) == ("needs-action", "")


def brief_of(mailbox: Mailbox, now: datetime = NOW) -> BriefDocument:
    return brief_document(make_brief(app(now), [mailbox.source]))


def invite(mailbox: Mailbox, hour: int, *, days: int = 0, title: str = "Review") -> None:
    at = (NOW + timedelta(days=days)).strftime(f"%Y%m%dT{hour:02}0000Z")
    ics = (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:{title}{hour}\r\nDTSTART:{at}\r\n"
        f"SUMMARY:{title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    mailbox.put(f"You are invited to: {title}", days=1, subject=f"Invitation: {title} {hour}", calendar=ics)


def test_a_morning_is_about_what_is_left_of_its_day_and_an_evening_about_the_next(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3)
    for hour, days, title in ((9, 0, "Over"), (15, 0, "Today"), (9, 1, "Tomorrow")):
        invite(mailbox, hour, days=days, title=title)
    morning = brief_of(mailbox)
    assert (morning["kind"], [one["title"] for one in morning["events"]]) == ("morning", ["Today"])
    assert (morning["agenda"], morning["empty"]) == ("mail", False)
    evening = brief_of(mailbox, NOW.replace(hour=21))
    assert (evening["kind"], [one["title"] for one in evening["events"]]) == ("evening", ["Tomorrow"])
    rows = [row for section in morning["email"].values() for row in section["rows"]]
    (asked,) = [row for row in rows if row["subject"] == "The signed form"]
    assert asked["followup"] and asked["followup"]["owes"] == "you"
    assert (morning["owe_total"], morning["owe"]) == (3, [])


def test_a_mailbox_with_nothing_to_say_is_empty(mailbox: Mailbox) -> None:
    mailbox.put("Thanks!", days=40, folder=".Archive")
    assert brief_of(mailbox)["empty"]


def test_a_date_that_is_none_is_refused(mailbox: Mailbox) -> None:
    with pytest.raises(BadArgument, match="is no day"):
        make_brief(app(), [mailbox.source], day="soon")


def test_words_of_strangers_mean_nothing_in_any_form(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=1, subject=HOSTILE, sender=f'"{HOSTILE[:20]}" <{HER}>')
    invite(mailbox, 15, title="<img src=x onerror=y> # head")
    document = brief_of(mailbox)
    for form in FORMS:
        text = brief_text(document, form)
        assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", text), form
    html, markdown = brief_text(document, "html"), brief_text(document, "markdown")
    assert "<script" not in html and "<img" not in html and "<a " not in html
    assert "default-src 'none'" in html
    assert not re.search(r"(?<!\\)(?:<script|\*\*bold|\]\(|<img)", markdown)


def test_a_code_to_sign_in_with_is_in_no_brief(mailbox: Mailbox) -> None:
    mailbox.put(
        "Your verification code is 482 913. It expires in 10 minutes.",
        days=0.01,
        sender="no-reply@bank.example",
        subject="Your verification code",
    )
    document = brief_of(mailbox)
    for form in FORMS:
        assert "482" not in brief_text(document, form)


def test_spoken_titles_are_short(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=1, subject=" ".join(f"word{number}" for number in range(40)))
    for line in brief_text(brief_of(mailbox), "speech").splitlines():
        assert len(line.split()) <= 2 * SPOKEN_WORDS


def _job(source: SourceSpec, run_id: str) -> Job:
    return Job(kind="brief", run_id=run_id, place=source.mailbox, owner=source.user, origin=PERSON)


def _made() -> int:
    with open_ledger() as ledger, ledger.read() as tx:
        return len(ledger.events.since(tx, kind="brief.made"))


def _now_mailbox(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=SINCE + 3)


def test_a_scheduled_brief_is_kept_once_however_often_its_run_begins(mailbox: Mailbox) -> None:
    _now_mailbox(mailbox)
    for _ in range(3):
        assert keep_brief(_job(mailbox.source, "r1"), environ=os.environ)["made"]
    assert _made() == 1
    keep_brief(_job(mailbox.source, "r2"), environ=os.environ)
    assert _made() == 2
    kept = last_brief(app(), [mailbox.source])
    assert kept["owe_total"] == 1 and brief_text(kept, "print")


def test_nothing_to_say_is_not_kept(mailbox: Mailbox) -> None:
    assert keep_brief(_job(mailbox.source, "r1"), environ=os.environ) == {"made": False}
    assert _made() == 0
    with pytest.raises(NotFound, match="No brief"):
        last_brief(app(), [mailbox.source])
