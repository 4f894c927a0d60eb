"""An answer counts once, is about exactly what was shown, and goes through the gate."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

from gaia_email.actions.pending.inbox import AgentInbox, AnsweredItem, void_all
from gaia_email.ledger import PendingItem
from gaia_email_registry.errors import BadArgument, NotFound
from tests.actions.account import unreachable
from tests.pending.asking import AskingBench

MARKS = {"gaia/processed", "gaia/triaged-2026-03-31"}


def asked(bench: AskingBench, subject: str = "low default offers") -> tuple[str, PendingItem]:
    message = bench.put(subject)
    bench.ask()
    return message, next(item for item in bench.waiting() if item.message_id == message)


def test_approving_does_what_was_proposed_and_closes_the_item(bench: AskingBench) -> None:
    message, item = asked(bench)
    answered = bench.approve(item)
    assert answered.result == "approved"
    assert bench.labels()[message] == {"UNREAD", "gaia/low_priority", *MARKS}
    (action,) = answered.actions
    assert (action.user_confirmed, action.cohort, action.state) == (True, "default", "applied")
    assert (answered.item.state, answered.item.answered_by) == ("approved", "cli")
    assert not bench.waiting()
    assert bench.kinds()["approval.granted"] == 1
    assert bench.verified()


def test_an_answer_given_in_one_face_is_gone_from_the_others(bench: AskingBench) -> None:
    _, item = asked(bench)
    assert bench.reject(item, "not this one", by="web").result == "rejected"
    late = bench.approve(item)
    assert late.result == "taken"
    assert late.reason == "This was rejected already in web; that answer stands."
    assert late.item.answer == {"reason": "not this one"}
    assert not bench.box.changed


def test_of_two_answers_at_once_one_wins_and_the_other_is_told(bench: AskingBench) -> None:
    for round_ in range(5):
        _, item = asked(bench, f"low default {round_}")
        results: list[AnsweredItem] = []
        start = threading.Barrier(2)

        def answer(
            item: PendingItem = item, start: threading.Barrier = start, into: list[AnsweredItem] = results
        ) -> None:
            with bench.reopened() as ledger:
                inbox = AgentInbox(ledger, _no_session, by="one")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
                start.wait()
                into.append(inbox.reject(item.item_id))

        threads = [threading.Thread(target=answer) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert sorted(one.result for one in results) == ["rejected", "taken"]
    assert bench.kinds()["approval.refused"] == 5


def _no_session(account: str) -> None:
    raise AssertionError(account)


def test_an_approval_outlives_the_program_that_asked(bench: AskingBench) -> None:
    message, item = asked(bench)
    bench.ledger.close()
    bench.ledger = bench.reopened()
    assert bench.approve(item).result == "approved"
    assert "INBOX" not in bench.labels()[message]


def test_an_approval_that_was_cut_short_is_done_at_the_next_start_and_only_once(bench: AskingBench) -> None:
    message, item = asked(bench)
    bench.box.before_change = unreachable
    assert bench.approve(item).result == "later"
    bench.box.before_change = lambda: None
    assert bench.approve(item).result == "taken"
    bench.ask("r2")
    assert "INBOX" not in bench.labels()[message]
    assert bench.box.changed == {message: 1}


def test_a_message_that_was_moved_meanwhile_is_left_and_judged_anew(bench: AskingBench) -> None:
    message, item = asked(bench)
    asyncio.run(bench.box.modify([message], add=["TRASH"], remove=["INBOX"]))
    answered = bench.approve(item)
    assert (answered.result, answered.item.state) == ("changed", "void")
    assert bench.labels()[message] == {"TRASH", "UNREAD"}
    asyncio.run(bench.box.modify([message], add=["INBOX"], remove=["TRASH"]))
    bench.ask("r2")
    assert [one.message_id for one in bench.waiting()] == [message]


def test_reading_a_message_first_does_not_make_it_another_one(bench: AskingBench) -> None:
    message, item = asked(bench)
    asyncio.run(bench.box.modify([message], add=["STARRED"], remove=["UNREAD"]))
    assert bench.approve(item).result == "approved"
    assert bench.labels()[message] == {"STARRED", "gaia/low_priority", *MARKS}


def test_a_message_that_is_gone_is_said_to_be(bench: AskingBench) -> None:
    message, item = asked(bench)
    asyncio.run(bench.box.delete([message]))
    answered = bench.approve(item)
    assert answered.result == "changed"
    assert "not there" in answered.reason


def test_a_proposal_that_is_not_as_it_was_made_is_refused(bench: AskingBench) -> None:
    _, item = asked(bench)
    with bench.ledger.write() as tx:
        tx.execute(
            text("update pending set proposal = replace(proposal, 'gaia/low_priority', 'gaia/urgent')")
        )
    with pytest.raises(BadArgument, match="not as it was made"):
        bench.approve(item)
    assert not bench.box.changed

    async def listed(inbox: AgentInbox) -> list[PendingItem]:
        return inbox.list_pending()

    assert bench.answering(listed) == []
    assert [one.item_id for one in bench.waiting(state="void")] == [item.item_id]


def test_another_proposal_than_the_one_shown_is_refused(bench: AskingBench) -> None:
    _, item = asked(bench)
    with pytest.raises(BadArgument, match="another proposal"):
        bench.answering(lambda inbox: inbox.approve(item.item_id, shown="0" * 64))
    assert bench.waiting() == [item]


def test_an_edited_bucket_is_done_and_recorded_as_a_correction(bench: AskingBench) -> None:
    message, item = asked(bench)
    answered = bench.approve(item, {"bucket": "urgent"})
    assert answered.result == "approved"
    assert bench.labels()[message] == {"INBOX", "UNREAD", "gaia/urgent", *MARKS}
    with bench.ledger.read() as tx:
        (correction,) = bench.ledger.corrections.since(tx)
    assert (correction.original.bucket, correction.corrected.bucket) == ("low_priority", "urgent")
    assert correction.sender
    kinds = bench.kinds()
    assert (kinds["approval.granted"], kinds["approval.edited"], kinds["correction.recorded"]) == (0, 1, 1)


@pytest.mark.parametrize("edits", [{"bucket": "trash"}, {"to": "x@example.com"}, {"archive": "yes"}])
def test_only_what_can_be_edited_is(bench: AskingBench, edits: dict[str, object]) -> None:
    _, item = asked(bench)
    with pytest.raises(BadArgument):
        bench.approve(item, edits)
    assert bench.waiting() == [item]


def test_all_of_a_cohort_are_approved_in_few_calls(bench: AskingBench) -> None:
    messages = [bench.put(f"low default {number}") for number in range(120)]
    bench.ask()
    calls = bench.box.calls
    answers = bench.approve_all(bench.waiting())
    assert {one.result for one in answers} == {"approved"}
    assert bench.box.calls - calls == 2
    assert all("INBOX" not in bench.labels()[message] for message in messages)


def test_in_a_batch_each_item_counts_for_itself(bench: AskingBench) -> None:
    first, second = bench.put("low default one"), bench.put("low default two")
    bench.ask()
    items = bench.waiting()
    asyncio.run(bench.box.modify([first], add=["TRASH"], remove=["INBOX"]))
    results = {one.item.message_id: one.result for one in bench.approve_all(items)}
    assert results == {first: "changed", second: "approved"}


def test_a_stop_voids_what_waits_and_refuses_what_is_answered_meanwhile(bench: AskingBench) -> None:
    message, item = asked(bench)
    bench.brakes.stop = "The agent is stopped."
    answered = bench.approve(item)
    assert (answered.result, answered.reason) == ("refused", "The agent is stopped.")
    assert bench.waiting() == [item]
    with bench.ledger.write() as tx:
        assert void_all(bench.ledger, tx) == 1
    bench.brakes.stop = ""
    assert bench.approve(item).reason == "This was taken back, so nothing was done."
    assert bench.labels()[message] == {"INBOX", "UNREAD"}


def test_looking_at_what_was_told_closes_it_without_touching_mail(bench: AskingBench) -> None:
    bench.put("low news")
    bench.ask()
    (note,) = bench.waiting("notify")
    calls = bench.box.calls
    assert bench.approve(note).result == "seen"
    assert bench.box.calls == calls
    assert not bench.waiting()


def test_an_item_is_found_by_the_beginning_of_its_id(bench: AskingBench) -> None:
    _, item = asked(bench)
    found = bench.answering(lambda inbox: inbox.approve(item.item_id[:8]))
    assert found.item.item_id == item.item_id
    for wrong in ("", "nothing", "%"):
        with pytest.raises(NotFound):
            bench.answering(lambda inbox, wrong=wrong: inbox.approve(wrong))  # type: ignore[misc]
