"""An obedient client of the agent's server moves no thread but the one named, and none without a person's yes.

A thread is moved when its file goes elsewhere or is marked, and when it stands in another bucket than before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.app import App
from gaia_email.app.services.reading import read_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import Selection, open_ledger
from gaia_mail.files.location import short_id
from gaia_mail.files.maildir import parse_name
from tests.agent_server.conftest import Assistant, Json, Person, talk


def calls(message_id: str, item_id: str) -> Mapping[str, Json]:
    """A call of every tool but the triage, about that message or about what waits; those that need no yes last."""
    about: Json = {"id": message_id}
    return {
        "daily_brief": {},
        "daily_summary": {},
        "classify_email": about,
        "summarize_thread": about,
        "draft_reply": {**about, "save": True},
        "extract": about,
        "search_mail": {"query": "invoice"},
        "propose_automation": {"sentence": "when an invoice arrives, label it Invoices"},
        "why": about,
        "correct": {**about, "bucket": "low_priority"},
        "list_pending": {},
        "approve": {"id": item_id},
        "reject": {"id": item_id},
        "undo": {},
        "get_policy": {},
        "set_policy": {"cohort": "newsletters", "level": 0},
        "pause": {},
        "resume": {},
    }


@pytest.fixture
def small(sample: SourceSpec) -> SourceSpec:
    """Every sixth message of the sample mailbox, which is enough for all that follows, and sooner done."""
    for number, path in enumerate(sorted(Path(sample.mailbox.path).glob("cur/*"))):
        if number % 6:
            path.unlink()
    return sample


Places = dict[str, tuple[str, str]]


def places(source: SourceSpec) -> Places:
    """Folder and flags of each message, by its id."""
    root = Path(source.mailbox.path)
    return {
        short_id(parse_name(path.name)[0]): (
            str(path.parent.parent.relative_to(root)),
            parse_name(path.name)[1],
        )
        for path in root.rglob("*")
        if path.is_file() and path.parent.name in ("cur", "new")
    }


def moved(before: Places, source: SourceSpec) -> set[str]:
    """Ids of what is elsewhere or otherwise marked than before."""
    after = places(source)
    return {message_id for message_id, place in before.items() if after.get(message_id) != place}


def buckets(source: SourceSpec) -> dict[str, str]:
    """Where each thread stands, by the id of its message."""
    inbox = read_inbox(App(), source)
    return {item.summary["id"]: bucket for bucket, items in inbox.buckets.items() for item in items}


def acted_on() -> set[str]:
    """The ids of the messages on which an action stands."""
    with open_ledger() as ledger, ledger.read() as tx:
        actions = ledger.actions.select(tx, Selection(states=("applied",), types=BY_TRIAGE))
        return {one.message_id for one in actions}


def test_without_a_yes_no_tool_moves_anything(small: SourceSpec) -> None:
    where, sorted_as, person = places(small), buckets(small), Person(says=False)

    async def scenario(assistant: Assistant) -> None:
        await assistant.data("triage_inbox", apply=True, limit=1)
        assert len(person.asked) == 1 and not moved(where, small)
        person.says = True  # from here on it does by itself what the levels allow
        assert (await assistant.data("triage_inbox", apply=True, limit=1))["run"]["done"]
        done, there = acted_on(), places(small)
        assert moved(where, small) == done
        person.says, person.asked = False, []
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]["id"]
        waiting = await assistant.data("list_pending")
        tools = await assistant.client.list_tools()
        plain = {tool.name: Json() for tool in tools if not tool.input_schema.get("required")}
        ways = {**plain, "triage_inbox": {"limit": 1}, **calls(first, waiting["items"][0]["id"])}
        assert set(ways) == {tool.name for tool in tools}
        for tool, arguments in ways.items():
            await assistant.call(tool, **arguments)
            assert not moved(there, small), tool
        assert acted_on() == done
        proposed = 1  # what is proposed waits, and is saved by nobody else
        assert (await assistant.data("list_pending"))["total"] == waiting["total"] + proposed
        assert len(person.asked) == len({"draft_reply", "correct", "approve", "reject", "undo", "resume"})

    talk(small, scenario, person=person)
    assert buckets(small).items() <= sorted_as.items()


def test_a_yes_moves_the_thread_that_was_named_and_no_other(small: SourceSpec) -> None:
    async def scenario(assistant: Assistant) -> None:
        await assistant.data("triage_inbox", apply=True, limit=1)
        first = (await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]["id"]
        where = places(small)
        assert (await assistant.data("draft_reply", id=first, save=True))["saved"]
        assert (await assistant.data("correct", id=first, bucket="actionable"))["bucket"] == "actionable"
        questions = [
            one for one in (await assistant.data("list_pending"))["items"] if one["type"] == "question"
        ]
        assert (await assistant.data("reject", id=questions[0]["id"]))["result"] == "rejected"
        assert not moved(where, small)
        approved = await assistant.data("approve", id=questions[1]["id"])
        assert approved["result"] == "approved"
        named = {one["id"] for one in questions[1]["messages"]}
        assert moved(where, small) == named
        back = await assistant.data("undo", id=approved["actions"][0])
        assert back["taken_back"] == approved["actions"]
        assert not moved(where, small)

    talk(small, scenario, person=Person())


def test_a_correction_with_a_yes_sorts_no_other_thread_anew(small: SourceSpec) -> None:
    person, where, sorted_as = Person(), places(small), buckets(small)
    corrected: list[str] = []

    async def scenario(assistant: Assistant) -> None:
        corrected.append((await assistant.data("triage_inbox", limit=1))["buckets"]["urgent"][0]["id"])
        await assistant.data("correct", id=corrected[0], bucket="low_priority")
        assert "what resembles it follows once two of your answers agree" in person.asked[0]

    talk(small, scenario, person=person)
    assert not moved(where, small)
    now = buckets(small)
    assert {id_ for id_, bucket in sorted_as.items() if now[id_] != bucket} == set(corrected)
