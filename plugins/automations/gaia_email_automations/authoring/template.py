"""A definition with holes, and the questions whose answers fill them. Entry: `AutomationTemplate`.

`<<name>>` stands for the answer to a question: unchanged if it is the whole text, as text inside a longer one;
`<<name.hour>>` and `<<name.minute>>` are parts of a time such as 07:30. `{"<<choose>>": name, "options": {…}}` stands
for the value of the chosen option, and is removed if that is null. No answer becomes part of a template or expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from gaia_email.app.json_values import is_list, is_object
from gaia_email_automations.bounded_schemas import need_fitting
from gaia_email_automations.definition import AutomationDefinition, JsonObject
from gaia_email_automations.validating import CheckedDefinition, read_definition
from gaia_email_registry.errors import BadArgument

CHOOSE = "<<choose>>"
TIME_OF_DAY = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
MOST_ASKED = 50
"""Maximum length of a question shown in place of its answer, in characters."""
_HOLE = re.compile(r"<<([a-z][a-z0-9_]{0,39})(?:\.(hour|minute))?>>")
_TEMPLATE = re.compile(r"\{\{|\{%|\{#|<<|>>")
_ABSENT = object()
_SAMPLES: Mapping[str, Any] = {"string": "sample", "integer": 1, "number": 1, "boolean": True, "array": []}


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationTemplate:
    """A definition that is complete once its questions are answered.

    Attributes:
        definition: The definition with holes.
        fields: The questions by name, each a JSON Schema whose `title` is the question; one with a `default` needs no
            answer.
        values: The answers so far.
    """

    definition: JsonObject
    fields: JsonObject = field(default_factory=dict[str, Any])
    values: JsonObject = field(default_factory=dict[str, Any])

    @property
    def missing(self) -> tuple[str, ...]:
        """The questions without an answer."""
        return tuple(name for name in self.fields if self._answer(name) is _ABSENT)

    @property
    def schema(self) -> JsonObject:
        """JSON Schema (2020-12) of the answers, for a form."""
        required = [name for name, one in self.fields.items() if "default" not in one]
        return {
            "type": "object",
            "properties": self.fields,
            "required": required,
            "additionalProperties": False,
        }

    def answer(self, values: Mapping[str, Any]) -> AutomationTemplate:
        """Return the template with additional answers.

        Raises:
            BadArgument: There is no such question, or an answer does not fit; `argument` is its JSON Pointer.
        """
        whole = {**self.values, **values}
        need_fitting({**self.schema, "required": []}, whole, "An answer does not fit: ")
        for name, value in values.items():
            if any(_TEMPLATE.search(text) for text in _texts(value)):
                raise BadArgument("An answer holds no template and no hole.", argument=f"/{name}")
        return replace(self, values=whole)

    def fill(self) -> JsonObject:
        """Return the complete definition.

        Raises:
            BadArgument: A question has no answer; `argument` is its JSON Pointer.
        """
        for name in self.missing:
            title = str(self.fields[name].get("title", name))
            raise BadArgument(
                f"One question is open: {title}", argument=f"/{name}", hint=f"--set {name}=VALUE answers it."
            )
        return self._filled({name: self._answer(name) for name in self.fields})

    def check(self) -> CheckedDefinition:
        """Check the definition, with sample answers for open questions."""
        found = {name: self._answer(name) for name in self.fields}
        samples = {
            name: _sample(self.fields[name]) if value is _ABSENT else value for name, value in found.items()
        }
        try:
            return read_definition(self._filled(samples))
        except BadArgument as error:
            from gaia_email.app.json_schemas import PlacedError

            return CheckedDefinition(
                definition=None, errors=(PlacedError(pointer=error.argument or "", message=error.message),)
            )

    def describe(self) -> AutomationDefinition | None:
        """Return the definition for display only, with open questions in angle quotes; None if it has errors."""
        checked = self.check().definition
        if checked is None or not self.missing:
            return checked
        found = {name: self._answer(name) for name in self.fields}
        told = {name: _asked(self.fields[name]) if one is _ABSENT else one for name, one in found.items()}
        return msgspec.convert(self._filled(told), AutomationDefinition)

    def _answer(self, name: str) -> Any:
        return self.values.get(name, self.fields[name].get("default", _ABSENT))

    def _filled(self, answers: Mapping[str, Any]) -> JsonObject:
        whole = _put(self.definition, answers)
        if not is_object(whole):
            raise BadArgument("A definition is an object.", argument="")
        return dict(whole)


def holes_in(value: object) -> set[str]:
    """Return the names of the questions that a definition leaves open."""
    found = {match[1] for text in _texts(value) for match in _HOLE.finditer(text)}
    return found | set(_choices(value))


def _choices(value: object) -> Iterator[str]:
    if is_object(value):
        if isinstance(name := value.get(CHOOSE), str):
            yield name
        for one in value.values():
            yield from _choices(one)
    elif is_list(value):
        for one in value:
            yield from _choices(one)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for one in value.values():
            yield from _texts(one)
    elif is_list(value):
        for one in value:
            yield from _texts(one)


def _put(value: Any, answers: Mapping[str, Any], *, is_expression: bool = False) -> Any:
    if isinstance(value, str):
        if is_expression and _HOLE.search(value):
            raise BadArgument("No answer becomes part of an expression; use inputs.NAME.", argument="when")
        whole = _HOLE.fullmatch(value)
        if whole is not None:
            return _part(whole, answers)
        return _HOLE.sub(lambda match: str(_part(match, answers)), value)
    if is_object(value):
        if CHOOSE in value:
            return _put(value["options"].get(answers[value[CHOOSE]]), answers)
        kept = {name: _put(one, answers, is_expression=name == "when") for name, one in value.items()}
        return {name: one for name, one in kept.items() if one is not None or value[name] is None}
    if is_list(value):
        # An option chosen to be null is removed; a null in the definition itself is a value.
        return [put for one in value if (put := _put(one, answers)) is not None or one is None]
    return value


def _part(match: re.Match[str], answers: Mapping[str, Any]) -> Any:
    name, part = match[1], match[2]
    if name not in answers:
        raise BadArgument(f"There is no question {name!r} for a hole of the definition.", argument="fields")
    found = answers[name]
    if part is None:
        return found
    if str(found).startswith("‹"):
        return "?"
    return str(int(str(found)[:2] if part == "hour" else str(found)[3:5]))


def _asked(schema: Mapping[str, Any]) -> Any:
    """Return a placeholder for an open answer: its question if the answer is a text, or else a sample."""
    is_text = schema.get("type", "string") == "string" and "enum" not in schema
    return f"‹{str(schema.get('title', ''))[:MOST_ASKED]}›" if is_text else _sample(schema)


def _sample(schema: Mapping[str, Any]) -> Any:
    if is_list(schema.get("enum")):
        return schema["enum"][0]
    if is_list(schema.get("examples")):
        return schema["examples"][0]
    return _SAMPLES.get(str(schema.get("type", "string")), "sample")


def address_question(title: str) -> JsonObject:
    """Return the schema of a question for an address."""
    return {
        "type": "string",
        "title": title,
        "format": "email",
        "pattern": r"^[^@\s<>{}]+@[^@\s<>{}]+$",
        "maxLength": 254,
        "examples": ["ann@example.com"],
    }


def text_question(title: str, example: str = "sample") -> JsonObject:
    """Return the schema of a question for a text."""
    return {"type": "string", "title": title, "minLength": 1, "maxLength": 2000, "examples": [example]}


def time_question(title: str) -> JsonObject:
    """Return the schema of a question for a time of day."""
    return {"type": "string", "title": title, "pattern": TIME_OF_DAY, "examples": ["07:00"]}


def choice_question(title: str, options: list[str]) -> JsonObject:
    """Return the schema of a question with given answers."""
    return {"type": "string", "title": title, "enum": options}
