"""The agent as a model for OpenAI-compatible clients: `/v1/chat/completions`. Entries: `ChatInput`, `completion`.

The client's messages count as a user's lines and nothing more: a `system` message has no authority, the agent uses only
its own tools, and changes to mail are not made here.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from gaia_email.app.operations.operation import convert_json
from gaia_email.interfaces.http.conversations import ContextItem, QueryInput
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict
from gaia_mail.printable import safe_json

Json = dict[str, Any]

MODEL = "gaia-email"
STOPPED = "The answer was cut short: "
CHANGES = (
    "That would change your mail or what is remembered, which takes your own yes. Nothing was done; say it in "
    "`gaia email chat`, or through /v1/email/query, which waits for your answer."
)


NoTools = Annotated[list[Any], Meta(extra_json_schema={"maxItems": 0})]
"""A list that must be empty; any content is refused with our own error."""


class ChatPart(Struct, frozen=True, kw_only=True):
    """A part of a message; only text is read."""

    type: Annotated[str, Meta(max_length=40, extra_json_schema={"enum": ["text", "input_text"]})]
    text: Annotated[str, Meta(max_length=20_000)] = ""


class ChatMessage(Struct, frozen=True, kw_only=True):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Meta(max_length=20_000)] | list[ChatPart] | None = None


class StreamOptions(Struct, frozen=True, kw_only=True):
    """Additional content of a stream."""

    include_usage: bool = False


class ChatInput(Struct, frozen=True, kw_only=True):
    """A request of an OpenAI client; fields that change nothing here are taken and left alone."""

    messages: Annotated[list[ChatMessage], Meta(min_length=1, max_length=200)]
    model: Annotated[str, Meta(max_length=200)] = MODEL
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Annotated[int, Meta(ge=1, extra_json_schema={"maximum": 1})] = 1
    tools: NoTools | None = None
    functions: NoTools | None = None


def query_of(asked: ChatInput) -> QueryInput:
    """Return the user's last line as a query, with their earlier lines.

    Raises:
        BadArgument: The request has tools, pictures or several answers.
        NotFound: The request names another model.
        StateConflict: The last message is not a line of the user that can be answered.
    """
    if asked.model.removeprefix("models/") != MODEL:
        raise NotFound(f"There is one model here, {MODEL}.", argument="/model")
    if asked.tools or asked.functions:
        raise BadArgument(
            "This agent has its own tools; leave `tools` out. Programs that want the mail tools use its MCP server.",
            argument="/tools",
        )
    if asked.n != 1:
        raise BadArgument("There is one answer to a line; leave `n` out.", argument="/n")
    lines = [(one.role, _text(number, one)) for number, one in enumerate(asked.messages)]
    said = [text for role, text in lines if role == "user" and text.strip()]
    if not said or lines[-1][0] != "user" or not lines[-1][1].strip():
        raise StateConflict("The last message has to be the user's.", argument=f"/messages/{len(lines) - 1}")
    if len(said[-1]) > 4_000:
        raise StateConflict(
            "A line has at most 4,000 characters.", argument=f"/messages/{len(lines) - 1}/content"
        )
    context = tuple(ContextItem(role="user", content=text) for text in said[:-1])
    return QueryInput(query=said[-1], run_id=str(uuid.uuid4()), context=context)


def _text(number: int, message: ChatMessage) -> str:
    if not isinstance(message.content, list):
        return message.content or ""
    if any(part.type not in ("text", "input_text") for part in message.content):
        raise BadArgument(
            "Only text is read; pictures, sound and files are not.", argument=f"/messages/{number}/content"
        )
    return "\n".join(part.text for part in message.content)


def read_chat(value: object) -> ChatInput:
    """Parse a JSON object as a request.

    Raises:
        BadArgument: The object is not a valid request.
    """
    return convert_json(value, ChatInput)


async def completion(events: AsyncGenerator[Json, None]) -> Json:
    """Return the whole answer; an error becomes the answer's text."""
    async with aclosing(events):
        async for event in events:
            if event["type"] == "error":
                return _completion(str(event["detail"]), {})
            if event["type"] == "needs_confirmation":
                return _completion(CHANGES, {})
            if event["type"] == "final":
                return _completion(str(event["answer"]), event["usage"])
    return _completion("The run ended without an answer; ask again.", {})


async def chunks(events: AsyncGenerator[Json, None], *, with_usage: bool) -> AsyncIterator[str]:
    """Yield the answer as it arrives, each chunk as JSON text, followed by `[DONE]`."""
    made = {"id": _id(), "created": int(time.time())}
    yield _chunk(made, {"role": "assistant", "content": ""})
    written, usage = "", dict[str, int]()
    async with aclosing(events):
        async for event in events:
            match event["type"]:
                case "token":
                    written += str(event["delta"])
                    yield _chunk(made, {"content": event["delta"]})
                case "needs_confirmation":
                    yield _chunk(made, {"content": CHANGES})
                    break
                case "error":
                    yield _chunk(made, {"content": f"{STOPPED if written else ''}{event['detail']}"})
                    break
                case "final":
                    usage = event["usage"]
                    answer = str(event["answer"])
                    rest = answer.removeprefix(written.rstrip("\n")) if written else answer
                    yield _chunk(made, {"content": rest})
                case _:
                    pass
    yield _chunk(made, {}, finish="stop")
    if with_usage:
        yield _json({**_head(made, "chat.completion.chunk"), "choices": [], "usage": usage or _NONE})
    yield "[DONE]"


_NONE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


def _completion(answer: str, usage: Json) -> Json:
    made = {"id": _id(), "created": int(time.time())}
    choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    return {**_head(made, "chat.completion"), "choices": [choice], "usage": usage or _NONE}


def _chunk(made: Json, delta: Json, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _json({**_head(made, "chat.completion.chunk"), "choices": [choice]})


def _head(made: Json, kind: str) -> Json:
    return {**made, "object": kind, "model": MODEL}


def _id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"


def _json(value: Json) -> str:
    return safe_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def models() -> Json:
    """Return the list of models, which has only the agent."""
    return {
        "object": "list",
        "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "gaia-email"}],
    }
