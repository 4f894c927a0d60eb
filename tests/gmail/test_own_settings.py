"""What the account says about itself, over the emulated Gmail: senders, automatic answer, lists, how much it holds."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from gaia_mail_mcp.web.http import HttpClient
from tests.contract.suite import Seed, find, many, write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import EmulatedMailbox, open_emulated
from tests.one_click.support import GOOD, Server

NEW_MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}

Call = Callable[..., Awaitable[Any]]
Scenario = Callable[[EmulatedMailbox, Call], Awaitable[None]]
Play = Callable[..., None]


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    """Runs a scenario with a server on an emulated account; destructive tools are not asked about."""

    def play(scenario: Scenario, seeds: list[Seed] | None = None) -> None:
        async def main() -> None:
            mailbox = await open_emulated(Emulator(), tmp_path, many(3) if seeds is None else seeds)
            mailbox.emulator.forget_requests()
            async with Client(create_server(mailbox, SurfaceSettings(approval=CALLER))) as client:

                async def call(tool: str, **arguments: object) -> Any:
                    found = await client.call_tool(tool, arguments, raise_on_error=False)
                    return found.structured_content

                await asyncio.wait_for(_awaited(scenario(mailbox, call)), 20)

        asyncio.run(main())

    return play


async def _awaited(result: Awaitable[None]) -> None:
    await result


def sent(mailbox: EmulatedMailbox) -> Any:
    """What left last."""
    return parse_message(mailbox.emulator.account.sent[-1].raw)


def test_mail_goes_out_under_the_name_and_signature_that_gmail_keeps(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        await call("send_email", **NEW_MAIL, signature=True)
        assert (sent(mailbox).sender.name, sent(mailbox).sender.address) == ("Me Example", "me@example.org")
        assert sent(mailbox).text.split("-- \n")[-1].split() == ["Me", "Example", "Ltd."]
        await call("send_email", **NEW_MAIL, **{"from": "sales@example.org"})
        assert (sent(mailbox).sender.name, sent(mailbox).sender.address) == ("Sales", "sales@example.org")
        assert mailbox.emulator.calls == {"settings.sendAs.list": 1, "messages.send": 2}

    play(scenario)


def test_an_address_that_is_not_verified_yet_is_no_sender(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        mailbox.emulator.gmail.settings.send_as[1]["verificationStatus"] = "pending"
        found = await call("list_send_as")
        assert [item["address"] for item in found["addresses"]] == ["me@example.org"]
        failed = await call("send_email", **NEW_MAIL, **{"from": "sales@example.org"})
        assert failed["error"]["argument"] == "from"
        assert not mailbox.emulator.account.sent

    play(scenario)


def test_the_default_sender_is_the_one_that_gmail_takes(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        me, sales = mailbox.emulator.gmail.settings.send_as
        me["isDefault"], sales["isDefault"] = False, True
        await call("draft_email", **NEW_MAIL)
        found = await call("list_send_as")
        assert [(item["address"], item["default"]) for item in found["addresses"]] == [
            ("sales@example.org", True),
            ("me@example.org", False),
        ]
        (draft,) = await mailbox.drafts(limit=9)
        (stored,) = await mailbox.read([draft.message_id], raw=True)
        sender = parse_message(stored.raw or b"").sender
        assert sender is not None and sender.address == "sales@example.org"

    play(scenario)


def test_the_automatic_answer_is_changed_and_taken_back(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        settings = mailbox.emulator.gmail.settings
        before = await call("get_vacation")
        answer = await call(
            "set_vacation",
            enabled=True,
            subject="Away",
            body="Back on Monday.",
            start="2030-01-01T08:00:00+02:00",
            contacts_only=True,
        )
        assert settings.vacation["startTime"] == "1893477600000"
        assert "endTime" not in settings.vacation
        assert settings.vacation["restrictToContacts"] is True
        assert answer["vacation"]["start"] == "2030-01-01T06:00:00+00:00"
        assert await call("get_vacation") == {"vacation": answer["vacation"]}
        await call(answer["undo"]["tool"], **answer["undo"]["arguments"])
        assert await call("get_vacation") == before

    play(scenario)


def test_a_list_is_left_with_the_signature_that_google_found_good(play: Play, tmp_path: Path) -> None:
    seed = Seed(raw=GOOD.replace("\n", "\r\n").encode())

    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        (message,) = await find(mailbox, "from:list.example")
        server = Server()
        log = tmp_path / "left.jsonl"
        async with server.listening(log=log) as one_click:
            mailbox.gmail.one_click = one_click
            answer = await call("unsubscribe", message_id=message)
        assert (answer["host"], answer["status"], answer["ids"]) == ("list.example", 200, [message])
        assert "undo" not in answer
        assert len(server.asked) == 1
        assert '"outcome": "200"' in log.read_text()
        missing = await call("unsubscribe", message_id="0123456789abcdef")
        assert missing["error"]["kind"] == "not_found"

    play(scenario, [seed])


def test_what_google_did_not_vouch_for_is_not_left(play: Play) -> None:
    forged = GOOD.replace("Authentication-Results: mx.google.com", "Authentication-Results: mx.evil.example")

    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        (message,) = await find(mailbox, "from:list.example")
        answer = await call("unsubscribe", message_id=message)
        assert answer["error"]["kind"] == "bad_argument"
        assert "not proven" in answer["error"]["message"]

    play(scenario, [Seed(raw=forged.replace("\n", "\r\n").encode())])


def test_gmail_takes_no_phishing_reports_and_says_so(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        assert Capability.REPORT_PHISHING not in mailbox.capabilities
        (first, *_) = await find(mailbox, "")
        answer = await call("report_spam", ids=[first], phishing=True)
        assert (answer["phishing"], answer["ids"]) == (False, [first])
        assert await find(mailbox, "in:spam") == [first]

    play(scenario)


def test_the_status_says_what_the_mailbox_holds_and_what_was_used(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        status = await call("server_status")
        assert status["account"] == "me@example.org"
        assert status["holds"] == {"messages": 3, "threads": 3}
        assert status["quota"]["limit"] == 4500
        assert mailbox.emulator.calls == {"getProfile": 1}

    play(scenario)


def test_a_filter_is_tried_by_a_search_and_not_made(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        answer = await call(
            "create_filter",
            criteria={"from": "pat@example.com"},
            action={"removeLabelIds": ["INBOX"]},
            dryRun=True,
        )
        assert (answer["matches"], answer["exact"], answer["ids"]) == (700, True, [])
        assert mailbox.emulator.calls["messages.list"] == 2
        assert "settings.filters.create" not in mailbox.emulator.calls
        assert (await call("list_filters"))["filters"] == []

    play(scenario, many(700))


def test_a_batch_whose_answer_is_too_large_is_asked_for_in_parts(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        ids = await find(mailbox, "")
        await mailbox.gmail.shared.client.http.aclose()
        mailbox.gmail.shared.client.http = HttpClient("Google", most=60_000)
        answer = await call("read_emails", ids=ids, format="raw")
        assert [email["id"] for email in answer["emails"]] == ids
        bodies = [base64.urlsafe_b64decode(email["raw"]) for email in answer["emails"]]
        assert all(len(body) > 20_000 for body in bodies)

    play(scenario, [Seed(raw=write_message(number, body="x" * 20_000)) for number in range(8)])


def test_a_single_answer_that_is_too_large_is_refused_with_its_reason(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, call: Call) -> None:
        ids = await find(mailbox, "")
        await mailbox.gmail.shared.client.http.aclose()
        mailbox.gmail.shared.client.http = HttpClient("Google", most=10_000)
        for wanted in (ids[:1], ids):
            answer = await call("read_emails", ids=wanted, format="raw")
            assert answer["error"]["kind"] == "provider"
            assert "ask for fewer messages" in answer["error"]["message"]

    play(scenario, [Seed(raw=write_message(number, body="x" * 20_000)) for number in range(2)])
