"""Judged messages without a message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gaia_email_evals.cases import Labels
from gaia_email_evals.judging import Prediction, ScoredMessage
from gaia_understanding.cascade.verdict import Bucket

MakeJudged = Callable[..., ScoredMessage]

_ANSWER = Prediction(
    bucket="informational",
    category="primary",
    act="fyi",
    cohort="default",
    needs_reply=False,
    intent=False,
    spam=False,
    phishing=False,
    injection=False,
    confidence=0.8,
    tier="T0",
)


@pytest.fixture
def judged() -> MakeJudged:
    """Makes a judged message: its number, what is right, what was said, and any other field of the answer."""

    def make(
        number: int,
        right: Bucket | tuple[Bucket, ...],
        said: Bucket,
        labels: Labels | None = None,
        **answer: object,
    ) -> ScoredMessage:
        buckets = (right,) if isinstance(right, str) else right
        return ScoredMessage(
            name=f"set/{number}",
            source="set",
            group=f"set/{number}",
            language="en",
            labels=replace(labels or Labels(), buckets=buckets),
            answer=replace(_ANSWER, bucket=said, **answer),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            keywords="informational",
            seconds=0.001,
        )

    return make
