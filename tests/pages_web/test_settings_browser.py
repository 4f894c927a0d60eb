"""Settings and activity in a browser: by keyboard alone, with nothing for axe to find."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.pages_web.test_browser import VIEWS, OpenedPages, press, sizes_of, violations
from tests.pages_web.test_browser import opened as opened

pytestmark = pytest.mark.timeout(180)


def go(page: Page, where: str, place: str) -> None:
    page.evaluate(f"location.hash = {where!r}")
    page.locator(f'[data-place="{place}"]').wait_for()


def focused(page: Page) -> str:
    name: str = page.evaluate("document.activeElement.name || document.activeElement.tagName")
    return name


def test_a_level_is_previewed_saved_and_taken_back_by_keyboard(opened: OpenedPages) -> None:
    page = opened.open()
    press(page, "g s")
    expect(page.locator("h1")).to_be_focused()
    go(page, "settings?part=levels", "settings")
    choice = page.get_by_label("Level: newsletters")
    choice.focus()
    press(page, "ArrowUp")
    expect(page.locator("#would-2")).to_contain_text("Of 5 messages")
    press(page, "ArrowDown ArrowDown")
    expect(page.locator("#would-2")).to_contain_text("somebody has to answer")
    press(page, "ArrowUp ArrowUp Tab Enter")
    expect(page.locator("#notes")).to_contain_text("Level changed")
    expect(choice).to_have_value("4")
    press(page, "u")
    expect(choice).to_have_value("5")
    assert not opened.wrong


def test_what_does_not_fit_gets_the_focus_and_keeps_what_was_typed(opened: OpenedPages) -> None:
    page = opened.open()
    go(page, "settings?part=people", "settings")
    page.locator('#form-add_vip [name="/address"]').focus()
    page.keyboard.type("nobody")
    press(page, "Enter")
    expect(page.locator("#form-add_vip .wrong")).to_contain_text("is not an address")
    field = page.locator('#form-add_vip [name="/address"]')
    expect(field).to_be_focused()
    expect(field).to_have_value("nobody")
    page.evaluate("document.body.dispatchEvent(new Event('gaia:changed', { bubbles: true }))")
    expect(field).to_have_value("nobody")
    field.fill("ann@example.com")
    press(page, "Enter")
    expect(page.locator("#notes")).to_contain_text("VIP added")
    expect(page.locator(".set", has_text="ann@example.com")).to_be_visible()
    expect(field).to_have_value("")
    assert not opened.wrong


def test_single_letters_do_nothing_once_they_are_switched_off(opened: OpenedPages) -> None:
    page = opened.open()
    go(page, "settings?part=agent", "settings")
    page.get_by_role("button", name="Switch off: Single-letter shortcuts").focus()
    press(page, "Enter")
    page.locator("#frame [data-keys=off]").wait_for(state="attached")
    press(page, "g i")
    expect(page.locator('[data-place="settings"]')).to_be_visible()
    page.get_by_role("button", name="Switch on: Single-letter shortcuts").focus()
    press(page, "Enter")
    page.locator("#frame nav:not([data-keys])").wait_for(state="attached")
    press(page, "g i")
    page.locator('[data-place="list"]').wait_for()
    assert not opened.wrong


def test_an_export_is_saved_as_a_file(opened: OpenedPages) -> None:
    page = opened.open()
    go(page, "settings?part=data", "settings")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export", exact=True).click()
    assert '"with_bodies": false' in waiting.value.path().read_text(encoding="utf-8")
    assert not opened.wrong


PLACES = (
    *((f"settings?part={part}", "settings") for part in ("agent", "levels", "people", "voice", "schedule")),
    *((f"settings?part={part}", "settings") for part in ("models", "data")),
    ("activity", "activity"),
)


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(opened: OpenedPages, view: str) -> None:
    page = opened.open(**VIEWS[view])
    for size in sizes_of(view):
        page.set_viewport_size(size)
        for where, place in PLACES:
            go(page, where, place)
            expect(page.locator("#page [role=status]")).to_have_count(0)
            page.evaluate("for (const one of document.querySelectorAll('#page details')) one.open = true")
            assert violations(page, view=view) == [], where
    assert not opened.wrong
