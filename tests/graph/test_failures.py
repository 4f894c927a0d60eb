"""What becomes of Microsoft's failures where several meet: in batches, in writes, and in what a client is told."""

from __future__ import annotations

import asyncio
from collections import Counter
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
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import Refused, refusal, throttled
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, Waits, open_emulated

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

    def fail(
        self, answer: Response, method: str = "", end: str = "", *, skip: int = 0, times: int = 1
    ) -> None:
        """Answer so many requests of that method whose path ends so, after letting some by."""
        seen = 0

        def fault(request: Request) -> Response | None:
            nonlocal seen
            if method not in ("", request.method) or not request.path.endswith(end):
                return None
            seen += 1
            return answer if skip < seen <= skip + times else None

        self.emulator.fault = fault

    def heal(self) -> None:
        """Nothing fails any more."""
        self.emulator.fault = lambda request: None


Play = Callable[..., None]


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    def play(scenario: Callable[[Session], Awaitable[None]], count: int = 3) -> None:
        async def main() -> None:
            waits = Waits()
            mailbox = await open_emulated(Emulator(), tmp_path, many(count), waits)
            try:
                async with Client(create_server(mailbox, SurfaceSettings(approval=CALLER))) as client:
                    async with asyncio.timeout(20):
                        await mailbox.cursor()
                        await scenario(Session(mailbox, client, waits))
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


def error(status: int, code: str, **headers: str) -> Response:
    return refusal(Refused(status, code, "Said.", **headers))


EXPIRED = error(401, "InvalidAuthenticationToken")
NO_SCOPE = error(403, "ErrorAccessDenied")
BUSY = error(503, "serviceNotAvailable")


def test_of_a_batch_in_which_everything_goes_wrong_only_that_is_asked_for_again(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "", page=20)
        wrong = dict(
            zip(
                ids,
                [throttled(), throttled(status=503), BUSY, error(500, "Internal"), error(424, "FailedDependency"),
                 Response(hang_up=True), error(504, "Timeout"), throttled(9)],
                strict=False,
            )
        )  # fmt: skip

        def fault(request: Request) -> Response | None:
            id_ = request.segments[-2] if request.path.endswith("$value") else ""
            return wrong.pop(id_, None)

        session.emulator.fault = fault
        session.emulator.requests.clear()
        session.emulator.parts.clear()
        stored = await session.mailbox.read([*ids, "AAMknone="], raw=True)
        assert [item.summary["id"] for item in stored] == ids and not wrong
        asked = Counter(part.path for part in session.emulator.parts if part.path.endswith("$value"))
        assert set(asked.values()) == {1} and len(asked) == len(ids), (
            "what was answered is not asked for again"
        )

    play(scenario, 12)


