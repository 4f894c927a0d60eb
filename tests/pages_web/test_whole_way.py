"""From `serve --open` to an empty inbox by keyboard, without a terminal; and every page of the sample mailbox."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Response, expect

from tests.contract.suite.seed import write_message
from tests.http.serving import MAIN
from tests.imap.conftest import dovecot as dovecot
from tests.imap.conftest import dovecot_with as dovecot_with
from tests.imap.conftest import other as other
from tests.imap.conftest import servers_of_shapes as servers_of_shapes
from tests.imap.conftest import user as user
from tests.pages_web.test_browser import WAIT_MS, press
from tests.pages_web.test_first_day_browser import tab_to
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient

pytestmark = pytest.mark.timeout(240)

expect.set_options(timeout=WAIT_MS)

STRANGER = f"{sys.executable} {Path(__file__).resolve().parents[1] / 'servers' / 'stranger.py'}"


@contextmanager
def opened_by_serve(home: Path, *options: str) -> Generator[str]:
    """The address that `gaia email serve --open` opens in the browser of whoever started it."""
    page, browser = home / "opened.html", home / "browser"
    browser.write_text(f'#!/bin/sh\ncp "${{1#file://}}" {page}.part && mv {page}.part {page}\n')
    browser.chmod(0o755)
    command = [sys.executable, "-c", MAIN, "email", "serve", "--open", "--port", "0", *options]
    environ = {**os.environ, "BROWSER": str(browser), "GAIA_VAULT": "file"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ) as server:
        assert server.stderr is not None
        try:
            assert server.stderr.readline().startswith("Serving")
            pause = threading.Event()
            for _ in range(600):
                if page.exists():
                    break
                pause.wait(0.05)
            found = re.search(r'http://[^"<]+#code=[^"<]+', page.read_text())
            assert found
            yield found[0].replace("&amp;", "&")
        finally:
            server.terminate()
            server.communicate(timeout=20)


class Watched:
    """A browser's page of a server, and all that no page may do: fail, be refused by its policy, or ask elsewhere."""

    def __init__(self, browser: Browser, url: str) -> None:
        """Open it in a profile of its own."""
        self.wrong: list[str] = []
        base = url.partition("/#")[0]
        self.context = browser.new_context(base_url=base)
        self.context.set_default_timeout(WAIT_MS)
        self.page = self.context.new_page()

        def asked(request: Request) -> None:
            if not request.url.startswith((base, "data:", "about:", "blob:")):
                self.wrong.append(f"asked {request.url}")

        def answered(response: Response) -> None:
            if response.status >= 400:
                self.wrong.append(f"{response.status} {response.url}")

        self.page.on("request", asked)
        self.page.on("response", answered)
        self.page.on("pageerror", lambda error: self.wrong.append(f"failed {error}"))
        self.page.on("console", lambda one: self.wrong.append(one.text) if one.type == "error" else None)
        self.page.goto(url)
        self.page.locator("#page [data-place]").first.wait_for()


@pytest.fixture
def home(home_of_its_own: Path, chromium: Browser) -> Iterator[Path]:
    yield home_of_its_own
    for context in chromium.contexts:
        context.close()


def at(page: Page, hash_: str) -> None:
    """Wait until what an address leads to is shown."""
    page.wait_for_function(
        """(to) => location.hash === `#${to}` && document.querySelector("#page [data-place], #page .state")
          && !document.querySelector("#page.htmx-request, #page .htmx-request")""",
        arg=hash_,
    )


def connect(page: Page, dovecot: Dovecot, user: str) -> None:
    """Connect a mailbox whose servers nobody knows, field by field."""
    expect(page.locator("#address")).to_be_focused()
    page.keyboard.type(f"{user}@example.org")
    page.keyboard.press("Enter")
    expect(page.locator("#imap_host")).to_be_focused()
    page.keyboard.type("127.0.0.1")
    press(page, "Tab")
    page.keyboard.type(str(dovecot.port))
    press(page, "Tab n")  # the one choice that begins so: no encryption
    tab_to(page, "#password")
    page.keyboard.type(PASSWORD)
    press(page, "Tab Enter")
    tab_to(page, "#imap_user")
    page.keyboard.type(user)
    page.keyboard.press("Enter")
    expect(page.locator("#attempt")).to_contain_text("6 messages read")


