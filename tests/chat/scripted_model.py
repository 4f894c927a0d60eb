"""A model that follows a script, on a server that takes calls in one way only. Entry points: `FORMS`, `scripted`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gaia_email.models.choice import use
from tests.models import model_server
from tests.models.in_thread import listening
from tests.models.model_server import Answer, Chat, ModelServer, streamed

Call = tuple[str, Mapping[str, object]]
Move = Call | str
"""What a model does in a step: a call, or words."""

Plan = Mapping[str, Sequence[Move]]
"""The moves for a line of the user, one for each step."""

_LINE = re.compile(r"^The owner says: (.*)$", re.MULTILINE)
_RESULT = re.compile(r"^<<r\d+: answer of ", re.MULTILINE)
_FAULT = re.compile(r"^\(Your last step was not done", re.MULTILINE)


def as_json(move: Move) -> str:
    if isinstance(move, str):
        return json.dumps({"answer": move})
    return json.dumps({"name": move[0], "arguments": dict(move[1])})


def as_hermes(move: Move) -> str:
    return move if isinstance(move, str) else f"<tool_call>\n{as_json(move)}\n</tool_call>"


def as_function(move: Move) -> str:
    if isinstance(move, str):
        return move
    inside = "".join(
        f"<parameter={key}>\n{value if isinstance(value, str) else json.dumps(value)}\n</parameter>\n"
        for key, value in move[1].items()
    )
    return f"<tool_call>\n<function={move[0]}>\n{inside}</function>\n</tool_call>"


def as_native(move: Move) -> Answer:
    """A call in the server's own `tools`, its arguments in two pieces."""
    if isinstance(move, str):
        return streamed(move)
    arguments = json.dumps(dict(move[1]))
    deltas: list[dict[str, Any]] = [
        {
            "tool_calls": [
                {"index": 0, "id": "c1", "type": "function", "function": {"name": move[0], "arguments": ""}}
            ]
        },
        *(
            {"tool_calls": [{"index": 0, "function": {"arguments": part}}]}
            for part in (arguments[:3], arguments[3:])
        ),
    ]
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [{**chunk, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    sent = "".join(f"data: {json.dumps(line)}\n\n" for line in lines) + "data: [DONE]\n\n"
    return Answer(raw=sent.encode(), headers={"Content-Type": "text/event-stream"})


def _text(write: Callable[[Move], str]) -> Callable[[Move], Answer]:
    return lambda move: streamed(write(move))


FORMS: Mapping[str, tuple[frozenset[str], Callable[[Move], Answer]]] = {
    "schema": (frozenset({"response_format"}), _text(as_json)),
    "native": (frozenset({"tools"}), as_native),
    "hermes": (frozenset(), _text(as_hermes)),
    "function": (frozenset(), _text(as_function)),
}
"""What a server of each kind takes beside messages, and how its model writes a move."""


def is_step(body: Any) -> bool:
    """Whether a step of a conversation is asked for; the sorting of mail asks the same server."""
    return "You help the owner of a mailbox" in body["messages"][0]["content"]


def step_of(body: Any) -> tuple[str, int]:
    """The user's line, and how many steps were made for it."""
    asked = str(body["messages"][1]["content"])
    line = _LINE.search(asked)
    assert line is not None
    return line[1], len(_RESULT.findall(asked)) + len(_FAULT.findall(asked))


def by_plan(plan: Plan, form: str = "schema") -> Chat:
    """A model that makes the plan's moves; after the last it answers nothing more."""
    takes, write = FORMS[form]

    def chat(body: Any) -> Answer:
        for option in ("response_format", "tools"):
            if option in body and option not in takes:
                return Answer(status=400, json={"error": {"message": f"{option} is not supported"}})
        if not is_step(body):
            return model_server.refuses(body)
        line, made = step_of(body)
        moves = plan.get(line, ())
        return write(moves[made] if made < len(moves) else "")

    return chat


def always(text: str) -> Chat:
    """A model that says the same whatever is asked."""
    return lambda body: streamed(text)


@contextmanager
def scripted(chat: Chat, *, n_ctx: int = 8192) -> Generator[ModelServer, None, None]:
    """The chosen model's server."""
    with listening(ModelServer(pages=model_server.llama_cpp(n_ctx=n_ctx), chat=chat)) as server:
        use(server.address, {"T2": "qwen3-4b"}, os.environ)
        yield server
