"""What templates give, and what none can do."""

from __future__ import annotations

import os
from typing import Any

import pytest

from gaia_email_automations.rendering import TemplateRenderer
from gaia_email_automations.templates import MOST_SOURCE, check_expression, check_template
from gaia_email_registry.errors import BadArgument

CONTEXT: dict[str, Any] = {
    "inputs": {"name": "Ann", "n": 3, "none": None, "yes": True, "list": [3, 1, 2], "_hidden": 1, "items": 5},
    "trigger": {"at": "2026-03-30T09:00:00+02:00", "title": "Überweisung für März!"},
    "run": {"id": "r1"},
    "steps": {},
}


def given(renderer: TemplateRenderer, source: str) -> str:
    return str(renderer.config({"x": source}, CONTEXT)["x"])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Hello {{ inputs.name }}!", "Hello Ann!"),
        ("{{ inputs.n }}{{ inputs.none }}{{ inputs.yes }}", "3true"),
        ("{{ inputs.list }}", "[3, 1, 2]"),
        ("{{ inputs.list | sort | reverse | join('-') }}", "3-2-1"),
        ("{{ inputs.list | length }}{{ inputs.list | first }}{{ inputs.list | last }}", "332"),
        ("{{ inputs.nothing | default('x') | upper | lower | trim }}", "x"),
        ("{{ trigger.at | date('%d.%m.%Y') }}", "30.03.2026"),
        ("{{ trigger.title | slugify }}", "uberweisung-fur-marz"),
        ("{{ trigger.title | truncate(6, true) | replace('.', '') }}", "Übe"),
        ("{{ inputs.list | tojson }}", "[3, 1, 2]"),
        ("{{ inputs.items }}", "5"),
        ("{% for n in inputs.list %}{{ loop.index }}{% endfor %}", "123"),
        ("{% if inputs.name is defined and inputs.n is number %}y{% endif %}", "y"),
        ("{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(1) }}", "<1>"),
        ("{{ inputs['name'] ~ inputs.list[0] }}", "Ann3"),
    ],
)
def test_a_template_gives_what_it_says(renderer: TemplateRenderer, source: str, expected: str) -> None:
    check_template(source)
    assert given(renderer, source) == expected


ESCAPES = [
    "{{ ''.__class__.__mro__ }}",
    "{{ inputs['__class__'] }}",
    "{{ inputs['_' ~ '_class__'] }}",
    "{{ inputs | attr('__class__') }}",
    "{{ inputs._hidden }}",
    "{{ inputs.name.format(1) }}",
    "{{ '{0.__class__}'.format(inputs) }}",
    "{{ inputs.keys() }}",
    "{{ inputs.list.append(1) }}",
    "{{ range(10) }}",
    "{{ lipsum() }}",
    "{{ cycler('a').next() }}",
    "{{ joiner() }}",
    "{{ namespace(a=1).a }}",
    "{{ dict(a=1) }}",
    "{{ self.__init__ }}",
    "{{ self._TemplateReference__context }}",
    "{{ inputs | map('upper') | list }}",
    "{{ inputs | pprint }}",
    "{{ inputs.list | sort(attribute='__class__') }}",
    "{{ inputs.list | join(attribute='__class__') }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os }}",
    "{% extends 'x' %}",
    "{% macro m() %}{% endmacro %}{{ m.__globals__ }}",
    "{% macro m() %}{% endmacro %}{{ m.name.__class__ }}",
    "{% macro m() %}{{ caller.__class__ }}{% endmacro %}{% call m() %}{% endcall %}",
    "{% for x in inputs.list %}{{ loop.__class__ }}{% endfor %}",
    "{% for x in inputs.list %}{{ loop._iterator }}{% endfor %}",
    "{% set x = inputs.name.__class__ %}{{ x }}",
    "{{ 2 ** 9999999 }}",
    "{{ inputs.missing }}",
    "{{ inputs is callable }}",
    "{{ x.y }}",
    "{{ (inputs.list | sort).__class__ }}",
    "{{ ''|attr('format') }}",
    "{{ inputs.list[0].__class__ }}",
    "{{ [].__class__.__base__.__subclasses__() }}",
    "{{ request.application }}",
    "{{ config.items() }}",
    "{{ url_for.__globals__ }}",
    "{{ get_flashed_messages.__globals__ }}",
    "{{ g.pop.__globals__ }}",
    "{{ (inputs.name|lower).join }}",
    "{% for c in [].__class__.__base__.__subclasses__() %}{{c}}{% endfor %}",
    "{{ 'x'.__add__('y') }}",
    "{{ inputs|xmlattr }}",
    "{{ inputs.list|map(attribute='__class__') }}",
    "{{ inputs.list|groupby('__class__') }}",
    "{{ inputs.list|selectattr('__class__') }}",
    "{{ inputs.name|format(1) }}",
    "{{ inputs.list|sum(attribute='__class__') }}",
    "{{ inputs.list|first(attribute='x') }}",
    "{% call(x) inputs.name.upper() %}{% endcall %}",
    "{{ caller }}",
    "{{ varargs }}",
    "{{ kwargs }}",
    "{{ loop.cycle }}",
    "{{ loop }}",
    "{% macro m() %}{{ varargs.__class__ }}{% endmacro %}{{ m(1) }}",
    "{% macro m() %}{{ kwargs.__class__ }}{% endmacro %}{{ m(a=1) }}",
    "{% macro m() %}{% endmacro %}{{ m.__call__ }}",
    "{% macro m() %}{% endmacro %}{{ m['__class__'] }}",
    "{% macro m() %}{% endmacro %}{{ m.arguments }}",
    "{% macro m() %}{% endmacro %}{{ m._func }}",
    "{% for x in inputs.list %}{{ loop.cycle.__func__ }}{% endfor %}",
    "{% for x in inputs.list %}{{ loop.changed.__globals__ }}{% endfor %}",
    "{% for x in inputs.list recursive %}{{ loop.__call__ }}{% endfor %}",
    "{% for x in inputs.list %}{{ loop['__class__'] }}{% endfor %}",
    "{% for x in inputs.list %}{{ loop|attr('_iterator') }}{% endfor %}",
    "{% set ns = namespace() %}",
    "{% trans %}x{% endtrans %}",
    "{% do inputs.list.append(1) %}",
    "{% debug %}",
    "{% with a=inputs.name.__class__ %}{{ a }}{% endwith %}",
    "{% filter upper %}{{ inputs.__class__ }}{% endfilter %}",
    "{% block b %}{{ self.b.__class__ }}{% endblock %}",
    "{{ super() }}",
    "{{ inputs.d.values() }}",
    "{{ inputs.d.get('a') }}",
    "{{ inputs.d.pop('a') }}",
    "{{ inputs.name.encode() }}",
    "{{ inputs.name['up' ~ 'per']() }}",
    "{{ inputs.name[0:2].upper() }}",
    "{{ '\\x5f\\x5fclass\\x5f\\x5f' and inputs['\\x5f\\x5fclass\\x5f\\x5f'] }}",
    "{{ inputs['_'+'_class_'+'_'] }}",
    "{{ inputs|tojson|attr('x') }}",
    "{{ inputs is sameas(inputs) }}",
    "{{ 'os'|import }}",
    "{{ true.real }}",
    "{{ (1).real }}",
    "{{ (1.5).hex() }}",
    "{{ inputs.n.bit_length() }}",
    "{{ none.__class__ }}",
    "{{ undefined_name.__class__ }}",
    "{{ inputs.missing.__class__ }}",
    "{{ ('%s' % inputs).__class__ }}",
    "{{ '%c' % 9999999999 }}",
    "{{ inputs.name * -1 ~ inputs.__dict__ }}",
    "{{ 'now'|date('%') }}",
    "{{ trigger|date }}",
    "{{ inputs.list|join(d=inputs.__class__) }}",
    "{{ inputs.list|replace }}",
]


