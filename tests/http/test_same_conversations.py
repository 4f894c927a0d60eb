"""A conversation over HTTP is the one in the terminal: the same events, field by field."""

from __future__ import annotations

import json
import re
import uuid

import pytest

from gaia_email.app.documents.cards.generic import generic_card
from tests.chat.test_conversations import CONVERSATIONS, COVERING, LAST, Json
from tests.chat.test_conversations import Talk as TerminalTalk
from tests.http.conftest import Sample

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def comparable(value: object) -> object:
    """Without what is new at each run: ids that were made meanwhile, and the beginnings of them."""
    return json.loads(UUID.sub("ID", json.dumps(value)))


def as_told_here(event: Json, run_id: str) -> Json:
    """The event of a stream as a terminal has it; what a stream adds is as it has to be."""
    told = {name: value for name, value in event.items() if name != "event"}
    if told["type"] == "tool_result":
        assert told.pop("generic") == generic_card(told["data"])
    if told["type"] == "needs_input":
        assert told.pop("run_id") == run_id
        assert told.pop("respond_url") == f"/v1/email/query/{run_id}/respond"
        assert told.pop("timeout_seconds") > 0
    return told


def over_http(sample: Sample, lines: list[str]) -> list[Json]:
    """The events of a conversation by a person; a question is answered by the line after it."""
    session, left, events = str(uuid.uuid4()), list(lines), list[Json]()
    while left:
        run_id = str(uuid.uuid4())
        asked = {
            "query": left.pop(0),
            "run_id": run_id,
            "session_id": session,
            "can_answer_questions": True,
        }
        last = ""
        for event in sample.person.stream("POST", "/v1/email/query", asked):
            events.append(as_told_here(event, run_id))
            last = event["type"]
            if last == "needs_input":
                answer = {"request_id": event["request_id"], "value": left.pop(0)}
                assert sample.person.ok("POST", event["respond_url"], answer)["accepted"]
        assert last in ("final", "error")
    return events


@pytest.mark.parametrize("name", COVERING)
def test_a_conversation_has_the_same_events_over_http_as_in_the_terminal(name: str, sample: Sample) -> None:
    lines = [line for line, _, _ in CONVERSATIONS[name]]
    talk = TerminalTalk(sample.source)
    here = [event for line in lines for event in talk.say(line).events]
    for event in here:
        if event["type"] == "needs_input":
            for added in ("run_id", "respond_url"):
                event.pop(added)
    there = over_http(sample, lines)
    for one in (*here, *there):
        one.pop("request_id", None)
    assert comparable(there) == comparable(here)
    assert {event["type"] for event in there} & LAST
