"""What is said of every labelled message of the train and dev parts: one true sentence, and verbatim evidence."""

from __future__ import annotations

import re
from typing import Protocol

from gaia_email.cascade.model import Verdict
from gaia_email.cascade.priority import BANDS
from gaia_email.cascade.tier import RuleTier
from gaia_email.evaluate.cases import Case
from gaia_email.prepare.model import Prepared

_QUOTED = re.compile(r'"[^"]*"')
_SENTENCE_END = re.compile(r"\b(\w+)[.!?…]\s+(?=[A-ZÀ-Þ])")
_TITLE_LETTERS = 5
"""The longest abbreviation in front of a name ("Geom. Salvi"); longer words before a full stop end a sentence."""
_CALM = re.compile(r"nothing is asked of you|nothing to do|no answer is needed")
_PRESSING = re.compile(
    r"it (?:may )?needs? you|waits for you|wants something from you|needs something from you|to be paid|; due "
)


class Open(Protocol):
    @property
    def case(self) -> Case: ...
    @property
    def prepared(self) -> Prepared: ...


Said = list[tuple[Open, Verdict]]


def test_reasons_are_one_short_sentence_with_balanced_quotes(said: Said) -> None:
    for one, verdict in said:
        reason, name = verdict.priority.reason, one.case.name
        assert 10 <= len(reason) <= 145, name
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
        own = _QUOTED.sub("", verdict.priority.reason)
        if verdict.bucket in ("urgent", "actionable"):
            assert not _CALM.search(own), (one.case.name, verdict.bucket, verdict.priority.reason)
        else:
            assert not _PRESSING.search(own), (one.case.name, verdict.bucket, verdict.priority.reason)


def test_a_reason_does_not_say_nothing_is_asked_where_an_answer_is_expected(said: Said) -> None:
    expecting = [(one, verdict) for one, verdict in said if verdict.needs_reply]
    assert len(expecting) >= 200
    for one, verdict in expecting:
        own = _QUOTED.sub("", verdict.priority.reason)
        assert not _CALM.search(own), (one.case.name, verdict.priority.reason)


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
        assert 0 < verdict.confidence <= 1, one.case.name
        assert all(0 <= value <= 1 for value in verdict.speech_acts.values()), one.case.name
        assert verdict.speech_acts[verdict.speech_act] == max(verdict.speech_acts.values()), one.case.name


def test_confidence_tells_right_from_wrong(said: Said) -> None:
    """Of the dev part, where the tier is surer it is more often right."""
    dev = sorted(
        (
            (verdict.confidence, verdict.bucket in one.case.labels.buckets)
            for one, verdict in said
            if one.case.part == "dev"
        ),
        key=lambda pair: pair[0],
    )
    half = len(dev) // 2
    assert (
        sum(right for _, right in dev[half:]) / (len(dev) - half)
        > sum(right for _, right in dev[:half]) / half
    )


def test_judging_again_gives_the_same_verdict(said: Said, tier: RuleTier) -> None:
    for one, verdict in said[::9]:
        assert tier.judge(one.prepared, one.case.context) == verdict


def _fields(one: Open) -> list[str]:
    return [value for _, value in one.prepared.message.headers.fields()]


def _words(text: str) -> str:
    """Letters and digits alone: a quotation may cut, and change line ends and marks."""
    return re.sub(r"[\W_]+", "", text).casefold()
