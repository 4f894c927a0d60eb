"""Who confirms: the client's form, our page, the Agent Inbox, in that order; a model never does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp_types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
    InputRequiredResult,
)

from gaia_email_registry.approvals import Approvals
from gaia_mail_mcp.surface.approval.channel import MAX_UNANSWERED
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox

MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}
WAITS = "Waiting for the user"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "approvals.db"


@pytest.fixture
def waiting(ask: Any, store: Path) -> Any:
    """A server that can ask nobody through its client."""
    ask.settings = SurfaceSettings(approval=ApprovalSettings(store=store))
    return ask


async def _send(answer: Any) -> CallToolResult:
    found: CallToolResult = await answer("send_email", MAIL)
    return found


async def _persistent(answer: Any) -> CallToolResult:
    """A modern client that cannot ask fails by itself, for each way to ask, and its host calls again."""
    for _ in range(2 * MAX_UNANSWERED):
        try:
            return await _send(answer)
        except MCPError:
            pass
    return await _send(answer)


def _text(result: CallToolResult) -> str:
    return "".join(getattr(block, "text", "") for block in result.content)


def _granted(store: Path) -> None:
    approvals = Approvals(store)
    (question,) = approvals.waiting()
    assert approvals.answer(question.approval_id, "granted", by="terminal")


def test_without_any_way_to_ask_the_question_waits_in_the_agent_inbox(waiting: Any, store: Path) -> None:
    result = waiting.run(_send)
    (question,) = Approvals(store).waiting()
    assert result.is_error and WAITS in _text(result) and "gaia email" not in _text(result)
    assert "cy@example.com" in question.asked.shown and question.asked.server == "gaia-memory-mcp"
    assert not waiting.sent


def test_an_answer_holds_nothing_that_a_model_could_approve_with(waiting: Any, store: Path) -> None:
    result = waiting.run(_send)
    (question,) = Approvals(store).waiting()
    told = result.model_dump_json()
    for secret in (question.approval_id, question.approval_id[:8], question.asked.call, "http://", "confirm"):
        assert secret not in told


def test_after_a_yes_the_same_call_passes_once(waiting: Any, store: Path) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        assert (await _send(answer)).is_error
        _granted(store)
        other = await answer("send_email", {**MAIL, "to": ["evil@example.net"]})
        assert other.is_error
        assert not (await _send(answer)).is_error
        return await _send(answer)

    assert WAITS in _text(waiting.run(scenario))
    assert [delivery.recipients for delivery in waiting.sent] == [("cy@example.com",)]


def test_after_a_no_nobody_is_asked_again_for_a_while(waiting: Any, store: Path) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        await _send(answer)
        approvals = Approvals(store)
        assert approvals.answer(approvals.waiting()[0].approval_id, "refused", by="terminal")
        return await _send(answer)

    assert "said no to exactly this" in _text(waiting.run(scenario))
    assert not Approvals(store).waiting() and not waiting.sent


def test_a_yes_to_a_draft_that_changed_since_is_worth_nothing(waiting: Any, store: Path) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        await answer("draft_email", MAIL)
        await answer("send_draft", {"draft_id": "r1"})
        _granted(store)
        await answer("update_draft", {"draft_id": "r1", "body": "Something else"})
        return await answer("send_draft", {"draft_id": "r1"})

    assert WAITS in _text(waiting.run(scenario))
    assert not waiting.sent


def test_a_token_is_no_way_unless_the_host_was_chosen(waiting: Any) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        return await answer("send_email", {**MAIL, "confirm": "anything"})

    assert WAITS in _text(waiting.run(scenario))
    assert not waiting.sent


def test_a_client_that_says_it_can_ask_and_then_fails_is_passed_over(waiting: Any, store: Path) -> None:
    async def broken(*_: object) -> object:
        raise RuntimeError("no window")

    assert WAITS in _text(waiting.run(_persistent, broken))
    assert len(Approvals(store).waiting()) == 1 and not waiting.sent


@pytest.mark.parametrize("value", [True, False])
def test_an_agent_that_stops_at_the_question_begins_the_call_anew_with_the_answer(
    ask_once: Any, store: Path, value: bool
) -> None:
    """As LangGraph does: the run ends when the question comes up, and the next one calls from the start."""

    async def shown_elsewhere(context: object, params: object) -> ElicitResult | ErrorData:
        raise AssertionError("the agent asks by itself")

    async def main() -> None:
        server = create_server(
            ask_once.mailbox, SurfaceSettings(approval=ApprovalSettings(store=store, wait_s=0.0))
        )
        client = Client(server._mcp_server, mode="auto", elicitation_callback=shown_elsewhere)  # pyright: ignore
        async with client:
            call = partial(client.session.call_tool, "send_email", MAIL, allow_input_required=True)
            await call()
            asked = await call()
            assert isinstance(asked, InputRequiredResult)
            said = ElicitResult(action="accept", content={"value": value})
            (key,) = list(asked.input_requests or {})
            done = await call(input_responses={key: said}, request_state=asked.request_state)
            assert isinstance(done, CallToolResult) and done.is_error is not value

    asyncio.run(asyncio.wait_for(main(), 20))
    assert len(ask_once.sent) == value


@pytest.mark.parametrize("told", [{"value": False}, {}, {"other": True}])
def test_an_answer_that_is_not_exactly_yes_is_no(waiting: Any, told: dict[str, object], store: Path) -> None:
    async def wrong(*_: object) -> object:
        return told

    assert waiting.run(_persistent, wrong).is_error
    assert not waiting.sent


MANY = [f"m{number}" for number in range(1, 3)] + [f"gone-{number}" for number in range(24)]


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("trash_email", {}),
        ("archive_email", {}),
        ("report_spam", {}),
        ("mark_read", {}),
        ("star_email", {}),
        ("untrash_email", {}),
        ("snooze_email", {"until": "2090-01-01T08:00:00+00:00"}),
    ],
)
def test_more_than_twenty_five_messages_ask_whatever_the_tool(
    waiting: Any, store: Path, tool: str, more: dict[str, object], dump: Any
) -> None:
    before = dump()

    async def scenario(answer: Any) -> CallToolResult:
        return await answer(tool, {"ids": MANY, **more})

    assert WAITS in _text(waiting.run(scenario))
    (question,) = Approvals(store).waiting()
    assert "26 messages" in question.asked.shown and "Lunch on Friday" in question.asked.shown
    assert "24 of them are not there any more" in question.asked.shown
    assert dump() == before


def test_twenty_five_messages_do_not_ask(waiting: Any) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        return await answer("archive_email", {"ids": MANY[:25]})

    assert not waiting.run(scenario).is_error


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("delete_email", {"messageId": "m1", "permanent": True}, "does not delete for good"),
        ("batch_delete_emails", {"messageIds": ["m1"], "permanent": True}, "does not delete for good"),
        ("delete_email", {"messageId": "nowhere"}, "there is no such message"),
        ("delete_label", {"id": "INBOX"}, "system label"),
        ("delete_label", {"id": "nowhere"}, "not found"),
        ("delete_filter", {"filterId": "nowhere"}, "not found"),
        ("send_draft", {"draft_id": "nowhere"}, "no draft"),
        ("unsubscribe", {"message_id": "m1"}, "no one-click unsubscribe"),
    ],
)
def test_nobody_is_asked_about_what_is_refused_anyway(
    waiting: Any, store: Path, tool: str, arguments: dict[str, object], told: str
) -> None:
    async def scenario(answer: Any) -> CallToolResult:
        return await answer(tool, arguments)

    result = waiting.run(scenario)
    assert result.is_error and told.lower() in _text(result).lower()
    assert not store.exists() or not Approvals(store).waiting()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_filter", {"criteria": {"from": "a@b.co"}, "action": {"forward": "x@y.co"}}),
        ("set_vacation", {"enabled": True, "body": "Away"}),
        ("create_calendar_event", {"title": "T", "start": "2030-01-01", "attendees": ["cy@example.com"]}),
    ],
)
def test_a_server_that_sends_nothing_asks_nobody_about_sending(
    waiting: Any, store: Path, tool: str, arguments: dict[str, object]
) -> None:
    waiting.settings = SurfaceSettings(no_send=True, approval=ApprovalSettings(store=store))

    async def scenario(answer: Any) -> CallToolResult:
        return await answer(tool, arguments)

    assert "--no-send" in _text(waiting.run(scenario))
    assert not store.exists() or not Approvals(store).waiting()


class Person:
    """Somebody in front of the browser: opens the file that leads to the page, and presses a button."""

    def __init__(self, button: str) -> None:
        self.button = button
        self.pages: list[str] = []

    def __call__(self, file: Path) -> bool:
        assert file.stat().st_mode & 0o077 == 0
        self.answer(file.read_text().partition("url=")[2].partition('"')[0])
        return True

    def answer(self, url: str) -> None:
        with urlopen(url, timeout=5) as page:
            text = page.read().decode()
        self.pages.append(text)
        secret = text.partition('name="secret" value="')[2].partition('"')[0]
        origin = url.partition("/approve")[0]
        body = urlencode({"secret": secret, "answer": self.button}).encode()
        urlopen(Request(url, body, {"Origin": origin}), timeout=5).close()


@pytest.mark.parametrize(("button", "count"), [("yes", 1), ("no", 0)])
def test_the_page_in_the_browser_decides(
    waiting: Any, store: Path, tmp_path: Path, button: str, count: int
) -> None:
    person = Person(button)
    waiting.settings = SurfaceSettings(
        approval=ApprovalSettings(store=store, opener=person, runtime_dir=tmp_path / "run")
    )
    result = waiting.run(_send)
    assert (result.is_error, len(waiting.sent)) == (not count, count)
    assert "cy@example.com" in person.pages[0]
    assert not list((tmp_path / "run").glob("*"))


def test_what_changed_while_the_page_was_open_is_not_done(waiting: Any, store: Path, tmp_path: Path) -> None:
    mailbox: MemoryMailbox = waiting.mailbox

    class Attacker(Person):
        def answer(self, url: str) -> None:
            asyncio.run(mailbox.update_draft("r1", b"To: evil@example.net\nSubject: Hi\n\nmine\n"))
            super().answer(url)

    waiting.settings = SurfaceSettings(
        approval=ApprovalSettings(store=store, opener=Attacker("yes"), runtime_dir=tmp_path / "run")
    )

    async def scenario(answer: Any) -> CallToolResult:
        await answer("draft_email", MAIL)
        return await answer("send_draft", {"draft_id": "r1"})

    assert "changed while the user was asked" in _text(waiting.run(scenario))
    assert not waiting.sent


def test_a_page_that_no_browser_shows_leaves_the_question_in_the_inbox(
    waiting: Any, store: Path, tmp_path: Path
) -> None:
    waiting.settings = SurfaceSettings(
        approval=ApprovalSettings(
            store=store, opener=lambda file: True, runtime_dir=tmp_path / "run", wait_s=0.0
        )
    )
    assert WAITS in _text(waiting.run(_send))
    assert len(Approvals(store).waiting()) == 1


Elicited = Callable[[ElicitRequestURLParams | ElicitRequestFormParams], Awaitable[ElicitResult | ErrorData]]


@pytest.mark.parametrize("action", ["accept", "decline"])
def test_a_client_that_opens_addresses_is_given_the_pages(waiting: Any, mode: Any, action: Any) -> None:
    """The address reaches the client's user, and no tool answer."""
    person = Person("yes")

    async def elicit(context: object, params: object) -> ElicitResult | ErrorData:
        if isinstance(params, ElicitRequestFormParams):
            return ErrorData(code=-32601, message="no forms here")
        assert isinstance(params, ElicitRequestURLParams)
        assert "cy@example.com" not in params.message
        if action == "accept":
            await asyncio.to_thread(person.answer, params.url)
        return ElicitResult(action=action)

    async def main() -> CallToolResult:
        server = create_server(waiting.mailbox, waiting.settings)
        client = Client(server._mcp_server, mode=mode, elicitation_callback=elicit)  # pyright: ignore
        async with client:
            return await _persistent(client.call_tool)

    result = asyncio.run(asyncio.wait_for(main(), 20))
    assert bool(result.is_error) == (action == "decline")
    assert len(waiting.sent) == (action == "accept")
    assert "http://" not in result.model_dump_json()
