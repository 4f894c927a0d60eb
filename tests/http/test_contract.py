"""Every endpoint of our contract on the sample mailbox, by its own example; errors have one shape."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator

from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample
from gaia_email.document import NamedAddress, NamedSchemas, schema_of
from gaia_email.interfaces.http.contract_parts import ERROR_SCHEMA
from gaia_email.interfaces.http.openapi import openapi
from gaia_email.interfaces.http.routes import ROUTES, OperationRoute
from tests.http.conftest import Sample

Json = dict[str, Any]

FOR_ONE = {
    "share_file",
    "unshare_file",
    "remove_file",
    "label_threads",
    "change_label",
    "remove_label",
    "put_label",
    "send",
    "discard_text",
    "reword_text",
    "dictate",
    "automation_draft",
    "refine_automation",
    "save_automation_draft",
    "export_automation",
    "diff_automation",
    "remove_cohort",
    *("use_model", "trust_model", "distrust_model"),
    "remove_schedule",
    "remove_vip",
    "unprotect",
    "forget_lesson",
    "forget",
    "reword",
    "cancel_run",
    "control_revoke",
    "unsubscribe",
    "connect",
    "sign_in",
    "first_sync",
    "connection_attempt",
    "cancel_attempt",
    "disconnect",
    "integration_health",
    "limit_account",
    "add_server",
    "server_tools",
    "approve_tools",
    "replace_server_secret",
    "remove_server",
    "switch_server",
    "keep_webhook",
    "test_webhook",
    "remove_webhook",
    "undo",
    "retract",
    "enable",
    "disable",
    "add_automation",
    "automation_run",
    "retry_run",
    "show_automation",
    "remove_automation",
    "enable_automation",
    "disable_automation",
    "run_automation",
    "test_automation",
    "automation_token",
}
"""Operations whose example names what the sample mailbox has nothing of, so that the answer says so."""


def _url(route: OperationRoute, example: Json) -> str:
    path = route.path
    for name in route.named:
        path = path.replace(f"{{{name}}}", str(example[name]))
    return path


def _meant(value: object, sample: Sample) -> object:
    """An example with the ids of the sample mailbox in it."""
    match value:
        case "MESSAGE":
            return sample.message()
        case "ITEM":
            return sample.person.ok("GET", "/v1/email/pending")["items"][0]["id"]
        case list():
            return [_meant(one, sample) for one in cast("list[object]", value)]
        case _:
            return value


@pytest.mark.parametrize("route", [pytest.param(one, id=one.operation.name) for one in ROUTES])
def test_every_endpoint_answers_its_example_with_its_document(route: OperationRoute, sample: Sample) -> None:
    if "ITEM" in route.operation.example.values():
        sample.person.ok("POST", "/v1/email/triage", {"apply": True})
    example = {name: _meant(value, sample) for name, value in route.operation.example.items()}
    rest = {name: value for name, value in example.items() if name not in route.named}
    more = {"params": rest} if route.method in ("GET", "DELETE") else {"body": rest}
    response = sample.person.answer(route.method, _url(route, example), **more)
    document = response.json()
    if route.operation.name in FOR_ONE:
        assert response.status_code in (200, 403, 404, 409, 422), document
        Draft202012Validator(
            ERROR_SCHEMA if response.status_code != 200 else route.operation.output_schema()
        ).validate(document)  # pyright: ignore[reportUnknownMemberType]
        return
    assert response.status_code == 200, document
    Draft202012Validator(route.operation.output_schema()).validate(document)  # pyright: ignore[reportUnknownMemberType]


def test_a_program_may_not_do_what_takes_a_person(sample: Sample) -> None:
    message = sample.message()
    before = sample.program.ok("GET", "/v1/email/actions")["total"]
    for route in ROUTES:
        if route.operation.risk != "person":
            continue
        example = {
            name: _meant(value, sample) if value != "ITEM" else "abc"
            for name, value in route.operation.example.items()
        }
        rest = {name: value for name, value in example.items() if name not in route.named}
        more = {"params": rest} if route.method in ("GET", "DELETE") else {"body": rest}
        response = sample.program.answer(route.method, _url(route, example), **more)
        assert response.status_code == 403, route.path
        assert response.json()["error"]["kind"] == "needs_person"
    for path, body in (
        ("/v1/email/triage", {"apply": True}),
        ("/v1/email/draft", {"message_id": message, "save": True}),
    ):
        assert sample.program.refused(403, "POST", path, body)["kind"] == "needs_person"
    level = {"cohort": "newsletters", "level": 5}
    assert sample.program.refused(403, "PUT", "/v1/email/policy", level)["kind"] == "needs_person"
    assert sample.program.ok("GET", "/v1/email/actions")["total"] == before


def test_a_person_connects_mail_files_and_is_told_what_takes_a_terminal(
    sample: Sample, tmp_path: Path
) -> None:
    write_sample(tmp_path / "Mail", now=sample.app.clock())
    asked = {"files": "maildir", "path": str(tmp_path / "Mail"), "user": [SAMPLE_OWNER]}
    found = sample.person.ok("POST", "/v1/email/connect", asked)
    assert found["account"]["server"] == "local" and found["labels"]
    assert sample.program.ok("GET", "/v1/email/accounts")["accounts"] == [found["account"]]
    for body, status, says in (
        ({"email": "ann@outlook.com"}, 409, "page of its own"),
        ({"email": "ann@nowhere.example", "password": "p"}, 422, "not known here"),
        ({"email": "ann@nowhere.example", "imap_host": "127.0.0.1"}, 409, "password is missing"),
        ({}, 422, "Name an address"),
    ):
        error = sample.person.refused(status, "POST", "/v1/email/connect", body)
        assert says in error["message"], error
        assert error["hint"]
    password = "correct horse battery staple"
    closed = {"email": "ann@nowhere.example", "imap_host": "127.0.0.1", "imap_port": 1, "password": password}
    refused = sample.person.answer("POST", "/v1/email/connect", closed)
    assert refused.status_code in (409, 502) and password not in refused.text


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "argument"),
    [
        ("POST", "/v1/email/search", {"query": "a", "limit": "x"}, 422, "/limit"),
        ("POST", "/v1/email/search", {"querry": "a"}, 422, None),
        ("POST", "/v1/email/search", [1], 422, None),
        ("POST", "/v1/email/archive", {"message_ids": ["a", 2]}, 422, "/message_ids/1"),
        ("GET", "/v1/email/actions?limit=0", None, 422, "/limit"),
        ("GET", "/v1/email/actions?since=soon", None, 422, "since"),
        ("POST", "/v1/email/why", {"message_id": "nosuch"}, 404, "id"),
        ("GET", "/v1/email/nothing", None, 404, None),
        ("DELETE", "/v1/email/inbox", None, 405, None),
        ("POST", "/v1/email/query", {"query": "a", "run_id": "1"}, 422, "/run_id"),
        ("POST", "/v1/chat/completions", {"messages": []}, 422, "/messages"),
    ],
)
def test_what_does_not_fit_is_said_in_one_shape(
    sample: Sample, method: str, path: str, body: object, status: int, argument: str | None
) -> None:
    error = sample.person.refused(status, method, path, body)
    assert error.get("argument") == argument or argument is None


def test_a_body_that_is_no_json_is_said_to_be_none(sample: Sample) -> None:
    for raw in (b"{", b"\xff", b"[" * 100_000, b'"a"', b"NaN"):
        response = sample.person.client.post("/v1/email/search", content=raw)
        assert response.status_code == 422
        assert "JSON" in response.json()["error"]["message"]


def test_the_contract_is_served_and_shown_without_anything_from_elsewhere(sample: Sample) -> None:
    assert sample.program.ok("GET", "/openapi.json") == json.loads(json.dumps(openapi()))
    page = sample.program.client.get("/docs")
    assert page.status_code == 200
    assert "//" not in page.text.replace("http://127.0.0.1", "").replace("https://json-schema.org", "")
    assert sample.program.ok("GET", "/health") == {"status": "ok", "service": "gaia-email"}
    assert set(sample.program.ok("GET", "/version")) == {"apiVersion", "agentVersion"}


def test_the_contract_names_each_operation_once_and_its_schemas_are_schemas() -> None:
    document = openapi()
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names))
    for one in operations:
        for content in one.get("requestBody", {}).get("content", {}).values():
            schema = {**content["schema"], "components": document["components"]}
            Draft202012Validator.check_schema(schema)
            if (example := content.get("example")) is not None:
                Draft202012Validator(schema).validate(example)  # pyright: ignore[reportUnknownMemberType]
        status, answer = next(iter(one["responses"].items()))
        assert status in ("200", "202") and answer["content"]
    referred = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert referred == document["components"]["schemas"].keys()
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_a_name_stands_for_one_schema_of_the_contract() -> None:
    named = NamedSchemas(place="#/")
    named.hold({"NamedAddress": {"type": "string"}})
    named.hold({"NamedAddress": {"type": "string"}})
    with pytest.raises(TypeError, match="NamedAddress"):
        schema_of(NamedAddress, named)


def test_a_query_streams_until_its_last_event(sample: Sample) -> None:
    run_id = str(uuid.uuid4())
    events = list(
        sample.program.stream("POST", "/v1/email/query", {"query": "what is urgent", "run_id": run_id})
    )
    assert [one["type"] for one in events] == ["tool_call", "tool_result", "final"]
    assert (
        sample.program.refused(409, "POST", "/v1/email/query", {"query": "help", "run_id": run_id})["kind"]
        == "conflict"
    )


def test_a_cancel_may_come_before_its_query(sample: Sample) -> None:
    run_id = str(uuid.uuid4())
    assert not sample.program.ok("POST", f"/v1/email/query/{run_id}/cancel")["cancelled"]
    events = list(sample.program.stream("POST", "/v1/email/query", {"query": "help", "run_id": run_id}))
    assert [one["type"] for one in events] == ["error"]


def test_a_question_is_answered_over_http(sample: Sample) -> None:
    run_id = str(uuid.uuid4())
    body = {"query": "did the answer", "run_id": run_id, "can_answer_questions": True}
    seen: list[str] = []
    for event in sample.program.stream("POST", "/v1/email/query", body):
        seen.append(event["type"])
        if event["type"] == "needs_input":
            given = {"request_id": event["request_id"], "value": "1"}
            assert sample.program.ok("POST", event["respond_url"], given)["accepted"]
            sample.program.refused(409, "POST", event["respond_url"], given)
    assert seen[-1] == "final"


@pytest.mark.parametrize("agreed", [True, False])
def test_a_person_confirms_what_a_program_asked_for(sample: Sample, agreed: bool) -> None:
    sample.message()
    session = str(uuid.uuid4())
    first = {"query": "what needs me", "run_id": str(uuid.uuid4()), "session_id": session}
    assert list(sample.program.stream("POST", "/v1/email/query", first))[-1]["type"] == "final"
    second = {"query": "archive 1", "run_id": str(uuid.uuid4()), "session_id": session}
    seen: list[Json] = []
    for event in sample.program.stream("POST", "/v1/email/query", second):
        seen.append(event)
        if event["type"] == "needs_confirmation":
            url, body = event["confirm_url"], {"approve": agreed}
            assert sample.program.refused(403, "POST", url, body)["kind"] == "needs_person"
            assert sample.person.ok("POST", url, body)["approved"] is agreed
    assert seen[-1]["type"] == ("final" if agreed else "error")
    assert sample.program.ok("GET", "/v1/email/actions")["total"] == int(agreed)


def test_events_come_with_their_numbers_and_go_on_after_the_last_seen(sample: Sample) -> None:
    sample.person.ok("POST", "/v1/email/remembered", {"text": "I sign with A."})
    sample.person.ok("POST", "/v1/email/pause")
    stream = sample.program.stream("GET", "/v1/email/events?after=0&kinds=memory.*,policy.*,switch*.*")
    first = next(stream)
    assert (first["event"], first["id"]) == ("memory.changed", str(first["seq"]))
    assert "I sign" not in str(first)
    second = next(sample.program.stream("GET", "/v1/email/events", headers={"last-event-id": first["id"]}))
    assert second["seq"] > first["seq"]
    sample.program.refused(422, "GET", "/v1/email/events", headers={"last-event-id": "-1"})


def test_an_openai_client_gets_answers_and_changes_nothing(sample: Sample) -> None:
    def asked(line: str, **more: object) -> Json:
        return {"model": "gaia-email", "messages": [{"role": "user", "content": line}], **more}

    answer = sample.program.ok("POST", "/v1/chat/completions", asked("what is urgent"))
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert answer["usage"]["total_tokens"] == 0
    stream = list(sample.program.stream("POST", "/v1/chat/completions", asked("what is urgent", stream=True)))
    assert stream[-1]["text"] == "[DONE]"
    said = "".join(one["choices"][0]["delta"].get("content", "") for one in stream[:-1])
    assert said == answer["choices"][0]["message"]["content"]
    changed = sample.program.ok("POST", "/v1/chat/completions", asked("undo"))
    assert "takes your own yes" in changed["choices"][0]["message"]["content"] or "Nothing" in str(changed)
    refused: list[Json] = [{"tools": [{}]}, {"n": 2}]
    for more in refused:
        sample.program.refused(422, "POST", "/v1/chat/completions", asked("a", **more))
    sample.program.refused(404, "POST", "/v1/chat/completions", asked("a", model="gpt-4o"))
    nobody = {"messages": [{"role": "assistant", "content": "a"}]}
    sample.program.refused(409, "POST", "/v1/chat/completions", nobody)
    picture = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}]
    sample.program.refused(422, "POST", "/v1/chat/completions", {"messages": picture})
    assert sample.program.ok("GET", "/v1/models")["data"][0]["id"] == "gaia-email"
    assert sample.program.ok("GET", "/v1/email/actions")["total"] == 0
