"""Automations in words on the pages: proposed, refined, asked about, saved by the person who reads them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.pages_web.pages import MARK, Pages, PersonsPages

INVOICES = "when an invoice arrives, label it Invoices and tell finance"


@pytest.fixture
def pages(tmp_path: Path) -> PersonsPages:
    return PersonsPages(tmp_path)


@pytest.fixture
def person(pages: PersonsPages) -> Pages:
    return pages.person()


def proposed(person: Pages, **fields: str) -> str:
    answer = person.client.post("/ui/automation_propose", data=fields)
    assert answer.status_code == 200 and "nothing is saved yet" in answer.text, answer.text
    return unescape(answer.headers["x-gaia-go"]).rpartition("=")[2]


def names(person: Pages) -> list[str]:
    return re.findall(r'<b dir="auto">(.*?)</b>', person.client.get("/ui/automations").text)


def test_a_sentence_becomes_a_draft_that_asks_what_it_cannot_know(person: Pages) -> None:
    shown = person.client.get(f"/ui/automation_draft?id={proposed(person, words=INVOICES)}").text
    told = unescape(shown)
    assert "It runs when a message was sorted, where subject has one of the words invoice," in told
    assert "to: ‹Which address is that of 'finance'?›" in told and "It writes to ‹Which" in told
    assert "ann@example.com" not in re.sub(
        r"<(input|textarea)[^>]*>", "", told
    )  # an example is nobody's answer
    assert "Which address is that of 'finance'?" in told and not names(person)


def test_what_is_open_is_said_at_its_field_and_the_answer_saves_it(person: Pages) -> None:
    draft = {"draft_id": proposed(person, words=INVOICES), "account": ""}
    left_open = person.client.post("/ui/automation_draft_save", data=draft)
    assert "This may not be empty." in left_open.text and not names(person)
    wrong = person.client.post("/ui/automation_draft_save", data={**draft, "/recipient": "nobody"})
    assert "is no email address" in wrong.text and 'value="nobody"' in wrong.text and not names(person)
    saved = person.client.post(
        "/ui/automation_draft_save", data={**draft, "/recipient": "finance@example.com"}
    )
    assert "Automation saved" in saved.text, saved.text
    page = person.client.get(f"/ui/{saved.headers['x-gaia-go']}").text
    assert "finance@example.com" in page and "Asks each time" in page
    assert person.client.get(f"/ui/automation_draft?id={draft['draft_id']}").status_code == 404


def test_a_flow_that_is_ticked_is_allowed_and_no_other(person: Pages) -> None:
    draft = proposed(person, words=INVOICES)
    flows = re.findall(
        r'name="flow"[^>]*value="([^"]*)"', person.client.get(f"/ui/automation_draft?id={draft}").text
    )
    assert len(flows) > 1
    fields = {"draft_id": draft, "/recipient": "finance@example.com", "flow": unescape(flows[0])}
    page = unescape(
        person.client.get(
            f"/ui/{person.client.post('/ui/automation_draft_save', data=fields).headers['x-gaia-go']}"
        ).text
    )
    allowed = page.partition("Allowed when it was saved")[2]
    assert unescape(flows[0]) in allowed and unescape(flows[1]) not in allowed


def test_words_change_a_draft_and_the_difference_is_shown(person: Pages) -> None:
    draft = proposed(person, words="every day at 7:30, send me a digest", zone="Europe/Berlin")
    assert "every day at 07:30 (Europe/Berlin)" in person.client.get(f"/ui/automation_draft?id={draft}").text
    changed = person.client.post("/ui/automation_refine", data={"draft_id": draft, "words": "weekdays only"})
    assert "Draft changed" in changed.text
    page = unescape(person.client.get(f"/ui/automation_draft?id={draft}").text)
    assert "Monday to Friday at 07:30" in page and "replace /triggers/0/cron" in page
    refused = person.client.post("/ui/automation_refine", data={"draft_id": draft, "words": "make it nicer"})
    assert refused.status_code == 422 and "not understood" in refused.text


def test_every_starter_becomes_a_draft(person: Pages) -> None:
    begun = person.client.get("/ui/automation_new").text
    starters = re.findall(r'name="starter" value="([a-z_]+)"', begun)
    assert len(starters) == 12
    for one in starters:
        draft = proposed(person, starter=one, zone="Europe/Berlin")
        assert "What it would do" in person.client.get(f"/ui/automation_draft?id={draft}").text
    assert person.client.get("/ui/automation_new").text.count("#automation_draft?id=") == 12


def test_words_of_a_draft_are_text(person: Pages) -> None:
    draft = proposed(person, words=INVOICES)
    renamed = {"draft_id": draft, "words": f"call it {MARK}"}
    assert person.client.post("/ui/automation_refine", data=renamed).status_code == 200
    for page in (f"automation_draft?id={draft}", "automation_new"):
        shown = person.client.get(f"/ui/{page}").text
        assert MARK not in shown and MARK in unescape(shown)


def test_a_program_with_the_token_neither_sees_nor_saves_a_draft_here(
    pages: PersonsPages, person: Pages
) -> None:
    draft = proposed(person, words=INVOICES)
    token = pages.app.home.joinpath("email", "agent-http-token").read_text().strip()
    program = person.client
    program.headers.clear()
    program.headers.update({"host": "127.0.0.1:8767", "authorization": f"Bearer {token}"})
    assert program.get(f"/ui/automation_draft?id={draft}").status_code == 403
    answer = program.post(
        "/ui/automation_draft_save", data={"draft_id": draft, "/recipient": "eve@evil.example"}
    )
    assert answer.status_code == 403 and not names(pages.person())
