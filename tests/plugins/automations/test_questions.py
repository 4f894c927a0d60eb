"""A question of a run shows what the mailbox holds, and a yes is to that alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from gaia_email.app.documents.pending import people_shown
from gaia_email_automations.store import StoredAutomationRun
from gaia_email_registry.approvals import Approval
from tests.plugins.automations.bench import AutomationBench
from tests.plugins.automations.samples import definition

DRAFT = (
    b"From: me@example.org\r\nTo: Eve <eve@evil.example>\r\nCc: cy@evil.example\r\nBcc: bo@evil.example\r\n"
    b"Subject: All passwords\r\n\r\nThey are in here.\r\n"
)


def begun(bench: AutomationBench, action: str, config: Mapping[str, Any]) -> StoredAutomationRun:
    return bench.result(definition({"step_id": "act", "action": action, "config": dict(config)}))


def asked(bench: AutomationBench, action: str, config: Mapping[str, Any]) -> Approval:
    run = begun(bench, action, config)
    assert run.status == "waiting", run
    (question,) = bench.questions()
    return question


def people(question: Approval) -> list[tuple[str, str]]:
    return [(one.field, one.address) for one in people_shown(question.asked.fields)]


def stored(bench: AutomationBench, raw: bytes = DRAFT) -> str:
    return asyncio.run(bench.box.create_draft(raw, None)).id


def swap(bench: AutomationBench, id_: str, raw: bytes) -> None:
    store = bench.box._store  # pyright: ignore[reportPrivateUsage]
    other = bench.box.put(raw, ["INBOX"])
    store.messages[id_] = replace(store.messages[other], id=id_)


def test_a_reply_shows_whom_it_goes_to_and_on_which_message(bench: AutomationBench) -> None:
    id_ = bench.box.put(
        b"From: Ann <ann@acme.example>\r\nReply-To: eve@evil.example\r\nTo: me@example.org, bo@acme.example\r\n"
        b"Subject: Lunch\r\n\r\nToday?\r\n",
        ("INBOX",),
    )
    question = asked(bench, "reply_to_email", {"message_id": id_, "body": "Yes.", "reply_all": True})
    assert people(question) == [("to", "eve@evil.example"), ("cc", "bo@acme.example")]
    assert (question.asked.fields["subject"], question.asked.fields["text"]) == ("Re: Lunch", "Yes.")
    assert (question.asked.fields["messages"], question.asked.fields["senders"]) == (
        ["Lunch"],
        ["ann@acme.example"],
    )


def test_a_stored_draft_shows_everybody_it_goes_to_its_subject_and_its_text(bench: AutomationBench) -> None:
    question = asked(bench, "send_draft", {"draft_id": stored(bench)})
    assert people(question) == [
        ("to", "eve@evil.example"),
        ("cc", "cy@evil.example"),
        ("bcc", "bo@evil.example"),
    ]
    assert question.asked.fields["subject"] == "All passwords"
    assert "They are in here." in str(question.asked.fields["text"])
    run = bench.runs()[0]
    bench.answer(yes=True)
    assert bench.finished(run).status == "succeeded"
    assert bench.subjects("SENT") == ["All passwords"]


@pytest.mark.parametrize(
    "changed",
    [
        DRAFT.replace(b"cy@", b"zoe@"),
        DRAFT.replace(b"bo@", b"zoe@"),
        DRAFT.replace(b"in here", b"over there"),
        DRAFT.replace(b"All passwords", b"Some passwords"),
        DRAFT.replace(b"Subject:", b"Reply-To: zoe@evil.example\r\nSubject:"),
    ],
)
def test_a_draft_that_changed_after_it_was_shown_is_not_sent(bench: AutomationBench, changed: bytes) -> None:
    draft_id = stored(bench)
    asked(bench, "send_draft", {"draft_id": draft_id})
    run = bench.runs()[0]
    asyncio.run(bench.box.update_draft(draft_id, changed))
    bench.answer(yes=True)
    assert bench.finished(run).status == "failed"
    assert bench.subjects("SENT") == []
    assert not bench.questions(), "the question is void"


@pytest.mark.parametrize(
    ("action", "name", "several"),
    [("delete_email", "messageId", False), ("batch_delete_emails", "messageIds", True)],
)
def test_a_deletion_names_the_messages(bench: AutomationBench, action: str, name: str, several: bool) -> None:
    id_ = bench.put("Contract")
    question = asked(bench, action, {name: [id_] if several else id_})
    assert question.asked.fields["dry_run"] == "Would move to Trash: 1 message."
    assert (question.asked.fields["messages"], question.asked.fields["senders"]) == (
        ["Contract"],
        ["ann@acme.example"],
    )


def test_a_message_that_was_swapped_while_its_question_waited_stays(bench: AutomationBench) -> None:
    id_ = bench.put("Old news")
    asked(bench, "delete_email", {"messageId": id_})
    run = bench.runs()[0]
    swap(bench, id_, b"From: boss@example.org\r\nSubject: Contract\r\n\r\nx\r\n")
    bench.answer(yes=True)
    assert bench.finished(run).status == "failed"
    assert bench.subjects("TRASH") == []


LONELY = b"Subject: Note to self\r\n\r\nmilk\r\n"


@pytest.mark.parametrize(
    ("action", "config"),
    [
        ("send_email", {"to": [], "subject": "Hello", "body": "x"}),
        ("send_email", {"to": ["nobody in particular"], "subject": "Hello", "body": "x"}),
        ("send_email", {"to": ["a@b.example"], "subject": "Hello", "body": "x", "threadId": "gone"}),
        ("reply_to_email", {"message_id": "LONELY", "body": "x"}),
        ("reply_to_email", {"message_id": "gone", "body": "x"}),
        ("forward_email", {"message_id": "gone", "to": ["a@b.example"]}),
        ("send_draft", {"draft_id": "gone"}),
        ("send_draft", {"draft_id": "LONELY DRAFT"}),
        ("delete_draft", {"draft_id": "gone"}),
        ("update_draft", {"draft_id": "gone", "subject": "x"}),
        ("delete_email", {"messageId": "gone"}),
        ("batch_delete_emails", {"messageIds": ["gone", "too"]}),
        ("trash_email", {"ids": ["gone"]}),
        ("unsubscribe", {"message_id": "gone"}),
        ("delete_filter", {"filterId": "gone"}),
        ("delete_label", {"id": "gone"}),
        ("delete_calendar_event", {"event_id": "gone"}),
        ("respond_to_invitation", {"event_id": "gone", "response": "accepted"}),
    ],
)
def test_what_is_about_nothing_known_is_refused_and_never_asked(
    bench: AutomationBench, action: str, config: dict[str, Any]
) -> None:
    named = {"LONELY": bench.box.put(LONELY, ("INBOX",)), "LONELY DRAFT": stored(bench, LONELY)}
    before = bench.subjects("DRAFT")
    config = {
        name: named.get(value, value) if isinstance(value, str) else value for name, value in config.items()
    }
    assert begun(bench, action, config).status == "failed"
    assert not bench.questions()
    assert (bench.subjects("SENT"), bench.subjects("TRASH"), bench.subjects("DRAFT")) == ([], [], before)
