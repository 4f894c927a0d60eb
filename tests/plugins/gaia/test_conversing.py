"""A query under the peer's contract: its events, cancel and respond."""

from __future__ import annotations

import uuid
from typing import Any

from gaia_email_gaia.conversing import EVENT_FIELDS
from tests.plugins.gaia.conftest import PREFIX, PeerSample

Json = dict[str, Any]


def test_events_have_the_peers_fields_and_the_last_one_ends_it(peer: PeerSample) -> None:
    events = list(peer.program.stream({"query": "what is urgent"}))
    assert [one["type"] for one in events] == ["tool_call", "tool_result", "final"]
    for one in events:
        assert set(one) - {"type", "event"} <= set(EVENT_FIELDS[one["type"]])


def test_what_takes_a_yes_ends_the_stream_and_leaves_no_question(peer: PeerSample) -> None:
    peer.sample.message()
    session = uuid.uuid4().hex
    list(peer.program.stream({"query": "what needs me", "session_id": session}))
    events = list(peer.program.stream({"query": "archive 1", "session_id": session}))
    assert [one["type"] for one in events][-2:] == ["needs_confirmation", "final"]
    assert "nothing was done" in events[-1]["answer"]
    assert not peer.waiting() and peer.actions() == 0


def test_a_question_is_answered_by_value_or_by_label(peer: PeerSample) -> None:
    for field in ("value", "label"):
        seen: list[str] = []
        for event in peer.program.stream({"query": "did the answer", "can_answer_questions": True}):
            seen.append(event["type"])
            if event["type"] == "needs_input":
                assert event["respond_url"].startswith(f"{PREFIX}/v1/email/query/")
                path = event["respond_url"].removeprefix(PREFIX)
                peer.program.refused(409, "POST", path, {"request_id": "old", "value": "1"})
                given = {"request_id": event["request_id"], "value": event["options"][0][field]}
                assert peer.program.ok("POST", path, given)["accepted"]
        assert seen[-1] == "final" and "needs_input" in seen


def test_a_run_is_cancelled_by_its_id(peer: PeerSample) -> None:
    run_id = str(uuid.uuid4())
    path = f"/v1/email/query/{run_id}"
    events = peer.program.stream({"query": "did the answer", "run_id": run_id, "can_answer_questions": True})
    assert next(events)["type"] in ("tool_call", "needs_input")
    assert peer.program.ok("POST", f"{path}/cancel")["cancelled"]
    last = list(events)[-1]
    assert (last["type"], last["status"]) == ("error", 499)
    peer.program.refused(404, "POST", f"{path}/cancel")
    peer.program.refused(404, "POST", f"{path}/respond", {"request_id": "a", "value": "1"})


def test_a_query_that_does_not_fit_is_refused_before_it_begins(peer: PeerSample) -> None:
    whole: Json = {"query": "help", "run_id": str(uuid.uuid4()), "context": []}
    path = "/v1/email/query"
    assert "lemonade" in peer.program.refused(404, "POST", path, {**whole, "provider": "openai"})
    peer.program.refused(404, "POST", path, {**whole, "model": "gpt-4o"})
    assert peer.program.misfit("POST", path, {**whole, "run_id": "1"})["loc"] == ["body", "run_id"]
    assert (
        peer.program.misfit("POST", path, {"query": "help", "run_id": whole["run_id"]})["type"] == "missing"
    )
    assert list(peer.program.stream({**whole, "provider": "lemonade"}))[-1]["type"] == "final"
    peer.program.refused(409, "POST", path, whole)
