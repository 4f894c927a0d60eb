"""Policy and switches in the ledger: saved with their event, only over what was looked at, read without making one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email.ledger import Ledger, MessageState, NewLedgerEvent, open_ledger
from gaia_email.ledger.policy_store import (
    PolicyStore,
    StoredBrakes,
    StoredPolicy,
    has_ledger,
    load_policy,
    open_proposals,
)
from gaia_email.ledger.tables import MESSAGES
from gaia_email.policy.backtest import backtest
from gaia_email.policy.document import Policy
from gaia_email.policy.earned import accept
from gaia_email.policy.switches import QuietHours, Switches
from gaia_email.triage.past_mail import past_mail
from gaia_email_registry.errors import BadArgument
from tests.policy.made import NOW

SET = {"what": "level", "cohort": "social", "from": "L5", "to": "L3"}


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"GAIA_HOME": str(tmp_path)}


@pytest.fixture
def ledger(environ: dict[str, str]) -> Iterator[Ledger]:
    with open_ledger(environ=environ, clock=lambda: NOW) as opened:
        yield opened


def test_reading_where_nothing_is_stored_gives_the_defaults_and_makes_nothing(
    environ: dict[str, str], tmp_path: Path
) -> None:
    assert load_policy(environ) == StoredPolicy()
    assert open_proposals(environ, Policy()) == ()
    assert list(past_mail(environ)) == []
    assert not has_ledger(environ)
    assert list(tmp_path.iterdir()) == []


def test_a_change_is_kept_and_told(ledger: Ledger, environ: dict[str, str]) -> None:
    store = PolicyStore(ledger)
    with ledger.write() as tx:
        over = store.read(tx)
        saved = store.save_policy(tx, over.policy.with_level("social", 3), over, change=SET)
    assert saved.policy_version == 1
    assert load_policy(environ) == saved
    with ledger.read() as tx:
        (event,) = ledger.events.since(tx)
    assert (event.kind, event.actor) == ("policy.changed", "user")
    assert event.payload == {"version": 1, **SET}


def test_what_changes_nothing_is_neither_written_nor_told(ledger: Ledger) -> None:
    store = PolicyStore(ledger)
    with ledger.write() as tx:
        over = store.read(tx)
        assert store.save_policy(tx, Policy(), over, change=SET) == over
        assert store.save_switches(tx, Switches(), over, change=SET) == over
        assert ledger.events.count(tx) == 0
        assert ledger.documents.names(tx) == []


def test_of_two_changes_at_once_one_is_refused_whole(ledger: Ledger) -> None:
    store = PolicyStore(ledger)
    with ledger.read() as tx:
        over = store.read(tx)
    with ledger.write() as tx:
        store.save_policy(tx, over.policy.with_level("social", 3), over, change=SET)
    with pytest.raises(BadArgument, match="changed meanwhile"), ledger.write() as tx:
        store.save_policy(tx, over.policy.with_level("social", 1), over, change=SET)
    with ledger.read() as tx:
        assert store.read(tx).policy.cohort("social").level == 3
        assert ledger.events.count(tx) == 1


def test_a_change_that_is_rolled_back_leaves_no_event(ledger: Ledger) -> None:
    store = PolicyStore(ledger)
    with pytest.raises(RuntimeError), ledger.write() as tx:
        over = store.read(tx)
        store.save_policy(tx, over.policy.with_level("social", 3), over, change=SET)
        raise RuntimeError
    with ledger.read() as tx:
        assert store.read(tx) == StoredPolicy()
        assert ledger.events.count(tx) == 0


def test_a_policy_that_cannot_be_understood_is_an_error_and_never_the_defaults(
    ledger: Ledger, environ: dict[str, str]
) -> None:
    with ledger.write() as tx:
        ledger.documents.write(tx, "policy", {"format": 2, "cohorts": []}, 0)
    with pytest.raises(BadArgument, match="newer"):
        load_policy(environ)
    store = PolicyStore(ledger)
    with ledger.write() as tx:
        over = store.read_switches(tx)
        store.save_switches(tx, Switches(stopped_at=NOW), over, change={"what": "stopped"})
    assert "stopped" in StoredBrakes(ledger).explain_halt()


def granted(cohort: str) -> NewLedgerEvent:
    return NewLedgerEvent(kind="approval.granted", actor="user", payload={"cohort": cohort})


def test_a_step_up_is_proposed_from_the_log_and_taken_back_by_a_correction(
    ledger: Ledger, environ: dict[str, str]
) -> None:
    store = PolicyStore(ledger)
    with ledger.write() as tx:
        ledger.events.append(tx, *[granted("intra_org")] * 19)
    assert open_proposals(environ, Policy()) == ()
    with ledger.write() as tx:
        ledger.events.append(tx, granted("vip"), granted("intra_org"))
    (proposal,) = open_proposals(environ, Policy())
    assert (proposal.cohort, proposal.to_level) == ("intra_org", 3)
    with ledger.write() as tx:
        over = store.read(tx)
        change = {"what": "level", "cohort": "intra_org"}
        store.save_policy(tx, accept(over.policy, proposal), over, change=change)
    assert open_proposals(environ, load_policy(environ).policy) == ()
    with ledger.write() as tx:
        assert store.take_back_step(tx, "intra_org").policy == Policy()
        assert store.take_back_step(tx, "intra_org").policy == Policy()
        told = [event.payload["what"] for event in ledger.events.since(tx, kind="policy.changed")]
    assert told == ["level", "earned_step_taken_back"]


@pytest.mark.parametrize(
    ("switched", "held", "halted"),
    [
        (Switches(), False, False),
        (Switches(paused_at=NOW - 1), True, False),
        (Switches(stopped_at=NOW - 1), True, True),
        (Switches(travel_until=NOW + 1), False, False),
    ],
)
def test_brakes_say_what_keeps_a_run_from_starting_and_what_ends_it(
    ledger: Ledger, switched: Switches, held: bool, halted: bool
) -> None:
    with ledger.write() as tx:
        PolicyStore(ledger).save_switches(tx, switched, StoredPolicy(), change={"what": "test"})
    assert bool(StoredBrakes(ledger).explain_hold()) is held
    assert bool(StoredBrakes(ledger).explain_halt()) is halted


def test_quiet_hours_hold_a_scheduled_run_only(ledger: Ledger) -> None:
    always = QuietHours.parse("00:00", "23:59", "UTC")
    with ledger.write() as tx:
        policy = Policy(quiet_hours=always)
        PolicyStore(ledger).save_policy(tx, policy, StoredPolicy(), change={"what": "quiet_hours"})
    assert StoredBrakes(ledger).explain_hold() == ""
    assert "quiet hours" in StoredBrakes(ledger, scheduled=True).explain_hold()
    assert StoredBrakes(ledger, scheduled=True).explain_halt() == ""


def state(
    message_id: str, *, bucket: str = "low_priority", at: float = NOW, phishing: float | None = None
) -> MessageState:
    return MessageState(
        account_id="me@home.example",
        message_id=message_id,
        thread_id="t1",
        processed_at=at,
        content_hash="",
        speech_act="fyi",
        content_category="receipts",
        bucket=bucket,
        priority_score=0.1,
        priority_reason="",
        cohort="transactional",
        confidence=0.9,
        pipeline_version="1",
        model_used="",
        phishing=phishing,
        injection=None if phishing is None else 0.1,
        unsubscribe=None if phishing is None else "one_click",
        forged="" if phishing is None else "it fails DMARC",
        withheld="" if phishing is None else "\nvip\n",
    )


def test_a_backtest_on_the_past_sees_what_was_flagged(ledger: Ledger, environ: dict[str, str]) -> None:
    with ledger.write() as tx:
        ledger.verdicts.put(tx, [state("old"), state("harmless", phishing=0.1), state("phish", phishing=0.9)])
    past = {facts.message_id: (facts, judged) for facts, judged in past_mail(environ)}
    assert [name for name, (_, judged) in past.items() if judged.phishing] == ["phish"]
    judged = past["harmless"][1]
    assert (judged.injection, judged.listed, judged.one_click) == (False, True, True)
    assert (judged.forged, judged.withheld) == ("it fails DMARC", ("vip",))
    before = Policy().with_level("newsletters", 1)
    lists = [(facts, replace(judged, cohort="newsletters")) for facts, judged in past.values()]
    tried = backtest(lists, before, before.with_level("newsletters", 5))
    assert (tried.total, tried.newly_applied) == (3, 2)


def test_past_mail_is_what_the_ledger_keeps_newest_first(ledger: Ledger, environ: dict[str, str]) -> None:
    cached = {
        "row": 1,
        "account_id": "me@home.example",
        "message_id": "m2",
        "thread_id": "t1",
        "header_message_id": "",
        "size": 1,
        "has_attachments": False,
        "labels": "INBOX\nWork",
        "flags": "",
        "sender": "Shop@Store.example",
        "sender_name": "Shop",
        "subject": "Your receipt",
        "recipients": '{"to":"Me <me@home.example>"}',
        "snippet": "",
        "list_id": "Deals <deals.store.example>",
        "filenames": "",
        "has_text": False,
        "cached_at": NOW,
    }
    with ledger.write() as tx:
        states = [state("m1", at=NOW - 9), state("m2"), state("m3", bucket="of another time")]
        ledger.verdicts.put(tx, states)
        tx.execute(
            MESSAGES.insert().values(
                {
                    name: cached.get(name, 0)
                    for name in (column.name for column in MESSAGES.columns)
                    if name != "date"
                }
            )
        )
    (facts, judged), (bare, _) = past_mail(environ)
    assert (facts.message_id, facts.sender, facts.subject) == ("m2", "shop@store.example", "Your receipt")
    assert facts.recipients == ("me@home.example",)
    assert facts.list_id == "deals.store.example"
    assert facts.labels == {"inbox", "work"}
    assert (judged.bucket, judged.category, judged.cohort, judged.confidence) == (
        "low_priority",
        "receipts",
        "transactional",
        0.9,
    )
    assert (bare.message_id, bare.sender) == ("m1", "")
    assert len(list(past_mail(environ, limit=1))) == 1
