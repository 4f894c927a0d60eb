"""The second protocol of judging: language models asked about what the rules are unsure of.

Entries: `AnswerProvider`, `UncertainMessage`.

Rules judge every message, one at a time and without I/O (`verdict.Tier`). An `AnswerProvider` gets many messages at
once with their verdicts, may take its time, and gives answers or none; what an answer may change is decided by `agree`
alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gaia_email.cascade.verdict import Bucket, Category, SpeechAct, Verdict

ModelPass = Literal["T1", "T2a", "T2b"]
"""T1 says what is worth a look, T2a sorts, T2b gives a score."""

PASSES: tuple[ModelPass, ...] = ("T1", "T2a", "T2b")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said in one pass; None where that pass does not ask for it.

    Attributes:
        made_in: The pass.
        model: The model's name.
        prompt: The version of prompt and schema.
        keep: Worth showing.
        bucket: Where it belongs.
        act: Its main speech act.
        category: Its content category.
        needs_reply: A person waits for an answer.
        score: 0 to 100.
        sure: How sure the model says it is, 0 to 100; shown to nobody as a probability.
        evidence: Words that occur in the message.
        sentence: A sentence of the model's own; printable ASCII.
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
    """A message to ask about: its text as a reader sees it, without what was hidden or quoted; and the rules' verdict.

    `key` tells whether it is the same message (`understand.content_hash`).
    """

    key: str
    sender: str
    subject: str
    text: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """What asking took.

    Attributes:
        model: Who was asked.
        calls: Calls by pass.
        asked: Messages that were shown to the model.
        recalled: Messages whose answers were kept from earlier.
        invalid: Answers that did not hold and count for nothing.
        failed: Calls without an answer.
        took: Seconds of each call that was answered.
        waited_s: Seconds waited for another program's model to be done.
        sent: Bytes that went to the server.
        place: The server's address.
        said: Why it ended early, as a sentence; empty when it did not.
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
    """The answers by `UncertainMessage.key`, in the order of the passes; and what they cost."""

    answers: Mapping[str, tuple[ModelAnswer, ...]] = field(default_factory=dict[str, tuple[ModelAnswer, ...]])
    cost: ModelCost = field(default_factory=ModelCost)


class AnswerProvider(Protocol):
    """Asks language models of this machine."""

    async def ask(self, account: str, messages: Sequence[UncertainMessage]) -> CollectedAnswers:
        """Answers to as many as the budget allows, the least sure first. Never raises for what a server does."""
        ...

    def recall(self, account: str, messages: Sequence[UncertainMessage]) -> CollectedAnswers:
        """Answers given earlier; nobody is asked."""
        ...
