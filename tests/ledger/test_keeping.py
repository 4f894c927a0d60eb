"""What the ledger forgets: by age, and when the user says so; and that nothing of it stays in the file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email.ledger import (
    ActionOutcome,
    Ledger,
    NewAction,
    NewItem,
    Selection,
    open_ledger,
)
from gaia_email_registry.approvals import ApprovalRequest
from gaia_email_registry.errors import BadArgument
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import START, Clock
from tests.ledger.post import ME, follow, letter
from tests.ledger.test_events import fill
from tests.ledger.test_stores import STATE
from tests.origins import PERSON

DAY = 86_400.0


def act(ledger: Ledger, message_id: str) -> str:
    action = NewAction(
        account_id=ME,
        message_id=message_id,
        action_type="archive",
        payload={"a": 1},
        reversal={"b": 2},
        why="secret",
    )
    with ledger.write() as tx:
        (planned,) = ledger.actions.plan(tx, [action])
    return planned.action_id


def test_after_ninety_days_only_the_bare_facts_stay(ledger: Ledger, clock: Clock) -> None:
    post = MemoryMailbox(ME)
    here = post.put(letter("still here", "x"))
    done, open_ = act(ledger, here), act(ledger, "m2")
    item = NewItem(type="question", account_id=ME, proposal={}, origin=PERSON)
    with ledger.write() as tx:
        ledger.actions.settle(tx, [ActionOutcome(action_id=done)])
        ledger.verdicts.put(tx, [replace(STATE, account_id=ME, message_id=id_) for id_ in (here, "gone")])
        ledger.pending.add(tx, [item, replace(item, item_id="2")])
        ledger.pending.answer(tx, "2", "rejected", by="cli")
    clock.now += 91 * DAY
    follow(post, ledger)
    with ledger.read() as tx:
        old, planned = ledger.actions.get(tx, [done, open_])
        assert (old.state, old.why, old.action_payload, old.reversal_payload) == ("applied", "", {}, None)
        assert (planned.state, planned.why) == ("planned", "secret")
        assert list(ledger.verdicts.get(tx, ME, [here, "gone"])) == [here]
        assert [one.item_id for one in ledger.pending.select(tx)] == [item.item_id]
        assert ledger.pending.get(tx, "2") is None
        assert [event.kind for event in ledger.events.since(tx)] == ["log.pruned"]
        assert ledger.events.verify(tx) is None


def test_forgetting_is_done_once_a_day_and_not_at_all_with_zero(ledger: Ledger, clock: Clock) -> None:
    assert ledger.tidy() is not None
    clock.now += DAY / 2
    assert ledger.tidy() is None
    clock.now += DAY
    assert ledger.tidy() is not None
    clock.now -= 30 * DAY
    assert ledger.tidy() is not None
    ledger.retention_days = 0
    clock.now += 400 * DAY
    assert ledger.tidy() is None


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "1e9"])
def test_a_retention_that_is_no_number_of_days_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="GAIA_EMAIL_RETENTION_DAYS"):
        open_ledger(environ={**os.environ, "GAIA_EMAIL_RETENTION_DAYS": text})


def filled(ledger: Ledger, clock: Clock) -> None:
    post = MemoryMailbox(ME)
    post.put(letter("Quixotic", "the zygomatic word"), ["INBOX", "Work/Xylem"])
    follow(post, ledger)
    fill(ledger, 5)
    with ledger.write() as tx:
        ledger.verdicts.put(
            tx, [replace(STATE, account_id=ME), replace(STATE, account_id="other@example.org")]
        )
        ledger.documents.write(tx, "policy", {"vip": "zygomatic"}, 0)
        ledger.documents.write(tx, "switches", {"stopped_at": START}, 0)
        confirmation = ApprovalRequest(
            call="f",
            account=ME,
            tool="send_email",
            expires_at=clock.now + 9,
            origin=PERSON,
        )
        ledger.approvals(tx).put(confirmation, approval_id="c1")
    act(ledger, "m1")


def holds(file: Path | None, word: bytes) -> bool:
    assert file is not None
    return any(word in path.read_bytes() for path in file.parent.iterdir())


def test_purging_mail_leaves_what_was_decided(ledger: Ledger, clock: Clock) -> None:
    filled(ledger, clock)
    assert holds(ledger.file, b"Quixotic")
    assert ledger.purge("mail") == {"messages": 1}
    assert not holds(ledger.file, b"Quixotic")
    assert not holds(ledger.file, b"Xylem")
    with ledger.read() as tx:
        assert ledger.cache.count(tx) == 0
        assert ledger.cache.states(tx) == []
        assert ledger.verdicts.count(tx) == 2
        assert ledger.events.count(tx) == 7
        assert ledger.events.verify(tx) is None


def test_purging_everything_leaves_a_checkpoint_and_the_switches(ledger: Ledger, clock: Clock) -> None:
    filled(ledger, clock)
    assert ledger.file is not None
    backup = ledger.file.with_name("ledger.db.before-0002-from-0001")
    backup.write_bytes(b"zygomatic")
    gone = ledger.purge("everything", actor="cli")
    assert (gone["verdicts"], gone["actions"], gone["settings"], gone["events"]) == (2, 1, 1, 6)
    assert not backup.exists()
    for word in (b"Quixotic", b"zygomatic", b"odon@example.org", b"Rechnung"):
        assert not holds(ledger.file, word), word
    with ledger.write() as tx:
        assert ledger.documents.names(tx) == ["switches", "tidied"]
        assert ledger.actions.select(tx, Selection()) == []
        assert [event.kind for event in ledger.events.since(tx)] == ["log.pruned", "ledger.purged"]
        assert ledger.events.verify(tx) is None


def test_purging_one_account_leaves_the_others(ledger: Ledger, clock: Clock) -> None:
    filled(ledger, clock)
    gone = ledger.purge("everything", ME)
    assert (gone["messages"], gone["verdicts"], "settings" in gone) == (1, 1, False)
    with ledger.read() as tx:
        assert ledger.verdicts.count(tx, "other@example.org") == 1
        assert ledger.documents.names(tx) == ["policy", "switches", "tidied"]
