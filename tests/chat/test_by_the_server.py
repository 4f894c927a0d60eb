"""The conversations again through `gaia-email-mcp`: its tools say of the same request what the terminal says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from tests.agent_server.conftest import Assistant
from tests.agent_server.conftest import talk as with_server
from tests.chat.test_conversations import CONVERSATIONS, COVERING, Json, Talk
from tests.plugins.bundled import is_installed

Compare = Callable[[Assistant, Json, Json], Awaitable[None]]


async def same_bucket(client: Assistant, args: Json, data: Json) -> None:
    found = await client.data("triage_inbox", limit=100)
    assert found["counts"][args["bucket"]] == data["total"]
    rows = found["buckets"][args["bucket"]][args["start"] : args["start"] + 5]
    assert [row["id"] for row in rows] == [row["id"] for row in data["rows"]]
    assert [row["reason"] for row in rows] == [row["reason"] for row in data["rows"]]


async def same_day(client: Assistant, args: Json, data: Json) -> None:
    counts = (await client.data("daily_summary"))["counts"]
    assert {key: data[key] for key in counts} == counts


async def same_brief(client: Assistant, args: Json, data: Json) -> None:
    told = await client.data("daily_brief", evening=args["kind"] == "evening")
    parts = dict(
        line["text"].split(": ", 1)
        for group in data["groups"]
        for line in group["lines"]
        if ": " in line["text"]
    )
    for name in ("owe", "owed"):
        part = parts["You owe" if name == "owe" else "They owe"]
        assert part.split(",")[0] == str(told[f"{name}_total"])


async def same_search(client: Assistant, args: Json, data: Json) -> None:
    found = await client.data("search_mail", query=args["query"], limit=100)
    for key in ("total", "total_is_exact", "searched", "headers_only"):
        assert found[key] == data[key]
    shown = [hit["id"] for hit in found["hits"][args["start"] :]]
    assert [row["id"] for row in data["rows"]] == shown[: len(data["rows"])]


async def same_why(client: Assistant, args: Json, data: Json) -> None:
    found = await client.data("why", id=args["id"])
    assert (found["bucket"], found["warnings"]) == (data["bucket"], data["warnings"])
    assert found["priority"]["reason"] == data["reason"]
    names = [one["name"] for one in found["priority"]["signals"]]
    assert names == [one["name"] for one in data["signals"]] != []


async def same_thread(client: Assistant, args: Json, data: Json) -> None:
    found = await client.data("summarize_thread", id=args["id"])
    assert (found["total"], found["last_word"]) == (data["total"], data["last_word"])
    assert [row["id"] for row in found["messages"]] == [row["id"] for row in data["messages"]]


async def same_draft(client: Assistant, args: Json, data: Json) -> None:
    found = await client.data("draft_reply", id=args["id"], say=args["say"])
    assert found["body"] == data["body"]


async def same_message(client: Assistant, args: Json, data: Json) -> None:
    found = await client.data("classify_email", id=args["id"])
    for key in ("id", "from", "subject", "bucket", "warnings"):
        assert found[key] == data[key]


SAME: dict[str, Compare] = {
    "triage_inbox": same_bucket,
    "daily_summary": same_day,
    "daily_brief": same_brief,
    "search_mail": same_search,
    "why": same_why,
    "summarize_thread": same_thread,
    "draft_reply": same_draft,
    "show_email": same_message,
}
ONLY_IN_A_CONVERSATION = {
    "newest_from", "exchange", "archive", "undo", "reply_by_template", "remember", "remembered", "forget",
    *(("propose",) if is_installed("automations") else ()),
}  # fmt: skip


@pytest.fixture(scope="module")
def sample() -> Iterator[SourceSpec]:
    with sample_source(App()) as (_, source):
        yield source


def test_every_tool_of_a_conversation_is_compared_or_is_none_of_the_servers() -> None:
    called = {tool for script in CONVERSATIONS.values() for _, calls, _ in script for tool in calls}
    assert called == set(SAME) | ONLY_IN_A_CONVERSATION


@pytest.mark.parametrize("name", COVERING)
def test_the_server_answers_as_the_conversation_does(name: str, sample: SourceSpec) -> None:
    talk = Talk(sample)
    results: list[tuple[str, Json, Json]] = []
    for line, _, _ in CONVERSATIONS[name]:
        events = talk.say(line).events
        asked: Any = [event for event in events if event["type"] == "tool_call"]
        told: Any = [event for event in events if event["type"] == "tool_result"]
        results += [
            (call["tool"], call["args"], result["data"]) for call, result in zip(asked, told, strict=False)
        ]

    async def scenario(client: Assistant) -> None:
        for tool, args, data in results:
            if tool in SAME:
                await asyncio.wait_for(SAME[tool](client, args, data), 30)

    with_server(sample, scenario)
