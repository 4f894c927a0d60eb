"""What to know before a meeting, and that a note of it is put up once."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest

from gaia_email.app.documents.meeting_prep import prep_document
from gaia_email.app.services.meeting_prep import meetings, tell_of_meetings
from gaia_email.ledger import PendingItem, open_ledger
from gaia_email.runs.job import Job
from tests.followups.mailbox import ASKS, HER, NOW, Mailbox, app
from tests.origins import PERSON


def invite(
    mailbox: Mailbox, minutes: float, *, days: float = 1, method: str = "REQUEST", day: bool = False
) -> None:
    start = NOW + timedelta(minutes=minutes)
    at = f";VALUE=DATE:{start:%Y%m%d}" if day else f":{start:%Y%m%dT%H%M%SZ}"
    ics = (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:review\r\nDTSTART{at}\r\n"
        "SUMMARY:Review\r\nLOCATION:Room 2\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    mailbox.put("You are invited to: Review", days=days, subject="Invitation: Review", calendar=ics)


def tell(mailbox: Mailbox) -> object:
    job = Job(kind="prep", run_id="r", place=mailbox.source.mailbox, owner=mailbox.source.user, origin=PERSON)
    return tell_of_meetings(job, environ=os.environ, clock=NOW.timestamp)["told"]


def notes() -> list[PendingItem]:
    with open_ledger(clock=NOW.timestamp) as ledger, ledger.read() as tx:
        return ledger.pending.select(tx, type="notify")


def test_a_meeting_is_told_with_its_people_threads_and_what_is_open(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3, sender=f"Dana Kim <{HER}>")
    mailbox.put("Lunch?", days=2, sender="lee@third.example", subject="Lunch")
    invite(mailbox, 60)
    (row,) = prep_document(meetings(app(), [mailbox.source], within_s=7_200))["meetings"]
    assert (row["title"], row["location"]) == ("Review", "Room 2")
    assert [one["name"] for one in row["who"]] == ["Dana Kim"]
    assert [one["subject"] for one in row["threads"]] == ["The signed form"]
    assert "could you send me the signed form" in row["owe"][0]["why"]


@pytest.mark.parametrize(("minutes", "day"), [(-5, False), (60, False), (0, True)])
def test_what_is_over_later_or_all_day_has_no_note(mailbox: Mailbox, minutes: float, day: bool) -> None:
    invite(mailbox, minutes, day=day)
    assert tell(mailbox) == 0


def test_a_note_is_put_up_once_and_again_where_the_meeting_was_moved(mailbox: Mailbox) -> None:
    invite(mailbox, 15)
    assert tell(mailbox) == 1
    for _ in range(5):
        assert tell(mailbox) == 0
    invite(mailbox, 18, days=0.01)
    assert tell(mailbox) == 1
    invite(mailbox, 18, days=0.005, method="CANCEL")
    assert tell(mailbox) == 0
    assert all("Review" in str(note.proposal["asked"]) for note in notes())
