"""Calls that wait for a yes, notes, briefs, posts and webhooks in the protocol's words; none holds words of a mail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.ledger import (
    ActionOutcome,
    Ledger,
    NewAction,
    NewItem,
    NewLedgerEvent,
    open_ledger,
)
from gaia_email.runs.activities import PluginChannels
from gaia_email_control.broker import following
from gaia_email_control.broker.callers import ControlCaller
from gaia_email_control.broker.following import EventProjection, SubscriptionFilter
from gaia_email_control.collaboration import event_errors, record_errors
from gaia_email_control.commands import StreamSubscription, read_command
from gaia_email_control.events import ControlEvent
from gaia_email_control.projected_calls import call_events, call_record
from gaia_email_control.projected_messages import ToldMessage, channel_binding, note_told, post_told
from gaia_email_registry.approvals import Approval, ApprovalRequest, ApprovalState
from tests.origins import PERSON
from tests.plugins.control.brokering import WHO
from tests.plugins.control.test_projecting import as_value, item

STATES: list[tuple[ApprovalState, str, list[tuple[str, str]]]] = [
    ("open", "open", []),
    ("granted", "answered", [("answered", "owner"), ("accepted", "owner")]),
    ("used", "answered", [("answered", "owner"), ("accepted", "owner")]),
    ("refused", "declined", [("declined", "owner")]),
    ("expired", "declined", [("declined", "gaia-email")]),
]


def asked(state: ApprovalState) -> Approval:
    answered = state in ("granted", "used", "refused")
    request = ApprovalRequest(
        expires_at=610.0,
        call="f",
        account="ann@example.com",
        tool="send_email",
        arguments={"message_id": "m1", "body": "SECRET"},
        fields={"dry_run": "SECRET", "subject": "SECRET", "recipients": ["secret@example.com"]},
        run_id="r1",
        origin=PERSON,
    )
    return Approval(
        approval_id="c1",
        asked=request,
        created_at=10.0,
        state=state,
        answered_at=20.0 if answered else None,
        answered_by="web" if answered else None,
        used_at=None,
    )


@pytest.mark.parametrize(("state", "is_now", "steps"), STATES)
def test_a_call_that_waits_for_a_yes_is_a_valid_question_through_its_answer(
    state: ApprovalState, is_now: str, steps: list[tuple[str, str]]
) -> None:
    record, happened = call_record(asked(state), WHO), call_events(asked(state), WHO)
    assert record.state == is_now
    assert record_errors(as_value(record)) == []
    assert not any(event_errors(as_value(one), as_value(record)) for one in happened)
    assert [(one.kind, one.actor_id) for one in happened] == [("created", WHO.agent_id), *steps]
    told = json.dumps([record.to_wire(), *(one.to_wire() for one in happened)])
    assert "SECRET" not in told
    assert "secret@" not in told


def outcome(told: ToldMessage) -> tuple[str, str, list[str]]:
    assert told.delivery.message_id == told.message.id
    sent = {"kind": "conversation.post", "message": told.message.to_wire()}
    assert read_command(sent).to_wire() == sent
    return told.delivery.transport, told.delivery.status, [one.status for one in told.attempts]


def test_a_note_is_sent_when_it_is_put_up_and_acknowledged_when_it_was_seen() -> None:
    assert outcome(note_told(item("notify"), WHO)) == ("http", "sent", ["sent"])
    seen = note_told(item("notify", "approved"), WHO)
    assert outcome(seen) == ("http", "acknowledged", ["sent", "acknowledged"])


CHANNELS = PluginChannels(
    platform="slack",
    title="Slack webhook",
    names=lambda ledger: ["team"],
    action_type="slack_post",
    posted="slack.posted",
    added="webhook.kept",
)


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """A ledger with one plug-in that posts."""
    monkeypatch.setattr(following, "all_channels", lambda: [CHANNELS])
    with open_ledger(url=f"sqlite:///{tmp_path}/ledger.db", clock=lambda: 1_000.0) as opened:
        yield opened


def heard(ledger: Ledger, after: int = 0) -> list[ControlEvent]:
    """What the owner's programs are told of what was written after a number."""
    wanted = SubscriptionFilter(StreamSubscription.of(actor_id=WHO.program_id))
    caller = ControlCaller(actor_id=WHO.program_id, kind="program")
    with ledger.read() as tx:
        events = ledger.events.since(tx, after)
    return [one for event in events for one in EventProjection(ledger, WHO).events(event, caller, wanted)]


def test_a_post_goes_to_the_binding_of_its_webhook_and_keeps_its_text(ledger: Ledger) -> None:
    payload = {"webhook": "team", "text": "SECRET"}
    action = NewAction(account_id="a", message_id="", action_type="slack_post", payload=payload, run_id="r1")
    with ledger.write() as tx:
        (planned,) = ledger.actions.plan(tx, [action])
        assert outcome(post_told(planned, CHANNELS, WHO)) == ("webhook", "pending", [])
        (done,) = ledger.actions.settle(tx, [ActionOutcome(action_id=action.action_id)])
        event = NewLedgerEvent(kind="slack.posted", action_id=action.action_id)
        ledger.events.append(tx, event)
    told = post_told(done, CHANNELS, WHO)
    assert outcome(told) == ("webhook", "sent", ["sent"])
    assert told.delivery.binding_id == channel_binding(CHANNELS, "team", WHO).id
    assert [one.kind for one in heard(ledger)] == [
        "message.posted",
        "delivery.planned",
        "delivery.attempted",
    ]
    assert "SECRET" not in json.dumps([one.to_wire() for one in heard(ledger)])


def test_briefs_webhooks_notes_and_calls_are_told_as_they_happen(ledger: Ledger) -> None:
    call = ApprovalRequest(
        call="f",
        account="a",
        tool="send_email",
        expires_at=2_000.0,
        origin=PERSON,
    )
    note = NewItem(type="notify", account_id="a", proposal={}, why="Three left the inbox.", origin=PERSON)
    with ledger.write() as tx:
        ledger.pending.add(tx, [note])
        ledger.approvals(tx).put(call, approval_id="c1")
        ledger.events.append(
            tx,
            NewLedgerEvent(kind="brief.made", run_id="b1", payload={"kind": "morning", "urgent": 2}),
            NewLedgerEvent(kind="webhook.kept", payload={"name": "team"}),
            NewLedgerEvent(kind="pending.told", payload={"item_ids": [note.item_id]}),
            NewLedgerEvent(kind="approval.requested", payload={"confirmation_id": "c1"}),
        )
    message = ["message.posted", "delivery.planned", "delivery.attempted"]
    asks = ["collaboration.upserted", "collaboration.event.appended"]
    assert [one.kind for one in heard(ledger)] == [*message, "binding.upserted", *message, *asks]
    with ledger.write() as tx:
        gone = ledger.approvals(tx).expire(everything=True)
        (seq,) = ledger.events.append(
            tx, NewLedgerEvent(kind="approval.expired", payload={"confirmation_ids": gone})
        )
    closed = heard(ledger, seq - 1)
    assert [one.kind for one in closed] == asks
    assert [one.record().to_wire().get("state") for one in closed] == ["declined", None]
