"""Have the user's model write or review a definition. Entries: `generate`, `review`.

The model sees the user's words, the schemas and the names of existing objects, and never mail. Its answer is checked by
the usual rules; errors are sent back to it a few times. A definition contains only addresses and URLs that the user
wrote: for any other, a question is asked instead. Nothing is saved because of the model's answer.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

from gaia_email.app.json_schemas import PlacedError
from gaia_email.app.json_values import is_list, is_object
from gaia_email.models.client import ModelClient, ModelQuestion, UnusableReply
from gaia_email.models.neutral import as_written
from gaia_email.models.one_question import asking
from gaia_email_automations.actions import action_types, named_role
from gaia_email_automations.authoring.describing import TOPICS, summary_of
from gaia_email_automations.authoring.patching import apply_patch
from gaia_email_automations.authoring.template import (
    CHOOSE,
    AutomationTemplate,
    address_question,
    holes_in,
    text_question,
    time_question,
)
from gaia_email_automations.definition import AutomationDefinition, JsonObject, written_steps
from gaia_email_automations.templates import FILTER_NAMES
from gaia_email_registry.errors import BadArgument, ProviderError

TRIES = 3
MOST_QUESTIONS, MOST_TOKENS = 8, 2_000
_ADDRESS = re.compile(r"[^\s,;<>\"'(){}\[\]]+@[^\s,;<>\"'(){}\[\]]+|https?://[^\s\"'<>{}]+", re.IGNORECASE)
_ONE_PATH = re.compile(r"\{\{ *[a-z]+(?:\.[A-Za-z][A-Za-z0-9_]*)* *\}\}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

_QUESTIONS: JsonObject = {
    "type": "array",
    "maxItems": MOST_QUESTIONS,
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "asks": {"type": "string"},
            "kind": {"type": "string", "enum": ["text", "email", "time", "number"]},
        },
        "required": ["name", "asks", "kind"],
        "additionalProperties": False,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoringRequest:
    """The input for a model.

    Attributes:
        words: The user's words, with earlier changes; the last one is the current request.
        zone: The user's time zone; empty if unknown.
        automations: The names of existing automations.
        webhooks: The names of existing Slack webhooks.
        before: The draft to change; None for a new one.
    """

    words: tuple[str, ...]
    zone: str = ""
    automations: tuple[str, ...] = ()
    webhooks: tuple[str, ...] = ()
    before: AutomationTemplate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedDefinition:
    """A checked definition by a model; `notes` list the changes made to it."""

    template: AutomationTemplate
    model: str
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tried:
    """One answer: the template, if valid, and the errors.

    Attributes:
        oddity: Why the reply was not an answer, as text for the user; empty if it was one.
    """

    template: AutomationTemplate | None = None
    errors: list[PlacedError] = field(default_factory=list[PlacedError])
    oddity: str = ""


async def generate(
    request: AuthoringRequest, environ: Mapping[str, str], *, tell: Callable[[str], None] = lambda said: None
) -> GeneratedDefinition:
    """Have the model write a definition, or change one.

    Raises:
        NotFound: No model is chosen, or no server that has it answers.
        ProviderError: No answer was usable; the message says why.
        MailError: It may not be asked, or did not answer.
    """
    errors: list[PlacedError] = []
    oddity = ""
    async with asking(environ, why="an automation you described", tell=tell) as client:
        for _ in range(TRIES):
            tried = await _try(client, request, errors)
            if tried.template is not None and not tried.errors:
                template, notes = _without_inventions(tried.template, request)
                if not (left := template.check().errors):
                    return GeneratedDefinition(template=template, model=client.model, notes=notes)
                tried.errors = list(left)
            errors, oddity = tried.errors, tried.oddity
    raise ProviderError(
        oddity or f"The language model wrote no definition that can be used: {_told(errors[:2])}",
        hint="Say it as one of gaia email automations propose --help, or begin with a starter.",
    )


async def _try(client: ModelClient, request: AuthoringRequest, errors: Sequence[PlacedError]) -> _Tried:
    before = request.before
    try:
        said = _object((await client.ask(_question(request, errors))).answer())
        if before is None:
            definition = said.get("definition")
            if not is_object(definition):
                raise BadArgument("The answer has no definition.", argument="/definition")
            return _read(definition, said, {}, {})
        patch = said.get("patch")
        if not is_list(patch) or not all(map(is_object, patch)):
            raise BadArgument("The answer has no patch.", argument="/patch")
        changed = apply_patch(before.definition, patch)
        return _read(changed, said, before.fields, before.values)
    except UnusableReply as error:
        missing = PlacedError(
            pointer="/definition" if before is None else "/patch",
            message=f"The answer has no {'definition' if before is None else 'patch'}.",
        )
        return _Tried(errors=[missing], oddity=error.message)
    except BadArgument as error:
        return _Tried(errors=[PlacedError(pointer=error.argument or "", message=error.message)])


def _read(
    definition: Mapping[str, Any], said: Mapping[str, Any], fields: JsonObject, values: JsonObject
) -> _Tried:
    holes = holes_in(definition)
    asked = {**fields, **dict(_fields(said.get("questions")))}
    if unknown := sorted(holes - asked.keys()):
        return _Tried(
            errors=[PlacedError(pointer="/questions", message=f"No question is named {unknown[0]!r}.")]
        )
    template = AutomationTemplate(
        definition=dict(definition),
        fields={name: one for name, one in asked.items() if name in holes},
        values={name: one for name, one in values.items() if name in holes},
    )
    return _Tried(template=template, errors=list(template.check().errors))


def _fields(questions: object) -> Iterator[tuple[str, JsonObject]]:
    for one in questions[:MOST_QUESTIONS] if is_list(questions) else ():
        if not is_object(one) or not _NAME.fullmatch(str(one.get("name"))):
            continue
        asks = _plain(one.get("asks"), 200) or str(one["name"])
        match one.get("kind"):
            case "email":
                made = address_question(asks)
            case "time":
                made = time_question(asks)
            case "number":
                made = {"type": "integer", "title": asks, "examples": [1]}
            case _:
                made = text_question(asks)
        yield str(one["name"]), made


def _without_inventions(
    template: AutomationTemplate, request: AuthoringRequest
) -> tuple[AutomationTemplate, tuple[str, ...]]:
    """Replace each address, URL or webhook that the user did not name by a question."""
    said = {one.rstrip(".,;:!?").lower() for words in request.words for one in _ADDRESS.findall(words)}
    fields = dict(template.fields)
    notes: list[str] = []

    def ask(what: str, schema: JsonObject) -> str:
        name = next(one for n in range(1, 1000) if (one := f"{what}_{n}") not in fields)
        fields[name] = schema
        notes.append("The language model brought an address of its own; it is asked for instead.")
        return f"<<{name}>>"

    def mend(value: Any) -> Any:
        if is_object(value):
            return {name: mend(one) for name, one in value.items()}
        if is_list(value):
            return [mend(one) for one in value]
        if isinstance(value, str) and any(
            one.rstrip(".,;:!?").lower() not in said for one in _ADDRESS.findall(value)
        ):
            return ask("address", address_question("Which address? Yours to say, not the model's."))
        return value

    definition = mend(template.definition)
    for step in _steps(definition):
        _mend_deciding(step, request, ask)
    made = replace(template, definition=definition, fields=fields)
    return made, tuple(dict.fromkeys(notes))


def _steps(definition: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every step with a configuration, including the options of a choice."""
    for _, one in written_steps(definition):
        for step in one["options"].values() if CHOOSE in one else (one,):
            if is_object(step) and is_object(step.get("config")):
                yield step


