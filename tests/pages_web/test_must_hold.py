"""What holds whatever comes: trees of accessibility, no shift while mail streams in, many tabs, hostile mail."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastmcp import Client
from playwright.sync_api import Browser, Page, Request, expect

from gaia_email.app.languages.speaking import LANGUAGES, Language
from gaia_email.app.services.choosing import connected_source
from gaia_email.interfaces.mcp.server import create_agent_server
from tests.http.serving import MAIN, free_port, served_at
from tests.pages_web.pages import MARK, USUAL, Mail, PersonsPages
from tests.pages_web.test_browser import WAIT_MS, OpenedPages, press
from tests.pages_web.test_states import connected

pytestmark = pytest.mark.timeout(240)

expect.set_options(timeout=WAIT_MS)

TREES = Path(__file__).with_name("trees")
WRITE = "WRITE_TREES"
"""With this variable the expected trees are written instead of compared; look at what changed."""


@contextmanager
def serving(pages: PersonsPages, browser: Browser, *, sample: bool = True) -> Generator[OpenedPages]:
    with free_port() as (listening, port):
        pages.port = port
        application, sessions = pages.interface(sample=sample)
        with served_at(application, listening) as url:
            try:
                yield OpenedPages(browser, url, sessions)
            finally:
                for context in browser.contexts:
                    context.close()


VARYING = (
    (re.compile(r"\b[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2,3} \d{4}(, \d\d:\d\d)?"), "DATE"),
    (re.compile(r"\b\d+ (min|h|d|w|mo)\b"), "AGE"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "DAY"),
    (re.compile(r":\n +- /url: .*"), ""),
    (re.compile(r"\n +- /url: .*"), ""),
)
"""What a tree says of the time of the test and of where its mailbox is."""


UNDATED = (
    Mail(
        sender="Priya Nair <priya@kestrel.example>",
        subject="Can you sign the contract?",
        text="Hello Mira,\n\ncould you please sign the contract? My number: +49 40 123456.\n\nPriya",
    ),
    *USUAL[1:3],
)
"""Mail that names no day, so that what is made of it is the same on every one."""


def tree(page: Page) -> str:
    found = page.locator("body").aria_snapshot()
    for pattern, word in VARYING:
        found = pattern.sub(word, found)
    return found + "\n"


@pytest.mark.parametrize(
    ("name", "keys"),
    [("inbox", ""), ("thread", "o"), ("waiting", "g a"), ("activity", "g c"), ("search", "/")],
)
def test_the_accessibility_tree_is_as_expected_word_by_word(
    tmp_path: Path, chromium: Browser, name: str, keys: str
) -> None:
    with serving(PersonsPages(tmp_path, UNDATED), chromium) as opened:
        page = opened.open()
        place = {"inbox": "list"}.get(name, name)
        press(page, keys)
        page.locator(f'[data-place="{place}"]').wait_for()
        page.locator("#frame .count").first.wait_for()
        found, path = tree(page), TREES / f"{name}.yaml"
        if os.environ.get(WRITE):
            path.parent.mkdir(exist_ok=True)
            path.write_text(found, encoding="utf-8")
        assert found == path.read_text(encoding="utf-8"), f"{WRITE}=1 writes it anew"


MANY = (
    *(
        Mail(
            sender=f"Person {number} <p{number}@kestrel.example>",
            subject=f"Can you sign contract {number} by Friday?",
            text=f"Could you please sign contract {number} and send it back by Friday?",
            hours=1 + number / 10,
        )
        for number in range(60)
    ),
    *(
        Mail(
            sender=f"News <news{number % 7}@shop.example>",
            subject=f"Our offers, number {number}",
            text="50 % off everything. Unsubscribe at http://shop.example/leave.",
            hours=10 + number / 10,
            headers={"List-Unsubscribe": "<http://shop.example/leave>", "Precedence": "bulk"},
        )
        for number in range(440)
    ),
)

OBSERVE = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shifts.push([value, ...sources.map(({ node }) => node?.outerHTML || node?.textContent)]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""

TRIAGE = """async () => {
  const headers = { "X-Gaia-Key": sessionStorage.getItem("gaia-key"), "content-type": "application/json" };
  const ask = (method, path, asked) => fetch(`/v1/email/${path}`, { method, headers, body: JSON.stringify(asked) });
  await ask("PUT", "policy", { cohort: "newsletters", level: 5 });
  const answer = await ask("POST", "triage", { apply: true });
  return (await answer.json()).done.length;
}"""


def test_five_hundred_threads_stream_in_without_a_shift_and_the_cursor_stays(
    tmp_path: Path, chromium: Browser
) -> None:
    pages = connected(tmp_path, MANY)
    with serving(pages, chromium, sample=False) as opened:
        page = opened.open()
        press(page, "j x j j")
        here, selected = page.locator(".row:focus").inner_text(), page.locator("input:checked").input_value()
        page.wait_for_timeout(600)  # a shift within half a second of a key is the key's own
        page.evaluate(OBSERVE)
        assert page.evaluate(TRIAGE) >= 400
        expect(page.locator("#tab-low_priority .dim")).to_have_text("0")
        assert page.evaluate("window.shifts") == []
        assert page.locator(".row:focus").inner_text() == here
        assert page.locator("input:checked").input_value() == selected
        assert not opened.wrong


def _gaia(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a terminal of its own, whose person says yes."""
    command = [sys.executable, "-c", MAIN, "email", *arguments]
    environ = {**os.environ, "GAIA_HOME": str(home)}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environ, timeout=60)