@pytest.mark.parametrize("source", ESCAPES)
def test_no_template_reaches_out_of_its_values(renderer: TemplateRenderer, source: str) -> None:
    with pytest.raises(BadArgument, match="template"):
        given(renderer, source)


@pytest.mark.parametrize(
    "source",
    [
        "{{ '%999999999d' % 1 }}",
        "{{ 'x' * 50000000 }}",
        "{{ [1] * 30000000 }}",
        "{% for a in 'x' * 1000 %}{{ 'y' * 50000 }}{% endfor %}",
        "{% for a in 'x' * 1000000 %}{% for b in 'x' * 1000000 %}{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
        "{{ 10 * 10 " + "* 9999999999" * 500 + " }}",
    ],
)
def test_what_takes_too_much_is_ended_and_the_next_one_is_rendered(
    renderer: TemplateRenderer, source: str
) -> None:
    with pytest.raises(BadArgument, match="/x"):
        given(renderer, source)
    assert given(renderer, "{{ inputs.name }}") == "Ann"


def test_a_source_has_eight_kilobytes(renderer: TemplateRenderer) -> None:
    assert given(renderer, "{# " + "x" * (MOST_SOURCE - 7) + " #}") == ""
    with pytest.raises(BadArgument, match="bytes"):
        check_template("x" * (MOST_SOURCE + 1))
    with pytest.raises(BadArgument):
        given(renderer, "{{ 1 }}" + "x" * MOST_SOURCE)


@pytest.mark.parametrize(("source", "expected"), [("inputs.n > 2", True), ("inputs.name == 'Bob'", False)])
def test_a_condition_is_true_or_false(renderer: TemplateRenderer, source: str, expected: bool) -> None:
    check_expression(source)
    assert renderer.condition(source, CONTEXT) is expected


@pytest.mark.parametrize(
    "source", ["inputs.n", "inputs.misspelt", "'true'", "inputs.misspelt.deeper", "1) + (2"]
)
def test_a_condition_that_is_neither_is_an_error(renderer: TemplateRenderer, source: str) -> None:
    with pytest.raises(BadArgument):
        renderer.condition(source, CONTEXT)


@pytest.mark.parametrize(
    "source", ["{{ x }}", "{{ inputs.a", "{{ inputs | safe }}", "{{ inputs.a is even }}", "{{ a.b }}"]
)
def test_what_templates_do_not_have_is_refused_before_any_run(source: str) -> None:
    with pytest.raises(BadArgument, match="cannot be read"):
        check_template(source)


def test_what_a_template_reads_is_known_without_running_it() -> None:
    read = check_template(
        "{% for a in steps.list %}{{ a.b }}{% endfor %}{{ trigger['payload'].sender }}{{ run }}"
    )
    assert read.paths == {"steps.list", "trigger.payload.sender", "run"}
    assert read.roots == {"steps", "trigger", "run"}


def test_the_process_gets_nothing_of_our_environment() -> None:
    made = TemplateRenderer({**os.environ, "SECRET": "aubergine"})
    try:
        assert set(made._environment_of_process) <= {"PATH", "PYTHONPATH"}  # pyright: ignore[reportPrivateUsage]
        assert given(made, "{{ 1 }}") == "1"
    finally:
        made.close()