def test_a_scope_that_is_missing_is_told_and_no_message_left_out_for_it(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        session.fail(NO_SCOPE, end="$value", skip=1)
        with pytest.raises(NeedsApproval):
            await session.mailbox.read(ids, raw=True)

    play(scenario)


@pytest.mark.parametrize("how", [Response(cut=True), Response(hang_up=True), Response(drip_s=0.002)])
def test_a_batch_whose_connection_breaks_or_crawls_is_read_whole(play: Play, how: Response) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        broken = [True]

        def fault(request: Request) -> Response | None:
            if not request.path.endswith("$batch") or not broken:
                return None
            broken.clear()
            how.body = b'{"responses": []}' + b" " * 99
            return how

        session.emulator.fault = fault
        assert len(await session.mailbox.read(ids, raw=True)) == len(ids) and not broken

    play(scenario)


TOLD: list[tuple[Response, str]] = [
    (EXPIRED, "needs_auth"),
    (NO_SCOPE, "needs_approval"),
    (error(403, "ErrorQuotaExceeded"), "provider"),
    (error(404, "MailboxNotEnabledForRESTAPI"), "needs_approval"),
    (error(404, "ErrorItemNotFound"), "not_found"),
    (throttled(), "rate_limited"),
    (throttled(3600), "rate_limited"),
    (throttled(7, 503), "rate_limited"),
    (error(400, "ErrorInvalidRequest"), "bad_argument"),
    (error(409, "ErrorIrresolvableConflict"), "bad_argument"),
    (error(412, "ErrorIrresolvableConflict"), "bad_argument"),
    (error(500, "InternalServerError"), "provider"),
    (BUSY, "provider"),
    (error(504, "Timeout"), "provider"),
    (Response(hang_up=True), "provider"),
    (Response(status=200, headers={"Content-Type": "application/json"}, body=b"<html>"), "provider"),
]


CASES = [
    pytest.param(tool, answer, kind, id=f"{tool} {answer.status} {kind}")
    for tool in ("search_emails", "archive_email")
    for answer, kind in TOLD
    if (tool, kind) != ("search_emails", "not_found")  # a folder that is gone by now is no failure
]


@pytest.mark.parametrize(("tool", "answer", "kind"), CASES)
def test_a_client_is_told_what_kind_of_failure_it_was(
    play: Play, tool: str, answer: Response, kind: str
) -> None:
    async def scenario(session: Session) -> None:
        (first, *_) = await find(session.mailbox, "")
        if tool == "search_emails":
            session.fail(answer, times=999)
        else:
            session.fail(answer, "POST", "/move", times=999)
        given: Json = {"query": "in:inbox"} if tool == "search_emails" else {"ids": [first]}
        data, text, failed = await session.call(tool, **given)
        assert failed and data["error"]["kind"] == kind, data
        assert text.startswith("Error: ") and "Traceback" not in text
        assert "AAMk" not in text and session.emulator.token not in text
        if kind == "rate_limited":
            assert data["error"]["retry_after_s"] > 0

    play(scenario)


def test_what_was_throttled_away_is_never_part_of_a_success(play: Play) -> None:
    """Of 50 changes, twenty at once, everything after the first twenty fails for good; they can be taken back."""

    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "", page=500)
        marked: set[str] = set()

        def fault(request: Request) -> Response | None:
            if request.method != "PATCH":
                return None
            if len(marked) < 20:
                marked.add(request.path)
                return None
            return throttled(900)

        session.emulator.fault = fault
        data, text, failed = await session.call(
            "batch_modify_emails", messageIds=ids, addLabelIds=["STARRED"]
        )
        session.heal()
        starred = set(await find(session.mailbox, "is:starred", page=500))
        assert not failed and len(starred) == 20 and set(data["ids"]) == starred
        assert {item["id"] for item in data["failed"]} == set(ids) - starred
        assert "asked less often" in data["failed"][0]["error"]
        assert "Successfully processed: 20 messages\nFailed to process: 30 messages" in text
        await session.call(data["undo"]["tool"], **data["undo"]["arguments"])
        assert await find(session.mailbox, "is:starred", page=500) == []

    play(scenario, 50)


def test_where_nothing_was_done_the_failure_is_an_error(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        session.fail(throttled(900), "POST", "/move", times=999)
        data, _, failed = await session.call("archive_email", ids=ids)
        assert failed and data["error"]["kind"] == "rate_limited"
        session.heal()
        assert len(await find(session.mailbox, "in:inbox")) == len(ids)

    play(scenario)


def test_of_few_messages_one_that_is_refused_is_named(play: Play) -> None:
    async def scenario(session: Session) -> None:
        ids = await find(session.mailbox, "")
        session.fail(error(412, "ErrorIrresolvableConflict"), "POST", "/move", skip=1)
        data, _, failed = await session.call("archive_email", ids=ids)
        assert not failed and len(data["ids"]) == len(ids) - 1
        assert "Said." in data["failed"][0]["error"]
        assert len(await find(session.mailbox, "in:inbox")) == 1

    play(scenario)
