"""A person's session in Chromium: a link opens it once, and the cookie without the page's key opens nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from gaia_email.interfaces.http.opening import entry_address
from tests.http.conftest import Sample

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is missing: python -m tools.browser says how to install it")
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


ENTERED = "location.hash === ''"


@pytest.mark.timeout(120)
def test_a_link_opens_the_page_once_and_stands_in_no_address_afterwards(page: Page, sample: Sample) -> None:
    wrong: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    code = sample.sessions.new_code()
    link = entry_address(sample.url, code)
    with page.expect_response("**/v1/session") as opened:
        page.goto(link)
    assert opened.value.status == 200
    page.wait_for_function(ENTERED)
    assert len(sample.sessions) == 2, "one is the test's own"
    assert code not in page.url and not [url for url in asked if code in url.partition("#")[0]]
    assert all(url.startswith(sample.url) for url in asked), "something is fetched from elsewhere"
    assert wrong == []
    # Whoever comes with the same link has seen it over somebody's shoulder: what it opened is over.
    page.goto("about:blank")
    with page.expect_response("**/v1/session") as again:
        page.goto(link)
    assert again.value.status == 401
    assert len(sample.sessions) == 1


@pytest.mark.timeout(120)
def test_without_the_key_of_the_page_its_cookie_opens_nothing(page: Page, sample: Sample) -> None:
    with page.expect_response("**/v1/session"):
        page.goto(entry_address(sample.url, sample.sessions.new_code()))
    page.wait_for_function(ENTERED)
    alone = page.context.new_page()
    alone.goto(f"{sample.url}/")  # a page whose policy lets it ask this server
    assert alone.evaluate("fetch('/v1/email/pending').then((answer) => answer.status)") == 401
    assert alone.evaluate("document.cookie") == ""
