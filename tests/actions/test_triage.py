"""A triage that acts: the plan is written down, carried out, and not repeated."""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractContextManager

import pytest
from sqlalchemy import Connection

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import carry_out
from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.actions.triaging import TriageRequest, apply_run, plan_run
from gaia_email.actions.undo import last_done, undo
from gaia_email_registry.errors import NeedsApproval, ProviderError
from tests.actions.account import ME, Bench, unreachable

MARKS = {"gaia/processed", "gaia/triaged-2026-03-31"}


def test_what_the_level_allows_is_done_and_written_down(bench: Bench) -> None:
    low, info, ask = bench.put("low offers"), bench.put("info news"), bench.put("ask me")
    suggested = bench.put("low default")
    report = bench.triage(run_id="r1", session_id="s1")
    assert bench.labels() == {
        low: {"UNREAD", "gaia/low_priority", *MARKS},
        info: {"INBOX", "UNREAD", "gaia/informational", *MARKS},
        ask: {"INBOX", "UNREAD"},
        suggested: {"INBOX", "UNREAD"},
    }
    assert report.modes == {"apply": 2, "suggest": 2}
    rows = bench.actions()
    assert {(row.message_id, row.action_type, row.state, row.run_id, row.session_id) for row in rows} == {
        (low, "archive", "applied", "r1", "s1"),
        (info, "label_add", "applied", "r1", "s1"),
    }
    assert {row.autonomy_level for row in rows} == {"L5"}
    assert bench.kinds() == {
        "run.started": 1,
        "run.finished": 1,
        "message.triaged": 4,
        "action.planned": 5,
        "action.applied": 6,
    }
    assert bench.verified()


def test_spam_that_is_put_away_goes_where_the_provider_keeps_spam_and_comes_back(bench: Bench) -> None:
    spam = bench.put("spam offers")
    bench.triage(run_id="r1")
    assert bench.labels() == {spam: {"SPAM", "UNREAD", "gaia/low_priority", *MARKS}}
    assert [row.action_type for row in bench.actions()] == ["junk"]
    bench.run(lambda session: undo(session, last_done(session)))
    assert "INBOX" in bench.labels()[spam] and "SPAM" not in bench.labels()[spam]


def test_a_second_triage_of_an_unchanged_mailbox_judges_and_writes_nothing(bench: Bench) -> None:
    for number in range(7):
        bench.put(f"low {number}")
        bench.put(f"ask {number}")
    bench.triage()
    labels, calls, kinds = bench.labels(), bench.box.calls, bench.kinds()
    judged = len(bench.tier.judged)
    again = bench.triage()
    seen = Counter({"mail.moved": 1})  # the sync that looks again finds what the first triage archived
    assert (bench.labels(), bench.box.calls, bench.kinds()) == (labels, calls, kinds + seen)
    assert len(bench.tier.judged) == judged == 14
    assert (again.inbox.total, again.inbox.handled) == (0, 7)


def test_only_what_is_new_is_looked_at(bench: Bench) -> None:
    bench.put("low old")
    bench.triage()
    new = bench.put("low new")
    report = bench.triage()
    assert bench.tier.judged == ["low old", "low new"]
    assert [action.message_id for action in report.applied.done] == [new]


