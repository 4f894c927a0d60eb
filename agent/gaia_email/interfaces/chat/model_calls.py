"""One step of a model in a conversation: call one tool, or answer. Entries: `CALLS`, `read_step`.

A step can be requested with a JSON schema, the server's own `tools`, or plain text. Each form is parsed strictly;
anything else counts as an answer in text. Thoughts are never read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gaia_email.app.documents.fields import list_of, object_of
from gaia_email.app.documents.mail_types import SECTIONS
from gaia_email.interfaces.chat.grammar import ChatRequestKind
from gaia_email.interfaces.chat.operations import phrases

MOST_CHARS = 200
MOST_SAID = 600
"""Maximum characters of text that a model puts into a reply."""

MOST_ANSWER = 4_000
MOST_MESSAGES = 25
"""Maximum messages in one call; every interface asks for confirmation from this number on."""

ArgumentKind = Literal["bucket", "query", "message", "messages", "name", "say"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as a model sees it: its effect and its required arguments, in order."""

    kind: ChatRequestKind
    arguments: tuple[ArgumentKind, ...]
    means: str


CALLS: Mapping[str, Tool] = {
    "triage_inbox": Tool(kind="bucket", arguments=("bucket",), means="lists the mails of one bucket"),
    "daily_summary": Tool(
        kind="day", arguments=(), means="counts the inbox by bucket and lists what comes first"
    ),
    "search_mail": Tool(kind="search", arguments=("query",), means="finds mails by words, or by from:NAME"),
    "show_email": Tool(kind="show", arguments=("message",), means="shows the text of one mail"),
    "why": Tool(kind="why", arguments=("message",), means="says why a mail is in its bucket"),
    "summarize_thread": Tool(
        kind="summarise", arguments=("message",), means="shows a conversation, a line a mail"
    ),
    "exchange": Tool(kind="answered", arguments=("name",), means="says whether a person answered the user"),
    "draft_reply": Tool(
        kind="draft",
        arguments=("message", "say"),
        means="makes a reply that the owner finishes; say is what it says, without greeting; nothing is sent",
    ),
    "archive": Tool(
        kind="archive", arguments=("messages",), means="asks the owner whether to take mails out of the inbox"
    ),
    **{
        one.name: Tool(kind="operation", arguments=(), means=f"shows the owner: {one.summary}")
        for one in phrases().values()
    },
}
"""Every tool that a line can bind. None sends, deletes, remembers, or contacts another machine."""

ARGUMENTS: Mapping[ArgumentKind, Mapping[str, object]] = {
    "bucket": {"type": "string", "enum": list(SECTIONS)},
    "query": {"type": "string", "minLength": 1, "maxLength": MOST_CHARS},
    "message": {"type": "string", "minLength": 1, "maxLength": MOST_CHARS},
    "messages": {
        "type": "array",
        "minItems": 1,
        "maxItems": MOST_MESSAGES,
        "items": {"type": "string", "minLength": 1, "maxLength": MOST_CHARS},
    },
    "name": {"type": "string", "minLength": 1, "maxLength": MOST_CHARS},
    "say": {"type": "string", "maxLength": MOST_SAID},
}
_LONGEST: Mapping[ArgumentKind, int] = {"say": MOST_SAID}

