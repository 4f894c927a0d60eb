"""How right the shipped tier is on our own labelled messages, as floors: a change that makes it worse fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from gaia_email_evals.cases import LabelledMessage, Part
from gaia_email_evals.fixtures import read_fixtures
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare

pytestmark = pytest.mark.timeout(180)  # the first test waits until every labelled message is judged

Row = tuple[LabelledMessage, Verdict]
BASICS, BUCKET, ACT, CATEGORY, REPLY_F1 = 0.95, 0.80, 0.70, 0.80, 0.78
STRANGERS = 0.97
UNSEEN_BASICS = 0.85
BLIND = 0.8
LOCKED = Path(__file__).resolve().parents[4] / "evals" / "locked"
"""Most plain messages are in the train part, so their figure says little of new ones."""


class Open(Protocol):
    @property
    def case(self) -> LabelledMessage: ...
    @property
    def prepared(self) -> Prepared: ...


Judged = Callable[[Part], list[tuple[Open, Verdict]]]


@pytest.fixture(scope="module")
def dev(judged: Judged) -> list[Row]:
    return [(one.case, verdict) for one, verdict in judged("dev")]


@pytest.fixture(scope="module")
def rows(dev: list[Row], judged: Judged) -> list[Row]:
    return dev + [(one.case, verdict) for one, verdict in judged("train")]


def share(rows: Sequence[Row], right: Callable[[LabelledMessage, Verdict], bool]) -> float:
    assert len(rows) >= 50
    return sum(right(case, verdict) for case, verdict in rows) / len(rows)


def _bucket(case: LabelledMessage, verdict: Verdict) -> bool:
    return verdict.bucket in case.labels.buckets


def test_buckets_acts_and_categories_of_the_dev_part_stay_right(dev: list[Row]) -> None:
    assert share(dev, _bucket) >= BUCKET
    assert share(dev, lambda case, verdict: verdict.speech_act == case.labels.act) >= ACT
    assert share(dev, lambda case, verdict: verdict.content_category == case.labels.category) >= CATEGORY


def test_who_expects_an_answer_in_the_dev_part_stays_right(dev: list[Row]) -> None:
    hits = sum(case.labels.needs_reply is True and verdict.needs_reply for case, verdict in dev)
    said = sum(verdict.needs_reply for _, verdict in dev)
    true = sum(case.labels.needs_reply is True for case, _ in dev)
    assert 2 * hits / (said + true) >= REPLY_F1


def test_plain_messages_come_out_right(rows: list[Row]) -> None:
    basics = [row for row in rows if row[0].source == "basics"]
    assert share(basics, _bucket) >= BASICS
    for language in ("en", "de", "es", "fr", "it", "nl", "pt"):
        chosen = [_bucket(*row) for row in basics if row[0].language == language]
        assert len(chosen) >= 15
        assert sum(chosen) / len(chosen) >= BASICS - 0.1, language


def test_plain_messages_that_the_model_has_not_seen_come_out_right(dev: list[Row]) -> None:
    assert share([row for row in dev if row[0].source == "basics"], _bucket) >= UNSEEN_BASICS


def test_what_is_urgent_is_not_thrown_away_and_what_is_worthless_not_pressed(dev: list[Row]) -> None:
    urgent = [verdict for case, verdict in dev if case.labels.buckets == ("urgent",)]
    worthless = [verdict for case, verdict in dev if case.labels.buckets == ("low_priority",)]
    assert min(len(urgent), len(worthless)) >= 40
    assert sum(verdict.bucket == "low_priority" for verdict in urgent) <= 0.03 * len(urgent)
    assert sum(verdict.bucket == "urgent" for verdict in worthless) <= 0.03 * len(worthless)


def test_the_model_is_of_use(of_part: Callable[[Part], list[Open]], dev: list[Row]) -> None:
    alone = BuiltinTier(model=False)
    by_rules = [(one.case, alone.judge(one.prepared, one.case.context)) for one in of_part("dev")]
    assert share(dev, _bucket) > share(by_rules, _bucket)


@pytest.mark.parametrize("bare", [False, True], ids=["a stranger", "nobody knows"])
def test_a_persons_request_is_no_advertising_because_its_sender_is_unknown(
    opened: Sequence[Open], tier: BuiltinTier, bare: bool
) -> None:
    kept: list[bool] = []
    for one in opened:
        labels, context = one.case.labels, one.case.context
        if labels.act != "request" or labels.category != "primary" or labels.phishing or labels.spam:
            continue
        unknown = Context() if bare else Context(owner=context.owner, first_contact=True)
        verdict = tier.judge(one.prepared, unknown)
        kept.append(
            verdict.content_category not in ("promotions", "newsletters", "social")
            and (verdict.bucket != "low_priority" or "low_priority" in labels.buckets)
        )
    assert len(kept) >= 100
    assert sum(kept) / len(kept) >= STRANGERS


def test_mail_written_blind_and_locked_away_comes_out_right(
    cases: list[LabelledMessage], tier: BuiltinTier
) -> None:
    locked = list(read_fixtures(LOCKED))
    assert not {case.group for case in locked} & {case.group for case in cases}
    rows = [(case, tier.judge(prepare(decode(case.raw)), case.context)) for case in locked]
    assert share(rows, _bucket) >= BLIND
    honest = [verdict for case, verdict in rows if not case.labels.phishing]
    assert not any(verdict.flags.phishing.score >= 0.5 for verdict in honest)
