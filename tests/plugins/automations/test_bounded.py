"""No expression of a definition and nothing that a stranger sends keeps a program that serves from its work."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.app.json_schemas import MOST_PARTS, check_schema, errors_in_process
from gaia_email_automations import inputs, paths, rendering
from gaia_email_automations.authoring.patching import apply_patch
from gaia_email_automations.bounded_schemas import errors_of
from gaia_email_automations.paths import values_at
from gaia_email_automations.rendering import TOO_LONG, PayloadProcess
from gaia_email_automations.saving import SavedBy, save
from gaia_email_automations.store import AutomationStore
from gaia_email_automations.validating import MOST_DEPTH, is_cron, read_definition
from gaia_email_registry.errors import BadArgument
from tests.plugins.automations.bench import ME, PLACE, AutomationBench
from tests.plugins.automations.samples import definition

MANY = {"x": "a" * 5_000}
DEEP: dict[str, Any] = {"a": [[[[[1] * 20] * 20] * 20] * 4] * 4}
SLOW_PATHS: list[tuple[str, dict[str, Any]]] = [
    ("$[?match(@.x, '(a|a)*b')]", {"p": MANY}),
    ("$[?search(@.x, '(a+)+b')]", {"p": MANY}),
    ("$..[?search(@.x, '(a|aa)+$|(a+)+c')]", {"p": {"x": "a" * 5_000 + "b"}}),
    ("$[?match(@.x, $.pattern)]", {"p": MANY, "pattern": "(a*)*b"}),
    ("$..*..*..*..*[?@.nothing]", DEEP),
    ("$..*[?count($..*..*..*) == 1]", DEEP),
]


@pytest.mark.parametrize(("path", "payload"), SLOW_PATHS)
def test_a_path_that_takes_too_long_is_an_error(path: str, payload: dict[str, Any]) -> None:
    with pytest.raises(BadArgument, match=TOO_LONG):
        values_at({"x": path}, payload)
    assert values_at({"x": "$..p", "y": "$.q"}, {"o": {"p": 1}, "q": 2}) == {"x": 1, "y": 2}


def test_a_run_of_such_a_path_fails_and_says_so_and_the_next_one_runs(bench: AutomationBench) -> None:
    path, payload = "$[?match(@.x, '(b|b)*c')]", {"p": {"x": "b" * 5_000}}
    whole = definition(
        inputs={"schema": {"properties": {"x": {}}}},
        triggers=[{"type": "webhook", "inputs": {"x": path}}, {"type": "webhook", "inputs": {"x": "$.p.x"}}],
        execution={"concurrency": "allow_parallel"},
    )
    saved = bench.save(whole)
    with bench.ledger.read() as tx:
        slow, plain = AutomationStore.of(bench.ledger).triggers(tx, automation_id=saved.automation_id)
    failed = bench.fire(saved, trigger=slow, type="webhook", payload=payload).run
    assert failed.status == "failed" and TOO_LONG in failed.error
    assert bench.fire(saved, trigger=plain, type="webhook", payload=payload).run.status == "pending"


def no_process() -> PayloadProcess:
    raise AssertionError("this needs no other process")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.a.b", 1),
        ("$['a']['b']", 1),
        ("$.list[1]", 2),
        ("$.list[-1]", 2),
        ("$", {"a": {"b": 1}, "list": [1, 2]}),
    ],
)
def test_a_path_of_names_and_positions_is_followed_here(
    monkeypatch: pytest.MonkeyPatch, path: str, found: object
) -> None:
    monkeypatch.setattr(rendering, "outside_process", no_process)
    assert values_at({"x": path, "y": "$.nothing"}, {"a": {"b": 1}, "list": [1, 2]}) == {"x": found}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$..b", 1),
        ("$.list[*]", 1),
        ("$.list[1:]", 2),
        ("$.list[?@ > 1]", 2),
        ("$.people[?match(@.name, 'A.*')].mail", "ann@acme.example"),
    ],
)
def test_other_paths_give_the_first_value(path: str, found: object) -> None:
    people = [{"name": "Bob", "mail": "bob@acme.example"}, {"name": "Ann", "mail": "ann@acme.example"}]
    assert values_at({"x": path}, {"a": {"b": 1}, "list": [1, 2], "people": people}) == {"x": found}


def test_what_took_too_long_is_not_tried_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = PayloadProcess({})
    asked: list[str] = []

    def too_long(kind: str, sources: list[tuple[str, str]], context: object) -> list[object]:
        asked.append(sources[0][1])
        raise BadArgument(f"The path cannot be used: {TOO_LONG}.")

    monkeypatch.setattr(made, "_ask", too_long)
    try:
        for _ in range(3):
            with pytest.raises(BadArgument, match=TOO_LONG):
                made.first_values(["$..a"], {})
    finally:
        made.close()
    assert asked == ["$..a"]


def test_the_ledger_is_free_while_a_payload_is_read(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = bench.save(definition())

    def reads(asked: Mapping[str, str], payload: Mapping[str, Any]) -> dict[str, Any]:
        bench.event("message.triaged")  # another program writes
        return {}

    monkeypatch.setattr(inputs, "values_at", reads)
    assert bench.fire(saved, payload={"a": 1}).run.status == "pending"
    assert bench.kinds()["message.triaged"] == 1


def test_a_version_that_is_saved_meanwhile_is_the_one_that_runs(
    bench: AutomationBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = bench.save(definition())
    edits: list[str] = [saved.automation_id]

    def reads(asked: Mapping[str, str], payload: Mapping[str, Any]) -> dict[str, Any]:
        for one in edits:
            by = SavedBy(account_id=ME, place=PLACE, owner=(ME,), actor="cli")
            edits.clear()
            save(bench.ledger, definition(goal="Newer."), by, automation_id=one)
        return {}

    monkeypatch.setattr(inputs, "values_at", reads)
    assert bench.fire(saved).run.version == 2
    assert len(bench.runs()) == 1


def doubling(count: int) -> dict[str, Any]:
    defined = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(count)}
    return {"$defs": {**defined, f"a{count}": {}}, "$ref": "#/$defs/a0"}


SLOW_SCHEMAS: list[tuple[dict[str, Any], Any]] = [
    ({"$ref": "#"}, {}),
    (doubling(30), {}),
    ({"patternProperties": {"(a+)+b": {}}, "additionalProperties": False}, {"a" * 60: 1}),
    ({"patternProperties": {"(a|a)*b": {}}, "unevaluatedProperties": False}, {"a" * 60: 1}),
    ({"items": {"enum": [*range(20_000)]}}, [19_999] * 20_000),
    ({"items": {"properties": {f"r{n}": {} for n in range(3_000)}}}, [{}] * 60_000),
]


@pytest.mark.parametrize(("schema", "value"), SLOW_SCHEMAS)
def test_a_schema_that_takes_too_long_is_an_error(schema: dict[str, Any], value: object) -> None:
    (error,) = errors_of(schema, value)
    assert "schema" in error.message and "cannot be used" in error.message


def test_a_usual_schema_is_checked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "outside_process", no_process)
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "x-gaia-widget": "n"},
            "l": {"type": "array", "items": {"maxLength": 2}},
        },
        "additionalProperties": False,
    }
    assert errors_of(schema, {"n": 1, "l": ["ab"]}) == []
    assert [one.pointer for one in errors_of(schema, {"n": "x", "l": ["abc"]})] == ["/l/0", "/n"]


def test_another_schema_gives_the_same_errors_from_the_other_process() -> None:
    schema = {"$defs": {"n": {"type": "integer"}}, "properties": {"n": {"$ref": "#/$defs/n"}}}
    assert errors_of(schema, {"n": 1}) == []
    assert errors_of(schema, {"n": "x"}) == errors_in_process(schema, {"n": "x"}) != []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 1) | st.sampled_from([0.0, 1.0, "", "a", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(values=st.lists(JSON, max_size=5))
def test_elements_are_the_same_as_json_has_it(values: list[Any]) -> None:
    theirs = import_module("jsonschema").Draft202012Validator({"uniqueItems": True}).is_valid(values)
    assert (errors_of({"uniqueItems": True}, values) == []) is theirs


def test_many_unlike_elements_are_compared_in_one_go() -> None:
    values: list[Any] = [one for n in range(15_000) for one in ({"a": n}, [n], n, str(n))]
    assert errors_in_process({"uniqueItems": True}, values) == []
    assert len(errors_in_process({"uniqueItems": True}, [*values, {"a": 7}])) == 1


def test_a_schema_has_an_end() -> None:
    (error,) = check_schema({"properties": {f"a{n}": {} for n in range(MOST_PARTS)}})
    assert "parts" in error.message


def test_a_patch_does_not_double_a_draft_without_end() -> None:
    doubled = [{"op": "copy", "from": "", "path": f"/x{n}"} for n in range(60)]
    with pytest.raises(BadArgument, match="bytes"):
        apply_patch({"a": "x" * 100}, doubled)


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("depth", [MOST_DEPTH, 900, 20_000])
def test_a_definition_that_is_nested_too_deeply_is_an_error(depth: int) -> None:
    step = {"step_id": "a", "action": "transform_data", "config": {"value": nested(depth)}}
    (error,) = read_definition(definition(step)).errors
    assert "deep" in error.message


@pytest.mark.parametrize(
    "line", ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "R R * * *", "0 R(1-5) * * *", "H 1 * * *"]
)
def test_a_clock_comes_due_and_leaves_nothing_to_chance(line: str) -> None:
    assert not is_cron(line)
    assert is_cron("0 0 * mar thu") and is_cron("0 0 29 2 *")


def test_a_number_of_thousands_of_digits_is_an_error() -> None:
    step = {"step_id": "a", "action": "notification", "config": {"text": "{{ " + "9" * 5_000 + " }}"}}
    (error,) = read_definition(definition(step)).errors
    assert error.pointer == "/plan/0/config/text"


def test_the_module_of_paths_alone_follows_them() -> None:
    assert paths.first_at("$.a", {"a": None}) == [None]
    assert values_at({"x": "$.a"}, {"a": None}) == {"x": None}
