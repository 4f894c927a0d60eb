"""Compares the user's chosen language model with the rules on labelled messages. Entry: `run_models`.

The model sees every labelled message that a model may see, not only those the rules are unsure of, so both
can be compared on the same messages. The line `agreed` is the product's final result; `agreed1` uses only the
first prompt's answers, so the difference is the benefit of the second prompt.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from gaia_email.models.answer_store import LedgerAnswers, MemoryAnswers
from gaia_email.models.asking import AskingMeans, Budget, ModelAsker
from gaia_email.models.broker import broker_of
from gaia_email.models.choice import read_choice
from gaia_email.models.prompts import PROMPT_VERSION
from gaia_email.triage.uncertain import unsure_of
from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.judging import full_name
from gaia_email_evals.statistics import mcnemar
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_understanding.cascade.agree import agree, is_clean
from gaia_understanding.cascade.answers import (
    PASSES,
    CollectedAnswers,
    ModelAnswer,
    ModelCost,
    ModelPass,
    UncertainMessage,
)
from gaia_understanding.cascade.bands import bucket_at
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Tier, Verdict

AGREED, ONE_PROMPT = "agreed", "agreed1"
NOTE = "Measured on this machine, with this model and prompt; other machines and models give other figures."
_UNBOUNDED = Budget(calls=dict.fromkeys(PASSES, 1_000_000), tokens=10**12, seconds=86_400.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """The number of messages that a judge put into an acceptable bucket, or into one next to it."""

    who: str
    source: str
    exact: int
    within_one: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """The duration of a pass's calls, in seconds."""

    made_in: ModelPass
    calls: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """Two judges on the same messages: how many only one got right, only the other, and McNemar's exact p."""

    first: str
    second: str
    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """The buckets of one message, by judge, and its acceptable buckets; `message` is its name among the labels."""

    message: str
    right: tuple[Bucket, ...]
    said: Mapping[str, Bucket]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRun:
    """The result of a run.

    Attributes:
        messages: Labelled messages that the model saw.
        withheld: Labelled messages that no model may see: suspicious or flagged.
        sorted_in: Figures by judge and source; the source `all` covers all together.
        words: The verdicts on each message, so that another run can be compared.
    """

    note: str
    model: str
    place: str
    prompt: str
    messages: int
    withheld: int
    sorted_in: tuple[Sorted, ...]
    paired: tuple[PairedTest, ...]
    speed: tuple[Speed, ...]
    tokens_in: int
    tokens_out: int
    invalid: int
    failed: int
    said: str
    words: tuple[Word, ...] = ()

    def to_json(self) -> str:
        """Return the run as one JSON document."""
        return json.dumps({"schema_version": 1, **asdict(self)}, indent=2) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    name: str
    source: str
    right: Sequence[Bucket]
    verdict: Verdict


async def run_models(
    cases: Sequence[LabelledMessage],
    tier: Tier,
    environ: Mapping[str, str],
    *,
    limit: int | None = None,
    tell: Callable[[str], None] = lambda said: None,
) -> ModelRun:
    """Have the chosen model sort labelled messages.

    Raises:
        NotFound: No model is chosen.
        BadArgument: The choice is invalid.
    """
    chosen = read_choice(environ)
    if "T2" not in chosen.tiers:
        raise NotFound("No language model is chosen, so none can be measured.", hint="gaia email models use")
    shown, messages, withheld = list[_Shown](), list[UncertainMessage](), 0
    for case in cases:
        if not case.labels.buckets or len(shown) == limit:
            continue
        understood = understand(decode(case.raw), case.context, tier)
        if not is_clean(understood.verdict):
            withheld += 1
            continue
        name = full_name(case)
        shown.append(
            _Shown(name=name, source=case.source, right=case.labels.buckets, verdict=understood.verdict)
        )
        messages.append(unsure_of(name, understood))
    means = AskingMeans(
        chosen=chosen, store=MemoryAnswers(), broker=broker_of(environ), budget=_UNBOUNDED, tell=tell
    )
    asked = await ModelAsker(means).ask("", messages)
    if asked.cost.sent:
        LedgerAnswers(environ).note(None, asked.cost, why="a measurement on labelled messages")
    return _report(shown, asked, withheld)


