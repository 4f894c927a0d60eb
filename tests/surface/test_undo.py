"""What a write answers as `undo` really takes it back: labels, flags, drafts, Trash, snoozes, rules."""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import Any

import pytest
from mcp_types import CallToolResult

from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.contract.wire import Vacation
from tests.contract.memory import MemoryMailbox
from tests.contract.suite import an_event

SOON = "2030-01-01T08:00:00+00:00"
LATER = "2031-01-01T08:00:00+00:00"
ALL = ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"]
"""One message of every standing: see `varied`."""

ALONE = b"To: cy@example.com\r\nBcc: dee@example.com\r\nSubject: Hi\r\nMessage-ID: <d@example.com>\r\n\r\nHello\r\n"
NEW_MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}

AWAY: Vacation = {
    "enabled": True,
    "subject": "Gone fishing",
    "body": "Back soon.",
    "html_body": "<p>Back soon.</p>",
    "start": SOON,
    "end": LATER,
    "contacts_only": True,
    "domain_only": False,
}

WRITES: list[tuple[str, dict[str, object]]] = [
    ("modify_email", {"messageId": "m1", "addLabelIds": ["STARRED", "INBOX"], "removeLabelIds": ["UNREAD"]}),
    ("modify_email", {"messageId": "m4", "addLabelIds": ["INBOX"]}),
    ("modify_email", {"messageId": "m5", "addLabelIds": ["SPAM"]}),
    ("modify_email", {"messageId": "m6", "addLabelIds": ["INBOX"]}),
    ("modify_email", {"messageId": "m7", "removeLabelIds": ["TRASH"], "addLabelIds": ["Label_1"]}),
    ("batch_modify_emails", {"messageIds": ALL, "addLabelIds": ["INBOX"], "removeLabelIds": ["UNREAD"]}),
    ("batch_modify_emails", {"messageIds": ALL, "addLabelIds": ["TRASH"]}),
    ("batch_modify_emails", {"messageIds": ALL, "addLabelIds": ["STARRED"], "removeLabelIds": ["Label_1"]}),
    (
        "batch_modify_emails",
        {"messageIds": ALL, "perMessage": {"m1": {"add": ["SPAM"]}, "m6": {"remove": ["INBOX"]}}},
    ),
    ("delete_email", {"messageId": "m1"}),
    ("delete_email", {"messageId": "m6"}),
    ("batch_delete_emails", {"messageIds": ALL}),
    ("archive_email", {"ids": ALL}),
    ("trash_email", {"ids": ALL}),
    ("untrash_email", {"ids": ALL}),
    ("mark_read", {"ids": ALL}),
    ("mark_read", {"ids": ALL, "read": False}),
    ("star_email", {"ids": ALL}),
    ("star_email", {"ids": ALL, "starred": False}),
    ("report_spam", {"ids": ALL}),
    ("snooze_email", {"ids": ["m1"], "until": SOON}),
    ("snooze_email", {"ids": ["m3"], "until": SOON}),
    ("snooze_email", {"ids": ["m6"], "until": SOON}),
    ("snooze_email", {"ids": ALL, "until": SOON}),
    ("draft_email", NEW_MAIL),
    ("reply_to_email", {"message_id": "m1", "body": "Yes", "draft": True}),
    ("forward_email", {"message_id": "m2", "to": ["cy@example.com"], "draft": True}),
    ("update_draft", {"draft_id": "r1", "body": "Other", "bcc": ["eve@example.com"]}),
    ("update_draft", {"draft_id": "r2", "subject": "Other"}),
    ("delete_draft", {"draft_id": "r1"}),
    ("delete_draft", {"draft_id": "r2"}),
    ("create_label", {"name": "New", "labelListVisibility": "labelHide"}),
    ("get_or_create_label", {"name": "New"}),
    ("update_label", {"id": "Label_1", "name": "Job"}),
    ("update_label", {"id": "Label_1", "labelListVisibility": "labelHide"}),
    ("create_filter", {"criteria": {"from": "b@example.com"}, "action": {"addLabelIds": ["STARRED"]}}),
    (
        "create_filter_from_template",
        {"template": "fromSender", "parameters": {"senderEmail": "c@example.com", "archive": True}},
    ),
    ("delete_filter", {"filterId": "f1"}),
    ("report_spam", {"ids": ["m1"], "phishing": True}),
    ("set_vacation", {"enabled": True, "subject": "Away", "html_body": "<p>Back soon.</p>"}),
    ("set_vacation", {"enabled": False, "body": "Other", "start": "", "domain_only": True}),
    ("create_calendar_event", {"title": "Lunch", "start": "2030-01-01T12:00:00Z"}),
    ("create_calendar_event", {"title": "Trip", "start": "2030-01-01", "attendees": ["cy@example.com"]}),
    ("respond_to_invitation", {"event_id": "meeting", "response": "accepted"}),
    ("delete_calendar_event", {"event_id": "meeting"}),
    ("watch_mailbox", {}),
]
IRREVERSIBLE = {"delete_label", "send_email", "send_draft", "unsubscribe", "download_attachment"}


