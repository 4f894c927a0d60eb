"""Who owes whom, from what the messages of a thread say."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from gaia_email.triage.followups.message_note import MessageNote
from gaia_email.triage.followups.standing import ThreadMail, ThreadStanding, standing_of
from gaia_email.triage.followups.working_days import is_due, working_days

DAY = 86_400.0
HER, HIM = "dana@acme.example", "lee@other.example"
ASKS, PROMISES = MessageNote(asks="Can you send it?"), MessageNote(promises="I will send it.")
THANKS, SAYS = MessageNote(closes=True), MessageNote()
ABSENT = MessageNote(automatic=True)


def sent(
    day: int, note: MessageNote, *, to: str = HER, forward: bool = False, other: bool = False
) -> ThreadMail:
    return ThreadMail(
        id=f"sent-{day}",
        date=day * DAY,
        own=True,
        recipients=frozenset({to}) if to else frozenset(),
        is_forward=forward,
        answers_others=other,
        note=note,
    )


def got(day: int, note: MessageNote, *, sender: str = HER) -> ThreadMail:
    return ThreadMail(id=f"got-{day}", date=day * DAY, own=False, sender=sender, note=note)


def standing(*messages: ThreadMail, now: int = 30) -> ThreadStanding:
    return standing_of(messages, now=now * DAY)


@pytest.mark.parametrize(
    ("messages", "owes"),
    [
        ([got(1, ASKS)], "you"),
        ([got(1, ASKS), sent(2, SAYS)], "done"),
        ([got(1, ASKS), sent(2, PROMISES)], "you"),
        ([got(1, ASKS), sent(2, PROMISES), got(3, THANKS)], "done"),
        ([got(1, ASKS), got(2, THANKS)], "done"),
        ([got(1, ASKS), got(2, THANKS, sender=HIM)], "you"),
        ([got(1, ASKS), sent(2, SAYS, to=HIM, forward=True)], "you"),
        ([got(1, ASKS), sent(2, SAYS, to="")], "you"),
        ([sent(1, ASKS)], "they"),
        ([sent(1, ASKS), got(2, SAYS)], "done"),
        ([sent(1, ASKS), got(2, ABSENT)], "they"),
        ([sent(1, ASKS), got(2, PROMISES)], "they"),
        ([sent(1, ASKS), got(2, PROMISES), sent(3, THANKS)], "they"),
        ([sent(1, ASKS), got(2, PROMISES), sent(3, THANKS), got(4, SAYS)], "done"),
        ([sent(1, ASKS), got(2, ASKS)], "you"),
        ([sent(1, ASKS), sent(2, THANKS)], "done"),
        ([sent(1, ASKS), sent(2, SAYS)], "they"),
        ([sent(1, ASKS), sent(2, SAYS, other=True)], "done"),
        ([sent(1, ASKS, to="")], "nothing"),
        ([got(1, THANKS)], "nothing"),
        ([got(1, ABSENT)], "nothing"),
        ([], "nothing"),
    ],
)
def test_the_last_words_decide(messages: list[ThreadMail], owes: str) -> None:
    assert standing(*messages).owes == owes
    assert standing(*reversed(messages)).owes == owes


def test_who_asks_again_has_waited_since_the_first_time() -> None:
    found = standing(got(1, ASKS), got(4, MessageNote(asks="Any news?", due="2026-11-30")))
    assert (found.since, found.evidence, found.why) == (DAY, ("got-1", "got-4"), "Any news?")
    assert found.until == datetime(2026, 11, 30, 23, 59, 59, tzinfo=ZoneInfo("UTC")).timestamp()


def test_an_invitation_waits_for_an_answer_until_it_begins() -> None:
    invitation = got(1, MessageNote(invitation="REQUEST", starts="1970-01-20T10:00:00+00:00"))
    assert standing(invitation, now=5).owes == "you"
    assert standing(invitation, now=25).owes != "you"
    assert (
        standing(invitation, sent(2, MessageNote(automatic=True, invitation="REPLY")), now=5).owes == "done"
    )
    assert standing(invitation, got(2, MessageNote(invitation="CANCEL")), now=5).owes == "done"


BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
FRIDAY = datetime(2026, 11, 27, 23, 30, tzinfo=BERLIN).timestamp()


def test_working_days_are_those_of_the_owners_zone() -> None:
    monday = FRIDAY + 3 * DAY
    assert working_days(FRIDAY, monday, BERLIN) == 1
    assert working_days(FRIDAY, FRIDAY + 2 * DAY, BERLIN) == 0
    assert working_days(FRIDAY, FRIDAY + 0.2 * DAY, NEW_YORK) == 0
    assert working_days(FRIDAY, monday, BERLIN, away={date(2026, 11, 30)}) == 0
    assert working_days(monday, FRIDAY, BERLIN) == 0


def test_what_has_no_day_of_its_own_is_due_after_the_usual_working_days() -> None:
    theirs = ThreadStanding(owes="they", since=FRIDAY)
    assert not is_due(theirs, FRIDAY + 4 * DAY, BERLIN)
    assert is_due(theirs, FRIDAY + 5 * DAY, BERLIN)
    assert not is_due(theirs, FRIDAY + 5 * DAY, BERLIN, away={date(2026, 12, 1)})
    named = ThreadStanding(owes="they", since=FRIDAY, until=FRIDAY + 9 * DAY)
    assert not is_due(named, FRIDAY + 8 * DAY, BERLIN)
    assert is_due(named, FRIDAY + 9 * DAY, BERLIN)
    assert not is_due(ThreadStanding(owes="done", since=FRIDAY), FRIDAY + 90 * DAY, BERLIN)
