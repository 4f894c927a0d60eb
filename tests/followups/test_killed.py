"""Whatever dies while a brief is made or reminders are put up: nothing is there twice, and nothing is lost."""

from __future__ import annotations

import os
import random
import time
from collections import Counter

import pytest

from gaia_email.app import App
from gaia_email.app.services.brief import last_brief
from gaia_email.app.services.chasing import CHASED, TAKEN_BACK, is_reminder
from gaia_email.ledger import PendingItem, open_ledger
from tests.followups.mailbox import ME, SINCE, Mailbox
from tests.imap.acting import DONE, Acting

COLLEAGUE = "lee@acme.example"
KILLS = 20


def ask(mailbox: Mailbox, number: int) -> str:
    return mailbox.put(
        f"Hi Lee,\n\ncan you send me the plan of hall {number}?\n\nSam",
        days=SINCE + 14,
        sender=ME,
        to=COLLEAGUE,
        subject=f"The plan of hall {number}",
        folder=".Sent",
    )


def answer(mailbox: Mailbox, asked: str, number: int) -> None:
    subject = f"Re: The plan of hall {number}"
    mailbox.put("Here it is.", days=SINCE + 1, sender=COLLEAGUE, answers=asked, subject=subject)


def reminders() -> list[PendingItem]:
    with open_ledger() as ledger, ledger.read() as tx:
        return [item for item in ledger.pending.select(tx) if is_reminder(item)]


def told(kind: str) -> Counter[str]:
    """How often each run, or each thread, is in the event log under that kind."""
    with open_ledger() as ledger, ledger.read() as tx:
        assert ledger.events.verify(tx) is None
        events = ledger.events.since(tx, kind=kind, limit=1_000)
    return Counter(str(event.payload.get("thread_id") or event.run_id) for event in events)


@pytest.mark.timeout(600)
def test_killed_at_any_instant_a_brief_is_kept_once_and_a_thread_is_reminded_of_once(
    mailbox: Mailbox,
) -> None:
    chance, died, rounds = random.Random(31), 0, 0
    whole = {"brief": 0.0, "chase": 0.0}
    asked: list[str] = []
    with Acting("tests.followups.acting") as acting:
        while died < KILLS:
            asked.append(ask(mailbox, rounds))
            if rounds % 3 == 2:
                answer(mailbox, asked[rounds - 1], rounds - 1)
            for kind in ("brief", "chase"):
                line, code = f"{kind} {kind}-{rounds} {mailbox.source.path}", None
                while code != DONE:
                    begun = time.perf_counter()
                    acting.start(line)
                    limit = chance.uniform(0, whole[kind]) if rounds and died < KILLS else None
                    code = acting.ended(limit)
                    if code is None:
                        code = acting.kill()
                        died += code != DONE
                    else:
                        whole[kind] = time.perf_counter() - begun
            rounds += 1
            answered = rounds // 3
            assert len(reminders()) == rounds - answered
            assert told("brief.made") == {f"brief-{number}": 1 for number in range(rounds)}
            assert set(told(CHASED).values()) == {1} and told(CHASED).total() == rounds
            assert set(told(TAKEN_BACK).values()) <= {1} and told(TAKEN_BACK).total() == answered
    kept = last_brief(App(environ=os.environ), [mailbox.source])
    assert kept["owed_total"] == rounds - rounds // 3
