"""Destructive calls ask the user, in either protocol era, and by token where the host was chosen to ask."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp_types import CallToolResult

from gaia_email_registry.contract.tools import TOOLS
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.approval.tokens import VALID_S, QuestionTokens
from gaia_mail_mcp.surface.options import SurfaceSettings
from tests.contract.memory import MemoryMailbox
from tests.contract.suite import an_event

MANY = ["m1"] + [f"no-{number}" for number in range(100)]
MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}


HOST = ApprovalSettings(way="host")


@pytest.fixture
def careful(ask: Any) -> Any:
    ask.settings = SurfaceSettings()
    return ask


@pytest.fixture
def by_host(ask: Any) -> Any:
    ask.settings = SurfaceSettings(approval=HOST)
    return ask


class User:
    """Answers what the program asks, and keeps what was asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def __call__(self, message: str, *_: object) -> object:
        self.asked.append(message)
        return self.answer


async def _send(answer: Any) -> CallToolResult:
    return await answer("send_email", MAIL)


def test_a_user_who_agrees_sees_the_exact_mail(careful: Any) -> None:
    user = User({"value": True})
    result = careful.run(_send, user)
    assert not result.is_error
    assert len(careful.sent) == 1
    assert user.asked == [
        "Send this email?\nTo: cy@example.com [another organisation] [never written to]\nSubject: Hi\n\n│ Hello"
    ]


def test_a_user_who_does_not_agree_is_obeyed(careful: Any) -> None:
    result = careful.run(_send, User({"value": False}))
    assert result.structured_content["error"]["kind"] == "needs_approval"
    assert not careful.sent


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("to", []),
        ("cc", ["cy@example.com\r\nBcc: evil@example.net"]),
        ("bcc", ["nobody"]),
        ("subject", "Hi\r\nBcc: evil@example.net"),
    ],
)
def test_nobody_is_asked_about_a_mail_that_cannot_be_sent(careful: Any, argument: str, value: object) -> None:
    user = User({"value": True})

    async def scenario(answer: Any) -> CallToolResult:
        found: CallToolResult = await answer("send_email", {**MAIL, argument: value})
        return found

    result = careful.run(scenario, user)
    assert result.structured_content["error"]["argument"] == argument
    assert not user.asked and not careful.sent


def test_where_the_host_asks_a_token_is_good_once_for_the_same_arguments(by_host: Any) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        first = await answer("send_email", MAIL)
        token = first.structured_content["confirm"]
        assert (
            first.is_error
            and token in first.content[0].text
            and "To: cy@example.com" in first.content[0].text
        )
        sent = await answer("send_email", {**MAIL, "confirm": token})
        assert not sent.is_error
        return await answer("send_email", {**MAIL, "confirm": token})

    again = by_host.run(scenario)
    assert again.structured_content["error"]["argument"] == "confirm"
    assert len(by_host.sent) == 1


def test_a_token_for_other_arguments_is_refused(by_host: Any) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        first = await answer("send_email", MAIL)
        changed = {**MAIL, "to": ["evil@example.net"], "confirm": first.structured_content["confirm"]}
        return await answer("send_email", changed)

    assert by_host.run(scenario).is_error
    assert not by_host.sent


