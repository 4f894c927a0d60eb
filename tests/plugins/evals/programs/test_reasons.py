"""What is said of every labelled message of the train and dev parts: one true sentence, and verbatim evidence."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

import pytest

from gaia_email_evals.cases import LabelledMessage
from gaia_understanding.cascade.bands import BANDS
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import BUCKETS, Verdict
from gaia_understanding.cascade.wording.lines import LIMIT
from gaia_understanding.prepare.model import Prepared
from tests.cascade.denials import denies, quotes_denial, warned

pytestmark = pytest.mark.timeout(180)  # the first test waits until every labelled message is judged

_QUOTED = re.compile(r'"[^"]*"')
_SENTENCE_END = re.compile(r"\b(\w+)[.!?…]\s+(?=[A-ZÀ-Þ])")
_TITLE_LETTERS = 5
"""The longest abbreviation in front of a name ("Geom. Salvi"); longer words before a full stop end a sentence."""
_LATE = re.compile(
    r"; (?:the date passed on \d{1,2} [A-Z][a-z]+(?: \d{4})?|it has waited since \d{1,2} [A-Z][a-z]+(?: \d{4})?)\.$"
)
_PRESSING = re.compile(r"it (?:may )?needs? you|wants something from you|; due ")


class Open(Protocol):
    @property
    def case(self) -> LabelledMessage: ...
    @property
    def prepared(self) -> Prepared: ...


Said = list[tuple[Open, Verdict]]


def test_reasons_are_one_short_sentence_with_balanced_quotes(said: Said) -> None:
    for one, verdict in said:
        reason, name = verdict.priority.reason, one.case.name
        assert 10 <= len(reason) <= LIMIT, name
        assert "…" not in reason, (name, reason)
        assert not re.search(r"needs? you|; sent \d", _QUOTED.sub("", reason)), (name, reason)
        assert reason == " ".join(reason.split()), name
        assert reason.count('"') % 2 == 0, (name, reason)
        assert reason.endswith((".", "!", "?", "…")), (name, reason)
        ends = [
            word for word in _SENTENCE_END.findall(_QUOTED.sub("x", reason)) if len(word) > _TITLE_LETTERS
        ]
        assert not ends, (name, reason)
        assert not re.search(r"\b(?:None|nan|True|False)\b|[{}]|\s[,;:.]|\.\.\.", _QUOTED.sub("x", reason)), (
            name,
            reason,
        )


def test_reasons_do_not_contradict_the_bucket(said: Said) -> None:
    for one, verdict in said:
        if verdict.bucket not in ("urgent", "actionable"):
            own = _QUOTED.sub("", verdict.priority.reason)
            assert not _PRESSING.search(own), (one.case.name, verdict.bucket, verdict.priority.reason)


def test_no_reason_denies_anything_in_words_of_its_own(said: Said) -> None:
    for one, verdict in said:
        assert not denies(verdict.priority.reason), (one.case.name, verdict.priority.reason)


def test_that_nothing_is_needed_is_said_of_mail_that_says_so_and_asks_nothing(said: Said) -> None:
    told = [
        (one, verdict)
        for one, verdict in said
        if quotes_denial(verdict.priority.reason) and not warned(verdict)
    ]
    assert len(told) >= 3
    for one, verdict in told:
        assert verdict.bucket in ("informational", "low_priority"), (one.case.name, verdict.priority.reason)
        assert not verdict.needs_reply, (one.case.name, verdict.priority.reason)


@pytest.mark.parametrize("days", [2, 9, 200])
def test_what_has_faded_says_when_it_was_and_stands_below_what_has_not(
    days: int, said: Said, tier: BuiltinTier
) -> None:
    passed = 0
    for one, before in said[::5]:
        now = tier.judge(one.prepared, replace(one.case.context, age_s=days * 86_400.0))
        reason, name = now.priority.reason, one.case.name
        low, high = BANDS[now.bucket]
        assert low <= now.priority.score <= high, (name, now.bucket)
        assert BUCKETS.index(now.bucket) >= BUCKETS.index(before.bucket), name
        assert not denies(reason), (name, reason)
        if "; was due " in before.priority.reason:
            continue
        over = bool(_LATE.search(reason))
        assert over or now.bucket == before.bucket, (name, reason)
        if over:
            passed += 1
            assert now.bucket != "urgent", (name, reason)
            assert now.priority.score <= (low + high) / 2, (name, reason)
            assert not _PRESSING.search(_QUOTED.sub("", reason)), (name, reason)
            assert len(reason) <= LIMIT, (name, reason)
    assert passed >= len(said) // 70


def test_reasons_quote_what_the_message_says(said: Said) -> None:
    for one, verdict in said:
        whole = _words(" ".join((one.prepared.message.subject, one.prepared.normalized, *_fields(one))))
        whole += "".join(_words(text) for text in one.prepared.message.calendars)
        for quoted in _QUOTED.findall(verdict.priority.reason):
            assert _words(quoted) in whole, (one.case.name, quoted)


def test_evidence_stands_in_the_message(said: Said) -> None:
    for one, verdict in said:
        texts = [one.prepared.message.subject, one.prepared.normalized, *_fields(one)]
        for signal in verdict.priority.signals:
            assert signal.evidence, (one.case.name, signal.name)
            assert any(signal.evidence in text for text in texts), (one.case.name, signal)


def test_scores_lie_in_their_bucket_and_probabilities_are_some(said: Said) -> None:
    for one, verdict in said:
        low, high = BANDS[verdict.bucket]
        assert low <= verdict.priority.score <= high, one.case.name
        assert 0 < verdict.confidence <= 0.99, one.case.name
        assert all(0 <= value <= 1 for value in verdict.speech_acts.values()), one.case.name
        assert verdict.speech_acts[verdict.speech_act] == max(verdict.speech_acts.values()), one.case.name


def test_confidence_tells_right_from_wrong(said: Said) -> None:
    """The tier is right more often the surer it is."""
    ordered = sorted(
        ((verdict.confidence, verdict.bucket in one.case.labels.buckets) for one, verdict in said),
        key=lambda pair: pair[0],
    )
    half = len(ordered) // 2
    assert (
        sum(right for _, right in ordered[half:]) / (len(ordered) - half)
        > sum(right for _, right in ordered[:half]) / half
    )


def test_judging_again_gives_the_same_verdict(said: Said, tier: BuiltinTier) -> None:
    for one, verdict in said[::9]:
        assert tier.judge(one.prepared, one.case.context) == verdict


def _fields(one: Open) -> list[str]:
    return [value for _, value in one.prepared.message.headers.fields()]


def _words(text: str) -> str:
    """Letters and digits alone: a quotation may cut, and change line ends and marks."""
    return re.sub(r"[\W_]+", "", text).casefold()
