"""Writing on the pages: the draft beside a thread, the page to write on, and the question before anything leaves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path

import pytest
from fastmcp import FastMCP

from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox
from tests.mailbox_wrapper import MailboxWrapper
from tests.pages_web.pages import MARK, ME, Pages, PersonsPages, undo_of


@pytest.fixture
def pages(tmp_path: Path) -> PersonsPages:
    return PersonsPages(tmp_path)


class _KeptOpen(MailboxWrapper):
    """A mailbox, which a server that stops does not close."""

    async def aclose(self) -> None:
        pass


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[Delivery]:
    """What has left a mailbox that sends, in the place of the files."""
    found: list[Delivery] = []
    made = MemoryMailbox(ME, deliver=found.append)

    def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
        return lambda options: create_server(_KeptOpen(made), SurfaceSettings(approval=CALLER))

    monkeypatch.setattr("gaia_email.mailbox.tool_calls._opener", opener)
    return found


def fields_of(form: str) -> dict[str, str]:
    """What a letter would post, as it is shown."""
    found = dict(re.findall(r'<input[^>]*name="(\w+)" value="([^"]*)"', form))
    body = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", form, re.DOTALL)
    assert body
    return {name: unescape(value) for name, value in {**found, "body": body[1]}.items()}


def reply_to(person: Pages, subject: str) -> dict[str, str]:
    of = person.thread(subject)
    return {**fields_of(person.get(f"compose?kind=reply&of={of.replace('%', '%25')}")), "of": of}


NEW = {
    "text": "text-0001",
    "kind": "new",
    "to": "Ann <ann@acme.example>",
    "subject": "Monday",
    "body": "Yes.\r\n",
}


def test_a_draft_stands_beside_a_thread_from_level_1_and_by_itself_from_level_2(pages: PersonsPages) -> None:
    person = pages.person()
    of = person.thread("sign the contract").replace("%", "%25")
    cohort = person.client.post("/v1/email/explain", json={"message_id": of.rpartition("/")[2]}).json()[
        "cohort"
    ]
    for level, shown in ((0, ()), (1, ("Draft a reply",)), (3, ("Drafting",))):
        person.client.put("/v1/email/policy", json={"cohort": cohort, "level": level})
        page = person.get(f"thread?of={of}")
        assert ('id="draft"' in page) == bool(shown), level
        assert all(one in page for one in shown)
        assert f"Level {level} for" in page and "change</a>" in page
    draft = person.get(f"draft?of={of}")
    assert "> could you please sign the contract" in draft.replace("&gt;", ">")
    assert "T0 · rules, no model" in draft and ">local<" in draft
    assert 'class="chip urgent" dir="auto">to: Priya Nair' in draft
    assert "Would send an email to 1 recipient (1 outside your organisation)" in draft


def test_hostile_mail_stays_text_in_drafts_and_questions(pages: PersonsPages) -> None:
    person = pages.person()
    of = person.thread("Please answer")
    page = person.get(f"compose?kind=forward&of={of.replace('%', '%25')}")
    assert MARK not in page
    fields = {**NEW, "to": f'"{MARK}" <ann@acme.example>', "subject": MARK, "body": f"</textarea>{MARK}"}
    assert MARK not in person.post("keep", fields)
    assert MARK not in person.get("compose?text=text-0001") and MARK not in person.post("ask", fields)


def test_what_is_typed_is_kept_and_found_again_and_discarding_it_is_taken_back(pages: PersonsPages) -> None:
    person = pages.person()
    fields = reply_to(person, "sign the contract")
    shown = person.post("keep", {**fields, "body": "Signed.", "to": "priya@kestrel.example, bo@lang.example"})
    assert "Kept on this machine" in shown and "to: bo@lang.example · inside" in shown
    again = reply_to(pages.person(), "sign the contract")
    assert (again["body"], again["to"]) == ("Signed.", "priya@kestrel.example, bo@lang.example")
    note = person.post("discard", again)
    assert reply_to(person, "sign the contract")["body"] != "Signed."
    path, undo = undo_of(note)
    person.post(path, undo)
    assert reply_to(person, "sign the contract")["body"] == "Signed."
    assert "Begun and not sent: 1" in person.get("compose")


def test_another_tone_changes_what_was_made_and_leaves_what_was_typed(pages: PersonsPages) -> None:
    person = pages.person()
    fields = reply_to(person, "sign the contract")
    formal = fields_of(person.post("begin", {**fields, "tone": "formal"}))
    assert formal["body"].startswith("Dear") and not fields["body"].startswith("Dear")
    typed = {**formal, "of": fields["of"], "body": "My own words.", "tone": "casual"}
    assert fields_of(person.post("begin", typed))["body"] == "My own words."


def test_an_address_that_is_none_is_named_while_typing(pages: PersonsPages) -> None:
    assert "is no mail address" in pages.person().post("keep", {**NEW, "to": "ann"})


def test_nothing_leaves_before_the_yes_and_then_exactly_what_was_shown(
    pages: PersonsPages, left: list[Delivery]
) -> None:
    person = pages.person()
    asked = person.post("ask", NEW)
    assert "Send exactly this?" in asked and "to: Ann &lt;ann@acme.example&gt; · other organisation" in asked
    assert not left
    fields = {**NEW, **dict(re.findall(r'name="(\w+)" value="([^"]*)"', asked)), "to": NEW["to"]}
    refused = person.post("send", {**fields, "body": "No."}, 403)
    assert "not the mail that was agreed to" in refused and not left
    assert "Sent" in person.post("send", fields)
    (delivery,) = left
    message = parse_message(delivery.raw)
    assert [one.address for one in message.to] == ["ann@acme.example"]
    assert (message.subject, message.text.strip()) == ("Monday", "Yes.")
    assert "Begun and not sent" not in person.get("compose")


def test_without_a_session_nothing_is_sent(pages: PersonsPages, left: list[Delivery]) -> None:
    person = pages.person()
    agreed = re.search(r'name="agreed" value="(\w+)"', person.post("ask", NEW))
    assert agreed
    person.client.headers.pop("x-gaia-key")
    person.post("send", {**NEW, "agreed": agreed[1]}, 401)
    assert not left


def test_a_draft_is_kept_in_the_mailbox(pages: PersonsPages) -> None:
    person = pages.person()
    note = person.post("keep-draft", {**reply_to(person, "sign the contract"), "body": "Soon."})
    assert "Kept as a draft" in note
    files = [path.read_text() for path in Path(pages.source.path).rglob("*:2,*") if path.is_file()]
    assert any("Soon." in text and "In-Reply-To" in text for text in files)


@pytest.mark.parametrize(("place", "said"), [("spam", "Moved to spam · 1"), ("trash", "Moved to trash · 1")])
def test_spam_and_trash_are_taken_back(pages: PersonsPages, place: str, said: str) -> None:
    person = pages.person()
    note = person.post(place, {"of": person.thread("Thanks")})
    assert said in note and "Thanks" not in person.get("inbox")
    path, fields = undo_of(note)
    person.post(path, fields)
    assert "Thanks" in person.get("inbox")