def test_a_draft_that_changed_after_it_was_shown_is_not_sent(by_host: Any) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        await answer("draft_email", MAIL)
        first = await answer("send_draft", {"draft_id": "r1"})
        await answer("update_draft", {"draft_id": "r1", "body": "Something else"})
        token = first.structured_content["confirm"]
        return await answer("send_draft", {"draft_id": "r1", "confirm": token})

    assert by_host.run(scenario).is_error
    assert not by_host.sent


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        ("delete_email", {"messageId": "m1"}, "Move to Trash: 1 message?\n- Lunch on Friday, from Ann Lee"),
        ("batch_delete_emails", {"messageIds": ["m1", "m2"]}, "Move to Trash: 2 messages?"),
        ("create_filter", {"criteria": {"to": "a@b.co"}, "action": {"forward": "x@y.co"}}, "forward: x@y.co"),
        (
            "create_filter_from_template",
            {"template": "withAttachments", "parameters": {}},
            "hasAttachment: true",
        ),
        (
            "reply_to_email",
            {"message_id": "m1", "body": "Yes"},
            'To: ann@example.com [another organisation] [never written to] "Ann Lee"',
        ),
        ("forward_email", {"message_id": "m2", "to": ["cy@example.com"]}, "invoice.csv"),
        ("unsubscribe", {"message_id": "m2"}, "Leave the mailing list: 1 message?"),
        ("batch_modify_emails", {"messageIds": MANY, "addLabelIds": ["SPAM"]}, "Move to Spam: 101"),
        (
            "set_vacation",
            {"enabled": True, "subject": "Away", "body": "Until Monday."},
            "Answer everybody who writes, by itself?\n\n│ The automatic answer is on.\n│ Subject: Away",
        ),
        (
            "create_calendar_event",
            {"title": "Trip", "start": "2030-01-01", "attendees": ["cy@example.com"]},
            "Create this event and invite 1 guest?\nGuest: cy@example.com [another organisation] "
            "[never written to]\nTitle: Trip\nWhen: 2030-01-01 to 2030-01-02 (UTC)",
        ),
    ],
)
def test_every_destructive_call_asks_first(
    tool: str, arguments: dict[str, object], shown: str, ask_once: Any, dump: Any, unsubscribed: list[str]
) -> None:
    ask_once.settings = SurfaceSettings(approval=HOST)
    before = dump()
    answer = ask_once(tool, **arguments)
    assert answer.structured_content["error"]["kind"] == "needs_approval"
    assert shown in answer.structured_content["summary"]
    assert dump() == before
    assert not ask_once.sent and not unsubscribed


def test_a_label_is_deleted_by_its_name_and_the_number_of_its_messages(by_host: Any) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        await answer("create_label", {"name": "Work"})
        await answer("archive_email", {"ids": ["m1"]})
        await answer("modify_email", {"messageId": "m1", "addLabelIds": ["Label_1"]})
        return await answer("delete_label", {"id": "Label_1"})

    shown = by_host.run(scenario).structured_content["summary"]
    assert shown.startswith('Delete the label "Work" and take it off every message (1 message)?')


DESTRUCTIVE: list[tuple[str, dict[str, object]]] = [
    ("delete_email", {"messageId": "m1"}),
    ("batch_delete_emails", {"messageIds": ["m1", "m2"], "permanent": True}),
    ("batch_modify_emails", {"messageIds": MANY, "addLabelIds": ["SPAM"]}),
    ("delete_label", {"id": "Label_1"}),
    ("create_filter", {"criteria": {"to": "a@example.com"}, "action": {"forward": "x@example.com"}}),
    ("create_filter_from_template", {"template": "withAttachments", "parameters": {"labelIds": "STARRED"}}),
    ("delete_filter", {"filterId": "f1"}),
    ("send_email", MAIL),
    ("reply_to_email", {"message_id": "m1", "body": "Yes"}),
    ("forward_email", {"message_id": "m2", "to": ["cy@example.com"]}),
    ("send_draft", {"draft_id": "r1"}),
    ("unsubscribe", {"message_id": "m2"}),
    ("delete_calendar_event", {"event_id": "meeting"}),
    (
        "create_calendar_event",
        {"title": "Trip", "start": "2030-01-01", "attendees": ["cy@example.com"]},
    ),
    ("respond_to_invitation", {"event_id": "meeting", "response": "accepted"}),
    ("set_vacation", {"enabled": True, "body": "Away"}),
]
SOMETIMES = {"batch_modify_emails", "create_calendar_event", "respond_to_invitation", "set_vacation"}