def test_another_version_of_the_program_judges_anew_but_acts_on_nothing_twice(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.put("info news")
    bench.put("ask me")
    bench.triage()
    monkeypatch.setattr("gaia_email.actions.triaging.version", str.upper)
    report = bench.triage()
    assert sorted(bench.tier.judged) == ["ask me", "ask me", "info news"]
    assert not report.applied.done


def test_a_message_of_a_person_in_the_same_thread_is_left_where_it_is(bench: Bench) -> None:
    first = bench.put("low news")
    answer = bench.box.put(
        f"From: ann@example.com\r\nTo: {ME}\r\nSubject: low default\r\nIn-Reply-To: <0@news.example>\r\n"
        "Message-ID: <a@example.com>\r\nDate: Mon, 30 Mar 2026 10:00:00 +0000\r\n\r\nx\r\n".encode()
    )
    bench.triage()
    labels = bench.labels()
    assert "INBOX" not in labels[first]
    assert labels[answer] == {"INBOX", "UNREAD"}


def test_a_server_that_fails_in_the_middle_leaves_the_rest_planned_and_the_next_start_does_it(
    bench: Bench,
) -> None:
    ids = [bench.put(f"low {number}") for number in range(250)]
    calls = 0

    def second_fails() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            unreachable()

    bench.box.before_change = second_fails
    report = bench.triage()
    assert report.applied.problem is not None
    assert (len(report.applied.done), len(report.applied.left)) == (100, 150)
    bench.box.before_change = lambda: None
    report = bench.triage()
    assert (len(report.earlier.done), len(report.applied.done)) == (150, 0)
    assert len(bench.tier.judged) == 250
    assert all("INBOX" not in bench.labels()[id_] for id_ in ids)
    assert {action.state for action in bench.actions(*BY_TRIAGE)} == {"applied"}
    assert len(bench.actions(*BY_TRIAGE)) == 250
    assert bench.kinds()["run.finished"] == 1


def test_an_effect_whose_answer_was_lost_is_found_and_not_done_again(bench: Bench) -> None:
    bench.put("low news")
    bench.box.after_change = unreachable
    assert bench.triage().applied.left
    bench.box.after_change = lambda: None
    report = bench.triage()
    assert [action.state for action in report.earlier.done] == ["applied"]
    assert set(bench.box.changed.values()) == {1}


def test_a_disk_that_fills_up_after_an_effect_loses_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = bench.put("low news")

    def full() -> None:
        monkeypatch.setattr(bench.ledger, "write", _full)

    bench.box.after_change = full
    with pytest.raises(ProviderError, match="disk is full"):
        bench.triage()
    monkeypatch.undo()
    bench.box.after_change = lambda: None
    assert [action.state for action in bench.actions()] == ["planned"]
    report = bench.triage()
    assert [action.message_id for action in report.earlier.done] == [id_]
    assert bench.box.changed == {id_: 1}


def _full() -> AbstractContextManager[Connection]:
    raise ProviderError("The disk is full, so the ledger could not be written.")


@pytest.mark.parametrize("label", ["STARRED", "TRASH"])
def test_a_message_changed_meanwhile_is_left_alone_and_triaged_anew(bench: Bench, label: str) -> None:
    changed, untouched = bench.put("low one"), bench.put("low two")
    bench.box.before_change = unreachable
    bench.triage()
    bench.box.before_change = lambda: None
    message = bench.box._store.messages[changed]  # pyright: ignore[reportPrivateUsage]
    bench.box._store.set_state(message, message.state.relabel(add=[label]))  # pyright: ignore[reportPrivateUsage]
    report = bench.triage()
    assert [action.message_id for action in report.earlier.done] == [untouched]
    assert [action.message_id for action in report.earlier.failed] == [changed]
    assert "changed meanwhile" in (report.earlier.failed[0].error or "")
    again = [action.message_id for action in report.applied.done]
    assert again == ([changed] if label == "STARRED" else [])
    assert label in bench.labels()[changed]


def test_a_message_that_is_gone_meanwhile_is_said_to_be(bench: Bench) -> None:
    gone = bench.put("low one")
    bench.box.before_change = unreachable
    bench.triage()
    bench.box.before_change = lambda: None
    bench.box._store.remove(bench.box._store.messages[gone])  # pyright: ignore[reportPrivateUsage]
    assert [action.error for action in bench.triage().earlier.failed] == [
        "The message is not there any more."
    ]


def test_stop_is_obeyed_between_two_effects(bench: Bench) -> None:
    for number in range(250):
        bench.put(f"low {number}")

    def stop() -> None:
        bench.brakes.stop = "The agent is stopped."

    bench.box.after_change = stop
    report = bench.triage()
    assert (len(report.applied.done), len(report.applied.failed)) == (100, 150)
    assert report.applied.halted == "The agent is stopped."
    assert sum("INBOX" in labels for labels in bench.labels().values()) == 150
    with pytest.raises(NeedsApproval, match="stopped"):
        bench.triage()
    bench.brakes.stop = ""
    bench.box.after_change = lambda: None
    assert len(bench.triage().applied.done) == 150


def test_stop_voids_what_a_program_that_died_had_planned(bench: Bench) -> None:
    bench.put("low one")
    bench.box.before_change = unreachable
    bench.triage()
    bench.box.before_change = lambda: None
    bench.brakes.stop = "The agent is stopped."
    with pytest.raises(NeedsApproval):
        bench.triage()
    assert [action.state for action in bench.actions()] == ["failed"]
    assert not bench.box.changed


def test_pause_starts_no_run_but_lets_what_is_planned_end(bench: Bench) -> None:
    bench.put("low one")
    bench.box.before_change = unreachable
    bench.triage()
    bench.box.before_change = lambda: None
    new = bench.put("low two")
    bench.brakes.pause = "The agent is paused."
    with pytest.raises(NeedsApproval, match="paused"):
        bench.triage()
    assert [action.state for action in bench.actions()] == ["applied"]
    assert "INBOX" in bench.labels()[new]


def test_a_run_can_be_planned_by_one_program_and_applied_by_others(bench: Bench) -> None:
    low = bench.put("low one")
    plan = bench.run(
        lambda session: plan_run(session, TriageRequest(tier=bench.tier, owner=(ME,), run_id="r1"))
    )
    assert [action.state for action in plan.actions] == ["planned"]
    assert "INBOX" in bench.labels()[low]
    assert len(bench.run(lambda session: apply_run(session, "r1")).done) == 1
    assert not bench.run(lambda session: apply_run(session, "r1")).done
    assert bench.box.changed == {low: 1}
    assert bench.kinds()["run.finished"] == 1


def test_what_was_changed_before_the_call_is_not_taken_back_by_its_undo(bench: Bench) -> None:
    """Between reading the inbox and acting the user archived it; the server says that nothing was left to do."""
    low = bench.put("low one")

    async def scenario(session: AccountSession) -> None:
        plan = await plan_run(session, TriageRequest(tier=bench.tier, owner=(ME,)))
        message = bench.box._store.messages[low]  # pyright: ignore[reportPrivateUsage]
        bench.box._store.set_state(message, message.state.relabel(remove=["INBOX"]))  # pyright: ignore[reportPrivateUsage]
        await carry_out(session, plan.actions)

    bench.run(scenario)
    (row,) = bench.actions()
    assert row.reversal_payload is not None
    assert row.reversal_payload["add"] == []
