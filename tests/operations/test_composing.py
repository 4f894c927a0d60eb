"""Mail that is being written: begun from what it answers, kept, asked about whole, and sent as it was shown."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from tests.operations.test_operations import Sample
from tests.pages_web.pages import ME, USUAL, Mail, PersonsPages

FRAUD = Mail(
    sender="PayPal <service@paypa1-login.example>",
    subject="Your account is suspended, verify your password within 24 hours",
    text="Dear customer, your account is suspended. Verify your password at "
    "http://paypa1-login.example/verify within 24 hours or it will be closed.",
)
TO_MANY = Mail(
    sender="Priya Nair <priya@kestrel.example>",
    subject="Lunch",
    text="Where shall we meet?",
    headers={"Cc": "Bo <bo@lang.example>, eve@other.example"},
)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Sample]:
    found = PersonsPages(tmp_path, (*USUAL, TO_MANY, FRAUD))
    yield Sample(found.app, found.source)


def found(written: Sample, subject: str) -> str:
    """The id of a message by words of its subject."""
    hits = written.call("search", query=f'subject:"{subject}"')["hits"]
    return str(hits[0]["id"])


def test_a_reply_begins_with_who_wrote_their_subject_and_what_they_ask(written: Sample) -> None:
    begun = written.call("compose", kind="reply", message_id=found(written, "sign the contract"))
    assert begun["to"] == ['"Priya Nair" <priya@kestrel.example>']
    assert begun["subject"] == "Re: Can you sign the contract by Friday?"
    assert "> could you please sign the contract" in begun["body"]
    assert begun["made"]["by"] == "rules, no model" and begun["made"]["tier"] == "T0"
    assert begun["recipients"][0]["standing"] == "other_organisation"
    assert "1 outside your organisation" in begun["dry_run"]
    assert begun["quoted"].startswith("On ") and begun["chips"] and not begun["model"]


def test_a_reply_to_all_goes_to_the_others_too_and_never_to_the_user(written: Sample) -> None:
    begun = written.call("compose", kind="reply_all", message_id=found(written, "Lunch"))
    assert begun["cc"] == ['"Bo" <bo@lang.example>', "eve@other.example"]
    assert [one["standing"] for one in begun["recipients"]] == [
        "other_organisation",
        "inside",
        "other_organisation",
    ]


def test_nothing_of_what_looks_like_fraud_is_answered_or_forwarded(written: Sample) -> None:
    message = found(written, "account is suspended")
    for kind in ("reply", "reply_all", "forward"):
        with pytest.raises(BadArgument, match="nothing of it is answered"):
            written.call("compose", kind=kind, message_id=message)
        with pytest.raises(BadArgument, match="nothing of it is answered"):
            written.call("outgoing", kind=kind, message_id=message, to=["ann@acme.example"])


def test_the_question_holds_every_recipient_and_every_word(written: Sample) -> None:
    mail = {
        "kind": "reply",
        "message_id": found(written, "sign the contract"),
        "to": ["priya@kestrel.example"],
        "cc": ["bo@lang.example"],
        "bcc": ["eve@other.example"],
        "subject": "Re: contract",
        "body": "Signed.\r\n\r\nMira",
    }
    asked = written.call("outgoing", **mail)
    assert [(one["field"], one["address"]) for one in asked["recipients"]] == [
        ("to", "priya@kestrel.example"),
        ("cc", "bo@lang.example"),
        ("bcc", "eve@other.example"),
    ]
    assert asked["body"].startswith("Signed.\n\nMira\n\nOn ") and "> could you please sign" in asked["body"]
    assert "other.example" in asked["question"]
    without = written.call("outgoing", **mail, quote=False)
    assert without["body"] == "Signed.\n\nMira" and without["agreed"] != asked["agreed"]


@pytest.mark.parametrize(
    ("mail", "said"),
    [
        ({}, "Nobody to send to"),
        ({"to": ["nobody"]}, "is no mail address"),
        ({"to": ["a@b.example", "c@d.example\nBcc: e@f.example"]}, "is no mail address"),
        ({"to": ["a@b.example"], "kind": "reply"}, "which message"),
        ({"to": ["a@b.example"], "message_id": "m"}, "about no message"),
    ],
)
def test_what_cannot_be_sent_is_said_before_anybody_is_asked(
    written: Sample, mail: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadArgument, match=said):
        written.call("outgoing", **mail)


def test_a_yes_to_another_mail_sends_nothing(written: Sample) -> None:
    mail = {"to": ["priya@kestrel.example"], "subject": "Hello", "body": "One."}
    agreed = written.call("outgoing", **mail)["agreed"]
    with pytest.raises(NeedsApproval, match="not the mail that was agreed to"):
        written.call("send", **{**mail, "body": "Two."}, agreed=agreed)
    with pytest.raises(BadArgument, match="No mail can be sent"):
        written.call("send", **mail, agreed=agreed)


def test_a_draft_is_kept_in_the_mailbox_with_what_it_answers(written: Sample) -> None:
    message = found(written, "sign the contract")
    written.call("keep_draft", kind="reply", message_id=message, subject="Re: contract", body="Soon.")
    (action,) = written.call("actions", message_id=message)["actions"]
    assert (action["type"], action["state"]) == ("draft", "applied")
    files = [path.read_text() for path in Path(written.source.path).rglob("*:2,*") if path.is_file()]
    (draft,) = (text for text in files if "Soon." in text)
    assert "\nIn-Reply-To: <" in draft and "\n> could you please sign" in draft


def test_what_is_being_written_outlives_the_program_and_is_discarded_and_brought_back(
    written: Sample, tmp_path: Path
) -> None:
    mail = {
        "id": "text-0001",
        "to": ["priya@kestrel.example"],
        "subject": "Hello",
        "body": "One\n\x1b[31m two",
    }
    written.call("keep_text", **mail)
    written.call("keep_text", **{**mail, "body": "Two."})
    again = Sample(App(), replace(written.source))
    (kept,) = again.call("texts")["texts"]
    assert (kept["body"], kept["to"], kept["id"]) == ("Two.", ["priya@kestrel.example"], "text-0001")
    assert again.call("discard_text", id="text-0001")["discarded"]
    assert again.call("texts")["texts"] == []
    assert again.call("discard_text", id="text-0001", back=True)["body"] == "Two."
    assert len(again.call("texts")["texts"]) == 1
    with pytest.raises(NotFound):
        again.call("discard_text", id="text-0002")


def test_words_are_reworded_by_a_model_of_this_machine_or_not_at_all(written: Sample) -> None:
    with pytest.raises(NotFound, match="No language model"):
        written.call("reword_text", text="On Monday.")


def test_habitual_endings_are_counted_from_sent_mail(tmp_path: Path) -> None:
    pages = PersonsPages(tmp_path)
    sent = Path(pages.source.path, ".Sent")
    box = mailbox.Maildir(str(sent))
    for number in range(2):
        box.add(
            f"From: Mira <{ME}>\nTo: sam@home.example\nSubject: Note {number}\n"
            f"Date: Fri, 27 Nov 2026 10:0{number}:00 +0000\nMessage-ID: <s{number}@lang.example>\n\n"
            f"Hi Sam,\n\nthis is note {number}. Let me know if anything is unclear.\n\nBest,\nMira\n"
        )
    begun = Sample(pages.app, pages.source).call("compose")
    assert "Let me know if anything is unclear." in begun["endings"]
    assert begun["body"].endswith("Best,\nMira") and begun["made"] is None
