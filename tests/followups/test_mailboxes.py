"""Who owes whom in whole mailboxes, and what the user says of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gaia_email.app.services.followups import read_followups, say
from gaia_email.triage.followups.found import Followup, FollowupList
from tests.followups.mailbox import ALIAS, ASKS, HER, ME, NOW, Mailbox, app


def look(*mailboxes: Mailbox) -> FollowupList:
    return read_followups(app(), [one.source for one in mailboxes])


def only(found: FollowupList) -> Followup:
    assert len(found.rows) == 1
    return found.rows[0]


def test_what_somebody_waits_for_is_owed_with_the_sentence_and_the_day(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3)
    found = only(look(mailbox))
    assert found.standing.owes == "you"
    assert "could you send me the signed form" in found.standing.why
    assert found.standing.until is not None and found.days == 3 and not found.due
    assert [one["address"] for one in found.people] == [HER]


@pytest.mark.parametrize("sender", [ME, ALIAS])
def test_an_answer_from_any_address_of_the_owner_settles_it(mailbox: Mailbox, sender: str) -> None:
    asked = mailbox.put(ASKS, days=3)
    mailbox.sent("Here it is.", days=2, sender=sender, answers=asked)
    found = look(mailbox)
    assert not found.rows and found.settled == 1


def test_an_answer_in_a_thread_of_its_own_settles_it(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3)
    mailbox.sent("Here it is.", days=2, subject="RE: The signed form")
    assert not look(mailbox).on("owe")


def test_an_answer_from_another_account_settles_it(mailbox: Mailbox, tmp_path: Path) -> None:
    mailbox.put(ASKS, days=3)
    other = Mailbox(tmp_path / "Other", user="sam@home.example")
    other.put(
        "Here it is.",
        days=2,
        sender="sam@home.example",
        to=HER,
        subject="Re: The signed form",
        folder=".Sent",
    )
    assert look(mailbox).on("owe")
    assert not look(mailbox, other).on("owe")


def test_an_absence_is_no_answer(mailbox: Mailbox) -> None:
    asked = mailbox.sent("Hi Dana,\n\ncan you send me the plan?\n\nSam", days=6)
    mailbox.put(
        "I am away until Monday.",
        days=6,
        answers=asked,
        subject="Automatic reply: The signed form",
        more={"Auto-Submitted": "auto-replied"},
    )
    found = only(look(mailbox))
    assert found.standing.owes == "they" and found.due


def test_what_was_put_away_without_an_answer_and_old_threads_are_not_followed(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3, folder=".Archive")
    mailbox.put(ASKS, days=90, subject="Another form")
    assert not look(mailbox).rows


def test_a_list_a_machine_and_a_note_to_oneself_owe_nothing(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3, more={"List-Id": "<all.other.example>", "Precedence": "list"})
    mailbox.put(ASKS, days=3, subject="Two", more={"Auto-Submitted": "auto-generated"})
    mailbox.put("Can you buy milk?", days=3, subject="Three", sender=ME, folder=".Sent")
    assert not look(mailbox).rows


def test_what_is_dismissed_comes_back_with_the_next_message_only(mailbox: Mailbox) -> None:
    asked = mailbox.put(ASKS, days=3)
    shown = only(look(mailbox)).summary["id"]
    assert say(app(), mailbox.source, shown, "dismissed", actor="tests").standing.owes == "done"
    found = look(mailbox)
    assert not found.rows and found.settled == 1
    mailbox.put("Could you please send it today?", days=1, answers=asked, subject="Re: The signed form")
    assert only(look(mailbox)).said == ""


def test_what_is_put_off_is_told_again_when_its_time_has_come(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3)
    shown = only(look(mailbox)).summary["id"]
    until = (NOW + timedelta(days=2)).timestamp()
    assert say(app(), mailbox.source, shown, "waiting", until=until, actor="tests").said == "waiting"
    assert look(mailbox).waiting == 1
    later = read_followups(app(), [mailbox.source], now=until + 1)
    assert only(later).standing.owes == "you"


def test_the_users_word_on_who_owes_stands(mailbox: Mailbox) -> None:
    mailbox.put(ASKS, days=3)
    shown = only(look(mailbox)).summary["id"]
    say(app(), mailbox.source, shown, "they", actor="tests")
    found = only(look(mailbox))
    assert (found.standing.owes, found.said) == ("they", "they")
    say(app(), mailbox.source, shown, "nothing", actor="tests")
    assert not look(mailbox).rows


def test_a_forged_message_of_the_owners_in_the_inbox_is_not_theirs(mailbox: Mailbox) -> None:
    asked = mailbox.put(ASKS, days=3)
    mailbox.put("Here it is.", days=2, sender=ME, to=ME, answers=asked, subject="Re: The signed form")
    assert only(look(mailbox)).standing.owes == "you"
