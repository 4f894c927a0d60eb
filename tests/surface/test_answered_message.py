"""An answer names the newest message of its thread that was sent or received, never a draft or what was deleted."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_mail.mime.read import parse_message

THREAD = b"References: <a@x.example>\r\nIn-Reply-To: <a@x.example>\r\n"
LATER = b"From: me@example.org\r\nTo: ann@x.example\r\nSubject: Re: Plan\r\nDate: Tue, 03 Mar 2026 09:00:00 +0000\r\n"


def put(surface: Any) -> str:
    raw = (
        b"From: Ann <ann@x.example>\r\nTo: me@example.org\r\nSubject: Plan\r\nMessage-ID: <a@x.example>\r\n"
        b"Date: Mon, 02 Mar 2026 09:00:00 +0000\r\n\r\nWhen?\r\n"
    )
    return str(surface.mailbox.put(raw))


def thread_of(surface: Any, message: str) -> str:
    answer = surface("read_emails", ids=[message], format="summary")
    return str(answer.structured_content["emails"][0]["thread_id"])


@pytest.mark.parametrize("labels", [["DRAFT"], ["TRASH"], ["SPAM"]])
def test_an_answer_by_thread_names_the_newest_message_that_was_exchanged(
    ask_once: Any, labels: list[str]
) -> None:
    asked = put(ask_once)
    ask_once.mailbox.put(LATER + b"Message-ID: <b@x.example>\r\n" + THREAD + b"\r\nNever.\r\n", labels)
    thread = thread_of(ask_once, asked)
    for _ in range(2):
        ask_once("draft_email", to=["ann@x.example"], subject="Re: Plan", body="b", threadId=thread)
    ask_once("send_email", to=["ann@x.example"], subject="Re: Plan", body="b", threadId=thread)
    found = [parse_message(raw) for raw in (*ask_once.drafts(), ask_once.sent[-1].raw)]
    written = [one for one in found if one.message_id != "<b@x.example>"]
    assert len(written) == 3
    assert {one.in_reply_to for one in written} == {("<a@x.example>",)}
    assert {one.references for one in written} == {("<a@x.example>",)}


def test_an_answer_by_message_id_prefers_what_was_exchanged(ask_once: Any) -> None:
    put(ask_once)
    ask_once.mailbox.put(LATER + b"Message-ID: <a@x.example>\r\n\r\nForged.\r\n", ["TRASH"])
    ask_once("send_email", to=["ann@x.example"], subject="Re: Plan", body="b", inReplyTo="<a@x.example>")
    assert parse_message(ask_once.sent[-1].raw).in_reply_to == ("<a@x.example>",)
