"""In a browser: a newcomer connects and answers questions by keyboard alone; integrations, axe and hostile servers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from gaia_email.interfaces.http.opening import entry_address
from tests.contract.suite.seed import write_message
from tests.http.serving import free_port, served_at
from tests.imap.conftest import dovecot as dovecot
from tests.imap.conftest import dovecot_with as dovecot_with
from tests.imap.conftest import other as other
from tests.imap.conftest import servers_of_shapes as servers_of_shapes
from tests.imap.conftest import user as user
from tests.pages_web.pages import MARK, PersonsPages
from tests.pages_web.test_browser import VIEWS, OpenedPages, press, sizes_of, violations
from tests.registry.homes import thunderbird
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient

pytestmark = pytest.mark.timeout(180)

HOSTILE = f"{sys.executable} {Path(__file__).resolve().parents[1] / 'servers' / 'hostile.py'}"


@pytest.fixture
def opened(tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenedPages]:
    """A server without an account, on a machine whose Thunderbird knows one."""
    monkeypatch.setenv("GAIA_VAULT", "file")
    thunderbird("mira@posteo.de")(Path(os.environ["HOME"]))
    with free_port() as (listening, port):
        application, sessions = PersonsPages(tmp_path, port=port).interface(sample=False)
        with served_at(application, listening) as url:
            found = OpenedPages(chromium, url, sessions)
            try:
                yield found
            finally:
                for context in chromium.contexts:
                    context.close()


def first_page(opened: OpenedPages, **view: str) -> Page:
    """The page a newcomer sees first, in a profile of its own."""
    context = opened.browser.new_context(base_url=opened.url, **view)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    context.set_default_timeout(30_000)
    page = context.new_page()
    opened.watch(page)
    page.goto(entry_address(opened.url, opened.sessions.new_code()))
    page.locator('[data-place="connect"]').wait_for()
    return page


def tab_to(page: Page, selector: str) -> None:
    """Move the focus there by Tab."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by Tab")


def test_a_newcomer_connects_by_keyboard_and_answers_the_first_questions(
    opened: OpenedPages, dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    for number in range(3):
        other.append(write_message(number, subject=f"Can you call me at {number}?"))
    page = first_page(opened)
    expect(page.locator("h1")).to_have_text("Welcome. Which mailbox is yours?")
    press(page, "o")
    expect(page.locator("h1")).to_have_text("mira@posteo.de")
    expect(page.locator("#password")).to_be_focused()
    press(page, "Escape Escape")
    expect(page.locator("h1")).to_have_text("Welcome. Which mailbox is yours?")
    tab_to(page, "#address")
    page.evaluate("location.hash = 'connect?email=mira@posteo.de'")
    page.locator("#password").wait_for()
    page.evaluate(
        """([user, port]) => {
          const set = (name, value) => { document.querySelector(`[name="${name}"]`).value = value; };
          set("email", `${user}@example.org`); set("provider", ""); set("imap_host", "127.0.0.1");
          set("imap_port", port); set("imap_security", "none"); set("imap_user", user);
        }""",
        [user, str(dovecot.port)],
    )
    page.keyboard.type("not the password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("does not accept the password")
    expect(page.locator("#password")).to_be_focused()
    assert violations(page) == []
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#attempt")).to_contain_text("3 messages read")
    assert violations(page) == []
    tab_to(page, 'a[href="#teach"]')
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Where does this belong?")
    assert violations(page) == []
    for key, at in (("2", "1 of 3"), ("s", "2 of 3"), ("1", "3 of 3")):
        expect(page.locator(".progress")).to_contain_text(at)
        press(page, key)
    expect(page.locator("h1")).to_have_text("Thank you.")
    expect(page.locator(".state")).to_contain_text("2 answered · 1 skipped")
    press(page, "u")
    expect(page.locator("#notes")).to_contain_text("Moved back")
    assert not opened.wrong


def test_a_hostile_server_is_added_approved_looked_at_and_taken_out_by_keyboard(opened: OpenedPages) -> None:
    page = first_page(opened)
    press(page, "g n")
    expect(page.locator("h1")).to_have_text("Integrations")
    tab_to(page, 'a[href="#add-server"]')
    page.keyboard.press("Enter")
    tab_to(page, 'input[name="/name"]')
    page.keyboard.type("evil")
    page.keyboard.press("Tab")
    page.keyboard.type(f'{HOSTILE} changes "{MARK}"')
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Tools of")
    expect(page.locator(".card", has_text="read_mail")).to_contain_text(MARK)
    with page.expect_response(lambda answer: "ui/server-tools" in answer.url):  # it is looked at again
        press(page, "a")
    expect(page.locator("#notes")).to_contain_text("Approved")
    press(page, "Escape")
    expect(page.locator("h1")).to_have_text("Integrations")
    press(page, "o")
    expect(page.locator("h1")).to_have_text("evil")
    press(page, "Escape")
    expect(page.locator("h1")).to_have_text("Integrations")
    tab_to(page, 'summary[aria-label="More: evil"]')
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Disconnect").wait_for()
    tab_to(page, 'button[hx-get^="ui/forgetting?of=server"]')
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_contain_text("Disconnect evil")
    expect(page.locator("#dialog [autofocus]")).to_be_focused()
    assert violations(page) == []
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#notes")).to_contain_text("Removed")
    expect(page.locator("section", has_text="MCP servers")).to_contain_text("None yet.")
    assert page.evaluate("window.harm") is None
    assert not opened.wrong


def test_axe_finds_nothing_in_any_view(opened: OpenedPages) -> None:
    pages = (
        "connect",
        "connect?email=mira@posteo.de",
        "connect?email=a@gmail.com",
        "connect?email=a@outlook.com",
    )
    more = ("integrations", "add-server", "configuration")
    for view in ("light", "dark", "contrast"):
        page = first_page(opened, **VIEWS[view])
        for size in sizes_of(view):
            page.set_viewport_size(size)
            for hash_ in (*pages, *more):
                page.evaluate("(to) => { location.hash = to; }", hash_)
                page.wait_for_function(
                    """(to) => document.querySelector("#page [data-place]") && location.hash === `#${to}`
                      && !document.querySelector("#page.htmx-request")""",
                    arg=hash_,
                )
                assert violations(page, view=view) == [], (view, hash_)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (hash_, size)
    assert not opened.wrong