def _mend_deciding(
    step: dict[str, Any], request: AuthoringRequest, ask: Callable[[str, JsonObject], str]
) -> None:
    """Replace templates in fields that decide about people by a question, unless they are a plain path or a hole."""
    config: dict[str, Any] = step["config"]
    for name in list(config):
        if named_role(name) is None:
            continue
        listed = config[name] if is_list(config[name]) else [config[name]]
        mended = [
            ask("address", address_question("Which address? Yours to say, not the model's."))
            if "{" in str(one) and not _ONE_PATH.fullmatch(str(one))
            else one
            for one in listed
        ]
        config[name] = mended if is_list(config[name]) else mended[0]
    hook = config.get("webhook")
    if step["action"] == "slack_post" and hook not in request.webhooks and "<<" not in str(hook):
        schema: JsonObject = {
            "type": "string",
            "title": "By which webhook of Slack? gaia email automations webhook NAME keeps one.",
            "pattern": "^[a-z][a-z0-9_-]{0,39}$",
            "examples": ["team"],
        }
        config["webhook"] = ask("webhook", schema)


def _question(request: AuthoringRequest, errors: Sequence[PlacedError]) -> ModelQuestion:
    mark = secrets.token_hex(6)
    parts = [f"The owner says: {_plain(words, 1_000)}" for words in request.words]
    parts.append(f"Time zone: {request.zone or 'not known, ask'}.")
    if request.automations:
        parts.append(
            f"Automations that there are: {json.dumps([_plain(x, 80) for x in request.automations])}."
        )
    parts.append(f"Webhooks of Slack that there are: {json.dumps(list(request.webhooks))}.")
    if request.before is not None:
        parts.append(f"<<draft {mark}>>\n{json.dumps(request.before.definition)}\n<<end {mark}>>")
        parts.append("Change the draft as the last line says, and nothing else.")
    if errors:
        parts.append(f"Your last answer cannot be used: {_told(errors[:5])}")
    what = "patch" if request.before is not None else "definition"
    inside: JsonObject = {"type": "object"} if what == "definition" else _PATCH
    shape = (
        '{"definition": {...}, "questions": [{"name", "asks", "kind"}]}'
        if what == "definition"
        else '{"patch": [{"op", "path", "value"}] (RFC 6902), "questions": [{"name", "asks", "kind"}]}'
    )
    return ModelQuestion(
        system=_prompt("generator", SHAPE=shape, FILTERS=", ".join(FILTER_NAMES), ACTIONS=_actions()),
        user="\n".join(parts),
        name="automation",
        schema={
            "type": "object",
            "properties": {what: inside, "questions": _QUESTIONS},
            "required": [what, "questions"],
            "additionalProperties": False,
        },
        most_tokens=MOST_TOKENS,
    )


