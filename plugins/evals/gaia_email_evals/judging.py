"""Judges each labelled message on its own. Entry: `judge`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter

from gaia_email_evals.baselines import by_keywords
from gaia_email_evals.cases import LabelledMessage, Labels
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, SpeechAct, Tier, Verdict

YES = 0.5
INTENTS: tuple[SpeechAct, ...] = ("request", "propose", "meet", "commit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """The verdict on a message, in terms of the labels.

    Attributes:
        intent: True if an answer is expected, or something is requested, proposed, arranged or promised.
    """

    bucket: Bucket
    category: Category
    act: SpeechAct
    cohort: Cohort | None
    needs_reply: bool
    intent: bool
    spam: bool
    phishing: bool
    injection: bool
    confidence: float
    tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredMessage:
    """A labelled message with its verdict; the message itself is not kept.

    Attributes:
        name: Unique among all that are scored together.
        keywords: The bucket by the keyword baseline.
        failed: True if our own code failed; the answer is then the constant one with confidence 0.
    """

    name: str
    source: str
    group: str
    language: str
    labels: Labels
    answer: Prediction
    keywords: Bucket
    seconds: float
    failed: bool = False


_NOTHING = Prediction(
    bucket="informational",
    category="primary",
    act="fyi",
    cohort=None,
    needs_reply=False,
    intent=False,
    spam=False,
    phishing=False,
    injection=False,
    confidence=0.0,
    tier="none",
)


def judge(cases: Iterable[LabelledMessage], tier: Tier) -> Iterator[ScoredMessage]:
    """Yield every case, judged in its own context, in order."""
    for case in cases:
        start = perf_counter()
        try:
            understood = understand(decode(case.raw), case.context, tier)
        except Exception:
            # As in a triage: a message on which our code fails is counted, and the others continue.
            yield _judged(case, _NOTHING, "informational", perf_counter() - start, failed=True)
            continue
        seconds = perf_counter() - start
        message = understood.message
        words = by_keywords(message.subject, message.text or message.html)
        yield _judged(case, _answer(understood.verdict), words, seconds)


def full_name(case: LabelledMessage) -> str:
    """Return the name of a case, unique across sources."""
    return f"{case.source}/{case.name}"


def full_group(case: LabelledMessage) -> str:
    """Return the group of a case, unique across sources."""
    return f"{case.source}/{case.group}"


def _judged(
    case: LabelledMessage, answer: Prediction, keywords: Bucket, seconds: float, *, failed: bool = False
) -> ScoredMessage:
    return ScoredMessage(
        name=full_name(case),
        source=case.source,
        group=full_group(case),
        language=case.language,
        labels=case.labels,
        answer=answer,
        keywords=keywords,
        seconds=seconds,
        failed=failed,
    )


def _answer(verdict: Verdict) -> Prediction:
    return Prediction(
        bucket=verdict.bucket,
        category=verdict.content_category,
        act=verdict.speech_act,
        cohort=verdict.cohort,
        needs_reply=verdict.needs_reply,
        intent=verdict.needs_reply or any(verdict.speech_acts[act] >= YES for act in INTENTS),
        spam=verdict.flags.spam >= YES,
        phishing=verdict.flags.phishing.score >= YES,
        injection=verdict.flags.injection.score >= YES,
        confidence=verdict.confidence,
        tier=verdict.tier,
    )
