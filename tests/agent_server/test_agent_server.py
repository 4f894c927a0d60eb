"""`gaia-email-mcp`: what it lists, what it reads, and that a model's call is never the user's word."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.app import App
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.choosing import connected_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.mcp.server import create_agent_server
from gaia_email.ledger import Selection, open_ledger
from gaia_email.ledger.policy_store import load_policy
from gaia_email_registry.approvals import Approvals
from gaia_email_registry.paths import approvals_file
from tests.agent_server.conftest import Assistant, Mode, Person, talk
from tests.plugins.bundled import is_installed

DERIVED = {tool.name or one.name: one.risk for one in OPERATIONS.values() for tool in one.tools}
READING = {
    *("daily_summary", "list_pending"),
    *(name for name, risk in DERIVED.items() if risk == "read"),
}
TOOLS = {
    *("triage_inbox", "draft_reply", "correct", "approve", "reject", "undo", "set_policy", "resume"),
    *(("propose_automation",) if is_installed("automations") else ()),
    *(*READING, *DERIVED),
}
CEILING = 16_000
MODES: tuple[Mode, ...] = ("auto", "legacy")


def drafts_in(source: SourceSpec) -> int:
    return sum(1 for _ in Path(source.mailbox.path).rglob("*Draft*/*/*"))


def done() -> int:
    with open_ledger() as ledger, ledger.read() as tx:
        return len(ledger.actions.select(tx, Selection(states=("applied",), types=BY_TRIAGE)))


def test_it_lists_exactly_its_tools_in_at_most_16_kilobytes(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        tools = await assistant.client.list_tools()
        assert {tool.name for tool in tools} == TOOLS
        listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        assert len(json.dumps(listed).encode()) <= CEILING

    talk(sample, scenario)


def test_no_tool_takes_a_choice_of_schemas_that_strict_clients_refuse(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        for tool in await assistant.client.list_tools():
            told = json.dumps(tool.input_schema)
            assert "anyOf" not in told and "oneOf" not in told, tool.name
            assert tool.input_schema["type"] == "object"

    talk(sample, scenario)


def test_annotations_say_what_reads_and_what_needs_the_user(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        known = {tool.name: tool.annotations for tool in await assistant.client.list_tools()}
        reading = {name for name, hints in known.items() if hints is not None and hints.read_only_hint}
        destructive = {name for name, hints in known.items() if hints is not None and hints.destructive_hint}
        assert reading == READING
        assert destructive == {
            "approve",
            "set_policy",
            "resume",
        }

    talk(sample, scenario)


def test_read_only_lists_nothing_that_changes_anything(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        assert {tool.name for tool in await assistant.client.list_tools()} == READING

    talk(sample, scenario, read_only=True)


def test_without_a_mailbox_it_lists_its_tools_and_the_first_answer_says_how_to_connect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))

    async def main() -> None:
        server = create_agent_server(App(), lambda: connected_source(None, {"GAIA_HOME": str(tmp_path)}))
        async with Client(server) as client:
            assert len(await client.list_tools()) == len(TOOLS)
            called = await Assistant(client).call("triage_inbox")
            assert called.is_error
            assert "gaia email connect" in called.text

    asyncio.run(asyncio.wait_for(main(), 50))


def test_triage_counts_every_thread_and_shows_at_most_what_was_asked_for(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        inbox = await assistant.data("triage_inbox", limit=2)
        buckets, counts = inbox["buckets"], inbox["counts"]
        assert all(len(rows) <= 2 for rows in buckets.values())
        assert sum(counts[name] for name in buckets) == counts["threads"]
        assert inbox["shown"] == sum(map(len, buckets.values())) < counts["threads"]
        assert buckets["urgent"][0]["reason"]
        assert done() == 0

    talk(sample, scenario)


def test_every_tool_about_a_message_answers_about_that_message(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        inbox = await assistant.data("triage_inbox", limit=1)
        first = inbox["buckets"]["urgent"][0]
        for tool in ("classify_email", "why", "extract", "draft_reply"):
            assert (await assistant.data(tool, id=first["id"]))["id"] == first["id"]
        why = await assistant.data("why", id=first["id"])
        assert why["bucket"] == "urgent"
        assert why["priority"]["signals"]
        thread = await assistant.data("summarize_thread", id=first["id"])
        assert first["id"] in [message["id"] for message in thread["messages"]]
        assert thread["read"] == len(thread["messages"]) == thread["total"]

    talk(sample, scenario)


def test_a_search_says_how_many_match_and_how_much_was_searched(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        found = await assistant.data("search_mail", query="invoice", limit=2)
        assert len(found["hits"]) == 2
        assert found["total"] > 2
        assert found["searched"] > found["total"]
        nothing = await assistant.data("search_mail", query="zyzzyva")
        assert (nothing["total"], nothing["hits"]) == (0, [])

    talk(sample, scenario)


def test_an_unknown_message_is_a_sentence_and_not_a_traceback(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        called = await assistant.call("why", id="nosuchmessage")
        assert called.is_error
        assert "nosuchmessage" in called.text
        assert "Traceback" not in called.text

    talk(sample, scenario)


@pytest.mark.parametrize("mode", MODES)
def test_the_first_triage_that_acts_is_asked_about_done_and_undone(sample: SourceSpec, mode: Mode) -> None:
    person = Person()

    async def scenario(assistant: Assistant) -> None:
        run = (await assistant.data("triage_inbox", apply=True, limit=1))["run"]
        assert "first triage" in person.asked[0]
        assert run["done"] == done() > 0
        back = await assistant.data("undo", id=run["id"])
        assert len(back["taken_back"]) == run["done"]
        assert back["kept"] == []

    talk(sample, scenario, person=person, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_without_a_person_to_ask_no_tool_does_what_needs_one(sample: SourceSpec, mode: Mode) -> None:
    async def scenario(assistant: Assistant) -> None:
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]["id"]
        for tool, arguments in (
            ("triage_inbox", {"apply": True}),
            ("draft_reply", {"id": first, "save": True}),
            ("correct", {"id": first, "bucket": "low_priority"}),
            ("set_policy", {"cohort": "cross_org", "level": 5}),
            ("resume", {}),
        ):
            answered = await assistant.data(tool, **arguments)
            assert answered["waits"] is True
            assert answered["done"] is False
            assert "Agent Inbox" in answered["message"]
            assert "gaia email" not in answered["message"]
        assert done() == 0
        assert (await assistant.data("classify_email", id=first))["bucket"] == "urgent"
        assert drafts_in(sample) == 0
        assert load_policy(environ=os.environ).policy_version == 0

    talk(sample, scenario, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_approve_by_a_model_is_no_approval(sample: SourceSpec, mode: Mode) -> None:
    async def raise_items(assistant: Assistant) -> None:
        await assistant.data("triage_inbox", apply=True)

    talk(sample, raise_items, person=Person())
    before = done()

    async def alone(assistant: Assistant) -> None:
        waiting = await assistant.data("list_pending")
        answered = await assistant.data("approve", id=waiting["items"][0]["id"])
        assert answered["waits"] is True
        assert waiting["items"][0]["id"][:8] not in str(answered)
        assert "gaia email" not in str(answered)
        refusal = await assistant.data("reject", id=waiting["items"][0]["id"])
        assert refusal["waits"] is True
        assert (await assistant.data("list_pending"))["total"] == waiting["total"]

    talk(sample, alone, mode=mode)
    refusing = Person(says=False)

    async def refused(assistant: Assistant) -> None:
        item = (await assistant.data("list_pending"))["items"][0]
        answered = await assistant.data("approve", id=item["id"])
        assert answered["done"] is False
        assert item["messages"][0]["from"] in refusing.asked[0]

    talk(sample, refused, person=refusing, mode=mode)
    assert done() == before


def test_a_person_s_yes_does_what_was_shown_once(sample: SourceSpec) -> None:
    person = Person()

    async def scenario(assistant: Assistant) -> None:
        await assistant.data("triage_inbox", apply=True)
        waiting = await assistant.data("list_pending")
        item = next(one for one in waiting["items"] if one["type"] == "question")
        first = await assistant.data("approve", id=item["id"])
        assert first["result"] == "approved"
        assert len(first["actions"]) == 1
        again = await assistant.data("approve", id=item["id"])
        assert again["counts"] is False
        assert again["actions"] == []

    talk(sample, scenario, person=person)


def test_a_rejected_item_waits_no_more(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        await assistant.data("triage_inbox", apply=True)
        waiting = await assistant.data("list_pending")
        assert (await assistant.data("reject", id=waiting["items"][0]["id"]))["result"] == "rejected"
        assert (await assistant.data("list_pending"))["total"] == waiting["total"] - 1

    talk(sample, scenario, person=Person())


def test_a_lower_level_is_set_at_once_and_a_higher_one_only_on_a_yes(sample: SourceSpec) -> None:
    person = Person(says=False)

    async def scenario(assistant: Assistant) -> None:
        assert (await assistant.data("set_policy", cohort="newsletters", level=1))["done"] is True
        assert person.asked == []
        assert (await assistant.data("set_policy", cohort="newsletters", level=5))["done"] is False
        assert len(person.asked) == 1
        assert load_policy(environ=os.environ).policy.cohort("newsletters").level == 1

    talk(sample, scenario, person=person)


def test_a_model_may_pause_and_only_the_user_resumes(sample: SourceSpec) -> None:
    person = Person(says=False)

    async def scenario(assistant: Assistant) -> None:
        await assistant.data("pause")
        await assistant.data("resume")
        assert load_policy(environ=os.environ).switches.paused_at is not None
        person.says = True
        await assistant.data("resume")
        assert load_policy(environ=os.environ).switches.paused_at is None

    talk(sample, scenario, person=person)


def test_a_draft_is_kept_on_a_yes_to_its_text_and_goes_to_nobody(sample: SourceSpec) -> None:
    person = Person()

    async def scenario(assistant: Assistant) -> None:
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]
        made = await assistant.data("draft_reply", id=first["id"], save=True)
        assert made["saved"] is True
        assert made["body"] in person.asked[0]
        assert first["from"]["address"] in person.asked[0]

    talk(sample, scenario, person=person)
    assert drafts_in(sample) == 1


def test_undo_passes_over_a_draft_and_takes_back_what_was_done_before(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        inbox = await assistant.data("triage_inbox", apply=True, limit=1)
        made = await assistant.data("draft_reply", id=inbox["buckets"]["urgent"][0]["id"], save=True)
        assert len((await assistant.data("undo"))["taken_back"]) == inbox["run"]["done"]
        assert "delete it" in (await assistant.data("undo", id=made["action"]))["kept"][0]["reason"]

    talk(sample, scenario, person=Person())


def test_a_model_s_promise_is_refused(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]
        called = await assistant.call("draft_reply", id=first["id"], say="I agree, we will pay tomorrow.")
        assert called.is_error
        assert "promises" in called.text

    talk(sample, scenario)


def test_without_a_person_to_ask_nothing_is_taken_back(sample: SourceSpec) -> None:
    async def act(assistant: Assistant) -> None:
        await assistant.data("triage_inbox", apply=True, limit=1)

    talk(sample, act, person=Person())
    before = done()

    async def alone(assistant: Assistant) -> None:
        assert (await assistant.data("undo"))["waits"] is True
        assert done() == before > 0
        (asked,) = Approvals(approvals_file(os.environ)).waiting()
        assert asked.asked.tool == "undo" and "Take back" in asked.asked.shown
        assert Approvals(approvals_file(os.environ)).answer(asked.approval_id, "granted", by="cli")
        assert len((await assistant.data("undo"))["taken_back"]) == before
        assert done() == 0

    talk(sample, alone)


@pytest.mark.parametrize("mode", MODES)
def test_a_correction_that_the_person_refuses_teaches_nothing(sample: SourceSpec, mode: Mode) -> None:
    person = Person(says=False)

    async def scenario(assistant: Assistant) -> None:
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]
        said = await assistant.data("correct", id=first["id"], bucket="low_priority")
        assert said["done"] is False
        assert first["from"]["address"] in person.asked[0]
        assert "low_priority" in person.asked[0]
        assert (await assistant.data("classify_email", id=first["id"]))["bucket"] == "urgent"
        assert load_policy(environ=os.environ).owners is None

    talk(sample, scenario, person=person, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_ten_corrections_by_a_model_without_a_person_move_nothing(sample: SourceSpec, mode: Mode) -> None:
    async def scenario(assistant: Assistant) -> None:
        before = await placed(assistant)
        for message in list(before)[:10]:
            answered = await assistant.data("correct", id=message, bucket="low_priority")
            assert answered["waits"] is True
        assert await placed(assistant) == before
        assert load_policy(environ=os.environ).owners is None

    talk(sample, scenario, mode=mode)


def test_ten_corrections_after_a_yes_move_only_what_two_of_them_agree_on(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        before = await placed(assistant)
        senders: dict[str, str] = {}
        for message, row in before.items():
            if row["bucket"] != "low_priority":
                senders.setdefault(row["from"]["address"], message)
        named = list(senders.values())[:10]
        for message in named:
            said = await assistant.data("correct", id=message, bucket="low_priority")
            assert said["bucket"] == "low_priority"
        after = await placed(assistant)
        moved = [
            message
            for message, row in before.items()
            if message not in named and after[message]["bucket"] != row["bucket"]
        ]
        assert all(before[message]["bucket"] != "urgent" for message in moved)
        for message in moved:
            reason = after[message]["reason"]
            assert re.match("Because you corrected (?!one ).+ like it: ", reason), reason

    talk(sample, scenario, person=Person())


async def placed(assistant: Assistant) -> dict[str, Any]:
    """The rows of the inbox by message, each with its bucket."""
    buckets = (await assistant.data("triage_inbox", limit=100))["buckets"]
    return {row["id"]: {**row, "bucket": name} for name, rows in buckets.items() for row in rows}


def test_a_correction_moves_the_message_after_a_yes(sample: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]["id"]
        said = await assistant.data("correct", id=first, bucket="low_priority")
        assert (said["was"], said["bucket"]) == ("urgent", "low_priority")
        assert (await assistant.data("classify_email", id=first))["bucket"] == "low_priority"

    talk(sample, scenario, person=Person())


def test_a_damaged_file_of_questions_is_a_sentence_for_every_tool_that_needs_it(sample: SourceSpec) -> None:
    open_ledger().close()
    approvals_file(os.environ).write_bytes(b"garbage " * 500)

    async def scenario(assistant: Assistant) -> None:
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]["id"]
        for tool, arguments in (
            ("list_pending", {}),
            ("daily_summary", {}),
            ("correct", {"id": first, "bucket": "low_priority"}),
            ("resume", {}),
        ):
            called = await assistant.call(tool, **arguments)
            assert called.is_error and "delete approvals.db" in called.text, tool

    talk(sample, scenario)
