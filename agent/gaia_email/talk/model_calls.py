"""One call that a model makes for a line, as a schema and as text. Entry points: `CALLS`, `question`, `read_call`.

The model says what the user's own words mean and nothing else: it is shown no mail, it may only name a tool that
changes nothing, and what comes of it is said by code from that tool's answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from gaia_email.cascade.verdict import BUCKETS
from gaia_email.documents.fields import object_of
from gaia_email.models.client import Question
from gaia_email.talk.grammar import Kind, Request

MOST_CHARS = 200
MOST_LINE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool as a model sees it; its one argument, if any, becomes `about` or, for a bucket, `extra`."""

    kind: Kind
    argument: str
    means: str


CALLS: Mapping[str, Call] = {
    "triage_inbox": Call(kind="bucket", argument="bucket", means="lists the mails of one bucket"),
    "daily_summary": Call(kind="day", argument="", means="sums up the inbox or the day"),
    "search_mail": Call(kind="search", argument="query", means="finds mails by words, or by from:NAME"),
    "show_email": Call(kind="show", argument="message", means="shows one mail"),
    "why": Call(kind="why", argument="message", means="says why a mail is in its bucket"),
    "summarize_thread": Call(kind="summarise", argument="message", means="sums up one conversation"),
    "exchange": Call(kind="answered", argument="name", means="says whether a person answered the user"),
}
"""The binding: reading tools only. What changes mail needs a sentence of the grammar, in the user's own words."""

NONE = "none"
_CALL = re.compile(r"<tool_call>\s*(\{.*\})\s*</tool_call>", re.DOTALL)
_FUNCTION = re.compile(
    r"(?:<tool_call>\s*)?<function=(\w+)>\s*(?:<parameter=(\w+)>\s*([^<]*?)\s*</parameter>\s*)?</function>"
    r"(?:\s*</tool_call>)?"
)
_SYSTEM = f"""\
You turn what the owner of a mailbox says into one call of one tool. The tools, each with its argument:
{chr(10).join(f"- {name}({call.argument}): {call.means}" for name, call in CALLS.items())}
A bucket is one of {", ".join(BUCKETS)}. A message is named as the owner names it: "2", "the second one", "her last \
mail". Take queries, names and messages from the owner's words. Where no tool does what they want, and for everything \
that would change, send or delete mail, the name is "{NONE}" with no arguments. Answer with the call alone: \
{{"name": ..., "arguments": {{...}}}}.
"""


def question(line: str) -> Question:
    """What a model is asked of a line: which call it means."""
    return Question(
        system=_SYSTEM,
        user=" ".join(line.split())[:MOST_LINE],
        name="call",
        schema={"anyOf": [_shape(name) for name in (*CALLS, NONE)]},
        most_tokens=160,
    )


def _shape(name: str) -> dict[str, object]:
    argument = CALLS[name].argument if name in CALLS else ""
    value: dict[str, object] = {"type": "string", "minLength": 1, "maxLength": MOST_CHARS}
    if argument == "bucket":
        value = {"type": "string", "enum": list(BUCKETS)}
    arguments: dict[str, object] = {
        "type": "object",
        "properties": {argument: value} if argument else {},
        "required": [argument] if argument else [],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"name": {"type": "string", "enum": [name]}, "arguments": arguments},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def read_call(text: str) -> Request | None:
    """The call that a model wrote, as JSON or in either form of Qwen's templates; None for anything else.

    Thinking before it is never read. A call with words around it, of another tool, or with other arguments is none.
    """
    text = text.rpartition("</think>")[2].strip()
    if (match := _FUNCTION.fullmatch(text)) is not None:
        name, argument, value = match.groups()
        return _request(name, {argument: value} if argument else {})
    if (match := _CALL.fullmatch(text)) is not None:
        text = match[1]
    try:
        said: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    call = {"call": said}
    told = object_of(call, "call")
    if set(told) != {"name", "arguments"} or not isinstance(told["arguments"], dict):
        return None
    return _request(str(told["name"]), object_of(told, "arguments"))


def _request(name: str, arguments: Mapping[str, object]) -> Request | None:
    call = CALLS.get(name)
    if call is None or set(arguments) != ({call.argument} if call.argument else set[str]()):
        return None
    if not call.argument:
        return Request(kind=call.kind)
    value = arguments[call.argument]
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value.strip()) <= MOST_CHARS:
        return None
    if call.argument == "bucket":
        return Request(kind=call.kind, extra=value) if value in BUCKETS else None
    return Request(kind=call.kind, about=value.strip())
