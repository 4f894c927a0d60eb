"""Writing with a language model of this machine, in a browser: what it writes, what to check, what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

pytest.importorskip("openai")

from playwright.sync_api import Page, expect

from gaia_email.app.services.model_writing import ReplyMaterial, check_sentences
from tests.chat.scripted_model import scripted
from tests.chat.test_model_drafts import is_draft, shown_to
from tests.models import model_server
from tests.models.model_server import Answer, Chat, streamed
from tests.pages_web.test_browser import OpenedPages, opened, press, violations

__all__ = ["opened"]
pytestmark = pytest.mark.timeout(180)

Written = Sequence[str]
CHECK = "Check this, your mail does not say it:"


def writes(by_task: Mapping[str, Written]) -> Chat:
    """A model that writes the sentences of the first task whose words are asked for."""

    def chat(body: Any) -> Answer:
        asked = body["messages"][0]["content"]
        found = next((said for task, said in by_task.items() if task in asked), None)
        if found is None or not is_draft(body):
            return model_server.refuses(body)
        return streamed(json.dumps({"sentences": list(found)}))

    return chat


def composing(opened: OpenedPages, text: str) -> Page:
    """A new mail with this text above the sign-off, the cursor after it."""
    page = opened.open()
    press(page, "c")
    expect(page.locator("#letter-to")).to_be_focused()
    page.locator("#letter-body").focus()
    page.keyboard.type(text)
    return page


def reword(page: Page, words: str) -> None:
    page.locator('[data-menu="reword"] summary').click()
    page.get_by_role("button", name=words, exact=True).click()


def test_the_model_says_how_a_sentence_goes_on_and_the_arrow_takes_it(opened: OpenedPages) -> None:
    with scripted(writes({"go on": ["that you sent to me."]})) as server:
        page = composing(opened, "Thank you, let us talk about the plan")
        expect(page.locator("#ghost-said")).to_have_text("Right arrow takes: that you sent to me.")
        press(page, "ArrowRight")
        expect(page.locator("#letter-body")).to_have_value(
            "Thank you, let us talk about the plan that you sent to me.\n\nBest,"
        )
        assert "let us talk about the plan" in shown_to(server)
    assert not opened.wrong


def test_the_cursor_stays_where_it_is_when_a_text_is_kept(opened: OpenedPages) -> None:
    page = composing(opened, "One two")
    expect(page.locator("#kept")).to_contain_text("Kept on this machine")
    page.keyboard.type(" three")
    expect(page.locator("#letter-body")).to_have_value("One two three\n\nBest,")
    assert not opened.wrong


def test_what_is_selected_is_reworded_and_taken_back_as_typed(opened: OpenedPages) -> None:
    tasks = {"as short as can be": ["See you there."], "Be formal": ["I shall see you there."]}
    with scripted(writes(tasks)) as server:
        page = composing(opened, "Hello. I will see you there then, I think.")
        body = page.locator("#letter-body")
        body.evaluate("one => one.setSelectionRange(7, 42)")
        reword(page, "Shorter")
        expect(body).to_have_value("Hello. See you there.\n\nBest,")
        press(page, "Control+z")
        expect(body).to_have_value("Hello. I will see you there then, I think.\n\nBest,")
        body.evaluate("one => one.setSelectionRange(7, 42)")
        reword(page, "More formal")
        expect(body).to_have_value("Hello. I shall see you there.\n\nBest,")
        assert "Hello." not in shown_to(server)
        expect(page.locator("#reworded")).not_to_be_visible()
    assert not opened.wrong


def test_tone_and_length_reach_the_model_that_writes_a_reply(opened: OpenedPages) -> None:
    with scripted(writes({"Be formal": ["The contract is on my list."]})) as server:
        page = opened.open()
        page.locator(".title", has_text="sign the contract").locator("xpath=ancestor::a").focus()
        press(page, "r")
        expect(page.locator("#letter-body")).to_be_focused()
        for manner, value in (("tone", "formal"), ("length", "short")):
            with page.expect_response("**/ui/begin"):
                page.locator(f"#letter-{manner}").select_option(value)
            expect(page.locator("#letter-body")).to_contain_text("Dear Priya,")
        page.get_by_role("button", name="Have qwen3-4b write it").click()
        expect(page.locator("#letter-body")).to_contain_text("The contract is on my list.")
        asked = shown_to(server)
        assert "Be formal." in asked and "At most 2 sentences" in asked
        expect(page.locator(".written-by").first).to_contain_text("T3 · qwen3-4b")
    assert not opened.wrong


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        ("Pay at https://evil.example/pay.", False),
        ("Write to eve@evil.example.", False),
        ("Ask Henrik about 900 euros.", True),
    ],
)
def test_what_the_user_did_not_give_is_shown_to_be_checked(
    opened: OpenedPages, sentence: str, stays: bool
) -> None:
    with scripted(writes({"better put": ["See you there.", sentence]})):
        page = composing(opened, "I will see you there.")
        page.locator("#letter-body").evaluate("one => one.setSelectionRange(0, 21)")
        reword(page, "Better")
        expect(page.locator("#reworded")).to_contain_text(f"{CHECK} {sentence}")
        text = page.locator("#letter-body").input_value()
        assert text.startswith("See you there.")
        assert (f"[check] {sentence}" in text) is stays and (sentence in text) is stays
        assert violations(page) == []
    assert not opened.wrong


@pytest.mark.parametrize(
    ("own", "written", "linked"),
    [
        ("See https://a.example/x.", "It is at https://a.example/x now.", False),
        ("See https://a.example/x.", "It is at https://a.example/x.evil.example now.", True),
        ("See https://a.example/x.", "It is at https://a.example/ now.", True),
        ("Ask <ann@a.example>!", "Ask ann@a.example.", False),
        ("Ask ann@a.example", "Ask ann@a.example.evil.example", True),
        ("Ask nobody", "Ask ann@a.example", True),
    ],
)
def test_links_and_addresses_of_the_users_own_words_stay_and_no_others(
    own: str, written: str, linked: bool
) -> None:
    found = check_sentences(json.dumps({"sentences": [written]}), ReplyMaterial(mails=[], own=own), 5)
    assert (found.linked, found.sentences) == (((written,), ()) if linked else ((), (written,)))
    assert found.withheld == linked


def test_a_model_that_may_not_see_mail_is_refused_in_words_and_nothing_is_sent(opened: OpenedPages) -> None:
    with scripted(writes({"better put": ["Nothing."]})) as server:
        server.pages["/props"] = {**server.pages["/props"], "model_path": "https://models.example/q"}
        page = composing(opened, "I will see you there.")
        reword(page, "Better")
        expect(page.locator("#alerts")).to_contain_text("qwen3-4b is not shown mail")
        expect(page.locator("#alerts")).to_contain_text("gaia email models trust qwen3-4b")
        expect(page.locator("#letter-body")).to_have_value("I will see you there.\n\nBest,")
        assert not server.chats
        expect(page.locator(".local")).not_to_contain_text("All email processing local")
    opened.wrong = [one for one in opened.wrong if "status of 502" not in one]
    assert not opened.wrong
