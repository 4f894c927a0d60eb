"""Taking back what was done: by action, run, session and time, with what others changed meanwhile left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.actions.reconcile import reconcile
from gaia_email.actions.snooze import snooze
from gaia_email.actions.triaging import TriageRequest, triage_and_apply
from gaia_email.actions.undo import UndoOutcome, action_of, chosen_actions, last_done, undo
from gaia_email.ledger import LoggedAction, Selection
from gaia_email.ledger.policy_store import PolicyStore, StoredPolicy
from gaia_email.policy.document import Policy
from gaia_email.triage.inbox import Inbox, triage
from gaia_email_registry.errors import NotFound
from tests.actions.account import ME, Bench, unreachable


def take_back(bench: Bench, actions: Sequence[LoggedAction]) -> UndoOutcome:
    return bench.run(lambda session: undo(session, actions))


def change(bench: Bench, id_: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
    message = bench.box._store.messages[id_]  # pyright: ignore[reportPrivateUsage]
    bench.box._store.set_state(message, message.state.relabel(add=add, remove=remove))  # pyright: ignore[reportPrivateUsage]


def test_undoing_a_run_restores_every_message_and_is_an_action_itself(bench: Bench) -> None:
    for number in range(3):
        bench.put(f"low {number}")
    bench.put("info news", ("INBOX", "STARRED"))
    before = bench.labels()
    bench.triage(run_id="r1")
    result = bench.run(lambda session: _undo_run(session, "r1"))
    assert (len(result.taken_back), result.kept) == (4, [])
    assert bench.labels() == before
    assert {action.state for action in bench.actions("archive", "label_add")} == {"reversed"}
    undoing = bench.actions("undo")
    assert {action.state for action in undoing} == {"applied"}
    assert {str(action.action_payload["of"]) for action in undoing} == {
        action.action_id for action in bench.actions("archive", "label_add")
    }
    made = bench.actions("label_create")
    assert bench.kinds()["action.reversed"] == 4 + len(made)
    assert bench.verified()


def test_an_undo_of_several_is_one_run_and_is_taken_back_as_one(bench: Bench) -> None:
    for number in range(3):
        bench.put(f"low {number}")
    bench.triage(run_id="r1")
    done = bench.labels()
    bench.run(lambda session: _undo_run(session, "r1"))
    (run_id,) = {action.run_id for action in bench.actions("undo")}
    assert run_id is not None
    result = bench.run(lambda session: _undo_run(session, run_id))
    assert (len(result.taken_back), result.kept) == (3, [])
    assert bench.labels() == done


async def _undo_run(session: AccountSession, run_id: str) -> UndoOutcome:
    return await undo(session, chosen_actions(session, Selection(run_id=run_id)))


def test_an_undo_counts_as_a_correction_of_the_cohorts_level(bench: Bench) -> None:
    policy = Policy().with_level("newsletters", 5, earned=1)
    with bench.ledger.write() as tx:
        PolicyStore(bench.ledger).save_policy(tx, policy, StoredPolicy(), change={})
    bench.put("low one")
    bench.triage(run_id="r1")
    bench.run(lambda session: _undo_run(session, "r1"))
    with bench.ledger.read() as tx:
        assert PolicyStore(bench.ledger).read(tx).policy.cohort("newsletters").level == 4
        reversed_, *labels = bench.ledger.events.since(tx, kind="action.reversed")
    assert len(labels) == len(bench.actions("label_create"))
    assert reversed_.payload["cohort"] == "newsletters"
    assert (reversed_.sender, reversed_.subject) == ("list0@news.example", "low one")


def test_what_was_undone_is_not_done_again_by_the_next_triage(bench: Bench) -> None:
    bench.put("low one")
    bench.triage(run_id="r1")
    bench.run(lambda session: _undo_run(session, "r1"))
    before = bench.labels()
    assert not bench.triage().applied.done
    assert bench.labels() == before


def plan_of(bench: Bench, *, again: bool = False) -> dict[str, str]:
    """What the next triage would do with each message of the inbox: the dry run."""

    async def look(session: AccountSession) -> Inbox:
        with session.ledger.read() as tx:
            rules = replace(PolicyStore(session.ledger).read(tx).rules, again=again)
        return await triage(session.copy, bench.tier, now=bench.ledger.clock(), owner=(ME,), rules=rules)

    found = bench.run(look)
    return {
        member.summary["id"]: member.decision.mode
        for items in found.buckets.values()
        for item in items
        for member in item.members
    }


def test_what_was_taken_back_is_planned_no_more_until_it_is_asked_for_again(bench: Bench) -> None:
    first = bench.put("low one")
    bench.triage(run_id="r1")
    assert plan_of(bench) == {}
    bench.run(lambda session: _undo_run(session, "r1"))
    other = bench.put("low two")
    assert plan_of(bench) == {first: "leave", other: "apply"}
    done = bench.triage().applied.done
    assert {action.message_id for action in done if action.message_id} == {other}
    assert plan_of(bench, again=True) == {first: "apply"}
    with bench.ledger.read() as tx:
        rules = replace(PolicyStore(bench.ledger).read(tx).rules, again=True)
    wanted = TriageRequest(tier=bench.tier, owner=(ME,), rules=rules)
    done = bench.run(lambda session: triage_and_apply(session, wanted)).applied.done
    assert {action.message_id for action in done if action.message_id} == {first}
    with bench.ledger.read() as tx:
        assert bench.ledger.actions.taken_back(tx, BY_TRIAGE) == frozenset()


def test_undoing_twice_does_nothing_the_second_time(bench: Bench) -> None:
    bench.put("low one")
    bench.triage(run_id="r1")
    bench.run(lambda session: _undo_run(session, "r1"))
    assert not bench.run(lambda session: _undo_run(session, "r1")).taken_back


def test_labels_that_we_made_go_with_the_undo_and_come_back_with_what_takes_it_back(bench: Bench) -> None:
    bench.put("low one")
    bench.put("low two")
    before = label_names(bench)
    bench.triage(run_id="r1")
    made = label_names(bench) - before
    assert made
    first, *rest = bench.actions()
    take_back(bench, [first])
    assert label_names(bench) >= made, "the other message still carries them"
    undone = take_back(bench, rest)
    assert label_names(bench) == before
    assert set(undone.cleared) == made
    take_back(bench, bench.actions("undo"))
    assert label_names(bench) - before == made


def test_a_label_of_ours_that_the_user_put_on_another_message_stays(bench: Bench) -> None:
    bench.put("low one")
    other = bench.put("low two")
    bench.triage(run_id="r1")
    take_back(bench, bench.actions())
    bench.triage(run_id="r2")
    change(bench, other, add=["gaia/processed"])
    assert "gaia/processed" not in take_back(bench, bench.actions()).cleared


def label_names(bench: Bench) -> set[str]:
    return set(bench.run(_label_names))


async def _label_names(session: AccountSession) -> list[str]:
    return [label["name"] for label in (await session.labels(fresh=True)).values()]


def test_an_undo_can_be_undone(bench: Bench) -> None:
    bench.put("low one")
    bench.triage(run_id="r1")
    done = bench.labels()
    bench.run(lambda session: _undo_run(session, "r1"))
    take_back(bench, bench.actions("undo"))
    assert bench.labels() == done


@pytest.mark.parametrize(
    ("added", "removed"), [(["INBOX"], []), (["TRASH"], []), (["SPAM"], []), ([], ["gaia/processed"])]
)
def test_a_message_the_user_changed_is_left_alone_and_named(
    bench: Bench, added: list[str], removed: list[str]
) -> None:
    changed, other = bench.put("low one"), bench.put("low two")
    bench.triage(run_id="r1")
    names = {label["name"]: label["id"] for label in bench.box._labels.all()}  # pyright: ignore[reportPrivateUsage]
    change(bench, changed, add=added, remove=[names[name] for name in removed])
    before = bench.labels()
    result = bench.run(lambda session: _undo_run(session, "r1"))
    assert [action.message_id for action in result.taken_back] == [other]
    assert [(kept.action.message_id, kept.action.action_payload["subject"]) for kept in result.kept] == [
        (changed, "low one")
    ]
    assert "changed afterwards" in result.kept[0].reason
    assert bench.labels()[changed] == before[changed]


def test_reading_or_starring_it_meanwhile_does_not_keep_a_message_from_coming_back(bench: Bench) -> None:
    id_ = bench.put("low one")
    bench.triage(run_id="r1")
    change(bench, id_, add=["STARRED"], remove=["UNREAD"])
    assert not bench.run(lambda session: _undo_run(session, "r1")).kept
    assert bench.labels()[id_] == {"INBOX", "STARRED"}


def test_a_message_that_is_gone_is_named(bench: Bench) -> None:
    id_ = bench.put("low one")
    bench.triage(run_id="r1")
    bench.box._store.remove(bench.box._store.messages[id_])  # pyright: ignore[reportPrivateUsage]
    result = bench.run(lambda session: _undo_run(session, "r1"))
    assert [kept.reason for kept in result.kept] == ["The message is not there any more."]


def test_an_earlier_action_is_not_taken_back_from_under_a_later_one(bench: Bench) -> None:
    id_ = bench.put("low one")
    bench.triage(run_id="r1")
    change(bench, id_, add=["INBOX"])
    until = bench.now.timestamp() + 3600
    bench.run(lambda session: snooze(session, [id_], until))
    change(bench, id_, add=["INBOX"])
    result = bench.run(lambda session: _undo_run(session, "r1"))
    assert [kept.reason for kept in result.kept] == [
        "A later action changed the same message; undo that one first."
    ]


def test_actions_on_one_message_are_taken_back_newest_first(bench: Bench) -> None:
    id_ = bench.put("info one")
    before = bench.labels()
    bench.triage(session_id="s1")
    bench.run(lambda session: snooze(session, [id_], bench.now.timestamp() + 3600, session_id="s1"))

    async def scenario(session: AccountSession) -> UndoOutcome:
        return await undo(session, chosen_actions(session, Selection(session_id="s1")))

    assert len(bench.run(scenario).taken_back) == 2
    assert bench.labels() == before


def test_since_a_time_takes_back_what_was_done_from_then_on(bench: Bench) -> None:
    first = bench.put("low one")
    bench.triage()
    since = bench.now.timestamp() + 60
    bench.now = bench.now.fromtimestamp(since, bench.now.tzinfo)
    second = bench.put("low two")
    bench.triage()

    async def scenario(session: AccountSession) -> UndoOutcome:
        return await undo(session, chosen_actions(session, Selection(since=since)))

    assert [action.message_id for action in bench.run(scenario).taken_back] == [second]
    assert "INBOX" not in bench.labels()[first]


def test_the_last_thing_done_is_the_whole_of_its_run(bench: Bench) -> None:
    with pytest.raises(NotFound, match="Nothing"):
        bench.run(_last)
    bench.put("low one")
    bench.triage(run_id="r1")
    bench.put("low two")
    bench.put("info three")
    bench.triage(run_id="r2")
    found = [action for action in bench.run(_last) if action.action_type != "label_create"]
    assert {action.run_id for action in found} == {"r2"}
    assert len(found) == 2
    take_back(bench, found)
    assert {action.run_id for action in bench.run(_last)} == {"r1"}


async def _last(session: AccountSession) -> list[LoggedAction]:
    return last_done(session)


def test_an_action_is_named_by_the_beginning_of_its_id(bench: Bench) -> None:
    bench.put("low one")
    bench.triage()
    (action,) = bench.actions()

    async def scenario(session: AccountSession) -> str:
        with pytest.raises(NotFound):
            action_of(session, "")
        with pytest.raises(NotFound):
            action_of(session, "%")
        return action_of(session, action.action_id[:8]).action_id

    assert bench.run(scenario) == action.action_id


def test_what_was_cut_short_is_given_up_and_what_was_begun_taken_back(bench: Bench) -> None:
    """The program died with 150 to go; the user wants none of it."""
    for number in range(250):
        bench.put(f"low {number}")
    before = bench.labels()
    calls = 0

    def second_fails() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            unreachable()

    bench.box.before_change = second_fails
    bench.triage(run_id="r1")
    bench.box.before_change = lambda: None

    async def scenario(session: AccountSession) -> UndoOutcome:
        await reconcile(session, finish=False)
        return await undo(session, last_done(session))

    result = bench.run(scenario)
    assert (len(result.taken_back), result.kept) == (250, [])
    assert bench.labels() == before
    assert sum(bench.box.changed.values()) == 200
    assert not planned(bench)


def test_of_an_action_half_of_which_happened_the_half_is_taken_back(bench: Bench) -> None:
    id_ = bench.put("low one")
    before = bench.labels()
    bench.box.before_change = unreachable
    bench.triage(run_id="r1")
    bench.box.before_change = lambda: None
    names = {label["name"]: label["id"] for label in bench.box._labels.all()}  # pyright: ignore[reportPrivateUsage]
    change(bench, id_, add=[names["gaia/processed"]])

    async def scenario(session: AccountSession) -> UndoOutcome:
        await reconcile(session, finish=False)
        return await undo(session, last_done(session))

    bench.run(scenario)
    assert bench.labels() == before


def planned(bench: Bench) -> list[LoggedAction]:
    return [action for action in bench.actions() if action.state == "planned"]


def test_an_undo_that_the_server_broke_off_is_finished_at_the_next_start(bench: Bench) -> None:
    bench.put("low one")
    before = bench.labels()
    bench.triage(run_id="r1")
    bench.box.before_change = unreachable
    result = bench.run(lambda session: _undo_run(session, "r1"))
    assert result.problem is not None
    assert len(result.left) == 1
    bench.box.before_change = lambda: None
    bench.triage()
    assert bench.labels() == before
    assert [action.state for action in bench.actions("archive")] == ["reversed"]