@pytest.fixture
def prepared(careful: Any) -> Any:
    """There is something for every destructive tool to destroy."""

    async def arrange(mailbox: MemoryMailbox) -> None:
        mailbox.put_event(an_event("meeting", attendees=["me@example.org", "boss@example.com"]))
        await mailbox.create_label("Work", {})
        await mailbox.create_filter({"from": "a@example.com"}, {"addLabelIds": ["STARRED"]})
        await mailbox.create_draft(b"To: cy@example.com\nSubject: Hi\n\nHello\n", None)

    asyncio.run(arrange(careful.mailbox))
    careful.settings = SurfaceSettings(allow_permanent_delete=True)
    return careful


@pytest.fixture
def prepared_by_host(prepared: Any) -> Any:
    prepared.settings = SurfaceSettings(allow_permanent_delete=True, approval=HOST)
    return prepared


def test_the_cases_are_all_that_is_destructive() -> None:
    named = {name for name, _ in DESTRUCTIVE} - SOMETIMES
    assert named == {name for name, spec in TOOLS.items() if spec.risk == "destructive"}


@pytest.mark.parametrize(("tool", "arguments"), DESTRUCTIVE, ids=[tool for tool, _ in DESTRUCTIVE])
def test_a_user_who_can_be_asked_decides(
    tool: str, arguments: dict[str, object], prepared: Any, look: Any, unsubscribed: list[str]
) -> None:
    user = User({"value": False})

    async def scenario(answer: Any) -> CallToolResult:
        before = await look()
        refused = await answer(tool, arguments)
        assert refused.structured_content["error"]["kind"] == "needs_approval"
        assert (await look(), prepared.sent, unsubscribed) == (before, [], [])
        user.answer = {"value": True}
        agreed = await answer(tool, arguments)
        assert (await look(), prepared.sent, unsubscribed) != (before, [], [])
        return agreed

    assert not prepared.run(scenario, user).is_error
    assert len(user.asked) == 2


@pytest.mark.parametrize(("tool", "arguments"), DESTRUCTIVE, ids=[tool for tool, _ in DESTRUCTIVE])
def test_where_the_host_asks_the_second_call_decides(
    tool: str, arguments: dict[str, object], prepared_by_host: Any, look: Any, unsubscribed: list[str]
) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        before = await look()
        first = await answer(tool, arguments)
        wrong = await answer(tool, {**arguments, "confirm": "made-up"})
        for refused in (first, wrong):
            assert refused.structured_content["error"]["kind"] == "needs_approval"
        assert (await look(), prepared_by_host.sent, unsubscribed) == (before, [], [])
        second = await answer(tool, {**arguments, "confirm": first.structured_content["confirm"]})
        assert (await look(), prepared_by_host.sent, unsubscribed) != (before, [], [])
        return second

    assert not prepared_by_host.run(scenario).is_error


def test_another_time_for_a_meeting_is_shown_before_it_is_proposed(prepared_by_host: Any) -> None:
    given = {"event_id": "meeting", "response": "tentative", "propose_start": "2030-01-02T09:00:00Z"}

    async def scenario(answer: Any) -> CallToolResult:
        asked = (await answer("respond_to_invitation", given)).structured_content
        assert "Other time: 2030-01-02T09:00:00+00:00 to 2030-01-02T" in asked["summary"]
        assert not prepared_by_host.mailbox.proposed
        return await answer("respond_to_invitation", given | {"confirm": asked["confirm"]})

    assert not prepared_by_host.run(scenario).is_error
    assert prepared_by_host.mailbox.proposed["meeting"].start.isoformat() == "2030-01-02T09:00:00+00:00"


def test_writes_do_not_ask(ask_once: Any) -> None:
    ask_once.settings = SurfaceSettings()
    assert not ask_once("archive_email", ids=["m1"]).is_error
    assert not ask_once("reply_to_email", message_id="m1", body="Yes", draft=True).is_error


def test_a_token_expires() -> None:
    now = [0.0]
    tokens = QuestionTokens(clock=lambda: now[0])
    token = tokens.ask("call")
    now[0] = VALID_S + 1
    assert not tokens.redeem(token, "call")


def test_forgotten_questions_do_not_pile_up() -> None:
    tokens = QuestionTokens()
    first = tokens.ask("call")
    for number in range(1_000):
        tokens.ask(str(number))
    assert not tokens.redeem(first, "call")
