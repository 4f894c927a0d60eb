"""The page on loopback: only its owner's browser can answer it, once, and it runs no script."""

from __future__ import annotations

import asyncio
import http.client
import os
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from gaia_email_registry.approvals import Approval, ApprovalRequest, Approvals
from gaia_mail_mcp.surface.approval.page import ApprovalPage
from tests.origins import PERSON
from tools.browser import ADVICE, Browser, executable

SHOWN = "Send this email?\nTo: cy@example.com [another organisation]\n\n│ <script>alert(1)</script> & more"


@asynccontextmanager
async def opened(shown: str = SHOWN) -> AsyncGenerator[tuple[ApprovalPage, Approvals, Approval, str], None]:
    store = Approvals(None)
    asked = ApprovalRequest(
        call="c",
        shown_digest="d",
        server="gaia-imap-mcp",
        account="me@a.example",
        tool="send_email",
        shown=shown,
        origin=PERSON,
    )
    approval = store.ask(asked)
    page = ApprovalPage(store)
    try:
        yield page, store, approval, await page.address(approval)
    finally:
        await page.aclose()
        store.close()


class Answered:
    """An HTTP answer."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self.text = answer.read().decode()


async def ask(url: str, body: str | None = None, headers: dict[str, str] | None = None) -> Answered:
    def call() -> Answered:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 0, timeout=5)
        try:
            connection.request("GET" if body is None else "POST", parts.path, body, headers or {})
            return Answered(connection.getresponse())
        finally:
            connection.close()

    return await asyncio.to_thread(call)


def form(text: str, answer: str = "yes") -> str:
    found = re.search(r'name="secret" value="([^"]+)"', text)
    return urlencode({"secret": found[1] if found else "", "answer": answer})


def origin(url: str) -> str:
    return url.partition("/approve/")[0]


Scenario = Callable[[ApprovalPage, Approvals, Approval, str], Awaitable[None]]


def run(scenario: Scenario, shown: str = SHOWN) -> None:
    async def main() -> None:
        async with opened(shown) as parts:
            await scenario(*parts)

    asyncio.run(asyncio.wait_for(main(), 20))


class Seen(HTMLParser):
    """The text and the tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.data += data


def test_a_long_question_is_shown_whole_in_a_block_that_scrolls() -> None:
    long = "Send this email?\n" + "".join(f"line {number}\n" for number in range(20_000))

    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        text = (await ask(url)).text
        assert long in Seen(text).data
        assert "max-height" in text and "overflow:auto" in text and '<pre tabindex="0">' in text
        assert text.index("</pre>") < text.index("<button")

    run(scenario, long)


def test_it_shows_exactly_the_question_and_two_buttons() -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        shown = await ask(url)
        seen = Seen(shown.text)
        assert SHOWN in seen.data
        assert "script" not in seen.tags and seen.tags.count("button") == 2
        assert page.is_seen(approval)

    run(scenario)


def test_nothing_else_may_load_frame_or_keep_it() -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        headers = (await ask(url)).headers
        policy = headers["content-security-policy"]
        for rule in ("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"):
            assert rule in policy
        assert "script-src" not in policy and "unsafe" not in policy
        assert headers["cache-control"] == "no-store" and headers["x-frame-options"] == "DENY"

    run(scenario)


@pytest.mark.parametrize(("answer", "state"), [("yes", "granted"), ("no", "refused")])
def test_a_button_answers_once(answer: str, state: str) -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        text = (await ask(url)).text
        told = await ask(url, form(text, answer), {"Origin": origin(url)})
        assert told.status == 200
        found = store.get(approval.approval_id)
        assert found is not None and (found.state, found.answered_by) == (state, "page")
        again = await ask(url, form(text, "yes"), {"Origin": origin(url)})
        assert again.status == 410
        found = store.get(approval.approval_id)
        assert found is not None and found.state == state
        assert (await ask(url)).status == 410

    run(scenario)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "https://evil.example.net"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "{origin}", "Host": "evil.example.net"},
        {"Origin": "{origin}", "Host": "localhost:1"},
    ],
)
def test_another_page_cannot_answer(headers: dict[str, str]) -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        text = (await ask(url)).text
        given = {name: value.replace("{origin}", origin(url)) for name, value in headers.items()}
        assert (await ask(url, form(text), given)).status == 404
        assert [question.state for question in store.waiting()] == ["open"]

    run(scenario)


def test_a_rebound_name_sees_nothing() -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        shown = await ask(url, headers={"Host": "rebound.example.net"})
        assert shown.status == 404 and "cy@example.com" not in shown.text

    run(scenario)


@pytest.mark.parametrize(
    "body",
    [
        "answer=yes",
        "secret=wrong&answer=yes",
        "secret={secret}",
        "secret={secret}&answer=yes&answer=no",
        "secret={secret}&answer=perhaps",
        "secret={secret}&answer=yes" + "&x=" + "x" * 5000,
    ],
)
def test_an_answer_needs_the_secret_of_the_page(body: str) -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        found = re.search(r'name="secret" value="([^"]+)"', (await ask(url)).text)
        assert found is not None
        told = await ask(url, body.replace("{secret}", found[1]), {"Origin": origin(url)})
        assert told.status == 403
        assert [question.state for question in store.waiting()] == ["open"]

    run(scenario)


def test_who_guesses_the_address_finds_nothing() -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        assert (await ask(url[:-1] + "x")).status == 404
        assert (await ask(f"{origin(url)}/approve/{approval.approval_id}")).status == 404
        assert (await ask(f"{origin(url)}/")).status == 404

    run(scenario)


def test_one_question_has_one_page(tmp_path: Path) -> None:
    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        assert await page.address(approval) == url
        file = await page.file(approval, tmp_path / "run")
        assert await page.file(approval, tmp_path / "run") == file
        assert url in file.read_text() and file.stat().st_mode & 0o777 == 0o600
        assert page.waiting == 1
        await page.aclose()
        assert not file.exists()

    run(scenario)


@pytest.mark.timeout(120)
def test_a_real_browser_shows_the_page_and_sends_its_answer(tmp_path: Path) -> None:
    """Chromium follows the file, shows the question as text, and its form is taken (it sends an Origin)."""
    if executable() is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(ADVICE)

    async def scenario(page: ApprovalPage, store: Approvals, approval: Approval, url: str) -> None:
        file = await page.file(approval, tmp_path / "run")
        await asyncio.to_thread(_press_yes, tmp_path, file.as_uri())
        found = store.get(approval.approval_id)
        assert found is not None and (found.state, found.answered_by) == ("granted", "page")

    async def main() -> None:
        async with opened() as parts:
            await scenario(*parts)

    asyncio.run(asyncio.wait_for(main(), 100))


def _press_yes(folder: Path, url: str) -> None:
    with Browser(folder) as browser:
        browser.open(url)
        browser.wait_for("document.querySelectorAll('button').length == 2")
        assert browser.evaluate("document.querySelector('pre').textContent") == SHOWN
        assert browser.evaluate("document.querySelectorAll('script').length") == 0
        browser.evaluate("document.querySelector('button[value=yes]').click()")
        browser.wait_for("document.body.textContent.includes('You agreed')")