_PATCH: JsonObject = {
    "type": "array",
    "maxItems": 30,
    "items": {
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": ["add", "remove", "replace"]},
            "path": {"type": "string"},
            "value": {},
        },
        "required": ["op", "path"],
    },
}


def _prompt(name: str, **words: str) -> str:
    """Return a prompt with its placeholders filled in."""
    folder = files("gaia_email_automations.authoring")
    text = folder.joinpath(f"data/{name}.txt").read_text(encoding="utf-8").rstrip()
    for place, said in words.items():
        text = text.replace(f"@{place}", said)
    return text


def _actions() -> str:
    """Return every action with its configuration, a line each."""
    lines: list[str] = []
    for name, kind in action_types().items():
        required = kind.action.config_schema.get("required") or ()
        fields = [f"{one}{'*' if one in required else ''}" for one in kind.action.config_schema["properties"]]
        lines.append(f"{name}({', '.join(fields)})")
    return "\n".join(lines)


async def review(
    definition: AutomationDefinition,
    raw: Mapping[str, Any],
    environ: Mapping[str, str],
    *,
    tell: Callable[[str], None] = lambda said: None,
) -> JsonObject:
    """Return the model's review of a definition; it informs the user and decides nothing.

    Raises:
        MailError: There is no model, it may not be asked, or its answer cannot be read.
    """
    question = ModelQuestion(
        system=_prompt("reviewer", TOPICS=", ".join(TOPICS)),
        user="\n".join((json.dumps(raw), *summary_of(definition))),
        name="review",
        schema={
            "type": "object",
            "properties": {
                "summary": {"type": "string"},
                "remarks": {
                    "type": "array",
                    "maxItems": len(TOPICS),
                    "items": {
                        "type": "object",
                        "properties": {
                            "topic": {"type": "string", "enum": list(TOPICS)},
                            "says": {"type": "string"},
                        },
                        "required": ["topic", "says"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["summary", "remarks"],
            "additionalProperties": False,
        },
        most_tokens=800,
    )
    async with asking(environ, why="a look at an automation you described", tell=tell) as client:
        said = _object((await client.ask(question)).answer())
        model = client.model
    summary = _plain(said.get("summary"), 600)
    if not summary:
        raise ProviderError("The language model had nothing to say that can be read.")
    remarks: dict[str, str] = {}
    listed: object = said.get("remarks")
    for one in listed if is_list(listed) else ():
        if is_object(one) and one.get("topic") in TOPICS:
            remarks[str(one["topic"])] = _plain(one.get("says"), 200)
    return {"by": model, "summary": summary, "remarks": {name: one for name, one in remarks.items() if one}}


def _object(text: str) -> dict[str, Any]:
    """Return the JSON object that a model wrote; an empty one if it is not an object."""
    plain = text.rpartition("</think>")[2].strip()
    plain = re.sub(r"^```(?:json)?\s*|\s*```$", "", plain)
    try:
        found: object = json.loads(plain)
    except (ValueError, RecursionError):
        return {}
    return dict(found) if is_object(found) else {}


def _plain(value: object, most: int) -> str:
    """Return the text on one line, without unprintable characters."""
    text = " ".join(as_written(str(value or "")).split())
    return "".join(one for one in text if one.isprintable())[:most]


def _told(errors: Sequence[PlacedError]) -> str:
    return " ".join(f"{one.pointer or '/'}: {one.message}" for one in errors) or "it was no JSON."
