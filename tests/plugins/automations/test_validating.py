"""A definition is read whole, or everything that is wrong with it is told at its place."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from gaia_email.app.json_schemas import check_schema
from gaia_email_automations.actions import action_types
from gaia_email_automations.bounded_schemas import errors_of
from gaia_email_automations.flows import flows_of
from gaia_email_automations.schemas import LAYERS, automation_schema
from gaia_email_automations.validating import MOST_BYTES, read_definition
from tests.plugins.automations.samples import definition, tell


def as_json(part: object) -> Any:
    return json.loads(msgspec.json.encode(part))


SEND = {"step_id": "send", "action": "send_email"}
MAIL = {"to": ["a@example.org"], "subject": "s", "body": "b"}


@pytest.mark.parametrize("name", [*LAYERS, "filter"])
def test_every_layer_is_published_as_a_schema_whose_references_lead_inside(name: str) -> None:
    schema = automation_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")

    text = json.dumps(schema)
    assert text.count('"$ref": "#/$defs/') == text.count('"$ref"')


def test_every_action_is_one_by_the_published_schema() -> None:
    for kind in action_types().values():
        assert errors_of(automation_schema("action"), as_json(kind.action)) == []
        for capability in kind.capabilities:
            assert errors_of(automation_schema("capability"), as_json(capability)) == []
        assert check_schema(kind.action.config_schema) == []
        assert not {"confirm", "attachments"} & set(kind.action.config_schema["properties"])


def test_a_definition_is_read() -> None:
    read = read_definition(
        definition(
            {"step_id": "find", "action": "search_emails", "config": {"query": "x"}, "output_as": "found"},
            tell(text="{{ steps.found | length }} of {{ inputs.what }}", when="steps.found"),
            inputs={"schema": {"properties": {"what": {"type": "string"}}}},
            triggers=[{"type": "schedule", "cron": "*/5 * * * *", "timezone": "Europe/Berlin"}],
        )
    )
    assert read.definition is not None
    assert read.definition.execution.timeout_seconds == 600
    assert [(one.pointer, one.message) for one in read.warnings] == [
        ("/triggers/0/cron", "This fires more often than every 15 minutes.")
    ]


WRONG: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"schema_version": 2}, {"/schema_version": "one of 1"}),
    ({"plan": []}, {"/plan": "may not be empty"}),
    ({"plan": [tell() | {"step_id": "A"}], "nme": 1}, {"": "no 'nme'", "/plan/0/step_id": "form"}),
    ({"execution": {"max_retries": 11}}, {"/execution/max_retries": "at most 10"}),
    ({"plan": [tell(), tell()]}, {"/plan/1/step_id": "twice"}),
    ({"plan": [{"step_id": "a", "action": "send_mail"}]}, {"/plan/0/action": "send_email"}),
    ({"plan": [SEND | {"config": {**MAIL, "confirm": "x"}}]}, {"/plan/0/config": "no 'confirm'"}),
    (
        {"plan": [SEND | {"config": {**MAIL, "attachments": ["/etc/passwd"]}}]},
        {"/plan/0/config": "attachments"},
    ),
    ({"plan": [SEND | {"config": {"to": []}}]}, {"/plan/0/config": "missing"}),
    ({"plan": [tell(text="{{ steps.later }}")]}, {"/plan/0/config/text": "No earlier step"}),
    ({"plan": [tell(text="{{ run.error }}")]}, {"/plan/0/config/text": "no run.error"}),
    ({"plan": [tell(text="{{ inputs.x }}")]}, {"/plan/0/config/text": "no input 'x'"}),
    ({"plan": [tell(when="steps.")]}, {"/plan/0/when": "cannot be read"}),
    (
        {
            "plan": [
                {"step_id": "s", "action": "slack_post", "config": {"webhook": "{{ run.id }}", "text": "x"}}
            ]
        },
        {"/plan/0/config/webhook": "template"},
    ),
    ({"triggers": [{"type": "schedule", "cron": "* * * * * *"}]}, {"/triggers/0/cron": "five fields"}),
    (
        {"triggers": [{"type": "schedule", "cron": "0 7 * * *", "timezone": "Mars/Base"}]},
        {"/triggers/0/timezone": "time zone"},
    ),
    (
        {"triggers": [{"type": "event", "event_type": "a.b", "filters": {"a": {"regex": "("}}}]},
        {"/triggers/0/filters/a/regex": "RE2"},
    ),
    (
        {"triggers": [{"type": "event", "event_type": "a.b", "filters": {"a": {"like": "x"}}}]},
        {"/triggers/0/filters/a": "no 'like'"},
    ),
    ({"triggers": [{"type": "webhook", "inputs": {"x": "$.a"}}]}, {"/triggers/0/inputs/x": "no input"}),
    (
        {
            "inputs": {"schema": {"properties": {"x": {}}}},
            "triggers": [{"type": "webhook", "inputs": {"x": "$["}}],
        },
        {"/triggers/0/inputs/x": "JSONPath"},
    ),
    ({"inputs": {"schema": {"$ref": "https://example.org/x"}}}, {"/inputs/schema/$ref": "inside"}),
    (
        {"inputs": {"schema": {"properties": {"x": {"pattern": "(?=x)"}}}}},
        {"/inputs/schema/properties/x/pattern": "RE2"},
    ),
    ({"inputs": {"schema": {"type": "array"}}}, {"/inputs/schema/type": "object"}),
    ({"execution": {"on_failure": [tell()]}}, {"/execution/on_failure/0/step_id": "twice"}),
    ({"metadata": {"x": "y" * MOST_BYTES}}, {"": "bytes"}),
]


@pytest.mark.parametrize(("changed", "expected"), WRONG)
def test_what_is_wrong_is_told_at_its_place(changed: dict[str, Any], expected: dict[str, str]) -> None:
    read = read_definition({**definition(), **changed})
    assert read.definition is None
    told = {one.pointer: one.message for one in read.errors}
    assert set(told) == set(expected)
    assert all(expected[at] in said and said.endswith(".") for at, said in told.items())


def test_what_strangers_write_into_a_recipient_is_a_flow_with_a_line_of_its_own() -> None:
    read = read_definition(
        definition(
            {"step_id": "look", "action": "read_email", "config": {"messageId": "{{ trigger.message_id }}"}},
            SEND | {"config": {**MAIL, "to": ["{{ trigger.sender }}", "{{ inputs.boss }}"]}},
            tell(text="{{ trigger.subject }}"),
            inputs={"schema": {"properties": {"boss": {"type": "string"}}}},
            triggers=[{"type": "event", "event_type": "message.triaged"}],
        )
    )
    assert [flow.line for flow in flows_of(read.require())] == [
        "id of look ← trigger.message_id",
        "recipient of send ← trigger.sender",
    ]
