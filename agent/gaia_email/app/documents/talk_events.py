"""What a conversation tells as it goes, one JSON object each, discriminated on `type`. Entry point: `TalkEvent`.

The same stream in every interface: terminal, HTTP, web. An interface that does not know a type shows it as unsupported.
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
        """As it goes over a wire."""
        return {"type": self.type, **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusEvent(_Event):
    """What is being done, for who waits."""

    type: ClassVar[str] = "status"
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenEvent(_Event):
    """A piece of an answer that a model is writing."""

    type: ClassVar[str] = "token"
    delta: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallEvent(_Event):
    """A tool is called; `from_mail` are words of its arguments that stand in mail and that the user never wrote."""

    type: ClassVar[str] = "tool_call"
    tool: str
    args: Mapping[str, object] = field(default_factory=dict[str, object])
    from_mail: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultEvent(_Event):
    """What it answered; `render` says what kind of thing `data` is."""

    type: ClassVar[str] = "tool_result"
    tool: str
    render: str
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsConfirmation(_Event):
    """The gate asks the person; `summary` is made from the exact call.

    `question_id` is the id of the gate's question. It goes over no wire, since what reads the events may be a model.
    """

    type: ClassVar[str] = "needs_confirmation"
    run_id: str
    action: str
    summary: str
    confirm_url: str = ""
    question_id: str = ""

    @override
    def to_json(self) -> Json:
        """Return it as it goes over a wire, without the id."""
        return {name: value for name, value in _Event.to_json(self).items() if name != "question_id"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsInput(_Event):
    """The person has to say which; the next line may be one of the options or anything else."""

    type: ClassVar[str] = "needs_input"
    run_id: str
    request_id: str
    question: str
    options: Sequence[str] = ()
    allow_free_text: bool = True
    respond_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalEvent(_Event):
    """The answer; `cites` are the ids of the messages that it is about, `usage` the tokens of a language model."""

    type: ClassVar[str] = "final"
    answer: str
    usage: Mapping[str, int] = field(default_factory=dict[str, int])
    cites: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorEvent(_Event):
    """It could not be done; `status` is the exit code that a command would have."""

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
    """What a language model read and wrote, by the names of OpenAI's API; nothing where none was asked."""
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
