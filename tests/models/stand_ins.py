"""Scripted models for `tests.models.model_server`: perfect, constant and obedient ones; and messages to ask about."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gaia_email.models.answer_store import AnswerStore, MemoryAnswers
from gaia_email.models.asking import AskingMeans, Budget, ModelAsker
from gaia_email.models.broker import Broker
from gaia_email.models.choice import ModelChoice
from gaia_understanding.cascade.answers import UncertainMessage
from gaia_understanding.cascade.verdict import SPEECH_ACTS, Bucket, Flags, Priority, Verdict
from gaia_understanding.prepare.extract.model import Entities
from tests.models.model_server import Answer, Chat, ModelServer, streamed

MAIL = re.compile(
    r"<<mail (\d+) (\w+)>>\nFrom: (.*)\nSubject: (.*)\n\n(.*?)\n<<end of mail \1 \2>>", re.DOTALL
)
SCORES: Mapping[str, int] = {"urgent": 90, "actionable": 60, "informational": 30, "low_priority": 5}


def doubtful(
    number: int,
    bucket: Bucket = "informational",
    confidence: float = 0.5,
    text: str = "",
    sender: str = "Ann",
) -> UncertainMessage:
    """A message that the rules are unsure of."""
    verdict = Verdict(
        bucket=bucket,
        content_category="primary",
        labels=(),
        speech_act="fyi",
        speech_acts=dict.fromkeys(SPEECH_ACTS, 0.1),
        cohort="default",
        needs_reply=False,
        confidence=confidence,
        tier="T0",
        priority=Priority(score=0.3, reason="It is news.", signals=()),
        summary="",
        entities=Entities(),
        flags=Flags(),
    )
    said = text or f"Please look at the contract number {number} before the meeting."
    return UncertainMessage(
        key=f"k{number}", sender=sender, subject=f"Contract {number}", text=said, verdict=verdict
    )


def mails_in(body: Any) -> list[tuple[int, str, str]]:
    """Number, subject and text of each mail that a chat shows."""
    found = MAIL.findall(body["messages"][1]["content"])
    return [(int(number), subject, text) for number, _, _, subject, text in found]


def pass_of(body: Any) -> str:
    """Which pass a chat is of."""
    return {"t1": "T1", "t2a": "T2a", "t2b": "T2b"}[
        body["response_format"]["json_schema"]["name"].split("_")[0]
    ]


def sorting(bucket_of: Callable[[str, str], Bucket], *, keep: bool = True) -> Chat:
    """A model that sorts each mail by its subject and text, and quotes the text's beginning."""

    def chat(body: Any) -> Answer:
        mails = mails_in(body)
        made_in = pass_of(body)
        if made_in == "T1":
            return streamed(json.dumps({"mails": [{"n": number, "keep": keep} for number, _, _ in mails]}))
        if made_in == "T2b":
            ((_, subject, text),) = mails
            score = SCORES[bucket_of(subject, text)]
            return streamed(json.dumps({"score": score, "because": quote(text), "why": "It says so."}))
        said = [
            {
                "n": number,
                "bucket": bucket_of(subject, text),
                "act": "request",
                "category": "primary",
                "reply": False,
                "sure": 90,
                "because": quote(text),
            }
            for number, subject, text in mails
        ]
        return streamed(json.dumps({"mails": said}))

    return chat


def quote(text: str) -> str:
    """Words that are surely in it."""
    return " ".join(text.split())[:60].strip()


def constant(bucket: Bucket) -> Chat:
    """Always the same."""
    return sorting(lambda subject, text: bucket)


def asker(
    server: ModelServer,
    folder: Path,
    *,
    model: str = "qwen3-4b",
    first: str = "",
    store: AnswerStore | None = None,
    budget: Budget | None = None,
    told: list[str] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> ModelAsker:
    """An asker of that server's model."""
    tiers = {"T2": model} | ({"T1": first} if first else {})
    said = told if told is not None else []
    return ModelAsker(
        AskingMeans(
            chosen=ModelChoice(address=server.address, tiers=tiers),
            store=store or MemoryAnswers(),
            broker=Broker(folder / "leases.db"),
            budget=budget or Budget(),
            tell=said.append,
            clock=clock,
        )
    )


def in_batches(passes: Sequence[str]) -> dict[str, int]:
    """How many calls of each pass."""
    return {name: passes.count(name) for name in sorted(set(passes))}
