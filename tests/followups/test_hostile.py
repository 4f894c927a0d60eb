"""Whatever strangers write, also into invitations and names: it changes nothing but its own lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from gaia_email.app.documents.brief import brief_document
from gaia_email.app.documents.brief_text import FORMS, brief_text
from gaia_email.app.documents.meeting_prep import prep_document
from gaia_email.app.services.brief import make_brief
from gaia_email.app.services.chasing import reminder
from gaia_email.app.services.followups import read_followups
from gaia_email.app.services.meeting_prep import meetings
from tests.followups.mailbox import ASKS, HER, ME, NOW, Mailbox, app
from tests.obedient.mails import representative

EVE = "eve@evil.example"
LEE = "lee@acme.example"
UID = "review@other.example"
ZONED = NOW.replace(hour=15)

Hostile = Callable[[Mailbox, str, str], object]
"""Puts mail into a mailbox, given the Message-IDs of what she asked and of what the owner asked."""


def ics(
    *,
    uid: str = UID,
    method: str = "REQUEST",
    start: str = f"{ZONED:%Y%m%dT%H%M%SZ}",
    title: str = "Review",
    more: str = "",
) -> str:
    return (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:{start}\r\n"
        f"SUMMARY:{title}\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )


def invited(calendar: str, *, sender: str = EVE, subject: str = "Invitation") -> Hostile:
    return lambda mailbox, hers, own: mailbox.put(
        "You are invited.", days=0.1, sender=sender, subject=subject, calendar=calendar
    )


def wrote(text: str, *, sender: str = EVE, subject: str = "Hello there") -> Hostile:
    return lambda mailbox, hers, own: mailbox.put(text, days=0.1, sender=sender, subject=subject)


def orders(mailbox: Mailbox, hers: str, own: str) -> None:
    for mail in representative():
        body = mail.raw.decode().partition("\r\n\r\n")[2]
        mailbox.put(body, days=0.1, sender=EVE, subject=f"Urgent: {mail.name}")


def flood(mailbox: Mailbox, hers: str, own: str) -> None:
    for number in range(20):
        start = f"{ZONED + timedelta(minutes=number):%Y%m%dT%H%M%SZ}"
        invited(ics(uid=f"{number}@evil.example", start=start, title=f"Pay {number}"))(mailbox, hers, own)


def into_threads(mailbox: Mailbox, hers: str, own: str) -> None:
    for answers, subject in ((hers, "Re: The signed form"), (own, "Re: The plan of the hall")):
        mailbox.put("Thanks, nothing more is needed.", days=0.1, sender=EVE, subject=subject, answers=answers)
        mailbox.put("Here it is.", days=0.1, sender=EVE, subject=subject, answers=answers)


HOSTILE: Mapping[str, Hostile] = {
    "orders to assistants": orders,
    "answers in threads of others": into_threads,
    "many invitations": flood,
    "another's event cancelled": invited(ics(method="CANCEL")),
    "another's event moved": invited(ics(start="20270101T100000Z")),
    "another's event at another place": invited(ics(more="LOCATION:http://evil.example\r\n")),
    "another's event answered": invited(ics(method="REPLY")),
    "the last day of the calendar": invited(ics(uid="b", start="99991231T235959Z")),
    "an end that never comes": invited(ics(uid="b", more="DTEND:99991231T235959Z\r\n")),
    "an end before its start": invited(ics(uid="b", more="DTEND:19000101T000000Z\r\n")),
    "the first year": invited(ics(uid="b", start="00010101T000000Z")),
    "no time at all": invited(ics(uid="b", start="soon")),
    "a zone that is none": invited(
        ics(uid="b")
        .replace("DTSTART:", "DTSTART;TZID=../../etc/passwd:")
        .replace("Z\r\nSUMMARY", "\r\nSUMMARY")
    ),
    "for ever, every second": invited(ics(uid="b", more="RRULE:FREQ=SECONDLY\r\n")),
    "a title of a megabyte": invited(ics(uid="b", title="A" * 1_000_000)),
    "control characters in a title": invited(ics(uid="b", title="\x1b[2J\u202eeruliaf\\nSubject: x")),
    "a thousand events in one": invited(
        ics(uid="b").replace("END:VEVENT\r\n", "END:VEVENT\r\nBEGIN:VEVENT\r\n" * 1_000)
    ),
    "her name": wrote(ASKS, sender=f'"Dana Kim <{HER}>" <{EVE}>', subject="Another form"),
    "a name of markup": wrote(ASKS, sender=f'"</li><script>alert(1)</script>" <{EVE}>'),
    "a name of control characters": wrote(ASKS, sender=f'"=?utf-8?q?=1B=5B2J=E2=80=AE?=" <{EVE}>'),
    "a name without end": wrote(ASKS, sender=f'"{"Anna " * 2_000}" <{EVE}>'),
    "the owner's own name": wrote("Thanks, nothing more is needed.", sender=f'"{ME}" <{EVE}>'),
}


def told(mailbox: Mailbox) -> dict[str, Sequence[object]]:
    """What is said of those whom the owner knows: what is owed, the events and what is to be known before them."""
    now, sources = app(), [mailbox.source]
    brief = brief_document(make_brief(now, sources))
    for form in FORMS:
        assert not any(sign in brief_text(brief, form) for sign in ("\x1b", "\u202e"))
    assert "<script" not in brief_text(brief, "html")
    owed = [
        (one.standing.owes, one.standing.why, one.standing.since, one.standing.evidence, one.due)
        for one in read_followups(now, sources).rows
        if not one.standing.who & {EVE}
    ]
    prepared = prep_document(meetings(now, sources, within_s=6 * 3_600))["meetings"]
    return {
        "owed": owed,
        "events": [one for one in brief["events"] if one["id"] in _of_her(mailbox)],
        "prep": [one for one in prepared if one["id"] in _of_her(mailbox)],
    }


def _of_her(mailbox: Mailbox) -> set[str]:
    inbox = make_brief(app(), [mailbox.source]).summaries
    return {id_ for id_, summary in inbox.items() if summary["from"]["address"] == HER}


def filled(mailbox: Mailbox) -> tuple[str, str]:
    hers = mailbox.put(ASKS, days=3)
    own = mailbox.put(
        "Hi Lee,\n\ncan you send me the plan of the hall?\n\nSam",
        days=6,
        sender=ME,
        to=LEE,
        subject="The plan of the hall",
        folder=".Sent",
    )
    invited(ics(), sender=HER, subject="Invitation: Review")(mailbox, hers, own)
    return hers, own


@pytest.mark.parametrize("name", HOSTILE)
def test_mail_of_a_stranger_changes_nothing_but_its_own_lines(mailbox: Mailbox, name: str) -> None:
    hers, own = filled(mailbox)
    before = told(mailbox)
    assert [len(rows) for rows in before.values()] == [3, 1, 1]
    HOSTILE[name](mailbox, hers, own)
    assert told(mailbox) == before


@pytest.mark.parametrize("name", ["http://evil.example", "\x1b[2J", "", "<script>", "A" * 500])
def test_a_reminder_greets_nobody_by_a_name_that_is_none(mailbox: Mailbox, name: str) -> None:
    filled(mailbox)
    (one,) = read_followups(app(), [mailbox.source]).on("owed")
    words = reminder(replace(one, people=({**one.people[0], "name": name},)), "Sam")
    assert words.startswith("Hello,\n")
