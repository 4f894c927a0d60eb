"""What becomes of Google's failures where several meet: in batches, in writes, and in what a client is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import find, many
from tests.gmail.emulator import failures
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.support import EmulatedMailbox, Waits, open_emulated

Json = dict[str, Any]


class Session:
    """A client of a server over an emulated account, in time that only passes while waiting."""

    def __init__(self, mailbox: EmulatedMailbox, client: Client[Any], waits: Waits) -> None:
        self.mailbox, self.emulator, self.client, self.waits = mailbox, mailbox.emulator, client, waits

    async def call(self, tool: str, **arguments: object) -> tuple[Json, str, bool]:
        """Structure, text, and whether it is an error."""
        found = await self.client.call_tool(tool, arguments, raise_on_error=False)
        text = "".join(item.text for item in found.content if item.type == "text")
        return found.structured_content or {}, text, bool(found.is_error)


Play = Callable[..., None]


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    def play(scenario: Callable[[Session], Awaitable[None]], count: int = 3) -> None:
        async def main() -> None:
            waits = Waits()
            mailbox = await open_emulated(Emulator(), tmp_path, many(count), waits)
            try:
                async with Client(create_server(mailbox, SurfaceSettings(approval=CALLER))) as client:
                    mailbox.emulator.forget_requests()
                    async with asyncio.timeout(20):
                        await scenario(Session(mailbox, client, waits))
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


def test_of_a_batch_in_which_everything_goes_wrong_only_that_is_asked_for_again(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "", page=20)
        session.emulator.forget_requests()
        wrong = [
            failures.rate_limited(),
            failures.user_rate_limited(),
            ApiError(500, "Internal"),
            ApiError(503, "busy"),
            failures.unauthenticated(),
        ]
        for error in wrong:
            session.emulator.fail(Fault(method="messages.get", skip=1, error=error))
        stored = await session.mailbox.read([*ids, "f00"], raw=True)
        assert [item.summary["id"] for item in stored] == ids
        sizes = [len(seen.calls) for seen in session.emulator.requests if seen.path != "/token"]
        assert sizes == [13, len(wrong)]

    play(scenario, 12)


def test_a_scope_that_is_missing_is_told_and_no_message_left_out_for_it(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        session.emulator.fail(Fault(method="messages.get", skip=1, error=failures.no_scope()))
        with pytest.raises(NeedsApproval):
            await session.mailbox.read(ids, raw=False)

    play(scenario)


def test_a_batch_whose_connection_breaks_or_crawls_is_read_whole(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        for fault in (Fault(method="batch", cut=True), Fault(method="batch", drip_s=0.002)):
            session.emulator.fail(fault)
            session.mailbox.gmail.shared.known.clear("1")
            assert len(await session.mailbox.read(ids, raw=False)) == len(ids)

    play(scenario)


TOLD: list[tuple[ApiError, str]] = [
    (failures.unauthenticated(), "needs_auth"),
    (failures.no_scope(), "needs_approval"),
    (failures.rate_limited(), "rate_limited"),
    (failures.rate_limited("3600"), "rate_limited"),
    (failures.user_rate_limited(), "rate_limited"),
    (failures.daily_limit(), "rate_limited"),
    (ApiError(409, "conflict"), "bad_argument"),
    (ApiError(412, "changed"), "bad_argument"),
    (ApiError(500, "broken"), "provider"),
    (ApiError(503, "busy"), "provider"),
]


@pytest.mark.parametrize(
    ("error", "kind"), TOLD, ids=[f"{error.status} {error.reason}{error.retry_after}" for error, _ in TOLD]
)
@pytest.mark.parametrize("tool", ["list_email_labels", "create_label"])
def test_a_client_is_told_what_kind_of_failure_it_was(
    play: Play, error: ApiError, kind: str, tool: str
) -> None:
    async def scenario(session: Session) -> None:
        method = "labels.list" if tool == "list_email_labels" else "labels.create"
        session.emulator.fail(Fault(method=method, times=99, error=error))
        data, text, failed = await session.call(tool, **({"name": "New"} if tool == "create_label" else {}))
        assert failed and data["error"]["kind"] == kind
        assert text.startswith("Error: ") and "Traceback" not in text
        if kind == "rate_limited":
            assert data["error"]["retry_after_s"] > 0
            session.emulator.faults.waiting.clear()
            status, shown, _ = await session.call("server_status")
            assert status["connected"] and status["errors"] and "Label" not in shown

    play(scenario)


def test_what_was_throttled_away_is_never_part_of_a_success(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 150 changes, a hundred at once, the second hundred fails for good; the first can still be taken back."""
    monkeypatch.setattr("gaia_gmail_mcp.relabeling.MOST_AT_ONCE", 100)

    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "", page=500)
        session.emulator.fail(
            Fault(method="messages.batchModify", skip=1, times=99, error=failures.rate_limited())
        )
        data, text, failed = await session.call(
            "batch_modify_emails", messageIds=ids, addLabelIds=["STARRED"]
        )
        session.emulator.faults.waiting.clear()
        starred = set(await find(session.mailbox, "is:starred", page=500))
        assert not failed and len(starred) == 100 and set(data["ids"]) == starred
        assert {item["id"] for item in data["failed"]} == set(ids) - starred
        assert "asks for fewer requests" in data["failed"][0]["error"]
        assert "Successfully processed: 100 messages\nFailed to process: 50 messages" in text
        await session.call(data["undo"]["tool"], **data["undo"]["arguments"])
        assert await find(session.mailbox, "is:starred", page=500) == []

    play(scenario, 150)


def test_where_nothing_was_done_the_failure_is_an_error(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        for method in ("messages.batchModify", "messages.modify"):
            session.emulator.fail(Fault(method=method, times=99, error=failures.rate_limited()))
        data, _, failed = await session.call("archive_email", ids=ids)
        assert failed and data["error"]["kind"] == "rate_limited"

    play(scenario)


def test_of_few_messages_one_that_is_refused_is_named(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        session.emulator.fail(Fault(method="messages.modify", skip=1, error=ApiError(412, "changed")))
        data, _, failed = await session.call("archive_email", ids=ids)
        assert not failed and len(data["ids"]) == len(ids) - 1
        assert "changed meanwhile" in data["failed"][0]["error"]
        assert len(await find(session.mailbox, "in:inbox")) == 1

    play(scenario)
