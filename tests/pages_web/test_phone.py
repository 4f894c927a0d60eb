"""The pages on a phone: none is wider than the screen. And the bare address says how to get in."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from gaia_email.interfaces.http.opening import entry_address
from tests.pages_web.test_browser import OpenedPages, opened
from tests.plugins.bundled import is_installed

__all__ = ["opened"]

pytestmark = pytest.mark.timeout(300)

PHONE = {"width": 360, "height": 740}
WIDEST = """() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"""
LINKS = """() => [...document.querySelectorAll("#page a[href^='#'], #frame nav a[href^='#']")].map((one) => one.hash)"""
SEEN_WITHOUT_LINKS = (
    "#compose",
    "#zero",
    "#focus",
    "#search?q=invoice",
    "#first_day",
    "#connect",
    *(("#automation_new",) if is_installed("automations") else ()),
)


def go_to(page: Page, hash_: str) -> None:
    """Ask for a page, and wait until it stands in the place of the one before."""
    page.evaluate(
        "(hash) => { for (const one of document.querySelector('#page').children) one.dataset.old = ''; "
        "location.hash = hash; }",
        hash_,
    )
    expect(page.locator("#page [data-old]")).to_have_count(0)
    expect(page.locator("#page > *").first).to_be_attached()


def test_no_page_is_wider_than_a_phone(opened: OpenedPages) -> None:
    page = opened.open(viewport=PHONE)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    waiting, widths = ["#inbox", *SEEN_WITHOUT_LINKS], dict[str, int]()
    while waiting:
        hash_ = waiting.pop(0)
        name = hash_.split("&")[0] if hash_.startswith("#settings") else hash_.split("?")[0]
        if name in widths or hash_ == "#page":
            continue
        go_to(page, hash_)
        widths[name] = page.evaluate(WIDEST)
        waiting += page.evaluate(LINKS)
    assert {
        "#inbox",
        "#thread",
        "#waiting",
        "#brief",
        "#settings",
        "#activity",
        *(("#automations",) if is_installed("automations") else ()),
    } <= widths.keys()
    assert {name: width for name, width in widths.items() if width > PHONE["width"]} == {}


def test_the_bare_address_says_how_to_get_in_and_takes_the_terminals_code(
    opened: OpenedPages, chromium: Browser
) -> None:
    context = chromium.new_context(base_url=opened.url, viewport=PHONE)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    page = context.new_page()
    page.goto(opened.url)
    expect(page.locator("#page h1")).to_have_text("Open your inbox")
    shown = page.locator("#page")
    expect(shown).to_contain_text("press Enter")
    expect(shown).to_contain_text("gaia email serve --open")
    expect(shown).not_to_contain_text("ended")
    assert page.evaluate(WIDEST) <= PHONE["width"]
    page.locator("#code").fill(entry_address(opened.url, opened.sessions.new_code()))
    page.keyboard.press("Enter")
    expect(page.locator('[data-place="list"]')).to_be_visible()
    opened.sessions.close_all()
    page.reload()
    expect(page.locator("#page h1")).to_have_text("This session has ended.")
