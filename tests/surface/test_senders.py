"""Who mail is from: other addresses, display names, signatures; and filters that are only tried."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import CallToolResult

from gaia_email_registry.contract.wire import SendAs
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings

NEW_MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}
ME = SendAs(address="me@example.org", name="Me Example", signature="", default=True)
SALES = SendAs(
    address="sales@example.org", name="Sales", signature="<div>Sales<br>Example Ltd.</div>", default=False
)
TO_SALES = (
    b"From: ann@example.com\r\nTo: Somebody Else <SALES@example.org>, bo@example.net\r\n"
    b"Cc: me@example.org\r\n\r\nPrice?\r\n"
)


@pytest.fixture
def two(ask_once: Any) -> Any:
    """An account that sends as two addresses; `m3` was sent to the second."""
    ask_once.mailbox.senders = [SALES, ME]
    ask_once.mailbox.put(TO_SALES)
    return ask_once


def last(two: Any) -> Any:
    """What was sent last."""
    return parse_message(two.sent[-1].raw)


def test_addresses_are_listed_with_names_and_signatures(two: Any) -> None:
    answer = two("list_send_as")
    assert answer.structured_content == {"addresses": [ME, SALES]}
    assert answer.content[0].text.splitlines() == [
        "Me Example <me@example.org> (default)",
        "Sales <sales@example.org> (signature)",
    ]
    two.settings = SurfaceSettings(read_only=True)
    assert two("list_send_as").structured_content == {"addresses": [ME, SALES]}


def test_mail_is_from_the_default_address_under_its_name(two: Any) -> None:
    two("send_email", **NEW_MAIL)
    assert (last(two).sender.name, last(two).sender.address) == ("Me Example", "me@example.org")
    assert last(two).text.strip() == "Hello"


def test_another_address_another_name_and_a_signature_are_taken_when_asked_for(two: Any) -> None:
    html = "<p>Hello</p>"
    two(
        "send_email",
        **NEW_MAIL,
        htmlBody=html,
        **{"from": "Our Sales <Sales@Example.org>", "signature": True},
    )
    sent = last(two)
    assert (sent.sender.name, sent.sender.address) == ("Our Sales", "sales@example.org")
    assert sent.text.split() == ["Hello", "--", "Sales", "Example", "Ltd."]
    assert sent.html.index("Hello") < sent.html.index(SALES["signature"])
    assert two.sent[-1].sender == "sales@example.org"


def test_a_reply_comes_from_the_address_that_was_written_to(two: Any) -> None:
    two("reply_to_email", message_id="m3", body="Cheap.", reply_all=True, signature=True)
    sent = last(two)
    assert (sent.sender.name, sent.sender.address) == ("Sales", "sales@example.org")
    assert [person.address for person in (*sent.to, *sent.cc)] == ["ann@example.com", "bo@example.net"]
    assert sent.text.index("Cheap.") < sent.text.index("Example Ltd.") < sent.text.index("> Price?")


def test_a_forward_and_a_draft_take_a_sender_too(two: Any) -> None:
    chosen = {"from": "sales@example.org", "signature": True}
    two("forward_email", message_id="m1", to=["cy@example.com"], **chosen)
    assert last(two).sender.address == "sales@example.org"
    assert last(two).text.index("Example Ltd.") < last(two).text.index("Shall we meet")
    two("draft_email", **NEW_MAIL)
    two("update_draft", draft_id="r1", **{"from": "sales@example.org"})
    sender = parse_message(two.drafts()[0]).sender
    assert sender is not None
    assert sender.address == "sales@example.org"


@pytest.mark.parametrize(
    ("arguments", "argument", "why"),
    [
        ({"from": "boss@example.com"}, "from", "sends as me@example.org, sales@example.org"),
        ({"from": "sales@example.org\r\nBcc: eve@example.com"}, "from", "not an address"),
        ({"signature": True}, "signature", "me@example.org has no signature"),
    ],
)
def test_nothing_is_sent_under_a_name_that_is_not_the_accounts(
    arguments: dict[str, object], argument: str, why: str, two: Any
) -> None:
    answer = two("send_email", **NEW_MAIL, **arguments)
    assert answer.is_error
    assert answer.structured_content["error"]["argument"] == argument
    assert why in answer.content[0].text
    assert not two.sent


def test_a_mailbox_of_one_address_sends_as_that_one_only(two: Any) -> None:
    two.mailbox._capabilities -= {Capability.SEND_AS}
    two("send_email", **NEW_MAIL, **{"from": "Me <me@example.org>"})
    assert (last(two).sender.name, last(two).sender.address) == ("Me", "me@example.org")
    assert two("send_email", **NEW_MAIL, **{"from": "sales@example.org"}).is_error


def test_the_user_is_asked_about_another_sender(two: Any) -> None:
    two.settings = SurfaceSettings(approval=ApprovalSettings(way="host"))
    text = two("send_email", **NEW_MAIL, **{"from": "sales@example.org"}).content[0].text
    assert "\nFrom: sales@example.org" in text
    text = two("reply_to_email", message_id="m3", body="x").content[0].text
    assert "\nFrom: sales@example.org" in text and '"Sales"' in text
    assert "From:" not in two("send_email", **NEW_MAIL).content[0].text
    assert not two.sent


def test_a_filter_is_tried_without_being_made(two: Any) -> None:
    two.settings = SurfaceSettings()
    criteria = {"from": "ann@example.com"}
    answer = two("create_filter", criteria=criteria, action={"removeLabelIds": ["INBOX"]}, dryRun=True)
    assert answer.structured_content == {"ok": True, "ids": [], "failed": [], "matches": 2, "exact": True}
    assert "It would match 2 messages" in answer.content[0].text
    assert "- Lunch on Friday, from Ann Lee <ann@example.com>" in answer.content[0].text
    template = {"template": "withSubject", "parameters": {"subjectText": "invoice"}, "dryRun": True}
    assert two("create_filter_from_template", **template).structured_content["matches"] == 1
    assert two("list_filters").structured_content == {"filters": []}


def test_a_filter_without_criteria_is_refused_when_tried(two: Any) -> None:
    answer = two("create_filter", criteria={}, action={}, dryRun=True)
    assert answer.structured_content["error"]["argument"] == "criteria"


def test_phishing_is_reported_where_the_provider_takes_reports(two: Any) -> None:
    answer = two("report_spam", ids=["m1"], phishing=True)
    assert answer.structured_content["phishing"] is True
    assert (two.mailbox.reported, two.labels("m1") & {"SPAM", "INBOX"}) == (["m1"], {"SPAM"})
    two.mailbox._capabilities -= {Capability.REPORT_PHISHING}
    answer = two("report_spam", ids=["m2"], phishing=True)
    assert answer.structured_content["phishing"] is False
    assert "no phishing reports" in answer.content[0].text
    assert (two.mailbox.reported, "SPAM" in two.labels("m2")) == (["m1"], True)


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"enabled": True}, "body"),
        ({"enabled": True, "body": "x", "start": "tomorrow"}, "start"),
        ({"enabled": True, "body": "x", "end": "2030-01-01T08:00:00"}, "end"),
        ({"enabled": True, "body": "x", "start": "2030-01-02T00:00Z", "end": "2030-01-01T00:00Z"}, "end"),
        ({"enabled": True, "body": "x", "subject": "a\r\nb"}, "subject"),
    ],
)
def test_an_automatic_answer_that_makes_no_sense_is_refused(
    arguments: dict[str, object], argument: str, two: Any
) -> None:
    answer: CallToolResult = two("set_vacation", **arguments)
    assert (answer.structured_content or {})["error"]["argument"] == argument
    assert two("get_vacation").structured_content["vacation"]["enabled"] is False


def test_a_change_of_the_automatic_answer_keeps_what_was_not_given(two: Any) -> None:
    two("set_vacation", enabled=True, subject="Away", html_body="<p>Gone</p>", contacts_only=True)
    answer = two("set_vacation", enabled=True, body="Back soon").structured_content
    assert {name: answer["vacation"][name] for name in ("subject", "body", "html_body", "contacts_only")} == {
        "subject": "Away",
        "body": "Back soon",
        "html_body": "",
        "contacts_only": True,
    }
    assert "undo" not in two("set_vacation", enabled=True).structured_content


def test_an_answer_that_is_written_anew_is_from_the_address_that_was_written_to(two: Any) -> None:
    two("send_email", **NEW_MAIL, inReplyTo="m3")
    assert last(two).sender.address == "sales@example.org"
