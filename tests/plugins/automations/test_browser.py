"""Automations in a browser: by keyboard alone, with nothing for axe to find."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.pages_web.conftest import chromium
from tests.pages_web.test_browser import VIEWS, OpenedPages, opened, press, sizes_of, violations
from tests.pages_web.test_settings_browser import go

__all__ = ["chromium", "opened"]

pytestmark = pytest.mark.timeout(180)


def test_an_automation_is_said_in_words_answered_and_saved_by_keyboard(opened: OpenedPages) -> None:
    page = opened.open()
    press(page, "g m")
    page.locator("#automation-new").focus()
    press(page, "Enter")
    page.locator("#in-words").focus()
    page.keyboard.type("when an invoice arrives, label it Invoices and tell finance")
    press(page, "Enter")
    expect(page.locator("h1")).to_contain_text("When an invoice arrives")
    page.locator("#refine-words").focus()
    page.keyboard.type("only from ann@example.com")
    press(page, "Enter")
    expect(page.locator(".steps")).to_contain_text("sender is 'ann@example.com'")
    page.locator("#form-automation-draft .buttons button").focus()
    press(page, "Enter")
    answer = page.locator('#form-automation-draft [name="/recipient"]')
    expect(answer).to_be_focused()
    page.keyboard.type("finance@example.com")
    press(page, "Enter")
    page.locator('[data-place="automation"]').wait_for()
    expect(page.locator("#page")).to_contain_text("to: finance@example.com")
    assert not opened.wrong


def test_an_automation_is_written_by_keyboard_and_checked_meanwhile(opened: OpenedPages) -> None:
    page = opened.open()
    press(page, "g m")
    page.locator("#automation-new").focus()
    press(page, "Enter")
    page.locator("#automation-by-form").focus()
    press(page, "Enter")
    expect(page.locator("#check")).to_be_empty()
    page.locator('[name="/name"]').focus()
    page.keyboard.type("Morning")
    expect(page.locator("#check")).to_contain_text("this is wrong")
    page.locator('[name="/plan/0/config/text"]').focus()
    page.keyboard.type("Good morning.")
    expect(page.locator("#check")).to_contain_text("It can be saved.")
    page.get_by_role("button", name="Add: Steps").focus()
    press(page, "Enter")
    expect(page.locator('[name="/plan/1/action"]')).to_be_focused()
    page.get_by_role("button", name="Up: Steps 2").focus()
    press(page, "Enter")
    expect(page.get_by_role("button", name="Up: Steps 1")).to_be_focused()
    expect(page.locator('[name="/plan/1/config/text"]')).to_have_value("Good morning.")
    page.get_by_role("button", name="Remove: Steps 1").focus()
    press(page, "Enter")
    expect(page.locator('[name="/plan/1/action"]')).to_have_count(0)
    page.get_by_role("button", name="As JSON").focus()
    press(page, "Enter")
    expect(page.locator("#definition-text")).to_be_focused()
    assert "Good morning." in page.locator("#definition-text").input_value()
    page.locator("#form-automation .good").focus()
    press(page, "Enter")
    page.locator('[data-place="automation"]').wait_for()
    expect(page.locator("h1")).to_contain_text("Morning")
    assert not opened.wrong


PLACES = (
    *(("automations", "automations"), ("automation_edit", "automation-edit")),
    *(("automation_new", "automation-new"), ("add-webhook", "integrations")),
)


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(opened: OpenedPages, view: str) -> None:
    page = opened.open(**VIEWS[view])
    for size in sizes_of(view):
        page.set_viewport_size(size)
        for where, place in PLACES:
            go(page, where, place)
            expect(page.locator("#page [role=status]")).to_have_count(0)
            assert violations(page, view=view) == [], where
    go(page, "automation_edit", "automation-edit")
    page.locator("#form-automation .good").click()
    page.locator("#form-automation .wrong").first.wait_for()
    assert violations(page, view=view) == []
    assert not opened.wrong
