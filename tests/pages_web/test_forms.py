"""Forms made from JSON Schemas: what comes back is the same JSON, and what is wrong is beside its field."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from gaia_email.app.json_schemas import PlacedError, errors_in_process
from gaia_email.interfaces.web.forms.fields import FormField, FormOption, posted_fields
from gaia_email.interfaces.web.forms.form import WebForm, form_of, posted_form
from gaia_email.interfaces.web.rendering import render
from gaia_email_registry.errors import BadArgument

Json = dict[str, Any]
Fields = dict[str, list[str]]

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 100, "description": "What it is called."},
        "goal": {"type": "string", "maxLength": 2000, "default": ""},
        "kind": {"enum": ["one", "two"], "default": "one"},
        "number": {"type": "integer", "minimum": 1, "maximum": 9},
        "share": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
        "enabled": {"type": "boolean", "default": True},
        "day": {"type": "string", "format": "date"},
        "rules": {"type": "array", "items": {"type": "string"}, "x-gaia-widget": "lines"},
        "paths": {"type": "object", "additionalProperties": {"type": "string"}},
        "extra": {"type": "object", "default": {}},
        "label": {"type": "string", "x-gaia-source": "labels"},
        "chosen": {"enum": ["a"], "default": "a", "x-gaia-source": "labels"},
        "inner": {"type": "object", "properties": {"deep/er~": {"type": "integer"}}},
        "steps": {
            "type": "array",
            "minItems": 1,
            "items": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {
                            "type": {"const": "clock"},
                            "cron": {"type": "string", "minLength": 1},
                        },
                        "required": ["type", "cron"],
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "properties": {
                            "type": {"enum": ["event"]},
                            "on": {"type": "array", "items": {"type": "string"}},
                        },
                        "required": ["type"],
                        "additionalProperties": False,
                    },
                ],
                "discriminator": {"propertyName": "type"},
            },
        },
    },
    "required": ["name", "steps"],
    "additionalProperties": False,
}
VALUE: Json = {
    "name": "Weekly",
    "goal": "First line\nsecond",
    "kind": "two",
    "number": 3,
    "share": 0.5,
    "enabled": False,
    "day": "2026-11-28",
    "rules": ["domain:a.example", "subject:x y"],
    "paths": {"from": "$.sender"},
    "extra": {"a": [1, {"b": None}]},
    "label": "Bills",
    "inner": {"deep/er~": 7},
    "steps": [{"type": "clock", "cron": "0 7 * * *"}, {"type": "event", "on": ["mail.arrived"]}],
}


def shown(value: Json | None, **more: Any) -> WebForm:
    return form_of(SCHEMA, value, name="f", post="save", **more)


def html_of(form: WebForm) -> str:
    return render("form.html", form=form, nonce="n")


def as_posted(html: str) -> Fields:
    """What a browser would send of a form: every field that has a value, and no button."""
    from html import unescape

    found: Fields = {}

    def add(name: str, value: str) -> None:
        found.setdefault(unescape(name), []).append(unescape(value))

    pattern = r"<input([^>]*)>|<textarea([^>]*)>\n?(.*?)</textarea>|<select([^>]*)>(.*?)</select>"
    for one in re.finditer(pattern, html, re.DOTALL):
        tag = one[1] or one[2] or one[4]
        name = re.search(r'\bname="([^"]*)"', tag)
        if name is None:
            continue
        if one[2] is not None:
            add(name[1], one[3])
        elif one[4] is not None:
            chosen = re.search(r'value="([^"]*)" selected', one[5]) or re.search(r'value="([^"]*)"', one[5])
            add(name[1], chosen[1] if chosen else "")
        elif 'type="checkbox"' not in tag or " checked" in tag:
            value = re.search(r'\bvalue="([^"]*)"', tag)
            add(name[1], value[1] if value else "")
    return found


def every(form: WebForm) -> dict[str, FormField]:
    def walk(one: FormField) -> list[FormField]:
        return [one, *(each for inner in one.fields for each in walk(inner))]

    return {one.pointer: one for one in walk(form.root)}


def test_what_a_form_shows_comes_back_as_the_same_json() -> None:
    sent = posted_form(SCHEMA, as_posted(html_of(shown(VALUE))))
    assert sent.value == VALUE and not sent.errors


def test_what_is_left_empty_or_as_usual_is_left_out() -> None:
    sent = posted_form(SCHEMA, as_posted(html_of(shown(None))))
    assert sent.value == {"name": "", "steps": []}
    assert {one.pointer for one in sent.errors} == {"/name", "/steps"}


def test_a_value_as_it_would_be_posted_is_read_back() -> None:
    fields: Fields = {}
    for name, text in posted_fields(VALUE):
        fields.setdefault(name, []).append(text)
    assert posted_form(SCHEMA, fields).value == VALUE


def test_errors_stand_beside_their_field_and_the_first_has_the_focus() -> None:
    fields = as_posted(html_of(shown(VALUE)))
    fields |= {"/number": ["many"], "/steps/0/cron": [""], "/extra": ['{"a": ']}
    sent = posted_form(SCHEMA, fields)
    assert [one.pointer for one in sent.errors] == ["/extra"], "what is no JSON is said first"
    fields["/extra"] = ["{}"]
    sent = posted_form(SCHEMA, fields)
    form = shown(None, posted=sent)
    by_pointer = every(form)
    assert by_pointer["/number"].errors == ("This has to be of type integer.",)
    assert by_pointer["/steps/0/cron"].errors and not by_pointer["/steps"].errors
    assert form.focus == "/number" and form.is_edited
    html = html_of(form)
    assert 'value="many"' in html and html.count('aria-invalid="true"') == 2
    field = re.search(r'<input [^>]*name="/number"[^>]*>', html)
    assert field and "data-focus" in field[0]
    described = re.search(r'aria-describedby="\s*(\S+)"', field[0])
    assert described and f'id="{described[1]}"' in html


def test_text_that_is_no_json_is_kept_as_it_was_typed() -> None:
    fields = as_posted(html_of(shown(VALUE)))
    fields["/extra"] = ["{\n  oops"]
    form = shown(None, posted=posted_form(SCHEMA, fields))
    assert every(form)["/extra"].value == "{\n  oops"
    assert every(form)["/extra"].errors[0].startswith("This is no JSON in line 2")


def test_an_error_that_no_field_stands_for_is_shown_at_what_holds_it() -> None:
    sent = posted_form(SCHEMA, as_posted(html_of(shown(VALUE))))
    sent.errors = [
        PlacedError(pointer="/steps/9/cron", message="Too late."),
        PlacedError(pointer="/inner/gone", message="There is none."),
        PlacedError(pointer="", message="Not today."),
    ]
    by_pointer = every(shown(None, posted=sent))
    assert by_pointer["/steps"].errors == ("Too late.",) and by_pointer["/inner"].errors == (
        "There is none.",
    )
    assert by_pointer[""].errors == ("Not today.",)


def press(value: Json, what: str) -> tuple[Json, str]:
    sent = posted_form(SCHEMA, {**as_posted(html_of(shown(value))), "~do": [what]})
    assert sent.is_only_shown and not sent.errors
    return sent.value, sent.focus


def test_elements_are_added_removed_and_moved_and_the_focus_goes_with_them() -> None:
    added, focus = press(VALUE, "add:/steps")
    assert added["steps"][2] == {"type": "clock"} and focus == "/steps/2"
    moved, focus = press(VALUE, "down:/steps/0")
    assert [one["type"] for one in moved["steps"]] == ["event", "clock"] and focus == "down:/steps/1"
    assert press(VALUE, "up:/steps/0")[0]["steps"] == VALUE["steps"]
    removed, focus = press(VALUE, "remove:/steps/1")
    assert len(removed["steps"]) == 1 and focus == "remove:/steps/0"
    inside, focus = press(VALUE, "add:/steps/1/on")
    assert inside["steps"][1]["on"] == ["mail.arrived", ""] and focus == "/steps/1/on/1"
    paths, focus = press(VALUE, "add:/paths")
    assert paths["paths"] == {"from": "$.sender", "": ""} and focus == "/paths/1/~name"
    assert press(VALUE, "remove:/paths/0")[0].get("paths") in (None, {})
    html = html_of(
        shown(None, posted=posted_form(SCHEMA, {**as_posted(html_of(shown(VALUE))), "~do": ["add:/steps"]}))
    )
    assert re.findall(r'name="(\S+)"[^>]* data-focus', html) == ["/steps/2/type"]


def test_another_kind_shows_its_fields() -> None:
    fields = as_posted(html_of(shown(VALUE)))
    fields["/steps/0/type"], fields["~do"] = ["event"], ["show:/steps/0/type"]
    form = shown(None, posted=posted_form(SCHEMA, fields))
    assert "/steps/0/on" in every(form) and "/steps/0/cron" not in every(form)
    assert form.focus == "/steps/0/type"


def test_what_no_field_can_show_is_shown_as_json_and_kept() -> None:
    odd = {**VALUE, "steps": "{{ inputs.steps }}", "enabled": "maybe"}
    form = shown(odd)
    assert every(form)["/steps"].kind == "json" and every(form)["/enabled"].kind == "json"
    sent = posted_form(SCHEMA, as_posted(html_of(form)))
    assert sent.value["steps"] == "{{ inputs.steps }}" and sent.value["enabled"] == "maybe"
    assert {one.pointer for one in sent.errors} == {one.pointer for one in errors_in_process(SCHEMA, odd)}


def test_options_are_suggested_and_strangers_text_stays_text() -> None:
    mark = "<script>alert(1)</script>"
    sources = {"labels": [FormOption(value=mark, label=mark)]}
    html = html_of(shown({**VALUE, "name": mark, "paths": {mark: '"><b>'}}, sources=sources))
    assert "<script" not in html and "<b>" not in html.replace("<b>1</b>", "").replace("<b>2</b>", "")
    assert "<datalist" in html and html.count("&lt;script&gt;") >= 4
    assert posted_form(SCHEMA, as_posted(html)).value["paths"] == {mark: '"><b>'}


def test_a_password_is_never_shown_again() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string", "format": "password"}}}
    sent = posted_form(schema, {"/password": ["hunter2"]})
    assert sent.value == {"password": "hunter2"}
    form = form_of(schema, None, name="p", post="save", posted=sent)
    assert "hunter2" not in html_of(form) and 'type="password"' in html_of(form)


@pytest.mark.parametrize(
    "fields",
    [
        {"~do": ["up:/nowhere/1"]},
        {"~do": ["remove:/steps/9"]},
        {"~do": ["up:/name/0"]},
        {"/steps/-": ["99999"]},
        {"/steps/-": ["-1"]},
    ],
)
def test_what_no_form_sends_is_refused(fields: Fields) -> None:
    with pytest.raises(BadArgument):
        posted_form(SCHEMA, {**as_posted(html_of(shown(VALUE))), **fields})


def test_a_form_says_so_to_assistive_technology() -> None:
    html = html_of(shown(VALUE))
    named = set(re.findall(r'<label[^>]* for="([^"]+)"', html))
    for one in re.findall(r"<(?:input|select|textarea)[^>]*>", html):
        if 'type="hidden"' in one or "~name" in one or "~value" in one:
            continue
        identity = re.search(r'\bid="([^"]+)"', one)
        assert identity and identity[1] in named, one
    assert json.dumps(VALUE) and 'aria-required="true"' in html
