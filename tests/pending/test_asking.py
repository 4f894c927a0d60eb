"""What a triage may not do by itself is asked about, once, with all that an answer needs."""

from __future__ import annotations

import datetime as dt

from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.app.services.feed import item_ids_of
from gaia_email.policy.document import Policy
from tests.origins import PERSON
from tests.pending.asking import AskingBench

MARKS = ("gaia/processed", "gaia/triaged-2026-03-31")


def test_what_a_level_only_suggests_becomes_a_question_with_its_proposal(bench: AskingBench) -> None:
    ask = bench.put("low default offers", sender="Ann <ann@known.example>")
    bench.ask()
    (item,) = bench.waiting()
    proposal = PendingProposal.of(item)
    assert (item.type, item.cohort, item.message_id, item.run_id) == ("question", "default", ask, "r1")
    assert (proposal.doing, proposal.names) == ("archive", ("gaia/low_priority", *MARKS))
    assert (item.confidence, proposal.level) == (0.9, 2)
    assert item.why
    assert "L2" in proposal.asked
    assert [(target.message_id, target.address) for target in proposal.targets] == [
        (ask, "ann@known.example")
    ]
    assert bench.labels()[ask] == {"INBOX", "UNREAD"}


def test_what_is_prepared_at_level_three_is_put_up_for_review(bench: AskingBench) -> None:
    bench.policy = Policy().with_level("default", 3)
    bench.put("low default offers")
    bench.ask()
    assert [item.type for item in bench.waiting()] == ["review"]


def test_what_is_done_by_itself_is_told_of_once_a_cohort(bench: AskingBench) -> None:
    for number in range(3):
        bench.put(f"low {number}")
    bench.put("info news")
    bench.ask()
    (item,) = bench.waiting("notify")
    assert PendingProposal.of(item).asked == "3 messages of newsletters left the inbox at L5 autonomous."
    with bench.ledger.write() as tx:
        from gaia_email.actions.pending.raising import tell_of_run
        from tests.actions.account import ME

        assert tell_of_run(bench.ledger, tx, ME, "r1", origin=PERSON) == 0
    assert len(bench.waiting("notify")) == 1


def test_a_second_triage_of_the_same_mail_asks_nothing_again(bench: AskingBench) -> None:
    bench.put("low default offers")
    bench.ask()
    before = bench.waiting()
    bench.ask("r2")
    assert bench.waiting() == before


def test_a_thread_that_is_proposed_anew_loses_its_earlier_item(bench: AskingBench) -> None:
    bench.put("low default offers")
    bench.ask()
    (first,) = bench.waiting()
    bench.policy = Policy().with_level("default", 3)
    bench.ask("r2")
    bench.tier.judged.clear()
    assert [item.item_id for item in bench.waiting()] == [first.item_id]  # the same change to the same mail
    bench.box.put(
        b"From: ann@example.com\r\nTo: me@example.org\r\nSubject: low default\r\nIn-Reply-To: <0@news.example>\r\n"
        b"Message-ID: <a@example.com>\r\nDate: Mon, 30 Mar 2026 10:00:00 +0000\r\n\r\nx\r\n",
        ["INBOX"],
    )
    bench.policy = Policy().with_level("default", 2)
    bench.ask("r3")
    (second,) = bench.waiting()
    assert second.item_id != first.item_id
    assert len(PendingProposal.of(second).targets) == 2
    assert [item.item_id for item in bench.waiting(state="void")] == [first.item_id]


def test_nothing_is_asked_about_what_is_protected(bench: AskingBench) -> None:
    from dataclasses import replace

    policy = Policy()
    bench.policy = replace(policy, protected=policy.protected.add("sender", "bank.example"))
    bench.put("low default offers", sender="info@bank.example")
    bench.ask()
    assert not bench.waiting()


def test_what_has_run_out_is_closed_and_does_nothing(bench: AskingBench) -> None:
    message = bench.put("low default offers")
    bench.ask()
    (item,) = bench.waiting()
    bench.now += dt.timedelta(days=15)
    answered = bench.approve(item)
    assert (answered.result, answered.item.state) == ("taken", "expired")
    assert "expired" in answered.reason
    assert bench.labels()[message] == {"INBOX", "UNREAD"}
    assert bench.kinds()["approval.expired"] == 1
    with bench.ledger.read() as tx:
        told = [
            one for one in bench.ledger.events.since(tx) if one.kind in ("pending.raised", "approval.expired")
        ]
    assert [one.payload["item_ids"] for one in told] == [[item.item_id]] * 2
    assert [item_ids_of(one) for one in told] == [[item.item_id]] * 2
