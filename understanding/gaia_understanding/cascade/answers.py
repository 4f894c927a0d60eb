"""The protocol for asking language models about messages that the rules are unsure of.

Entries: `AnswerProvider`, `UncertainMessage`.

Rules judge every message, one at a time and without I/O (`verdict.Tier`). An `AnswerProvider` gets many
messages with their verdicts at once, may take its time, and returns answers or none; `agree` alone decides
what an answer changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gaia_understanding.cascade.verdict import Bucket, Category, SpeechAct, Verdict

ModelPass = Literal["T1", "T2a", "T2b"]
"""T1 picks what is worth showing, T2a sorts, T2b scores."""

PASSES: tuple[ModelPass, ...] = ("T1", "T2a", "T2b")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A model's answer in one pass; fields that the pass does not ask for are None.

    Attributes:
        made_in: The pass.
        model: The model's name.
        prompt: The version of prompt and schema.
        keep: True if the message is worth showing.
        bucket: The bucket that the model chose.
        act: The main speech act.
        category: The content category.
        needs_reply: True if a person waits for an answer.
        score: 0 to 100.
        sure: How sure the model claims to be, 0 to 100; never shown as a probability.
        evidence: Text that occurs in the message.
        sentence: A sentence by the model itself; printable ASCII.
    """

    made_in: ModelPass
    model: str
    prompt: str
    keep: bool | None = None
    bucket: Bucket | None = None
    act: SpeechAct | None = None
    category: Category | None = None
    needs_reply: bool | None = None
    score: int | None = None
    sure: int | None = None
    evidence: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainMessage:
    """A message to ask about: its visible text, without what was hidden or quoted, and the rules' verdict.

    `key` identifies the content of the message (`understand.content_hash`).
    """

    key: str
    sender: str
    subject: str
    text: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """The cost of asking a model.

    Attributes:
        model: The model that was asked.
        calls: Calls by pass.
        asked: Messages that were shown to the model.
        recalled: Messages whose answers were stored earlier.
        invalid: Answers that failed validation and count for nothing.
        failed: Calls without an answer.
        took: Seconds of each answered call.
        waited_s: Seconds spent waiting until another program's model was done.
        sent: Bytes sent to the server.
        place: The server's address.
        said: The reason why asking ended early, as a sentence; empty if it did not.
    """

    model: str = ""
    calls: Mapping[ModelPass, int] = field(default_factory=dict[ModelPass, int])
    asked: int = 0
    recalled: int = 0
    invalid: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    slowest_s: float = 0.0
    took: tuple[tuple[ModelPass, float], ...] = ()
    waited_s: float = 0.0
    sent: int = 0
    place: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedAnswers:
    """Answers by `UncertainMessage.key`, in the order of the passes, and their cost."""

    answers: Mapping[str, tuple[ModelAnswer, ...]] = field(default_factory=dict[str, tuple[ModelAnswer, ...]])
    cost: ModelCost = field(default_factory=ModelCost)


class AnswerProvider(Protocol):
    """A source of answers: language models on this machine."""

    async def ask(self, account: str, messages: Sequence[UncertainMessage]) -> CollectedAnswers:
        """Answer as many messages as the budget allows, the least certain first. Never raises if a server fails."""
        ...

    def recall(self, account: str, messages: Sequence[UncertainMessage]) -> CollectedAnswers:
        """Return the answers stored earlier; no model is asked."""
        ...
