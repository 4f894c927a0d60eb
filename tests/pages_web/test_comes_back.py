"""Whatever goes away while a tab is open: the page says so, and goes on without a reload by hand."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from gaia_email.app.documents.states import STATES
from gaia_email.interfaces.http.opening import entry_address
from gaia_email.interfaces.http.sessions import PersonSessions
from tests.http.serving import free_port, served_at
from tests.pages_web.pages import PersonsPages
from tests.pages_web.test_browser import violations
from tests.pages_web.test_states import connected, over_imap
from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.scripted_imap import Script, ScriptedImap

pytestmark = pytest.mark.timeout(180)

WAIT_MS = 30_000
expect.set_options(timeout=WAIT_MS)


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A tab whose timers can be hurried."""
    context = chromium.new_context()
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.clock.install()
    yield page
    context.close()


def opened(tab: Page, url: str, sessions: PersonSessions) -> None:
    tab.goto(entry_address(url, sessions.new_code()))
    tab.locator('[data-place="list"]').wait_for()
    tab.evaluate("window.isSame = true")


def went_on(tab: Page) -> bool:
    """Whether the tab was never loaded again."""
    return bool(tab.evaluate("window.isSame === true"))


def test_a_server_that_is_away_for_a_moment(tmp_path: Path, tab: Page) -> None:
    pages = PersonsPages(tmp_path)
    with free_port() as (listening, port):
        pages.port = port
        application, sessions = pages.interface()
        with served_at(application, listening) as url:
            opened(tab, url, sessions)
    application, _ = pages.interface(sessions=sessions)
    expect(tab.locator("#alerts")).to_contain_text("The server does not answer.")
    with socket.create_server(("127.0.0.1", port)) as again, served_at(application, again):
        tab.clock.fast_forward(5_000)
        expect(tab.locator("#alerts")).to_be_empty()
        assert went_on(tab)


def test_a_server_that_was_restarted_asks_for_a_new_code(tmp_path: Path, tab: Page) -> None:
    pages = PersonsPages(tmp_path)
    with free_port() as (listening, port):
        pages.port = port
        application, sessions = pages.interface()
        with served_at(application, listening) as url:
            opened(tab, url, sessions)
    expect(tab.locator("#alerts")).to_contain_text("The server does not answer.")
    application, sessions = pages.interface()
    with socket.create_server(("127.0.0.1", port)) as again, served_at(application, again) as url:
        tab.clock.fast_forward(5_000)
        expect(tab.locator("h1")).to_have_text("This session has ended.")
        expect(tab.locator("h1")).to_be_focused()
        expect(tab.locator("#page code")).to_have_text("gaia email serve --open")
        assert violations(tab) == []
        tab.locator("#code").fill("not a code")
        tab.keyboard.press("Enter")
        expect(tab.locator("#alerts")).to_contain_text("works once")
        tab.locator("#code").fill(entry_address(url, sessions.new_code()))
        tab.keyboard.press("Enter")
        expect(tab.locator('[data-place="list"]')).to_be_visible()


def test_a_login_that_ended_and_a_provider_that_is_gone(
    tmp_path: Path, tab: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_VAULT", "file")
    with ScriptedImap(Script()) as imap, free_port() as (listening, port):
        pages = over_imap(imap, tmp_path)
        pages.port = port
        application, sessions = pages.interface(sample=False)
        with served_at(application, listening) as url:
            opened(tab, url, sessions)
            imap.script.password = "another"
            imap.cut_all()
            tab.clock.fast_forward(61_000)
            expect(tab.locator('#frame [data-state="token_expired"]')).to_contain_text("Log in again")
            imap.script.password = PASSWORD
            tab.clock.fast_forward(61_000)
            expect(tab.locator("[data-state]")).to_have_count(0)
            imap.script.answers += [("LOGIN|AUTHENTICATE", "")] * 9  # the connection breaks without a word
            imap.cut_all()
            tab.clock.fast_forward(61_000)
            expect(tab.locator('#page [data-state="provider_unreachable"]')).to_be_visible()
            assert violations(tab) == []
            tab.goto(f"{url}/#brief")
            tab.locator('[data-place="state"]').wait_for()
            assert violations(tab) == []
            tab.goto(f"{url}/#inbox")
            tab.locator('[data-place="list"]').wait_for()
            imap.script.answers.clear()
            tab.clock.fast_forward(16_000)
            expect(tab.locator("[data-state]")).to_have_count(0)
            expect(tab.locator('[data-place="list"]')).to_be_visible()
            assert went_on(tab)


def test_a_disk_that_is_full(tmp_path: Path, tab: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "small"
    home.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "none", home], check=False).returncode:
        pytest.skip("this user may mount nothing")
    try:
        monkeypatch.setenv("GAIA_HOME", str(home / "gaia"))
        pages = connected(tmp_path)
        with free_port() as (listening, port):
            pages.port = port
            application, sessions = pages.interface(sample=False)
            with served_at(application, listening) as url:
                opened(tab, url, sessions)
                _fill(home / "filler")
                tab.clock.fast_forward(61_000)
                expect(tab.locator('#frame [data-state="disk_full"]')).to_contain_text("The disk is full")
                expect(tab.locator(".thread").first).to_be_visible()
                (home / "filler").unlink()
                tab.clock.fast_forward(6_000)
                expect(tab.locator("[data-state]")).to_have_count(0)
                assert went_on(tab) and STATES["disk_full"].again_s <= 6
    finally:
        subprocess.run(["umount", "--lazy", home], check=True)


def _fill(path: Path) -> None:
    """Write until there is no room left."""
    with path.open("wb", buffering=0) as filler:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    filler.write(b"0" * size)
            except OSError:
                continue
