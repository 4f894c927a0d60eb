"""Writing, labels, chat and the spoken brief in a browser: by keyboard alone, and accessible in every view."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.pages_web.test_browser import VIEWS, OpenedPages, opened, press, sizes_of, violations

__all__ = ["opened"]
pytestmark = pytest.mark.timeout(180)


def test_a_reply_is_written_kept_through_a_reload_and_asked_about_by_keyboard_alone(
    opened: OpenedPages,
) -> None:
    page = opened.open()
    page.locator(".title", has_text="sign the contract").locator("xpath=ancestor::a").focus()
    press(page, "r")
    body = page.locator("#letter-body")
    expect(body).to_be_focused()
    page.keyboard.type("It is signed.")
    expect(body).to_have_value(
        "Hi Priya,\n\n> could you please sign the contract and send it back by Friday?\nIt is signed.\n\nBest,"
    )
    expect(page.locator("#kept")).to_contain_text("Kept on this machine")
    page.reload()
    expect(page.locator("#letter-body")).to_have_value(body.input_value())
    assert "It is signed." in page.locator("#letter-body").input_value()
    page.locator("#letter-body").focus()
    press(page, "Control+Enter")
    dialog = page.locator("#dialog")
    expect(dialog).to_contain_text("Send exactly this?")
    expect(dialog.locator(".chip.urgent")).to_contain_text("priya@kestrel.example")
    expect(dialog).to_contain_text("It is signed.")
    expect(page.get_by_role("button", name="Not yet")).to_be_focused()
    press(page, "Enter")
    expect(dialog).not_to_be_visible()
    press(page, "Escape Escape")
    expect(page.locator('[data-place="list"]')).to_be_visible()
    assert not list(Path(opened_mail(opened)).rglob("*Sent*/cur/*"))
    assert not opened.wrong


def opened_mail(opened: OpenedPages) -> Path:
    """Where the mailbox of these pages is, by what a thread is called there."""
    of = opened.browser.contexts[0].pages[0].locator('input[name="of"]').first.input_value()
    return Path(of.partition("/")[0].replace("%3A", ":").replace("%2F", "/").partition(":")[2])


def test_ghost_text_is_taken_by_the_right_arrow_and_undone_as_typed(opened: OpenedPages) -> None:
    page = opened.open()
    press(page, "c")
    expect(page.locator("#letter-to")).to_be_focused()
    page.locator("#letter").evaluate("one => { one.dataset.endings = 'Let me know if anything is unclear.' }")
    body = page.locator("#letter-body")
    body.focus()
    page.keyboard.type("Let me")
    expect(page.locator("#ghost-said")).to_contain_text("know if anything is unclear.")
    press(page, "ArrowRight")
    expect(body).to_have_value("Let me know if anything is unclear.\n\nBest,")
    press(page, "Control+z")
    expect(body).to_have_value("Let me\n\nBest,")
    assert page.url.split("#")[1].startswith("compose?text=")
    assert not opened.wrong


def test_a_label_is_made_put_on_a_thread_and_taken_back_by_keyboard_alone(opened: OpenedPages) -> None:
    page = opened.open()
    press(page, "l Enter")
    expect(page.locator("#new-name")).to_be_focused()
    page.keyboard.type("Deals")
    press(page, "Tab")
    page.keyboard.type("offers of shops")
    expect(page.locator("#tried li")).to_have_count(2)
    press(page, "Enter")
    expect(page.locator(".tabs .of-label")).to_contain_text("Deals")
    expect(page.locator(".row").first).to_be_focused()
    press(page, "l Enter")
    expect(page.locator("#notes")).to_contain_text("Labelled · 1")
    expect(page.locator(".tabs .of-label .dim")).to_have_text("3")
    press(page, "u")
    expect(page.locator(".tabs .of-label .dim")).to_have_text("2")
    press(page, "[")
    expect(page.locator('.tabs [aria-current="page"]')).to_contain_text("Deals")
    expect(page.locator(".row").first).to_be_focused()
    press(page, "#")
    expect(page.locator("#notes")).to_contain_text("Moved to trash · 1")
    press(page, "u")
    assert not opened.wrong


def test_the_chat_answers_at_the_side_and_escape_closes_it(opened: OpenedPages) -> None:
    page = opened.open()
    press(page, "g t")
    expect(page.locator("#chat-line")).to_be_focused()
    page.keyboard.type("find contract")
    press(page, "Enter")
    expect(page.locator("#talk .said")).to_contain_text("sign the contract")
    expect(page.locator("#talk .tool").first).to_be_visible()
    assert violations(page) == []
    press(page, "Escape")
    expect(page.locator("#chat")).not_to_be_visible()
    expect(page.locator("#chat-open")).to_be_focused()
    assert page.evaluate("window.harm") is None
    assert not opened.wrong


def test_the_brief_is_read_line_by_line_and_stopped(opened: OpenedPages) -> None:
    page = opened.open()
    page.evaluate(
        "() => { window.said = []; speechSynthesis.speak = (one) => { window.said.push(one.text); }; }"
    )
    press(page, "g b")
    page.locator('[data-place="brief"]').wait_for()
    press(page, "v")
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="More", exact=True).click()
    said = page.evaluate("window.said")
    assert len(said) == 3 and ":" in said[0] and len(said[1].partition(": ")[2].split()) <= 8
    press(page, "v")
    expect(page.get_by_role("button", name="Skip")).not_to_be_visible()
    assert not opened.wrong


def reached(page: Page, keys: str, what: str, view: str = "light") -> None:
    press(page, keys)
    page.locator(what).first.wait_for()
    assert violations(page, view=view) == []


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_where_mail_is_written_and_labelled(opened: OpenedPages, view: str) -> None:
    page = opened.open(**VIEWS[view])
    for size in sizes_of(view):
        page.set_viewport_size(size)
        page.evaluate("location.hash = 'inbox'")
        expect(page.locator(".row").first).to_be_focused()
        reached(page, "o", ".thread-page", view)
        if page.locator("#draft").count():
            page.locator("#draft button, #letter").first.wait_for()
            assert violations(page, view=view) == []
        reached(page, "f", ".compose-page [data-letter]", view)
        page.locator("#letter-to").fill("ann@acme.example")
        expect(page.locator("#kept .chip")).to_be_visible()
        reached(page, "Control+Enter", "#dialog .boxed", view)
        press(page, "Escape Escape Escape")
        page.locator('[data-place="list"]').wait_for()
        page.evaluate("location.hash = 'label'")
        page.locator("#new-name").wait_for()
        assert violations(page, view=view) == []
    assert not opened.wrong
