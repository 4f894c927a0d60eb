"""How much one answer holds: long messages are cut, many large ones are named, and all can be had."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fastmcp import FastMCP

from gaia_email.mailbox.client import MailClient, open_mail
from gaia_email_registry.servers import InProcessServer
from gaia_mail_mcp.surface import amount
from gaia_mail_mcp.surface.server import create_server
from gaia_mail_mcp.surface.texts import MOST_OF_ONE
from tests.contract.memory import MemoryMailbox
from tests.contract.suite import write_message


def put(mailbox: MemoryMailbox, sizes: list[int]) -> list[str]:
    """Messages of one thread with bodies of so many characters."""
    ids: list[str] = []
    for number, size in enumerate(sizes):
        extra = (("References", "<first@example.org>"),)
        ids.append(mailbox.put(write_message(100 + number, body="x" * size, extra=extra)))
    return ids


def test_messages_that_do_not_fit_are_named_and_can_be_read_next(mailbox: Any, ask_once: Any) -> None:
    ids = put(mailbox, [300_000] * 9)
    answer = ask_once("read_emails", ids=["gone", *ids])
    found = answer.structured_content
    got = [email["id"] for email in found["emails"]]
    assert 0 < len(got) < 9 and found["missing"] == ["gone"]
    assert [*got, *found["left_out"]] == ids
    assert f"read them with read_emails: {found['left_out'][0]}" in answer.content[0].text
    assert len(answer.content[0].text) + sum(len(email["text"]) for email in found["emails"]) < 2_000_000
    rest = ask_once("read_emails", ids=found["left_out"]).structured_content["emails"]
    assert rest[0]["id"] == found["left_out"][0]


def test_a_long_message_is_cut_and_says_how_to_get_the_rest(mailbox: Any, ask_once: Any) -> None:
    (message_id,) = put(mailbox, [MOST_OF_ONE + 5])
    for name, arguments in (
        ("read_email", {"messageId": message_id}),
        ("read_emails", {"ids": [message_id]}),
    ):
        answer = ask_once(name, **arguments)
        email = answer.structured_content if name == "read_email" else answer.structured_content["emails"][0]
        assert len(email["text"]) == MOST_OF_ONE and email["cut"] == ["text"]
        assert answer.content[0].text.endswith("read_emails with format raw gives all of it.]")
    whole = ask_once("read_emails", ids=[message_id], format="raw").structured_content["emails"][0]
    assert base64.urlsafe_b64decode(whole["raw"]).count(b"x") > MOST_OF_ONE
    short = ask_once("read_email", messageId="m1").structured_content
    assert "cut" not in short


def test_endless_headers_are_cut_too(mailbox: Any, ask_once: Any) -> None:
    many = tuple((f"X-Filler-{number}", "y" * 900) for number in range(500))
    message_id = mailbox.put(write_message(7, extra=many))
    headers = ask_once("read_email", messageId=message_id).structured_content["headers"]
    assert sum(len(value) for values in headers.values() for value in values) < MOST_OF_ONE
    assert "from" in {name.lower() for name in headers}


def test_of_a_long_thread_the_newest_are_shown_oldest_first(mailbox: Any, ask_once: Any) -> None:
    ids = put(mailbox, [300_000] * 6)
    thread_id = ask_once("read_emails", ids=ids[:1], format="summary").structured_content["emails"][0][
        "thread_id"
    ]
    found = ask_once("get_thread", thread_id=thread_id).structured_content
    got = [email["id"] for email in found["emails"]]
    assert got[-1] == ids[-1] and found["left_out"]
    assert [*found["left_out"], *got] == ids


def test_summaries_are_bounded_by_their_number(
    mailbox: Any, ask_once: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_mail_mcp.surface.reading.MOST_SUMMARIES", 2)
    found = ask_once("read_emails", ids=["m1", "m2", "m3"], format="summary").structured_content
    assert [email["id"] for email in found["emails"]] == ["m1", "m2"]
    assert (found["missing"], found["left_out"]) == ([], ["m3"])


def test_one_message_larger_than_an_answer_is_given_alone(
    mailbox: Any, ask_once: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_mail_mcp.surface.reading.MOST_RAW", 50_000)
    ids = put(mailbox, [100, 200_000, 100])
    left: list[str] = ids
    seen: list[str] = []
    while left:
        found = ask_once("read_emails", ids=left, format="raw").structured_content
        seen += [email["id"] for email in found["emails"]]
        left = found.get("left_out", [])
    assert seen == ids


def test_the_agent_asks_until_it_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_mail_mcp.surface.reading.MOST_RAW", 50_000)
    mailbox = MemoryMailbox("me@example.org")
    ids = put(mailbox, [20_000] * 12)

    def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
        return lambda options: create_server(mailbox)

    monkeypatch.setattr("gaia_email.mailbox.tool_calls._opener", opener)

    async def main() -> list[str]:
        async def read(mail: MailClient) -> list[str]:
            return [email["id"] for email in (await mail.read_emails(ids))["emails"]]

        async with open_mail(InProcessServer(provider="any")) as mail:
            return await read(mail)

    assert asyncio.run(main()) == ids


def test_what_is_read_at_once_is_bounded_by_what_came_before() -> None:
    asked: list[int] = []

    class Watched(MemoryMailbox):
        async def read(self, ids: Any, *, raw: bool, most: int | None = None) -> Any:
            asked.append(len(ids))
            return await super().read(ids, raw=raw, most=most)

    mailbox = Watched("me@example.org")
    ids = put(mailbox, [4_000_000] * 50 + [10] * 60)
    items, left = asyncio.run(amount.read_within(mailbox, ids, lambda stored: (stored, 1), 1_000))
    assert len(items) == 110 and not left
    assert asked[0] == 50 and asked[1] < 20
