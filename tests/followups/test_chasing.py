"""Reminders of what others owe: put up when due, twice at most, taken back when answered, never sent."""

from __future__ import annotations

import os
from datetime import timedelta

from gaia_email.app.services.chasing import chase, is_reminder
from gaia_email.ledger import PendingItem, open_ledger
from gaia_email.runs.job import Job, RunResult
from tests.followups.mailbox import NOW, Mailbox
from tests.origins import PERSON

COLLEAGUE = "lee@acme.example"


def ask(mailbox: Mailbox, *, days: float, to: str = COLLEAGUE, subject: str = "The plan of the hall") -> str:
    return mailbox.put(
        "Hi Lee,\n\ncan you send me the plan of the hall?\n\nSam",
        days=days,
        sender="Sam Lee <sam@acme.example>",
        to=to,
        subject=subject,
        folder=".Sent",
    )


def run(mailbox: Mailbox, run_id: str = "r1", *, days: float = 0) -> RunResult:
    job = Job(
        kind="chase", run_id=run_id, place=mailbox.source.mailbox, owner=mailbox.source.user, origin=PERSON
    )
    return chase(job, environ=os.environ, clock=(NOW + timedelta(days=days)).timestamp)


def waiting() -> list[PendingItem]:
    with open_ledger(clock=NOW.timestamp) as ledger, ledger.read() as tx:
        return [item for item in ledger.pending.select(tx) if is_reminder(item)]


def test_what_is_due_becomes_one_review_item_with_the_words(mailbox: Mailbox) -> None:
    ask(mailbox, days=14)
    ask(mailbox, days=0.01, subject="Not due yet")
    assert run(mailbox)["raised"] == 1
    for again in range(50):
        assert run(mailbox, f"r{again}")["raised"] == 0
    (item,) = waiting()
    assert item.type == "review" and item.proposal["doing"] == "tell"
    assert "can you send me the plan of the hall" in str(item.proposal["asked"])


def test_an_answer_takes_it_back(mailbox: Mailbox) -> None:
    asked = ask(mailbox, days=14)
    run(mailbox)
    mailbox.put("Here it is.", days=1, sender=COLLEAGUE, answers=asked, subject="Re: The plan of the hall")
    assert run(mailbox, "r2") == {"account": waiting_account(mailbox), "raised": 0, "answered": 1}
    assert not waiting()


def waiting_account(mailbox: Mailbox) -> str:
    return str(run(mailbox, "r9")["account"])


def test_a_thread_is_reminded_of_twice_at_most_with_days_between(mailbox: Mailbox) -> None:
    ask(mailbox, days=14)
    for number, (days, raised) in enumerate(((0, 1), (1, 0), (6, 1), (12, 0))):
        assert run(mailbox, f"r{number}", days=days)["raised"] == raised
        with open_ledger() as ledger, ledger.write() as tx:
            ledger.pending.void(tx, item_ids=[item.item_id for item in ledger.pending.select(tx)])


def test_people_below_level_two_are_not_chased(mailbox: Mailbox) -> None:
    ask(mailbox, days=14, to="dana@other.example")
    assert run(mailbox)["raised"] == 0
