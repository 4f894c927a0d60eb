"""A large mailbox asks about the most pressing threads one by one, about the rest together, and loses nothing."""

from __future__ import annotations

import asyncio

import pytest

from gaia_email.actions.pending import raising
from gaia_email.actions.pending.groups import is_group, people_of, targets_of
from gaia_email.actions.pending.inbox import AgentInbox
from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.ledger import PendingItem
from gaia_email.policy.document import Policy
from gaia_email_registry.errors import BadArgument
from tests.pending.asking import AskingBench


@pytest.fixture
def many(bench: AskingBench, monkeypatch: pytest.MonkeyPatch) -> tuple[AskingBench, list[str], PendingItem]:
    """Five questions one by one of twelve, and the item that stands for the rest."""
    monkeypatch.setattr(raising, "ONE_BY_ONE", 5)
    ids = [bench.put(f"low default {number}", sender=f"p{number}@known.example") for number in range(12)]
    bench.ask()
    (group,) = [item for item in bench.waiting() if is_group(item)]
    return bench, ids, group


def test_the_newest_are_asked_about_one_by_one_and_the_rest_together(
    many: tuple[AskingBench, list[str], PendingItem],
) -> None:
    bench, ids, group = many
    alone = [item for item in bench.waiting() if not is_group(item)]
    assert [item.message_id for item in alone] == ids[:-6:-1]
    assert targets_of(group) == set(ids[:7])
    assert "7 messages of default" in PendingProposal.of(group).asked
    assert people_of(PendingProposal.of(group)).endswith("and 4 others")


def test_urgent_mail_is_never_hidden_behind_less_urgent(
    bench: AskingBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raising, "ONE_BY_ONE", 2)
    urgent = [bench.put(f"now default {number}") for number in range(2)]
    for number in range(5):
        bench.put(f"low default {number}")
    bench.ask()
    assert {item.message_id for item in bench.waiting() if not is_group(item)} == set(urgent)


def test_a_group_is_settled_by_one_answer_and_what_was_changed_is_left_and_judged_anew(
    many: tuple[AskingBench, list[str], PendingItem],
) -> None:
    bench, ids, group = many
    asyncio.run(bench.box.modify([ids[0]], add=["TRASH"], remove=["INBOX"]))
    answered = bench.approve(group)
    assert answered.result == "approved"
    assert answered.reason == "1 of its messages were changed since and left as they are."
    assert {action.message_id for action in answered.actions} == set(ids[1:7])
    assert bench.labels()[ids[0]] == {"TRASH", "UNREAD"}
    assert all("INBOX" not in bench.labels()[id_] for id_ in ids[1:7])
    asyncio.run(bench.box.modify([ids[0]], add=["INBOX"], remove=["TRASH"]))
    bench.ask("r2")
    assert ids[0] in {item.message_id for item in bench.waiting()}
    assert bench.approve(group).result == "taken"


def test_a_group_of_which_nothing_is_left_is_withdrawn(
    many: tuple[AskingBench, list[str], PendingItem],
) -> None:
    bench, ids, group = many
    asyncio.run(bench.box.delete(ids[:7]))
    assert bench.approve(group).result == "changed"


def test_a_group_can_be_looked_at_one_by_one(many: tuple[AskingBench, list[str], PendingItem]) -> None:
    bench, ids, group = many

    async def opening(inbox: AgentInbox) -> list[PendingItem]:
        return inbox.open_group(group.item_id)

    found = bench.answering(opening)
    assert [item.message_id for item in found] == ids[6::-1]
    assert not any(is_group(item) for item in found)
    assert all(item.thread_id for item in found)
    assert len(bench.waiting()) == 12
    assert bench.approve(found[0]).result == "approved"
    with pytest.raises(BadArgument):
        bench.answering(opening)


def test_judging_anew_takes_a_message_out_of_its_group_and_asks_nothing_twice(
    many: tuple[AskingBench, list[str], PendingItem],
) -> None:
    bench, ids, _ = many
    bench.box.put(
        b"From: p0@known.example\r\nTo: me@example.org\r\nSubject: low default\r\nIn-Reply-To: <0@news.example>\r\n"
        b"Message-ID: <new@known.example>\r\nDate: Mon, 30 Mar 2026 10:00:00 +0000\r\n\r\nx\r\n",
        ["INBOX"],
    )
    bench.policy = Policy().with_level("default", 3)
    bench.ask("r2")
    asked = [id_ for item in bench.waiting() for id_ in targets_of(item)]
    assert sorted(asked) == sorted(set(asked))
    assert set(ids) < set(asked)


def test_a_second_triage_leaves_the_group_as_it_is(many: tuple[AskingBench, list[str], PendingItem]) -> None:
    bench, _, group = many
    before = bench.waiting()
    bench.ask("r2")
    assert bench.waiting() == before
    assert group in before


def test_a_group_can_be_rejected_whole(many: tuple[AskingBench, list[str], PendingItem]) -> None:
    bench, ids, group = many
    assert bench.reject(group).result == "rejected"
    assert all("INBOX" in bench.labels()[id_] for id_ in ids)
