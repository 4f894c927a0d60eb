"""One question offers to archive the threads that are over; a message is over by the first word of its subject."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.pending.groups import is_offer, offer_asked, targets_of
from gaia_email.actions.pending.over import offer_over
from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.actions.triaging import TriageRequest
from gaia_email.actions.undo import UndoOutcome, last_done, undo
from gaia_email.app.documents.pending import proposal_text
from gaia_email.ledger import PendingItem
from gaia_email.policy.user_rules import UserRules
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.actions.account import ME
from tests.pending.asking import AskingBench


def offer(bench: AskingBench, run_id: str = "r1") -> bool:
    """Triage, and offer what is over; whether the question is new."""
    bench.ask(run_id)
    wanted = TriageRequest(tier=bench.tier, owner=(ME,), run_id=run_id, rules=UserRules(policy=bench.policy))
    return bench.run(lambda session: offer_over(session, wanted, origin=bench.origin))


def offers(bench: AskingBench) -> list[PendingItem]:
    return [item for item in bench.waiting() if is_offer(item)]


async def _undo_last(session: AccountSession) -> UndoOutcome:
    return await undo(session, last_done(session))


def in_inbox(bench: AskingBench) -> set[str]:
    return {id_ for id_, labels in bench.labels().items() if "INBOX" in labels}


@pytest.fixture
def over(bench: AskingBench) -> list[str]:
    """Three messages that are over, and one that is not."""
    bench.put("ask default")
    return [bench.put(f"over default {number}", sender=f"p{number}@known.example") for number in range(3)]


def test_one_question_is_about_all_that_is_over_and_nothing_else(bench: AskingBench, over: list[str]) -> None:
    assert offer(bench)
    (item,) = offers(bench)
    proposal = PendingProposal.of(item)
    assert targets_of(item) == set(over)
    assert proposal.asked == offer_asked(3)
    assert proposal_text(proposal) == "archive 3 messages"
    asked_alone = {other.message_id for other in bench.waiting() if not is_offer(other)}
    assert not asked_alone & set(over)


def test_what_is_starred_protected_suspicious_or_a_vips_is_not_offered(
    bench: AskingBench, over: list[str]
) -> None:
    protected = bench.policy.protected.add("sender", "bank.example")
    bench.policy = replace(bench.policy, protected=protected)
    bench.put("over default", sender="teller@bank.example")
    bench.put("over default", ("INBOX", "STARRED"))
    bench.put("over default fraud")
    bench.put("over vip", sender="chief@known.example")
    offer(bench)
    (item,) = offers(bench)
    assert targets_of(item) == set(over)


def test_a_single_thread_is_not_worth_the_question(bench: AskingBench) -> None:
    bench.put("over default")
    assert not offer(bench)
    assert offers(bench) == []


def test_a_yes_archives_exactly_what_was_shown_and_one_undo_brings_it_back(
    bench: AskingBench, over: list[str]
) -> None:
    offer(bench)
    before = in_inbox(bench)
    later = bench.put("over default later")
    answered = bench.approve(offers(bench)[0])
    assert answered.result == "approved"
    assert {action.message_id for action in answered.actions} == set(over)
    assert in_inbox(bench) == (before - set(over)) | {later}
    bench.run(_undo_last)
    assert in_inbox(bench) == before | {later}
    assert bench.verified()


def test_a_thread_that_was_answered_or_starred_meanwhile_is_left(bench: AskingBench, over: list[str]) -> None:
    offer(bench)
    bench.box.put(
        f"From: {ME}\r\nTo: p1@known.example\r\nSubject: Re: over default 1\r\nMessage-ID: <mine@example.org>\r\n"
        "In-Reply-To: <2@news.example>\r\nReferences: <2@news.example>\r\n"
        "Date: Tue, 31 Mar 2026 09:00:00 +0000\r\n\r\nHere it is.\r\n".encode(),
        ("SENT",),
    )
    message = bench.box._store.messages[over[2]]  # pyright: ignore[reportPrivateUsage]
    bench.box._store.set_state(message, message.state.relabel(add=["STARRED"], remove=()))  # pyright: ignore[reportPrivateUsage]
    answered = bench.approve(offers(bench)[0])
    assert {action.message_id for action in answered.actions} == {over[0]}
    assert answered.reason == "2 of its messages were changed since and left as they are."
    assert {over[1], over[2]} <= in_inbox(bench)


def test_the_same_is_not_asked_twice_and_is_asked_anew_when_more_is_over(
    bench: AskingBench, over: list[str]
) -> None:
    assert offer(bench)
    first = offers(bench)
    assert not offer(bench, "r2")
    assert offers(bench) == first
    more = bench.put("over default more")
    assert offer(bench, "r3")
    (item,) = offers(bench)
    assert targets_of(item) == {*over, more}


def test_what_was_refused_is_not_offered_again(bench: AskingBench, over: list[str]) -> None:
    offer(bench)
    assert bench.reject(offers(bench)[0]).result == "rejected"
    assert not offer(bench, "r2")
    assert over and offers(bench) == []


def test_what_a_run_judged_is_offered_once_time_has_made_it_over(
    bench: AskingBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = {bench.put(f"ask default {number}") for number in range(2)}
    assert not offer(bench)
    judge = bench.tier.judge

    def later(prepared: Prepared, context: Context) -> Verdict:
        return replace(judge(prepared, context), is_over=True)

    monkeypatch.setattr(bench.tier, "judge", later)
    assert offer(bench, "r2")
    assert targets_of(offers(bench)[0]) == ids
