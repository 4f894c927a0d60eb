"""The pages in a browser: by keyboard alone, live in every tab, accessible in every view, safe from hostile mail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # pyright: ignore[reportMissingTypeStubs]
from playwright.sync_api import Browser, Page, Request, ViewportSize, expect

from gaia_email.interfaces.http.opening import entry_address
from gaia_email.interfaces.http.sessions import PersonSessions
from tests.http.serving import free_port, served_at
from tests.pages_web.pages import PersonsPages

pytestmark = pytest.mark.timeout(180)

WAIT_MS = 30_000
expect.set_options(timeout=WAIT_MS)


@dataclass(slots=True)
class OpenedPages:
    """A server, and a browser's pages of it; `wrong` is what no page may ever do."""

    browser: Browser
    url: str
    sessions: PersonSessions
    wrong: list[str] = field(default_factory=list[str])

    def open(self, **view: str) -> Page:
        """The inbox in a new browser profile, once it is shown."""
        context = self.browser.new_context(base_url=self.url, **view)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        self.watch(page)
        page.goto(entry_address(self.url, self.sessions.new_code()))
        page.locator(".thread").first.wait_for()
        page.locator("#frame nav a").first.wait_for()
        return page

    def watch(self, page: Page) -> None:
        """Note scripts that fail, refusals of the policy, and requests that leave."""

        def asked(request: Request) -> None:
            if not request.url.startswith((self.url, "data:", "about:")) and request.failure != "csp":
                self.wrong.append(f"asked {request.url} {request.failure}")

        page.on("requestfinished", asked)
        page.on("requestfailed", asked)
        page.on("pageerror", lambda error: self.wrong.append(f"failed {error}"))
        page.on("console", lambda one: self.wrong.append(one.text) if one.type == "error" else None)


@pytest.fixture
def opened(tmp_path: Path, chromium: Browser) -> Iterator[OpenedPages]:
    with free_port() as (listening, port):
        application, sessions = PersonsPages(tmp_path, port=port).interface()
        with served_at(application, listening) as url:
            found = OpenedPages(chromium, url, sessions)
            try:
                yield found
            finally:
                for context in chromium.contexts:
                    context.close()


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def test_an_inbox_is_emptied_by_keyboard_alone(opened: OpenedPages) -> None:
    page = opened.open()
    expect(page.locator(".row").first).to_be_focused()
    first = page.locator(".title").first.inner_text()
    press(page, "j")
    second = page.locator(".row:focus .title").inner_text()
    assert second != first
    press(page, "e")
    expect(page.locator("#notes")).to_contain_text("Archived · 1")
    expect(page.locator(".title", has_text=second)).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('.row')"), "focus is kept through the swap"
    press(page, "u")
    expect(page.locator(".title", has_text=second)).to_have_count(1)
    press(page, "k m 4")
    expect(page.locator("#notes")).to_contain_text("Moved to Low priority")
    press(page, "u")
    expect(page.locator("#notes")).to_contain_text("Moved back")
    press(page, "Enter")
    expect(page.locator("h1")).to_be_focused()
    press(page, "w")
    expect(page.locator("details.why")).to_have_attribute("open", "")
    press(page, "s")
    expect(page.locator(".menu button").first).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#notes")).to_contain_text("Snoozed · 1")
    expect(page.locator('[data-place="list"]')).to_be_visible()
    press(page, "]")
    expect(page.locator('.tabs [aria-current="page"]')).to_contain_text("Urgent")
    press(page, "g a")
    expect(page.locator("h1")).to_have_text("Agent Inbox")
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    assert not opened.wrong