@pytest.fixture
def varied(ask_once: Any) -> Any:
    """An archived message, Spam, Trash, snoozed ones, labels, a filter, drafts in a thread and alone."""
    mailbox: MemoryMailbox = ask_once.mailbox
    for number, labels in enumerate(
        ((), ("SPAM",), ("INBOX", "Work"), (), ("INBOX",), ("INBOX", "UNREAD")), 3
    ):
        mailbox.put(f"Subject: {number}\nMessage-ID: <{number}@example.com>\n\nx\n".encode(), labels)

    async def arrange() -> None:
        await mailbox.snooze(["m6"], LATER)
        await mailbox.trash(["m7"])
        await mailbox.snooze(["m8"], LATER)
        await mailbox.trash(["m8"])
        (first,) = await mailbox.read(["m1"], raw=False)
        await mailbox.create_draft(ALONE, None)
        await mailbox.create_draft(ALONE.replace(b"<d@", b"<e@"), first.summary["thread_id"])
        await mailbox.create_filter({"from": "a@example.com"}, {"addLabelIds": ["Label_1"]})
        await mailbox.set_vacation(AWAY)

    mailbox.put_event(an_event("meeting", attendees=["me@example.org", "cy@example.com"]))
    asyncio.run(arrange())
    return ask_once


@pytest.mark.parametrize(("tool", "arguments"), WRITES, ids=[tool for tool, _ in WRITES])
def test_undo_restores_the_whole_mailbox(
    tool: str, arguments: dict[str, object], varied: Any, look: Any
) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        before = await look()
        undo = (await answer(tool, arguments)).structured_content["undo"]
        assert undo["tool"] in TOOLS
        assert await look() != before
        result = await answer(undo["tool"], undo["arguments"])
        assert await look() == before
        return result

    assert not varied.run(scenario).is_error


def test_every_tool_that_changes_something_is_undone_here_or_cannot_be() -> None:
    writing = {name for name, spec in TOOLS.items() if spec.risk != "read"}
    assert {tool for tool, _ in WRITES} == writing - IRREVERSIBLE
    assert {name for name in writing if not TOOLS[name].reversed_by} == IRREVERSIBLE


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("snooze_email", {"until": LATER}),
        ("archive_email", {}),
        ("report_spam", {}),
        ("trash_email", {}),
        ("batch_modify_emails", {"addLabelIds": ["INBOX"], "removeLabelIds": ["UNREAD"]}),
    ],
)
@pytest.mark.parametrize("undone", [True, False])
def test_only_what_was_put_back_wakes_as_it_was_to(
    tool: str, arguments: dict[str, object], undone: bool, ask_once: Any
) -> None:
    now = [dt.datetime(2029, 1, 1, tzinfo=dt.UTC)]
    ask_once.mailbox = mailbox = MemoryMailbox(now=lambda: now[0])
    message = mailbox.put(b"Subject: x\n\nx\n", ("INBOX",))

    async def scenario(answer: Any) -> CallToolResult:
        await mailbox.snooze([message], SOON)
        result = await answer(tool, {"ids": [message], **arguments})
        if undone:
            undo = result.structured_content["undo"]
            result = await answer(undo["tool"], undo["arguments"])
        now[0] = dt.datetime(2030, 6, 1, tzinfo=dt.UTC)
        (stored,) = await mailbox.read([message], raw=False)
        woken = {"INBOX", "UNREAD"} <= set(stored.summary["labels"])
        assert woken == undone
        return result

    assert not ask_once.run(scenario).is_error


def test_a_write_that_changes_nothing_has_nothing_to_undo(ask_once: Any) -> None:
    assert "undo" not in ask_once("mark_read", ids=["m2"]).structured_content


def test_an_untrashed_message_can_be_trashed_again(ask_once: Any) -> None:
    ask_once("trash_email", ids=["m1"])
    undo = ask_once("untrash_email", ids=["m1", "m2"]).structured_content["undo"]
    assert undo == {"tool": "trash_email", "arguments": {"ids": ["m1"]}}


def test_a_deleted_draft_comes_back_byte_for_byte(ask_once: Any) -> None:
    ask_once("draft_email", to=["cy@example.com"], subject="Hi", body="Hello", bcc=["dee@example.com"])
    (raw,) = ask_once.drafts()
    undo = ask_once("delete_draft", draft_id="r1").structured_content["undo"]
    assert not ask_once.drafts()
    ask_once(undo["tool"], **undo["arguments"])
    assert ask_once.drafts() == [raw]


def test_an_updated_draft_goes_back_to_what_it_was(ask_once: Any) -> None:
    ask_once("draft_email", to=["cy@example.com"], subject="Hi", body="Hello")
    (raw,) = ask_once.drafts()
    answer = ask_once("update_draft", draft_id="r1", subject="Other").structured_content
    (changed,) = ask_once.drafts()
    assert b"Subject: Other" in changed
    assert b"Hello" in changed
    ask_once(answer["undo"]["tool"], **answer["undo"]["arguments"])
    assert ask_once.drafts() == [raw]