def test_eight_tabs_a_terminal_and_an_mcp_client_see_an_approval_an_undo_and_a_stop(
    tmp_path: Path, chromium: Browser
) -> None:
    pages = connected(tmp_path, MANY[55:75])
    streams: set[Request] = set()
    with serving(pages, chromium, sample=False) as opened:
        first = opened.open()
        tabs = [first]
        for _ in range(7):
            tab = first.context.new_page()
            opened.watch(tab)
            tabs.append(tab)
        for tab in tabs:
            tab.on("request", lambda one: streams.update([one] if one.url.endswith("/events") else ()))
            tab.on("requestfinished", lambda one: streams.discard(one))
            tab.on("requestfailed", lambda one: streams.discard(one))
        for tab in tabs[1:]:
            tab.goto("/#waiting")
            tab.locator('[data-place="waiting"]').wait_for()
        first.evaluate(TRIAGE.replace("level: 5", "level: 3"))
        press(first, "g a")
        for tab in tabs:
            expect(tab.locator(".card").first).to_be_visible()
        count = first.locator(".card").count()
        first.bring_to_front()
        press(first, "a")
        for tab in tabs:
            expect(tab.locator(".card")).to_have_count(count - 1)
        press(first, "u")
        expect(first.locator("#notes")).to_contain_text("Taken back")
        press(tabs[3], "g c")
        expect(tabs[3].locator('[data-place="activity"]')).to_contain_text("reversed")
        with ThreadPoolExecutor() as elsewhere:
            elsewhere.submit(asyncio.run, _paused_by_mcp(pages)).result()
            for tab in tabs:
                expect(tab.locator(".local")).to_contain_text("Paused")
            elsewhere.submit(_gaia, pages.app.home, "stop").result()
        for tab in tabs:
            expect(tab.locator(".local")).to_contain_text("Stopped")
        assert len(streams) <= 1, "tabs share one stream"
        assert not opened.wrong


async def _paused_by_mcp(pages: PersonsPages) -> None:
    server = create_agent_server(pages.app, lambda: connected_source(None, pages.app.environ))
    async with Client(server) as client:
        await client.call_tool("pause", {})


HOSTILE = (
    Mail(
        sender=f'"Eve {MARK}" <eve@evil.example>',
        subject=f'Please answer {MARK} {{{{ 7 * 7 }}}} %(count)s "><svg onload=window.harm=1>',
        text=f"Could you send me the numbers today?\n{MARK}\n</div></main><style>*{{display:none}}</style>",
        html=f"<style>body{{background:url(http://evil.example/x)}}</style>{MARK}<svg><script>harm=1</script></svg>",
        file=f'<svg onload=window.harm=1>{MARK}".html',
        hours=2,
    ),
    *USUAL[:2],
)


LABEL = """async ([name, sentence]) => {
  const headers = { "X-Gaia-Key": sessionStorage.getItem("gaia-key"), "content-type": "application/json" };
  const body = JSON.stringify({ name, sentence });
  return (await fetch("/v1/email/labels", { method: "POST", headers, body })).status;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_changes_nothing_but_itself_in_any_language(
    tmp_path: Path, chromium: Browser, language: Language
) -> None:
    with serving(PersonsPages(tmp_path, HOSTILE), chromium) as opened:
        page = opened.open(locale=language)
        assert page.locator("html").get_attribute("lang") == language
        page.evaluate(
            "document.addEventListener('securitypolicyviolation', () => { window.reported = true; })"
        )
        page.locator(".row", has_text="Please answer").click()
        page.locator('[data-place="thread"]').wait_for()
        expect(page.locator("h1")).to_contain_text("<script>window.harm=1</script>")
        for keys, place in (("g b", "brief"), ("g c", "activity"), ("g i", "list"), ("g z", "thread")):
            press(page, keys)
            page.locator(f'[data-place="{place}"]').wait_for()
        page.goto(f"{opened.url}/#search?q=%3Csvg%20onload%3Dwindow.harm%3D1%3E")
        page.locator('[data-place="search"]').wait_for()
        assert page.evaluate("[window.harm, window.reported]") == [None, None]
        assert page.locator("svg, #page script, #page style").count() == 0
        assert not opened.wrong


LOOK = """async () => {
  const looked = new Promise((resolve) => document.addEventListener("htmx:finally:request", ({ detail }) => {
    if (detail.ctx.target.id === "page") resolve();
  }));
  document.body.dispatchEvent(new Event("gaia:changed"));
  await looked;
  return document.activeElement.outerHTML.slice(0, 200);
}"""
VISITED = (("", "list"), ("g a", "waiting"), ("g c", "activity"), ("g b", "brief"), ("o", "thread"))


def test_focus_is_where_it_was_after_every_look(tmp_path: Path, chromium: Browser) -> None:
    with serving(PersonsPages(tmp_path), chromium) as opened:
        page = opened.open()
        for keys, place in VISITED:
            press(page, keys)
            page.locator(f'[data-place="{place}"]').wait_for()
            for selector in ("#page a", "#page button", "#frame a", "#page summary"):
                target = page.locator(f"{selector}:visible").first
                if target.count():
                    target.focus()
                    before = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
                    assert page.evaluate(LOOK) == before, (place, selector)
        assert not opened.wrong
