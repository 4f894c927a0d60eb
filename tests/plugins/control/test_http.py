"""The control protocol over HTTP and its stream: who gets in, what an agent may, and what it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator
from starlette.applications import Starlette
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State
from websockets.sync.client import ClientConnection, connect

from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.http.connection import BoundedSocket
from gaia_email.interfaces.http.listening import server_of
from gaia_email_control.endpoints import (
    CONTROL_PATH,
    ENDPOINTS,
    ProtocolEndpoint,
    answer_schema,
    control_definitions,
)
from gaia_email_control.stream import MOST_UNPROVED
from tests.http.conftest import Sample
from tests.http.serving import Caller
from tests.origins import PERSON
from tests.plugins.control.brokering import conversation, invocation, message, question

Json = dict[str, Any]
BASE = "/control/v1"


def grant(sample: Sample, agent_id: str, *actions: str) -> str:
    """The key of an agent, granted by a person."""
    asked = {"agent_id": agent_id, "actions": list(actions)}
    return str(sample.person.ok("POST", "/v1/control/agents", asked)["key"])


@contextmanager
def agent(sample: Sample, key: str) -> Generator[Caller]:
    headers = {"authorization": f"Bearer {key}"}
    with httpx2.Client(base_url=sample.url, timeout=60, headers=headers) as client:
        yield Caller(client)


@contextmanager
def stream(sample: Sample, key: str, **first: object) -> Generator[tuple[ClientConnection, Json]]:
    """A WebSocket that has said who it is, and what it was told."""
    with connect(f"ws{sample.url[4:]}{BASE}/stream", proxy=None) as socket:
        socket.send(json.dumps({"dialect": "0.1", "token": key, **first}))
        yield socket, told(socket)


def told(socket: ClientConnection) -> Json:
    found: Json = json.loads(socket.recv(timeout=30))
    return found


def ask(socket: ClientConnection, command: Json, **more: object) -> Json:
    """The answer to a command; events that come before it are left out."""
    socket.send(json.dumps({"ref": "x", "command": command, **more}))
    while "event" in (found := told(socket)):
        pass
    return found


def subscribe(
    socket: ClientConnection,
    actor: str,
    after: int | None = None,
    transport: str = "websocket",
    **wanted: object,
) -> Json:
    command = {
        "kind": "stream.subscribe",
        "subscription": {"actorId": actor, **wanted},
        "transport": transport,
    }
    return ask(socket, command, **({} if after is None else {"after": after}))


def here(command: Json, node: str) -> Json:
    """A command of a test for this very machine."""
    whole: Json = json.loads(json.dumps(command).replace('"laptop"', json.dumps(node)))
    return whole


def test_only_a_person_grants_and_a_revoked_key_opens_nothing(sample: Sample) -> None:
    asked = {"agent_id": "ann", "actions": ["status"]}
    assert sample.program.refused(403, "POST", "/v1/control/agents", asked)["kind"] == "needs_person"
    key = grant(sample, "ann", "status")
    with agent(sample, key) as ann:
        assert ann.ok("GET", BASE)["actorId"] == "ann"
        for method, path in (
            ("POST", "/v1/control/agents"),
            ("GET", "/v1/email/inbox"),
            ("GET", "/v1/email/events"),
        ):
            assert (
                ann.refused(403, method, path, asked if method == "POST" else None)["kind"] == "needs_scope"
            )
        assert ann.refused(403, "POST", "/v1/email/pending/x/approve", {})["kind"] == "needs_scope"
        again = grant(sample, "ann", "status")
        assert ann.answer("GET", BASE).status_code == 401
    with agent(sample, again) as ann:
        ann.ok("GET", BASE)
        sample.program.ok("DELETE", "/v1/control/agents/ann")
        assert ann.answer("GET", BASE).status_code == 401


def test_no_secret_of_a_key_is_kept(sample: Sample) -> None:
    key = grant(sample, "ann", "status")
    secret = key.split("_", 2)[2]  # the secret may hold underscores, too
    for path in sample.app.home.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


def test_an_agent_converses_invokes_within_its_grant_and_watches_its_own(sample: Sample) -> None:
    ann_key, bob_key = grant(sample, "ann", "status", "consult"), grant(sample, "bob")
    with stream(sample, ann_key) as (ann, about), stream(sample, bob_key) as (bob, _):
        node = about["nodeId"]
        assert about == {
            "dialect": "0.1",
            "nodeId": node,
            "agentId": "gaia-email",
            "actorId": "ann",
            "actions": ["consult", "status"],
        }
        subscribe(ann, "ann", 0)
        subscribe(bob, "bob", 0)
        assert "result" in ask(ann, here(conversation("plans", "ann", "owner"), node))
        assert "result" in ask(ann, here(message("m1", "plans", "ann"), node))
        flight = ask(ann, here(invocation("i1", "ann", task="How is it?"), node))["result"]["record"]
        states = [one["event"]["payload"]["flight"] for one in until_over(ann, flight["id"])]
        assert [one["state"] for one in states] == ["running", "completed"]
        assert "accounts are connected" in states[-1]["output"]
        assert ask(bob, here(invocation("i2", "bob"), node))["error"]["kind"] == "needs_approval"
        assert ask(bob, here(message("m2", "plans", "bob"), node))["error"]["kind"] == "not_found"
        bob.send(json.dumps({"ref": "last", "command": {"kind": "nothing"}}))
        seen = list[str]()
        while (found := told(bob)).get("ref") != "last":
            seen.append(found["event"]["kind"])
        assert set(seen) <= {"agent.registered"}
    with agent(sample, bob_key) as other:
        assert other.ok("GET", f"{BASE}/flights")["flights"] == []
        assert other.ok("GET", f"{BASE}/conversations")["conversations"] == []
        assert other.ok("GET", f"{BASE}/records")["records"] == []
        other.refused(404, "GET", f"{BASE}/conversations/plans/messages")
        other.refused(404, "GET", f"{BASE}/conversations/agent-inbox/messages")
        other.refused(404, "GET", f"{BASE}/flights/{flight['id']}")
    whole = sample.program.ok("GET", f"{BASE}/conversations/plans/messages")["messages"]
    assert [one["id"] for one in whole] == ["m1"]


def until_over(socket: ClientConnection, flight: str) -> list[Json]:
    """The updates of a flight after the first, up to its end."""
    found = list[Json]()
    while True:
        one = told(socket)
        record = one.get("event", {}).get("payload", {}).get("flight", {})
        if record.get("id") != flight or record["state"] == "queued":
            continue
        found.append(one)
        if record["state"] in ("completed", "failed", "cancelled", "waiting"):
            return found


def test_a_question_in_words_is_answered_and_what_changes_mail_is_not_done(sample: Sample) -> None:
    key = grant(sample, "ann", "consult")
    with stream(sample, key) as (ann, about):
        subscribe(ann, "ann", 0, eventKinds=["flight.updated"])
        before = sample.program.ok("GET", "/v1/email/actions")["actions"]
        outcomes = list[Json]()
        for number, line in enumerate(("how many urgent", "archive 1", "remember: yes to all", "undo")):
            command = here(invocation(f"i{number}", "ann", action="consult", task=line), about["nodeId"])
            flight = ask(ann, command)["result"]["record"]["id"]
            outcomes.append(until_over(ann, flight)[-1]["event"]["payload"]["flight"])
        assert outcomes[0]["state"] == "completed"
        assert "urgent" in outcomes[0]["output"]
        assert sample.program.ok("GET", "/v1/email/actions")["actions"] == before
        assert sample.program.ok("GET", "/v1/email/remembered")["sentences"] == []


def test_a_run_of_an_agent_waits_for_the_owner_and_resumes_with_the_last_answer(sample: Sample) -> None:
    key = grant(sample, "ann", "execute")
    with stream(sample, key) as (ann, about):
        subscribe(ann, "ann", 0, eventKinds=["flight.updated"])
        command = here(invocation("i1", "ann", action="execute", task="triage"), about["nodeId"])
        flight = ask(ann, command)["result"]["record"]["id"]
        waiting = until_over(ann, flight)[-1]["event"]["payload"]["flight"]
        assert waiting["state"] == "waiting", waiting
        items = sample.program.ok("GET", "/v1/email/pending")["items"]
        mine = [one["id"] for one in items]
        assert mine
        assert ask(ann, here(question(mine[0], "ann"), about["nodeId"]))["error"]["kind"] == "needs_approval"
        for item in mine:
            sample.person.ok("POST", f"/v1/email/pending/{item}/reject", {})
        done = until_over(ann, flight)[-1]["event"]["payload"]["flight"]
        assert done["state"] == "completed"


def test_what_an_agent_asks_the_owner_is_answered_in_the_agent_inbox_by_a_person_alone(
    sample: Sample,
) -> None:
    key = grant(sample, "ann", "status")
    with stream(sample, key) as (ann, about):
        node = about["nodeId"]
        subscribe(ann, "ann", 0, eventKinds=["flight.updated", "collaboration.event.appended"])
        asked = question("q1", "ann", title="May I?", relations=[{"kind": "blocks", "targetId": "i1"}])
        assert "result" in ask(ann, here(asked, node))
        flight = ask(ann, here(invocation("i1", "ann"), node))["result"]["record"]
        assert flight["state"] == "waiting"
        (item,) = sample.program.ok("GET", "/v1/email/pending")["items"]
        assert (item["type"], item["message"]["subject"]) == ("question", "May I?")
        page = sample.person.client.get("/ui/waiting").text
        assert "May I?" in page
        answer = f"/v1/email/pending/{item['id']}/approve"
        with agent(sample, key) as by_agent:
            by_agent.refused(403, "POST", answer, {})
        assert sample.program.refused(403, "POST", answer, {})["kind"] == "needs_person"
        sample.person.ok("POST", answer, {})
        kinds = list[str]()
        while "completed" not in kinds:
            payload = told(ann)["event"]["payload"]
            kinds.append(payload["flight"]["state"] if "flight" in payload else payload["event"]["kind"])
        assert kinds == ["waiting", "answered", "accepted", "queued", "running", "completed"]
        assert [one["state"] for one in sample.program.ok("GET", f"{BASE}/records")["records"]] == [
            "answered"
        ]


def test_the_owner_is_told_of_runs_and_of_what_waits_in_the_protocols_words(sample: Sample) -> None:
    with stream(sample, sample.token) as (socket, about):
        assert about["actorId"] == "api-token"
        subscribe(socket, "api-token")
        call = OperationCall(
            asked=OPERATIONS["triage"].read({"apply": True}),
            origin=PERSON,
            by_person=True,
            sources=(sample.source,),
        )
        run_id = OPERATIONS["triage"].run(sample.app, call)["run_id"]
        kinds = dict[str, int]()
        while True:
            event = told(socket)["event"]
            kinds[event["kind"]] = kinds.get(event["kind"], 0) + 1
            flight = event["payload"].get("flight", {})
            if flight.get("id") == run_id and flight["state"] in ("waiting", "completed"):
                break
        assert kinds["invocation.requested"] == 1
        assert kinds["collaboration.upserted"] > 0
        assert kinds["collaboration.event.appended"] >= kinds["collaboration.upserted"]
    flights = sample.program.ok("GET", f"{BASE}/flights")["flights"]
    assert run_id in [one["id"] for one in flights]
    records = sample.program.ok("GET", f"{BASE}/records")["records"]
    assert {one["kind"] for one in records} <= {"question", "work_item"}
    assert records


def test_a_subscription_goes_on_from_a_number_and_is_about_what_it_names(sample: Sample) -> None:
    key = grant(sample, "ann")
    with stream(sample, key) as (ann, about):
        for name in ("one", "two"):
            ask(ann, here(conversation(name, "ann"), about["nodeId"]))
            ask(ann, here(message(f"m-{name}", name, "ann"), about["nodeId"]))
    with stream(sample, key) as (ann, _):
        subscribe(ann, "ann", 0, conversationIds=["two"])
        events = [told(ann) for _ in range(2)]
        assert [one["event"]["kind"] for one in events] == ["conversation.upserted", "message.posted"]
    with stream(sample, key) as (ann, _):
        subscribe(ann, "ann", events[0]["seq"], conversationIds=["two"])
        assert told(ann)["event"] == events[1]["event"]
    with stream(sample, key) as (ann, _):
        assert subscribe(ann, "bob")["error"]["kind"] == "needs_approval"
        assert "no events x" in subscribe(ann, "ann", eventKinds=["x"])["error"]["message"]
        assert subscribe(ann, "ann", -1)["error"]["argument"] == "after"
        assert subscribe(ann, "ann", transport="local_socket")["error"]["argument"] == "transport"


def test_presence_and_typing_are_told_to_who_takes_part_and_kept_nowhere(sample: Sample) -> None:
    ann_key, bob_key, eve_key = (grant(sample, name) for name in ("ann", "bob", "eve"))
    with (
        stream(sample, ann_key) as (ann, about),
        stream(sample, bob_key) as (bob, _),
        stream(sample, eve_key) as (eve, _),
    ):
        ask(ann, here(conversation("plans", "ann", "bob"), about["nodeId"]))
        for socket, name in ((bob, "bob"), (eve, "eve")):
            subscribe(socket, name)
        before = sample.program.ok("GET", "/v1/control/tail")["reached"]
        signal = {"kind": "typing", "conversationId": "plans"}
        ann.send(json.dumps({"signal": signal}))
        heard = told(bob)
        assert "seq" not in heard
        assert (heard["event"]["kind"], heard["event"]["actorId"]) == ("typing", "ann")
        eve.send(json.dumps({"ref": 1, "signal": signal}))
        assert told(eve)["error"]["kind"] == "not_found"
        assert sample.program.ok("GET", "/v1/control/tail")["reached"] == before


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        ({"dialect": "0.2"}, "bad_argument"),
        ({"token": "gaia-agent_00000000_x"}, "bad_credentials"),
        ({"token": None}, "needs_credentials"),
    ],
)
def test_who_speaks_another_dialect_or_proves_nothing_is_told_so(
    sample: Sample, first: Json, kind: str
) -> None:
    with stream(sample, sample.token, **first) as (socket, said):
        assert said["error"]["kind"] == kind
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=10)


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}])
def test_a_page_of_another_origin_opens_no_stream(sample: Sample, headers: dict[str, str]) -> None:
    with (
        pytest.raises(InvalidStatus) as caught,
        connect(f"ws{sample.url[4:]}{BASE}/stream", additional_headers=headers, proxy=None),
    ):
        pass
    assert caught.value.response.status_code == 403
    for path, status in ((f"{BASE}/other", 404), ("/v1/email/events", 404)):
        with pytest.raises(InvalidStatus) as caught, connect(f"ws{sample.url[4:]}{path}", proxy=None):
            pass
        assert caught.value.response.status_code == status


def test_a_revoked_key_ends_its_streams(sample: Sample) -> None:
    key = grant(sample, "ann")
    with stream(sample, key) as (ann, about):
        sample.program.ok("DELETE", "/v1/control/agents/ann")
        ann.send(json.dumps({"command": here(conversation("plans", "ann"), about["nodeId"])}))
        with pytest.raises(ConnectionClosed):
            told(ann)


def test_frames_that_are_nothing_cost_a_sentence(sample: Sample) -> None:
    with stream(sample, grant(sample, "ann")) as (ann, _):
        for frame in (
            "",
            "[]",
            "{",
            '{"command": 1}',
            '{"signal": 1}',
            '{"command": {"kind": "x"}}',
            "[" * 9000,
        ):
            ann.send(frame)
            assert told(ann)["error"]["kind"] == "bad_argument"


def test_the_token_asks_as_a_program_and_an_api_key_only_reads(sample: Sample) -> None:
    about = sample.program.ok("GET", BASE)
    assert (about["actorId"], "execute" in about["actions"]) == ("api-token", False)
    assert sample.person.ok("GET", BASE)["actorId"] == "owner"
    command = here(invocation("i1", "api-token", action="execute", task="triage"), about["nodeId"])
    sample.program.refused(403, "POST", f"{BASE}/commands", command)
    command = here(invocation("i1", "owner"), about["nodeId"])
    sample.program.refused(403, "POST", f"{BASE}/commands", command)
    assert sample.person.ok("POST", f"{BASE}/commands", command)["isNew"]
    assert not sample.person.ok("POST", f"{BASE}/commands", command)["isNew"]


def test_a_stream_that_its_client_is_closing_does_not_keep_the_server_from_ending() -> None:
    class Line(asyncio.Transport):
        def close(self) -> None:
            closed.append(True)

    async def scenario() -> None:
        config = server_of(Starlette()).config
        config.load()
        socket = BoundedSocket(config, ServerState(), {})
        socket.transport = Line()
        socket.handshake_complete = True
        socket.conn.state = State.CLOSING
        socket.shutdown()

    closed = list[bool]()
    asyncio.run(scenario())
    assert closed == [True]


@pytest.mark.parametrize("endpoint", [pytest.param(one, id=one.operation_id) for one in ENDPOINTS])
def test_every_endpoint_answers_its_example(endpoint: ProtocolEndpoint, sample: Sample) -> None:
    flight = sample.program.ok("POST", "/v1/control/invoke", {"action": "status"})["flights"][0]["id"]
    example = {name: flight if value == "FLIGHT" else value for name, value in endpoint.example.items()}
    path = f"{CONTROL_PATH}{endpoint.path}".replace("{id}", str(example.get("id", "")))
    rest = {name: value for name, value in example.items() if f"{{{name}}}" not in endpoint.path}
    more: Json = {"body": rest} if endpoint.method == "POST" else {"params": rest}
    found = sample.program.ok(endpoint.method, path, **more)
    whole = {**answer_schema(endpoint, "#/$defs/"), "$defs": control_definitions("#/$defs/")}
    Draft202012Validator(whole).validate(found)  # pyright: ignore[reportUnknownMemberType]


def test_sockets_without_a_first_frame_are_counted_and_keep_nobody_out(sample: Sample) -> None:
    address = f"{sample.url.replace('http', 'ws')}{BASE}/stream"
    with ExitStack() as stack:
        silent = [stack.enter_context(connect(address)) for _ in range(MOST_UNPROVED)]
        late = stack.enter_context(connect(address))
        late.send(json.dumps({"dialect": "0.1", "token": sample.token}))
        assert json.loads(late.recv(timeout=30))["dialect"] == "0.1"
        assert json.loads(silent[0].recv(timeout=30))["error"]["kind"] == "rate_limited"
        with pytest.raises(ConnectionClosed):
            silent[0].recv(timeout=30)
