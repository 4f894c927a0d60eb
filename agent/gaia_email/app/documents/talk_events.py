"""Events of a conversation, one JSON object each, discriminated on `type`. Entry point: `TalkEvent`.

The stream is the same for every interface: terminal, HTTP, web. An interface shows unknown types as
unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, TypeAlias

from typing_extensions import override

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    type: ClassVar[str]

    def to_json(self) -> Json:
        """Return it in the form sent over a wire."""
        return {"type": self.type, **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusEvent(_Event):
    """A progress message for the waiting user."""

    type: ClassVar[str] = "status"
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenEvent(_Event):
    """A piece of an answer that a model is still writing."""

    type: ClassVar[str] = "token"
    delta: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallEvent(_Event):
    """A tool call; `from_mail` lists words of its arguments that come from mail and were never written by the user."""

    type: ClassVar[str] = "tool_call"
    tool: str
    args: Mapping[str, object] = field(default_factory=dict[str, object])
    from_mail: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultEvent(_Event):
    """The answer of a tool; `render` is the kind of `data`."""

    type: ClassVar[str] = "tool_result"
    tool: str
    render: str
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsConfirmation(_Event):
    """A question of the gate to the user; `summary` is built from the exact call.

    `question_id` is the id of the gate's question. It is never sent over a wire, since the reader may be a
    model.
    """

    type: ClassVar[str] = "needs_confirmation"
    run_id: str
    action: str
    summary: str
    confirm_url: str = ""
    question_id: str = ""

    @override
    def to_json(self) -> Json:
        """Return it in the form sent over a wire, without the id."""
        return {name: value for name, value in _Event.to_json(self).items() if name != "question_id"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsInput(_Event):
    """A question that the user has to answer; the next line may be one of the options or anything else."""

    type: ClassVar[str] = "needs_input"
    run_id: str
    request_id: str
    question: str
    options: Sequence[str] = ()
    allow_free_text: bool = True
    respond_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalEvent(_Event):
    """The answer; `cites` are the ids of the messages it is about, `usage` the token counts of a language model."""

    type: ClassVar[str] = "final"
    answer: str
    usage: Mapping[str, int] = field(default_factory=dict[str, int])
    cites: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorEvent(_Event):
    """A failure; `status` is the exit code that a command would have."""

    type: ClassVar[str] = "error"
    detail: str
    status: int = 1


TalkEvent: TypeAlias = (
    StatusEvent
    | TokenEvent
    | ToolCallEvent
    | ToolResultEvent
    | NeedsConfirmation
    | NeedsInput
    | FinalEvent
    | ErrorEvent
)


def usage(tokens_in: int, tokens_out: int) -> dict[str, int]:
    """Return a language model's token counts, named as in OpenAI's API; zero if none was asked."""
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
