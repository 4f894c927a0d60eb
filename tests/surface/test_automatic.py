"""Automatic replies are marked as such, and go to no mail that RFC 3834 keeps them from."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_mail.mime.automatic import not_to_be_answered
from gaia_mail.mime.model import Headers
from gaia_mail.mime.read import parse_message

PLAIN = (("From", "ann@example.com"), ("To", "me@example.org"), ("Subject", "Hello"))

AUTOMATIC = [
    [("Auto-Submitted", "auto-replied")],
    [("Auto-Submitted", "auto-generated (failure); owner-email=x@example.com")],
    [("Auto-Submitted", "no"), ("AUTO-SUBMITTED", "Auto-Replied")],
    [("Precedence", "list")],
    [("Precedence", "Bulk")],
    [("Precedence", "auto_reply")],
    [("Precedence", "first-class"), ("Precedence", "junk")],
    [("List-Id", "<x.example.com>")],
    [("List-Unsubscribe", "<mailto:x@example.com>")],
    [("List-Post", "NO")],
    [("Return-Path", "<>")],
    [("Return-Path", "<ann@example.com>"), ("Return-Path", " <> ")],
    [("X-Auto-Response-Suppress", "DR, OOF, AutoReply")],
    [("X-Autoreply", "yes")],
    [("Content-Type", 'multipart/report; report-type=delivery-status; boundary="x"')],
]
PERSONAL = [
    [],
    [("Auto-Submitted", "No")],
    [("Auto-Submitted", "no (a person); x=y")],
    [("Precedence", "first-class")],
    [("Return-Path", "<ann@example.com>")],
    [("X-Auto-Response-Suppress", "DR, RN, NRN")],
    [("X-List", "of things")],
]


@pytest.mark.parametrize("more", AUTOMATIC)
def test_no_automatic_answer_goes_to_what_a_machine_or_a_list_sent(more: list[tuple[str, str]]) -> None:
    assert "RFC 3834" in not_to_be_answered(Headers((*PLAIN, *more)), "ann@example.com")


@pytest.mark.parametrize("more", PERSONAL)
def test_a_persons_mail_may_be_answered(more: list[tuple[str, str]]) -> None:
    assert not_to_be_answered(Headers((*PLAIN, *more)), "ann@example.com") == ""


@pytest.mark.parametrize(
    ("sender", "answered"),
    [
        ("mailer-daemon@example.com", False),
        ("owner-x@example.com", False),
        ("x-request@example.com", False),
        ("x-bounces+me=example.org@example.com", False),
        ("bounce+x@example.com", False),
        ("no-reply@example.com", False),
        ("donotreply.billing@example.com", False),
        ("", False),
        ("requester@example.com", True),
        ("owner@example.com", True),
        ("norma.reply@example.com", True),
    ],
)
def test_names_of_programs_are_not_answered(sender: str, answered: bool) -> None:
    assert (not_to_be_answered(Headers(PLAIN), sender) == "") is answered


def test_an_automatic_reply_says_that_it_is_one_and_another_does_not(ask_once: Any) -> None:
    ask_once("reply_to_email", message_id="m1", body="It has arrived.", auto_submitted=True)
    ask_once("reply_to_email", message_id="m1", body="It has arrived.")
    marks = [parse_message(left.raw).headers.get_all("auto-submitted") for left in ask_once.sent]
    assert marks == [("auto-replied",), ()]


def test_a_draft_of_an_automatic_reply_stays_one_when_it_is_changed(ask_once: Any) -> None:
    made = ask_once(
        "reply_to_email", message_id="m1", body="It has arrived.", auto_submitted=True, draft=True
    )
    draft_id = made.structured_content["ids"][0]
    ask_once("update_draft", draft_id=draft_id, body="It has come.")
    ask_once("send_draft", draft_id=draft_id)
    assert parse_message(ask_once.sent[-1].raw).headers["auto-submitted"] == "auto-replied"


@pytest.mark.parametrize("more", [{"reply_all": True}, {"cc": ["bo@example.net"]}])
def test_an_automatic_reply_goes_to_nobody_but_the_sender(ask_once: Any, more: dict[str, object]) -> None:
    answer = ask_once("reply_to_email", message_id="m1", body="x", auto_submitted=True, **more)
    assert answer.structured_content["error"]["argument"] == "auto_submitted"
    assert not ask_once.sent


def test_the_server_itself_refuses_an_automatic_reply_to_a_list(ask_once: Any) -> None:
    id_ = ask_once.mailbox.put(
        b"From: ann@example.com\r\nTo: me@example.org\r\nPrecedence: list\r\n\r\nx\r\n"
    )
    for draft in (False, True):
        answer = ask_once("reply_to_email", message_id=id_, body="x", auto_submitted=True, draft=draft)
        assert answer.structured_content["error"]["kind"] == "bad_argument"
    assert not ask_once.sent
    assert not ask_once("reply_to_email", message_id=id_, body="x").is_error