def _report(shown: Sequence[_Shown], asked: CollectedAnswers, withheld: int) -> ModelRun:
    words: dict[str, dict[str, Bucket]] = {"rules": {one.name: one.verdict.bucket for one in shown}}
    for one in shown:
        answers = asked.answers.get(one.name, ())
        for answer in answers:
            if (bucket := _bucket(answer)) is not None:
                words.setdefault(answer.made_in, {})[one.name] = bucket
        first = [answer for answer in answers if answer.made_in != "T2b"]
        words.setdefault(ONE_PROMPT, {})[one.name] = agree(one.verdict, first).bucket
        words.setdefault(AGREED, {})[one.name] = agree(one.verdict, answers).bucket
    cost = asked.cost
    return ModelRun(
        note=NOTE,
        model=cost.model,
        place=cost.place,
        prompt=PROMPT_VERSION,
        messages=len(shown),
        withheld=withheld,
        sorted_in=tuple(row for who, said in words.items() for row in _figures(who, said, shown)),
        paired=(
            *(_paired("rules", who, words, shown) for who in words if who != "rules"),
            *([_paired(ONE_PROMPT, AGREED, words, shown)] if AGREED in words else []),
        ),
        speed=tuple(_speed(cost)),
        tokens_in=cost.tokens_in,
        tokens_out=cost.tokens_out,
        invalid=cost.invalid,
        failed=cost.failed,
        said=cost.said,
        words=tuple(
            Word(
                message=one.name,
                right=tuple(one.right),
                said={who: said[one.name] for who, said in words.items() if one.name in said},
            )
            for one in shown
        ),
    )


def against(found: ModelRun, older: Mapping[str, object], name: str) -> PairedTest:
    """Compare the product with this run's model and with an older run's, on the messages that both have.

    Raises:
        BadArgument: The older document is invalid, or shares no message with this run.
    """
    rows = older.get("words")
    before: dict[str, object] = {}
    for row in cast("list[dict[str, object]]", rows) if isinstance(rows, list) else []:
        before[str(row.get("message"))] = cast("dict[str, object]", row.get("said") or {}).get(AGREED)
    both = [word for word in found.words if word.message in before]
    if not both:
        raise BadArgument(
            f"{name[:200]} has no message of this run; measure both on the same labelled messages."
        )
    now = [word.said[AGREED] in word.right for word in both]
    then = [before[word.message] in word.right for word in both]
    only_then = sum(old and not new for old, new in zip(then, now, strict=True))
    only_now = sum(new and not old for old, new in zip(then, now, strict=True))
    return PairedTest(
        first=name,
        second="this run",
        only_first=only_then,
        only_second=only_now,
        p=mcnemar(only_then, only_now),
    )


def _bucket(answer: ModelAnswer) -> Bucket | None:
    return bucket_at(answer.score / 100) if answer.score is not None else answer.bucket


def _figures(who: str, said: Mapping[str, Bucket], shown: Sequence[_Shown]) -> list[Sorted]:
    exact, near, of = Counter[str](), Counter[str](), Counter[str]()
    for one in shown:
        if one.name not in said:
            continue
        away = min(abs(BUCKETS.index(said[one.name]) - BUCKETS.index(right)) for right in one.right)
        for source in ("all", one.source):
            of[source] += 1
            exact[source] += away == 0
            near[source] += away <= 1
    return [
        Sorted(who=who, source=source, exact=exact[source], within_one=near[source], of=count)
        for source, count in of.items()
    ]


def _paired(
    first: str, second: str, words: Mapping[str, Mapping[str, Bucket]], shown: Sequence[_Shown]
) -> PairedTest:
    only_first = only_second = 0
    for one in shown:
        if one.name in words[second]:
            one_right, other_right = (words[who][one.name] in one.right for who in (first, second))
            only_first += one_right and not other_right
            only_second += other_right and not one_right
    p = mcnemar(only_first, only_second)
    return PairedTest(first=first, second=second, only_first=only_first, only_second=only_second, p=p)


def _speed(cost: ModelCost) -> list[Speed]:
    found: list[Speed] = []
    for made_in in PASSES:
        took = sorted(seconds for name, seconds in cost.took if name == made_in)
        if took:
            p50, p95 = (took[math.ceil(share * len(took)) - 1] for share in (0.5, 0.95))
            found.append(Speed(made_in=made_in, calls=len(took), p50=round(p50, 3), p95=round(p95, 3)))
    return found