def test_a_newcomer_comes_to_an_empty_inbox_by_keyboard_without_a_terminal(
    home: Path, chromium: Browser, dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    for number in range(6):
        other.append(write_message(number, subject=f"Can you call me at {number}?"))
    with opened_by_serve(home) as url:
        seen = Watched(chromium, url)
        page = seen.page
        connect(page, dovecot, user)
        tab_to(page, 'a[href="#teach"]')
        page.keyboard.press("Enter")
        for number in range(6):
            expect(page.locator(".progress")).to_contain_text(f"{number + 1} of 6")
            press(page, "2")
        expect(page.locator("h1")).to_have_text("Thank you.")
        expect(page.locator(".state")).to_contain_text("One answer was held back")
        press(page, "g i")
        expect(page.locator(".row").first).to_be_focused()
        expect(page.locator("#to-actionable .count")).to_contain_text("6")
        press(page, "Enter r")
        expect(page.locator("#letter-body")).to_be_focused()
        page.keyboard.type("I call at noon.")
        press(page, "Control+Enter")
        expect(page.locator("#dialog")).to_contain_text("Send exactly this?")
        press(page, "Escape g a")
        expect(page.locator("h1")).to_have_text("Reply")  # letters are letters while one writes
        press(page, "Escape Escape g a")
        expect(page.locator("h1")).to_have_text("Agent Inbox")
        press(page, "g s")
        tab_to(page, "#part-levels")
        page.keyboard.press("Enter")
        level = '#level-1 select[name="/level"]'
        tab_to(page, level)
        press(page, "ArrowDown Tab Enter")
        expect(page.locator("#notes")).to_contain_text("Level changed")
        press(page, "g n")
        tab_to(page, 'a[href="#add-server"]')
        page.keyboard.press("Enter")
        expect(page.locator('[name="/name"]')).to_be_focused()
        page.keyboard.type("sky")
        press(page, "Tab")
        page.keyboard.type(STRANGER)
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_contain_text("Tools of sky")
        press(page, "a")
        expect(page.locator("#notes")).to_contain_text("Approved")
        press(page, "g b")
        expect(page.locator('[data-place="brief"]')).to_be_visible()
        press(page, "g z")
        for left in range(6, 0, -1):
            expect(page.locator(".progress")).to_contain_text(f"1 of {left}")
            press(page, "e")
            expect(page.locator("#notes")).to_contain_text("Archived")
        expect(page.locator("h1")).to_have_text("Nothing is left.")
        press(page, "g c")
        expect(page.locator('[data-place="activity"]')).to_contain_text("archive")
        assert not seen.wrong


LINKS = """() => [...document.querySelectorAll('#page a[href^="#"], #frame a[href^="#"]')]
  .map((one) => one.getAttribute("href").slice(1)).filter((one) => one && one !== "page")"""


def of_a_kind(link: str) -> str:
    """Links that differ in which message they are about lead to pages of one kind."""
    return re.sub(r"(=)[^&]*(%|@|\d)[^&]*", r"\1", link)


def test_every_page_that_a_link_leads_to_on_the_sample_mailbox_is_shown_without_an_error(
    home: Path, chromium: Browser
) -> None:
    with opened_by_serve(home, "--demo") as url:
        seen = Watched(chromium, url)
        found, visited = ["inbox"], dict[str, str]()
        while found:
            link = found.pop(0)
            if of_a_kind(link) in visited:
                continue
            visited[of_a_kind(link)] = link
            seen.page.evaluate("(to) => { location.hash = to; }", link)
            seen.page.wait_for_function(
                """() => !document.querySelector("#page.htmx-request, #page .htmx-request")"""
            )
            at(seen.page, seen.page.evaluate("location.hash.slice(1)"))
            assert not seen.wrong, link
            assert not seen.page.locator("#alerts .note.bad").count(), link
            found += seen.page.evaluate(LINKS)
        assert len(visited) > 25, visited