_CALL = re.compile(r"<tool_call>\s*(\{.*\})\s*</tool_call>", re.DOTALL)
_FUNCTION = re.compile(
    r"(?:<tool_call>\s*)?<function=(\w+)>\s*((?:<parameter=\w+>[^<]*</parameter>\s*)*)</function>(?:\s*</tool_call>)?"
)
_PARAMETER = re.compile(r"<parameter=(\w+)>\s*([^<]*?)\s*</parameter>")
_LOOKS_LIKE_A_CALL = re.compile(r"<(?:tool_call|function)\b|^\s*[\[{]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A call written by a model, for an existing tool and with arguments that match its schema."""

    tool: str
    texts: Mapping[str, str]
    messages: tuple[str, ...] = ()

    @property
    def arguments(self) -> dict[str, object]:
        """Arguments as shown to the model and in events."""
        told: dict[str, object] = dict(self.texts)
        return told | ({"messages": list(self.messages)} if self.messages else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStep:
    """One step of a model: a call, an answer in text, or a fault that describes an invalid call."""

    call: ModelCall | None = None
    answer: str = ""
    fault: str = ""


def step_schema(bound: Collection[str]) -> dict[str, object]:
    """Return the JSON schema of a step: one call of a bound tool, or an answer."""
    answer = _closed({"answer": {"type": "string", "maxLength": MOST_ANSWER}})
    calls = [
        _closed({"name": {"type": "string", "enum": [name]}, "arguments": _shape(name)})
        for name in CALLS
        if name in bound
    ]
    return {"anyOf": [*calls, answer]}


def native_tools(bound: Collection[str]) -> list[dict[str, object]]:
    """Return the bound tools as the `tools` of a chat completion."""
    return [
        {
            "type": "function",
            "function": {"name": name, "description": tool.means, "parameters": _shape(name)},
        }
        for name, tool in CALLS.items()
        if name in bound
    ]


def _shape(name: str) -> dict[str, object]:
    return _closed({argument: dict(ARGUMENTS[argument]) for argument in CALLS[name].arguments})


def _closed(properties: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read_step(text: str) -> ModelStep:
    """Parse a model's output in any of the three forms; a call counts only if it is the whole output.

    The caller checks whether the tool is bound.
    """
    text = text.rpartition("</think>")[2].strip()
    if text.startswith("<think>"):
        return ModelStep(fault="only thoughts")
    if (match := _FUNCTION.fullmatch(text)) is not None:
        found = _PARAMETER.findall(match[2])
        arguments: dict[str, object] = {key: _typed(key, value) for key, value in found}
        if len(arguments) != len(found):
            return ModelStep(fault="an argument stands there twice")
        return _call(match[1], arguments)
    if (match := _CALL.fullmatch(text)) is not None:
        return _read_json(match[1])
    if text.startswith("{"):
        return _read_json(text)
    if _LOOKS_LIKE_A_CALL.search(text):
        return ModelStep(fault="not exactly one call")
    return ModelStep(answer=text)


def _typed(name: str, value: str) -> object:
    """Parse a parameter of the tagged form; lists are JSON or separated by whitespace or commas."""
    if name != "messages":
        return value
    try:
        read: object = json.loads(value)
    except ValueError:
        return [one for one in re.split(r"[\s,]+", value) if one]
    return read


def _read_json(text: str) -> ModelStep:
    try:
        said: object = json.loads(text)
    except (ValueError, RecursionError):
        return ModelStep(fault="not a whole JSON object")
    told = object_of({"said": said}, "said")
    if set(told) == {"answer"} and isinstance(told["answer"], str):
        return ModelStep(answer=told["answer"].strip())
    arguments = told.get("arguments")
    if set(told) != {"name", "arguments"} or not isinstance(arguments, dict):
        return ModelStep(fault="neither a call nor an answer")
    return _call(str(told["name"]), object_of(told, "arguments"))


def _call(name: str, arguments: Mapping[str, object]) -> ModelStep:
    tool = CALLS.get(name)
    if tool is None:
        return ModelStep(fault=f"there is no tool {name[:40]!r}")
    if set(arguments) != set(tool.arguments):
        return ModelStep(fault=f"the arguments of {name} are: {', '.join(tool.arguments) or 'none'}")
    texts: dict[str, str] = {}
    messages: tuple[str, ...] = ()
    for argument in tool.arguments:
        value = arguments[argument]
        if argument == "messages":
            listed = list_of(arguments, argument)
            if not 0 < len(listed) <= MOST_MESSAGES:
                return ModelStep(fault=f"messages is a list of 1 to {MOST_MESSAGES}")
            if not all(_is_text(one, MOST_CHARS) for one in listed):
                return ModelStep(fault="every message is a name such as m1")
            messages = tuple(str(one) for one in listed)
        elif not _is_text(value, _LONGEST.get(argument, MOST_CHARS), empty=argument == "say"):
            return ModelStep(fault=f"{argument} is a short text")
        elif argument == "bucket" and value not in SECTIONS:
            return ModelStep(fault=f"bucket is one of {', '.join(SECTIONS)}")
        else:
            texts[argument] = str(value).strip()
    return ModelStep(call=ModelCall(tool=name, texts=texts, messages=messages))


def _is_text(value: object, most: int, *, empty: bool = False) -> bool:
    if not isinstance(value, str) or len(value) > most or not (empty or value.strip()):
        return False
    return all(mark.isprintable() or (empty and mark == "\n") for mark in value)


def describe_tools(bound: Sequence[str]) -> str:
    """Return the bound tools for a prompt, one per line."""
    return "\n".join(f"- {name}({', '.join(CALLS[name].arguments)}): {CALLS[name].means}" for name in bound)
