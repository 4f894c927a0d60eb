"""A question leaves nothing out: not a leaf, not the end of a long text, not what stands in `raw` or a stored draft."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import asdict
from typing import Any

import pytest

from gaia_email.policy.facts import CallFacts
from gaia_email.policy.gate import CallRefused, Consent, Gate, PromptAnswer
from gaia_email.policy.question import CallQuestion, question, what_changed
from gaia_email.policy.question_parts import SHOWN_TEXT
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import BadArgument
from tests.gate.every_call import ARGUMENTS, DRAFT, facts_for
from tests.gate.in_memory import InMemory

ME = "me@example.org"
EVIL = (
    b"From: me@example.org\r\nTo: Eve <eve@evil.example>\r\nBcc: eve2@evil.example\r\nReply-To: eve3@evil.example\r\n"
    b"Subject: All of them\r\nX-Forward: eve4@evil.example\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nall passwords\r\n"
    b"--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=keys.csv\r\n\r\nk\r\n--b--\r\n"
)


def raw(mail: bytes = EVIL) -> str:
    return base64.urlsafe_b64encode(mail).decode()


def shown(tool: str, **arguments: object) -> CallQuestion:
    call = ToolCall.of(ME, tool, arguments)
    return question(call, facts_for(call))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("draft_email", {"to": [], "subject": "", "body": ""}),
        ("update_draft", {"draft_id": "r1"}),
    ],
)
def test_a_raw_mail_is_shown_as_it_would_be_stored(tool: str, arguments: dict[str, Any]) -> None:
    asked = shown(tool, raw=raw(), **arguments)
    assert [(one.field, one.address) for one in asked.recipients] == [
        ("to", "eve@evil.example"),
        ("bcc", "eve2@evil.example"),
    ]
    assert (asked.subject, asked.text.strip()) == ("All of them", "all passwords")
    assert "keys.csv" in asked.files[0]
    text = asked.plain_text()
    for found in ("Answers go to: eve3@evil.example", "Header X-Forward: eve4@evil.example"):
        assert found in text
    assert asked != shown(tool, raw=raw(EVIL.replace(b"\r\nk\r\n", b"\r\nl\r\n")), **arguments)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("to", ["me@example.com"]),
        ("to", ["eve@evil.example", "ann@example.com"]),
        ("cc", ["ann@example.com"]),
        ("bcc", ["ann@example.com"]),
        ("subject", "Note to self"),
        ("body", "milk"),
        ("htmlBody", "<p>milk</p>"),
        ("from", "sales@example.org"),
        ("attachments", ["notes.txt"]),
        ("inReplyTo", "<one@example.com>"),
        ("signature", True),
    ],
)
def test_a_raw_mail_that_another_argument_contradicts_is_refused(name: str, value: object) -> None:
    arguments: dict[str, Any] = {"to": [], "subject": "", "body": "", "raw": raw(), name: value}
    with pytest.raises(BadArgument, match="differs from"):
        shown("draft_email", **arguments)
    agreeing = {"to": ["eve@evil.example"], "subject": "All of them", "body": "all passwords\n", "raw": raw()}
    assert shown("draft_email", **agreeing).subject == "All of them"


@pytest.mark.parametrize("text", ["not base64!", "VG86IGV2aWw\u202e", "VG8 6IGV2aWw"])
def test_a_raw_mail_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="base64url"):
        shown("draft_email", to=[], subject="", body="", raw=text)


def test_each_message_is_named_with_what_happens_to_it() -> None:
    each = {"m1": {"add": ["TRASH"]}, "m2": {"remove": ["INBOX"], "snooze_until": "2090-01-01T08:00:00Z"}}
    asked = shown(
        "batch_modify_emails", messageIds=["m1", "m2", "m3"], addLabelIds=["Label_1"], perMessage=each
    )
    assert asked.dry_run == "Would change 3 messages in the ways that are shown."
    assert "Move to Trash: Subject of m1 [m1]" in asked.details
    assert (
        "Take out of the inbox and take out of the inbox until 2090-01-01T08:00:00Z: Subject of m2 [m2]"
        in asked.details
    )
    assert "Add Work: Subject of m1 [m1], Subject of m2 [m2], Subject of m3 [m3]" in asked.details


@pytest.mark.parametrize(
    "arguments",
    [
        {"messageIds": ["m1"], "perMessage": {"m9": {"add": ["TRASH"]}}},
        {"messageId": "m1", "addLabelIds": ["STARRED"], "labelIds": ["TRASH"]},
    ],
)
def test_a_change_that_contradicts_itself_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        shown("batch_modify_emails" if "messageIds" in arguments else "modify_email", **arguments)


def test_a_filter_shows_each_condition_and_effect_on_its_own_line() -> None:
    asked = shown(
        "create_filter",
        criteria={"from": "boss@example.org", "query": "x"},
        action={"addLabelIds": ["TRASH"], "removeLabelIds": ["Label_1"]},
    )
    assert asked.details == (
        "If it is from: boss@example.org",
        "If it is found by: x",
        "Then add: TRASH (Trash)",
        "Then remove: Work",
    )
    one = shown("create_filter", criteria={"from": "a, to: b"}, action={})
    assert one.details != shown("create_filter", criteria={"from": "a", "to": "b"}, action={}).details


def test_an_invitation_shows_all_that_its_guests_get() -> None:
    text = shown(
        "create_calendar_event",
        title="Quarterly plans",
        start="2100-01-31T12:00:00+01:00",
        end="2100-01-31T13:00:00+01:00",
        location="Room 4",
        description="Bring the figures.",
        attendees=["bo@other.example"],
    ).plain_text()
    for found in (
        "Quarterly plans",
        "2100-01-31T12:00",
        "2100-01-31T13:00",
        "Room 4",
        "Bring the figures.",
        "bo@other.example",
    ):
        assert found in text
    answer = shown(
        "respond_to_invitation", event_id="e1", response="declined", comment="I resign."
    ).plain_text()
    assert "I resign." in answer and "Event: Lunch" in answer


def test_a_stored_draft_is_shown_whole_and_with_what_would_be_put_in_its_place() -> None:
    asked = shown("send_draft", draft_id="r1")
    assert [(one.field, one.address) for one in asked.recipients] == [("to", "ann@example.com")]
    assert (asked.subject, asked.text.strip()) == ("Plans", "as it is stored")
    changed = shown("update_draft", draft_id="r1", bcc=["eve@evil.example"], body="mine")
    assert [(one.field, one.address) for one in changed.recipients] == [
        ("to", "ann@example.com"),
        ("bcc", "eve@evil.example"),
    ]
    assert (changed.subject, changed.text) == ("Plans", "mine")
    assert "To: (nobody)" in shown("update_draft", draft_id="r1", to=[]).details
    call = ToolCall.of(ME, "delete_draft", {"draft_id": "r1"})
    now = question(call, CallFacts(stored=DRAFT.replace(b"it is", b"it was")))
    assert what_changed(asdict(shown("delete_draft", draft_id="r1")), now)


LONG = "a" * (SHOWN_TEXT + 500)


@pytest.mark.parametrize(
    ("tool", "name", "more"),
    [
        ("send_email", "body", {}),
        ("send_email", "subject", {}),
        ("create_calendar_event", "description", {}),
        ("create_calendar_event", "title", {}),
        ("respond_to_invitation", "comment", {}),
        ("set_vacation", "body", {"enabled": True}),
        ("create_label", "name", {}),
    ],
)
def test_no_change_hides_behind_a_cut(tool: str, name: str, more: dict[str, Any]) -> None:
    most = {"subject": 9_000, "title": 9_000, "comment": 9_000, "name": 1_900}.get(name, len(LONG))
    first, second = LONG[: most - 1] + "b", LONG[: most - 1] + "c"
    one, two = (
        shown(tool, **{**ARGUMENTS[tool], **more, name: text}).plain_text() for text in (first, second)
    )
    assert one != two
    assert "\u202e" not in shown(tool, **{**ARGUMENTS[tool], **more, name: "x\u202ey\x1b"}).plain_text()
    assert "\x1b" not in shown(tool, **{**ARGUMENTS[tool], **more, name: "x\u202ey\x1b"}).plain_text()


def test_of_many_messages_the_ones_that_are_not_named_count_too() -> None:
    ids = [f"m{number}" for number in range(300)]
    call = ToolCall.of(ME, "batch_delete_emails", {"messageIds": ids})
    other = ToolCall.of(ME, "batch_delete_emails", {"messageIds": [*ids[:-1], "m999"]})
    facts = facts_for(call)
    assert len(question(call, facts).messages) == 100
    assert question(call, facts).details != question(other, facts).details


def test_every_leaf_of_another_servers_tool_is_shown_with_nothing_in_it_that_hides() -> None:
    arguments = {"a": {"b": [{"c": "deep"}, 7, None]}, "text": "x\u202ey\u200b\x1b", "long": "y" * 30_000}

    def foreign(value: dict[str, Any]) -> str:
        return question(ToolCall.of_server(ME, "sheets.add", value, "destructive"), CallFacts()).plain_text()

    text = foreign(arguments)
    assert '"c": "deep"' in text and "\\u202e" in text and "\u202e" not in text and "\x1b" not in text
    seen = {text}
    for other in (
        {**arguments, "a": {"b": [{"c": "deeper"}, 7, None]}},
        {**arguments, "a": {"b": [{"c": "deep"}, 8, None]}},
        {**arguments, "a": {"b": [{"c": "deep"}, 7, False]}},
        {**arguments, "text": "x\u202dy\u200b\x1b"},
        {**arguments, "long": "y" * 29_999 + "z"},
        {**arguments, "more": ""},
    ):
        seen.add(foreign(other))
    assert len(seen) == 7


class Agreeing:
    def __init__(self) -> None:
        self.asked: list[CallQuestion] = []

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        self.asked.append(asked)
        return "yes"


NEEDING = [
    name
    for name, given in ARGUMENTS.items()
    if TOOLS[name].risk != "read"
    and {"ids", "messageId", "messageIds", "message_id", "draft_id", "filterId", "event_id"} & given.keys()
]


@pytest.mark.parametrize("tool", NEEDING)
@pytest.mark.parametrize(
    "consent", [Consent(), Consent(by="user"), Consent(by="level", level=5, opted_in=True)]
)
def test_without_facts_of_what_it_is_about_no_call_is_asked_or_allowed(tool: str, consent: Consent) -> None:
    person = Agreeing()
    call = ToolCall.of(ME, tool, ARGUMENTS[tool])
    for facts in (None, CallFacts(), CallFacts(own=frozenset({ME}), subject="Hello")):
        given = asyncio.run(Gate(InMemory(), prompt=person).ask(call, consent, facts))
        assert isinstance(given, CallRefused), tool
    assert not person.asked


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"messageIds": ["m1", "m2"]}, CallFacts(messages=("One",))),
        ({"messageIds": ["m1", "m2"]}, CallFacts(messages=("One",), absent=("m9",))),
        ({"messageIds": ["m1", "m2"]}, CallFacts(absent=("m1", "m2"))),
    ],
)
def test_one_unknown_message_among_others_is_refused(arguments: dict[str, Any], facts: CallFacts) -> None:
    person = Agreeing()
    call = ToolCall.of(ME, "batch_delete_emails", arguments)
    assert isinstance(
        asyncio.run(Gate(InMemory(), prompt=person).ask(call, Consent(by="user"), facts)), CallRefused
    )
    assert not person.asked


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("send_email", {"to": [], "subject": "Hi", "body": "x"}),
        ("send_email", {"to": [], "cc": [], "subject": "Hi", "body": "x", "bcc": []}),
        ("send_email", {"to": ["Ann"], "subject": "Hi", "body": "x"}),
        ("send_email", {"to": ["ann@example.com, and Bo"], "subject": "Hi", "body": "x"}),
        ("forward_email", {"message_id": "m1", "to": []}),
        ("reply_to_email", {"message_id": "m1", "body": "x"}),
    ],
)
def test_nobody_is_asked_to_send_to_nobody(tool: str, arguments: dict[str, Any]) -> None:
    person = Agreeing()
    call = ToolCall.of(ME, tool, arguments)
    facts = CallFacts(own=frozenset({ME}), messages=("Hello",), subject="Re: Hello")
    assert isinstance(
        asyncio.run(Gate(InMemory(), prompt=person).ask(call, Consent(by="user"), facts)), CallRefused
    )
    assert not person.asked


def test_what_nobody_sees_of_a_mail_makes_another_question_too() -> None:
    threaded = EVIL.replace(b"X-Forward", b"In-Reply-To: <one@example.com>\r\nX-Forward")
    same_size = EVIL.replace(b"\r\nk\r\n", b"\r\nl\r\n")
    empty: dict[str, Any] = {"to": [], "subject": "", "body": ""}
    texts = {
        shown("draft_email", raw=raw(mail), **empty).plain_text() for mail in (EVIL, threaded, same_size)
    }
    assert len(texts) == 3
    formatted = ("<p>x</p>", "<b>x</b>", '<p style="color:red">x</p>')
    mails = {
        shown("send_email", to=["a@b.example"], subject="s", body="x", htmlBody=one).plain_text()
        for one in formatted
    }
    assert len(mails) == 3
    call = ToolCall.of(
        ME, "send_email", {"to": ["a@b.example"], "subject": "s", "body": "x", "signature": True}
    )
    assert "Pay to IBAN 666" in question(call, CallFacts(signature="Pay to IBAN 666")).plain_text()
