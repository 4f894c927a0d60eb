"""Untrusted text decides about nothing without a flow: whatever a template does with it, and in whatever field."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaia_email_automations.actions import TASK, action_types
from gaia_email_automations.definition import AutomationDefinition, AutomationStep
from gaia_email_automations.flows import flows_of, model_flow, step_flows
from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.store import AutomationStore
from gaia_email_registry.errors import BadArgument
from tests.plugins.automations.bench import AutomationBench
from tests.plugins.automations.samples import definition, tell

UNTRUSTED_INPUTS = {"who"}
MAIL = {"to": ["ann@acme.example"], "subject": "s", "body": "b"}


def world(untrusted: str) -> dict[str, Any]:
    """What a template is given, with this text in every untrusted place."""
    return {
        "inputs": {"who": untrusted, "key": "who", "list": ["a", "b"]},
        "trigger": {"subject": untrusted, "list": [untrusted, "z"]},
        "run": {"id": "r1", "automation_name": "Sample", "error": {"message": untrusted}},
        "steps": {"out": {"text": untrusted}},
    }


def drafted(source: str) -> AutomationStep:
    return AutomationStep(step_id="a", action="draft_email", config={**MAIL, "to": [source]})


def sources(step: AutomationStep) -> list[str]:
    return [flow.source for flow in step_flows(step, UNTRUSTED_INPUTS)]


ATOMS = st.sampled_from(
    [
        *(
            "inputs",
            "trigger",
            "run",
            "steps",
            "inputs.who",
            "inputs['who']",
            "inputs[inputs.key]",
            "inputs.key",
        ),
        *(
            "inputs['w' ~ 'ho']",
            "trigger.subject",
            "trigger.list[0]",
            "run.error.message",
            "run['error']",
            "run.id",
        ),
        *("steps.out.text", "steps['out']", "inputs.list", "run.automation_name", "'x'", "1", "true", "none"),
        *("x", "y", "['a', 'b']", "{'key': 'who'}.key"),
    ]
)
FILTERS = st.sampled_from(
    [
        *("upper", "lower", "trim", "tojson", "length", "first", "last", "sort", "reverse", "slugify"),
        *("join(',')", "default('d')", "default(inputs.who, true)", "truncate(3, true)", "replace('a', 'b')"),
        *("replace('a', x)", "sort(attribute='who')"),
    ]
)


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map(lambda both: f"({both[0]} ~ {both[1]})"),
        two.map(lambda both: f"({both[0]} == {both[1]})"),
        two.map(lambda both: f"({both[0]} in {both[1]})"),
        two.map(lambda both: f"({both[0]})[{both[1]}]"),
        two.map(lambda both: f"[{both[0]}, {both[1]}]"),
        two.map(lambda both: f"{{'k': {both[0]}, 'l': {both[1]}}}['k']"),
        st.tuples(inner, inner, inner).map(lambda all_: f"({all_[0]} if {all_[1]} else {all_[2]})"),
        st.tuples(inner, FILTERS).map(lambda both: f"({both[0]} | {both[1]})"),
        inner.map(lambda one: f"({one}).who"),
        inner.map(lambda one: f"({one})[0:2]"),
        inner.map(lambda one: f"(not {one})"),
        inner.map(lambda one: f"({one} is string)"),
    )


EXPRESSIONS = st.recursive(ATOMS, _deeper, max_leaves=5)
NAMES = st.sampled_from(["x", "y", "inputs", "run"])


def _more(body: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(body, body).map("".join),
        st.tuples(NAMES, EXPRESSIONS, body).map(lambda one: f"{{% set {one[0]} = {one[1]} %}}{one[2]}"),
        st.tuples(NAMES, body, body).map(
            lambda one: f"{{% set {one[0]} %}}{one[1]}{{% endset %}}{{{{ {one[0]} }}}}{one[2]}"
        ),
        st.tuples(EXPRESSIONS, body, body).map(
            lambda one: f"{{% if {one[0]} %}}{one[1]}{{% else %}}{one[2]}{{% endif %}}"
        ),
        st.tuples(NAMES, EXPRESSIONS, body).map(
            lambda one: f"{{% for {one[0]} in {one[1]} %}}{one[2]}{{{{ loop.index }}}}{{% endfor %}}"
        ),
        st.tuples(EXPRESSIONS, EXPRESSIONS).map(
            lambda one: f"{{% for y in {one[0]} if {one[1]} %}}.{{% else %}}-{{% endfor %}}"
        ),
        st.tuples(NAMES, body, EXPRESSIONS).map(
            lambda one: f"{{% macro m({one[0]}) %}}{one[1]}{{% endmacro %}}{{{{ m({one[2]}) }}}}"
        ),
        st.tuples(body, body).map(
            lambda one: (
                f"{{% macro m() %}}{{{{ caller() }}}}{one[0]}{{% endmacro %}}{{% call m() %}}{one[1]}{{% endcall %}}"
            )
        ),
        EXPRESSIONS.map(
            lambda one: (
                f"{{% macro m() %}}{{{{ varargs[0] }}}}{{{{ kwargs.k }}}}{{% endmacro %}}{{{{ m({one}, k={one}) }}}}"
            )
        ),
        st.tuples(NAMES, EXPRESSIONS, body).map(
            lambda one: f"{{% with {one[0]} = {one[1]} %}}{one[2]}{{% endwith %}}"
        ),
        body.map(lambda one: f"{{% filter upper %}}{one}{{% endfilter %}}"),
        st.tuples(EXPRESSIONS, body).map(
            lambda one: (
                f"{{% for z in inputs.list %}}{{{{ loop.cycle('a', {one[0]}) }}}}{one[1]}{{% endfor %}}"
            )
        ),
    )


TEMPLATES = st.recursive(EXPRESSIONS.map(lambda one: f"{{{{ {one} }}}}"), _more, max_leaves=4)


def outcome(renderer: TemplateRenderer, source: str, untrusted: str) -> str:
    """What a template gives, or that it gives nothing; without the words of an error."""
    try:
        return "gives " + str(renderer.config({"x": source}, world(untrusted))["x"])
    except BadArgument:
        return "fails"


def test_a_template_whose_output_depends_on_untrusted_text_has_a_flow(renderer: TemplateRenderer) -> None:
    depends: list[str] = []

    @settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(source=TEMPLATES)
    def holds(source: str) -> None:
        source = f"{{% set x = 'q' %}}{{% set y = 'r' %}}{source}"
        given_, other = outcome(renderer, source, "mark"), outcome(renderer, source, "other words")
        if given_ != other or "mark" in given_.lower():
            depends.append(source)
            assert sources(drafted(source)), source

    holds()
    assert len(depends) > 20


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{% set x = inputs %}{{ x.who }}", ["inputs"]),
        ("{% set x = inputs %}{{ inputs.key }}{{ x.who }}", ["inputs"]),
        ("{{ inputs | tojson }}", ["inputs"]),
        ("{{ inputs.key }}{{ inputs }}", ["inputs"]),
        ("{{ inputs[inputs.key] }}", ["inputs"]),
        ("{{ inputs['w' ~ 'ho'] }}", ["inputs"]),
        ("{% set r = run %}{{ r.error.message }}", ["run"]),
        ("{{ run }}", ["run"]),
        ("{{ run.failed_step_id }}", ["run.failed_step_id"]),
        ("{{ run['error'].message }}", ["run.error.message"]),
        ("{% if inputs.who == 'x' %}a{% else %}b{% endif %}", ["inputs.who"]),
        ("{% for one in trigger.list %}a{% endfor %}", ["trigger.list"]),
        ("{% macro m(x) %}{{ x.who }}{% endmacro %}{{ m(inputs) }}", ["inputs"]),
        ("{% macro m() %}{{ inputs.who }}{% endmacro %}{{ m() }}", ["inputs.who"]),
        ("{% with x = steps %}{{ x.out }}{% endwith %}", ["steps"]),
        ("{% set inputs = {'key': trigger.subject} %}{{ inputs.key }}", ["trigger.subject"]),
        ("{{ run.id ~ trigger.subject }}", ["trigger.subject"]),
        ("{{ {'a': inputs}.a.who }}", ["inputs"]),
        ("{{ [inputs][0].who }}", ["inputs"]),
        ("{{ 'x' | default(inputs.who) }}", ["inputs.who"]),
        ("{{ inputs['a.b'] }}", ["inputs"]),
        ("{{ inputs.list[inputs.who | length] }}", ["inputs.who"]),
        ("{{ cannot be read }}", ["inputs", "run", "steps", "trigger"]),
    ],
)
def test_a_flow_names_where_untrusted_text_comes_from(source: str, expected: list[str]) -> None:
    assert sources(drafted(source)) == expected


@pytest.mark.parametrize(
    "source",
    [
        "{{ inputs.key }}",
        "{{ run.id }}{{ run['automation_name'] }}{{ run.attempt }}",
        "{% for one in inputs.list %}{{ one }}{% endfor %}",
        "{% set x = inputs.key %}{{ x }}",
        "{% macro who(inputs) %}a{% endmacro %}{{ who('trigger') }}",
    ],
)
def test_what_the_author_and_the_person_gave_is_no_flow(source: str) -> None:
    assert sources(drafted(source)) == []


def test_every_field_of_every_tool_decides_unless_it_is_only_text() -> None:
    only_text = {
        "agent_task.input",
        "document.name",
        "document.text",
        "notification.text",
        "speech_generation.name",
        "speech_generation.text",
        "transform_data.value",
        *(
            f"{tool}.{name}"
            for tool in ("draft_email", "send_email")
            for name in ("subject", "body", "htmlBody")
        ),
        *(f"update_draft.{name}" for name in ("subject", "body", "html_body")),
        "reply_to_email.body",
        "forward_email.body",
    }
    found: set[str] = set()
    for name, kind in action_types().items():
        for field in kind.action.config_schema["properties"]:
            step = AutomationStep(step_id="a", action=name, config={field: "{{ trigger.subject }}"})
            if field not in kind.literal and not list(step_flows(step, ())):
                found.add(f"{name}.{field}")
    assert found == only_text


@pytest.mark.parametrize(
    ("action", "config", "line"),
    [
        ("create_filter", {"criteria": {"from": "{{ trigger.x }}"}}, "criteria.from"),
        ("create_filter", {"action": {"addLabelIds": ["{{ trigger.x }}"]}}, "action.addLabelIds"),
        ("create_filter", {"action": {"forward": "{{ trigger.x }}"}}, "action.forward"),
        (
            "create_filter_from_template",
            {"parameters": {"senderEmail": "{{ trigger.x }}"}},
            "parameters.senderEmail",
        ),
        ("batch_modify_emails", {"perMessage": {"m1": {"add": ["{{ trigger.x }}"]}}}, "perMessage.m1.add"),
        ("draft_email", {"raw": "{{ trigger.x }}"}, "raw"),
        ("respond_to_invitation", {"comment": "{{ trigger.x }}"}, "comment"),
        ("create_calendar_event", {"location": "{{ trigger.x }}"}, "location"),
        ("create_label", {"name": "{{ trigger.x }}"}, "name"),
        ("set_vacation", {"body": "{{ trigger.x }}"}, "body"),
        ("other.tool", {"a/b": {"deep": [{"c": "{{ trigger.x }}"}]}}, "text"),
        ("other.tool", {"to": {"name": "{{ trigger.x }}"}}, "recipient"),
    ],
)
def test_what_lies_inside_a_field_counts(action: str, config: dict[str, Any], line: str) -> None:
    step = AutomationStep(step_id="make", action=action, config=config)
    (flow,) = step_flows(step, ())
    assert flow.line == f"{line} of make ← trigger.x"
    assert flow.field in config


def test_a_condition_on_untrusted_text_is_a_flow_of_what_has_an_effect() -> None:
    star = {"step_id": "star", "action": "star_email", "config": {"ids": ["m1"]}}
    row = {"step_id": "row", "action": "sheet.add_row", "config": {"row": "yes"}}
    plan = [
        {**one, "when": "trigger.subject == 'x'"} for one in (star, row, tell(), {**star, "step_id": "b"})
    ]
    plan[3]["when"] = "run.attempt == 1"
    read = msgspec.convert(definition(*plan), AutomationDefinition)
    assert [flow.line for flow in flows_of(read)] == [
        "condition of star ← trigger.subject",
        "condition of row ← trigger.subject",
    ]


def test_a_step_that_untrusted_text_lets_happen_waits_for_a_yes(bench: AutomationBench) -> None:
    message = bench.put("Invoice")
    star = {"step_id": "star", "action": "star_email", "config": {"ids": [message]}}
    step = {**star, "when": "trigger.subject == 'Invoice'"}
    line = "condition of star ← trigger.subject"
    waits = bench.result(definition(step), payload={"subject": "Invoice"})
    assert (waits.status, bench.subjects("STARRED")) == ("waiting", [])
    assert line in str(bench.questions()[0].asked.fields["why"])
    allowed = bench.result(definition(step, name="Allowed"), flows=[line], payload={"subject": "Invoice"})
    assert (allowed.status, bench.subjects("STARRED")) == ("succeeded", ["Invoice"])


def test_an_alias_reaches_nobody_without_a_yes(bench: AutomationBench) -> None:
    source = "{% set x = inputs %}{{ inputs.key }}{{ x.who }}"
    step = {"step_id": "draft", "action": "draft_email", "config": {**MAIL, "to": [source]}}
    properties = {"who": {"type": "string"}, "key": {"type": "string", "default": ""}}
    whole = definition(
        step,
        inputs={"schema": {"properties": properties}},
        triggers=[{"type": "webhook", "inputs": {"who": "$.sender"}}],
    )
    saved = bench.save(whole)
    with bench.ledger.read() as tx:
        (hook,) = AutomationStore.of(bench.ledger).triggers(tx, automation_id=saved.automation_id)
    fired = bench.fire(saved, trigger=hook, type="webhook", payload={"sender": "eve@evil.example"})
    assert (bench.finished(fired.run).status, bench.subjects("DRAFT")) == ("waiting", [])


def test_a_model_decides_about_every_field_that_is_not_only_text() -> None:
    def line(tool: str, field: str) -> str:
        flow = model_flow("sum", tool, field)
        return "" if flow is None else flow.line

    assert line("create_filter", "criteria") == "criteria of sum by create_filter ← its model"
    assert line("batch_modify_emails", "perMessage") == "perMessage of sum by batch_modify_emails ← its model"
    assert line("slack_post", "webhook") == "webhook of sum by slack_post ← its model"
    assert line("document", "visibility") == "visibility of sum by document ← its model"
    assert line("sheet.add_row", "row") == "text of sum by sheet.add_row ← its model"
    assert (line("draft_email", "body"), line("search_emails", "query")) == ("", "")


def test_a_model_shares_no_file_unless_that_was_allowed(bench: AutomationBench) -> None:
    share = {"name": "document", "arguments": {"name": "n", "text": "t", "visibility": "shared"}}
    task = {"step_id": "sum", "action": TASK, "config": {"prompt": "Do.", "tools": ["document"]}}
    bench.model.says = [share, {"answer": {"text": "done"}}] * 2
    run = bench.result(definition(task))
    assert run.status == "failed" and "visibility of sum by document ← its model" in run.error
    bench.model.says = [share, {"answer": {"text": "done"}}]
    flows = ["visibility of sum by document ← its model"]
    assert bench.result(definition(task, name="Allowed"), flows=flows).status == "succeeded"