def test_what_one_tab_does_is_seen_in_the_other_and_stop_in_both(opened: OpenedPages) -> None:
    page = opened.open()
    other = page.context.new_page()
    opened.watch(other)
    other.goto("/")
    other.locator(".thread").first.wait_for()
    assert not other.evaluate("Object.keys(localStorage).length"), "the key is written nowhere"
    count = page.locator(".thread").count()
    other.bring_to_front()
    press(other, "e")
    expect(other.locator(".thread")).to_have_count(count - 1)
    page.bring_to_front()
    expect(page.locator(".thread")).to_have_count(count - 1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#dialog")).to_contain_text("The agent is stopped")
    press(page, "Enter")
    expect(page.locator(".local")).to_contain_text("the agent changes nothing")
    other.bring_to_front()
    expect(other.locator(".local")).to_contain_text("the agent changes nothing")
    assert not opened.wrong


def test_what_changes_elsewhere_leaves_the_cursor_and_the_selection_where_they_are(
    opened: OpenedPages,
) -> None:
    page = opened.open()
    press(page, "j x j")
    here, selected = page.locator(".row:focus").inner_text(), page.locator("input:checked").input_value()
    last = page.locator(".thread input").last.input_value()
    page.evaluate(
        """async (of) => {
          const headers = { "X-Gaia-Key": sessionStorage.getItem("gaia-key") };
          await fetch("/ui/archive", { method: "POST", headers, body: new URLSearchParams({ of }) });
        }""",
        last,
    )
    expect(page.locator(f'.thread input[value="{last}"]')).to_have_count(0)
    assert page.locator(".row:focus").inner_text() == here
    assert page.locator("input:checked").input_value() == selected
    assert not opened.wrong


def test_a_page_whose_session_ended_says_so_and_goes_on_with_the_next_one(opened: OpenedPages) -> None:
    page = opened.open()
    opened.sessions.close_all()
    press(page, "]")
    expect(page.locator("#page")).to_contain_text("This session has ended.")
    other = page.context.new_page()
    other.goto(entry_address(opened.url, opened.sessions.new_code()))
    other.locator(".thread").first.wait_for()
    page.bring_to_front()
    expect(page.locator('[data-place="list"]')).to_be_visible()
    opened.wrong.clear()  # the console notes the 401 itself


def test_what_waits_is_answered_by_keyboard(opened: OpenedPages) -> None:
    page = opened.open()
    page.evaluate(
        """async () => {
          const headers = { "X-Gaia-Key": sessionStorage.getItem("gaia-key"), "content-type": "application/json" };
          const ask = (method, path, asked) =>
            fetch(`/v1/email/${path}`, { method, headers, body: JSON.stringify(asked) });
          await ask("PUT", "policy", { cohort: "newsletters", level: 3 });
          await ask("POST", "triage", { apply: true });
        }"""
    )
    press(page, "g a")
    expect(page.locator(".card").first).to_be_visible()
    count = page.locator(".card").count()
    press(page, "j")
    press(page, "a")
    expect(page.locator(".card")).to_have_count(count - 1)
    assert not opened.wrong


def test_hostile_mail_changes_nothing_but_its_own_text(opened: OpenedPages) -> None:
    page = opened.open()
    page.locator(".row", has_text="Please answer").click()
    page.get_by_role("button", name="Show formatted").click()
    frame = page.frame_locator("iframe")
    expect(frame.locator("body")).to_contain_text("Formatted words.")
    assert page.evaluate("window.harm") is None
    assert [frame.url for frame in page.frames if "evil" in frame.url] == []
    # The frame refuses its scripts, pictures and styles from elsewhere, and says so on the console.
    refused = [
        one
        for one in opened.wrong
        if "/mail?key=" in one or "evil.example" in one or '"img-src data:"' in one
    ]
    assert [one for one in opened.wrong if one not in refused or one.startswith("asked")] == []


AXE = Axe()  # pyright: ignore[reportUnknownVariableType]
ALL_RULES = json.dumps({"resultTypes": ["violations"]})
RULES_OF_COLOURS = json.dumps(
    {
        "resultTypes": ["violations"],
        "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    }
)


def violations(page: Page, *, view: str = "light") -> list[tuple[str, list[str]]]:
    """Return the findings of axe, each with its markup.

    The markup is the same in every view, so in all but the first only the rules about colours are tried.
    """
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE.axe_script)
    rules = ALL_RULES if view == "light" else RULES_OF_COLOURS
    response: Any = page.evaluate(f"axe.run({rules})")
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in response["violations"]]


VIEWS: dict[str, dict[str, str]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark", "reduced_motion": "reduce"},
    "contrast": {"contrast": "more"},
    "forced": {"forced_colors": "active"},
}


PLACES = (
    *(("g i", "list"), ("o", "thread"), ("g a", "waiting"), ("g b", "brief"), ("g z", "thread")),
    *(("g c", "activity"), ("/", "search"), ("Escape", "search")),
)
"""Keys in their order, and where they lead; `Escape` leaves the field, so that keys are keys again."""

SIZES: tuple[ViewportSize, ...] = ({"width": 1280, "height": 800}, {"width": 360, "height": 640})
"""The second is the first at 200 % and more."""


def sizes_of(view: str) -> tuple[ViewportSize, ...]:
    """The sizes in which a view is tried: colours do not depend on the size, so all but the first get one."""
    return SIZES if view == "light" else SIZES[:1]


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(opened: OpenedPages, view: str) -> None:
    page = opened.open(**VIEWS[view])
    for size in sizes_of(view):
        page.set_viewport_size(size)
        for keys, place in PLACES:
            press(page, keys)
            page.locator(f'[data-place="{place}"]').wait_for()
            assert violations(page, view=view) == []
    assert not opened.wrong


def test_axe_finds_nothing_in_an_inbox_and_a_thread(opened: OpenedPages) -> None:
    page = opened.open()
    assert violations(page) == []
    press(page, "o")
    page.locator('[data-place="thread"]').wait_for()
    assert violations(page) == []
    assert not opened.wrong
