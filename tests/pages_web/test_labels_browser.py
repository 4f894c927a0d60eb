"""Labels in a browser: moved among the tabs by their arrows, and tried, changed and removed in the settings."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.pages_web.test_browser import VIEWS, OpenedPages, opened, sizes_of, violations

__all__ = ["opened"]
pytestmark = pytest.mark.timeout(180)

MAKE = """async (labels) => {
  const headers = { "X-Gaia-Key": sessionStorage.getItem("gaia-key") };
  for (const [name, sentence] of labels)
    await fetch("/ui/label-new", { method: "POST", headers, body: new URLSearchParams({ name, sentence }) });
  document.body.dispatchEvent(new Event("gaia:changed", { bubbles: true }));
}"""


def with_labels(opened: OpenedPages, **view: str) -> Page:
    """The inbox with two labels, the second of which is for offers."""
    page = opened.open(**view)
    page.evaluate(MAKE, [["Contracts", "contracts to sign"], ["Deals", "offers of shops"]])
    expect(page.locator(".tabs .of-label")).to_have_count(2)
    return page


def test_a_tab_is_moved_by_its_arrows(opened: OpenedPages) -> None:
    page = with_labels(opened)
    page.locator(".tabs .of-label", has_text="Deals").click()
    left = page.get_by_role("button", name="Move the tab to the left")
    left.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tabs .of-label").first).to_contain_text("Deals")
    page.get_by_role("button", name="Move the tab to the right").click()
    expect(page.locator(".tabs .of-label").first).to_contain_text("Contracts")
    assert not opened.wrong


def test_a_label_is_tried_changed_and_removed_in_the_settings_and_taken_back(opened: OpenedPages) -> None:
    page = with_labels(opened)
    page.evaluate("location.hash = 'settings?part=labels'")
    row = page.locator("form.sentence", has_text="Deals")
    sentence = row.locator('[name="sentence"]')
    sentence.focus()
    sentence.fill("thanks")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(row.locator(".would")).to_contain_text("Thanks")
    expect(sentence).to_have_value("thanks")
    sentence.press("Enter")
    expect(page.locator("#notes")).to_contain_text("The label has another sentence")
    page.locator("#notes button", has_text="Undo").click()
    expect(sentence).to_have_value("offers of shops")
    row.get_by_role("button", name="Remove").click()
    expect(page.locator("form.sentence")).to_have_count(1)
    page.locator("#notes button", has_text="Undo").last.click()
    expect(page.locator("form.sentence")).to_have_count(2)
    assert not opened.wrong


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_on_labels(opened: OpenedPages, view: str) -> None:
    page = with_labels(opened, **VIEWS[view])
    for size in sizes_of(view):
        page.set_viewport_size(size)
        page.evaluate("location.hash = 'settings?part=labels'")
        row = page.locator("form.sentence", has_text="Deals")
        row.get_by_role("button", name="Try").click()
        expect(row.locator(".would li")).to_have_count(2)
        assert violations(page, view=view) == []
        row.locator("a").first.click()
        page.locator("h1", has_text="Deals").wait_for()
        assert violations(page, view=view) == []
    assert not opened.wrong
