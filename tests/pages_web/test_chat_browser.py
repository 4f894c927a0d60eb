"""The chat at the side of the pages with a scripted model: stopped, asked back, and held to exactly what was shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partialmethod

import pytest

pytest.importorskip("openai")

from playwright.sync_api import Page, expect

from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.conversations import Conversations, QueryInput
from gaia_email.interfaces.http.credentials import Principal
from tests.chat.scripted_model import Plan, by_plan, is_step, scripted
from tests.models import model_server
from tests.models.model_server import Answer
from tests.pages_web.test_browser import VIEWS, OpenedPages, opened, press, sizes_of, violations

__all__ = ["opened"]
pytestmark = pytest.mark.timeout(180)

PLAN: Plan = {
    "get the priya mail out of my inbox": [
        ("search_mail", {"query": "from:priya"}),
        ("archive", {"messages": ["m1"]}),
    ]
}


def talking(opened: OpenedPages, **view: str) -> Page:
    """The inbox with the chat open and its line focused."""
    page = opened.open(**view)
    press(page, "g t")
    expect(page.locator("#chat-line")).to_be_focused()
    return page


def say(page: Page, line: str) -> None:
    page.locator("#chat-line").fill(line)
    page.locator("#chat-line").press("Enter")


def in_inbox(page: Page, subject: str) -> int:
    return page.locator(".thread .title", has_text=subject).count()


def test_stop_ends_the_answer_that_is_under_way_and_the_next_line_is_answered(opened: OpenedPages) -> None:
    with scripted(lambda body: Answer(hangs=True) if is_step(body) else model_server.refuses(body)) as server:
        page = talking(opened)
        say(page, "what would my aunt make of all this")
        stop = page.locator("#chat-stop")
        expect(stop).to_be_visible()
        expect(page.locator("#chat")).to_have_attribute("aria-busy", "true")
        page.wait_for_function("() => document.getElementById('chat-status').textContent")
        stop.click()
        expect(page.locator("#talk")).to_contain_text("Stopped.")
        expect(stop).not_to_be_visible()
        expect(page.locator("#chat-line")).to_be_focused()
        say(page, "find contract")
        expect(page.locator("#talk .said")).to_contain_text("sign the contract")
        assert server.asked
    assert not opened.wrong


def test_a_question_is_answered_in_place_by_a_button_or_in_words(opened: OpenedPages) -> None:
    page = talking(opened)
    say(page, "find offers")
    expect(page.locator("#talk .said")).to_contain_text("offers of last week")
    say(page, "show the news one")
    choices = page.locator("#talk .chips button")
    expect(choices).to_have_count(2)
    expect(page.locator("#talk")).to_contain_text("Which one do you mean by 'the news one'?")
    expect(page.locator("#chat-line")).to_be_focused()
    choices.first.click()
    shown = page.locator("#talk summary", has_text="show_email")
    expect(shown).to_have_count(1)
    expect(choices).to_have_count(0)
    expect(page.locator("#chat-line")).to_be_focused()
    say(page, "show the news one")
    expect(choices).to_have_count(2)
    say(page, "2")
    expect(shown).to_have_count(2)
    expect(choices).to_have_count(0)
    assert not opened.wrong


@pytest.mark.parametrize("agreed", [True, False])
def test_what_a_model_would_archive_is_shown_and_only_a_yes_archives_exactly_that(
    opened: OpenedPages, agreed: bool
) -> None:
    with scripted(by_plan(PLAN)):
        page = talking(opened)
        threads = page.locator(".thread").count()
        say(page, "get the priya mail out of my inbox")
        expect(page.locator("#talk .exact")).to_contain_text("sign the contract")
        expect(page.locator("#talk a", has_text="Agent Inbox")).to_have_count(0)
        assert in_inbox(page, "sign the contract") == 1
        assert violations(page) == []
        page.locator("#talk .chips button", has_text="yes" if agreed else "no").click()
        said = page.locator("#talk .said").last
        expect(said).to_contain_text("Archived: 1 message." if agreed else "Left as they are.")
        expect(page.locator(".thread")).to_have_count(threads - agreed)
        assert in_inbox(page, "sign the contract") == 1 - agreed
    assert not opened.wrong


@pytest.mark.parametrize("agreed", [True, False])
def test_what_needs_a_yes_leads_to_the_agent_inbox_and_the_answer_there_goes_on_here(
    opened: OpenedPages, agreed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if a program had said the line: what a person says themselves needs no second yes.
    monkeypatch.setattr(Conversations, "begin", partialmethod(_by_program, begin=Conversations.begin))
    page = talking(opened)
    threads = page.locator(".thread").count()
    say(page, "find contract")
    expect(page.locator("#talk .said")).to_contain_text("sign the contract")
    say(page, "archive 1")
    exact = page.locator("#talk .exact")
    expect(exact).to_contain_text("out of the inbox")
    page.locator("#talk a", has_text="Agent Inbox").click()
    card = page.locator(".card.call")
    expect(card).to_contain_text("sign the contract")
    button = card.get_by_role("button", name="Reject") if not agreed else card.locator("button.good")
    button.click()
    expect(card).to_have_count(0)
    said = page.locator("#talk .said" if agreed else "#talk .bad").last
    expect(said).to_contain_text("Archived" if agreed else "said no")
    press(page, "Escape g i")
    expect(page.locator(".thread")).to_have_count(threads - agreed)
    assert in_inbox(page, "sign the contract") == 1 - agreed
    assert not opened.wrong


def _by_program(
    self: Conversations,
    asked: QueryInput,
    source: SourceSpec,
    principal: Principal,
    *,
    begin: Callable[[Conversations, QueryInput, SourceSpec, Principal], None],
) -> None:
    assert principal.decides
    begin(self, asked, source, Principal(kind="token", name="token"))


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_in_a_conversation(opened: OpenedPages, view: str) -> None:
    for size in sizes_of(view):
        page = talking(opened, **VIEWS[view])
        page.set_viewport_size(size)
        say(page, "find offers")
        expect(page.locator("#chat-stop")).not_to_be_visible()
        say(page, "show the news one")
        expect(page.locator("#talk .chips button")).to_have_count(2)
        page.locator("#talk summary").first.click()
        # axe takes a link within the page that is scrolled out above for one that skips content.
        page.locator("#talk").evaluate("one => { one.scrollTop = 0 }")
        assert violations(page, view=view) == []
    assert not opened.wrong
