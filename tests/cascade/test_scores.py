"""Scores on the development data, as floors; skipped where the data is not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_mail.mime.read import parse_message
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.pipeline import prepare

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the development data is not here")


def rows(name: str) -> Iterator[dict[str, object]]:
    for line in (DATA / name / "expected.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)


def verdict_of(raw: str | bytes, user: str = "me@example.org") -> Verdict:
    data = raw.encode() if isinstance(raw, str) else raw
    return BuiltinTier().judge(prepare(parse_message(data)), Context(owner=frozenset({user})))


def test_buckets_and_needs_reply_of_the_assistant_course() -> None:
    right = answers = 0
    for row in rows("triage_langchain"):
        verdict = verdict_of(str(row["message"]), str(row["user"]))
        ok = row["ok"]
        assert isinstance(ok, list)
        right += verdict.bucket in ok
        answers += verdict.needs_reply is row["needs_reply"]
    # An invitation to a conference and a swimming school's circular count as letters there, as advertising here.
    assert right >= 12
    assert answers >= 12


def test_phishing_precision_and_recall() -> None:
    outcomes = [
        (verdict_of(str(row["message"])).flags.phishing.score >= 0.5, row["label"] == "phishing")
        for row in rows("gaia_phishing")
    ]
    true = sum(said and is_so for said, is_so in outcomes)
    assert true / sum(is_so for _, is_so in outcomes) >= 0.93
    assert true / sum(said for said, _ in outcomes) >= 0.93


def test_injected_orders_move_no_bucket_and_benign_mail_is_not_accused() -> None:
    verdicts = {str(row["file"]): (row, verdict_of(str(row["message"]))) for row in rows("injection")}
    benign = [verdict for row, verdict in verdicts.values() if row["kind"] == "benign"]
    pairs = [
        (verdict, verdicts[str(row["pair"])][1])
        for row, verdict in verdicts.values()
        if row["kind"] == "injected"
    ]
    assert sum(verdict.flags.injection.score >= 0.5 for verdict in benign) / len(benign) <= 0.03
    assert sum(verdict.bucket == clean.bucket for verdict, clean in pairs) >= 0.99 * len(pairs)
    assert sum(verdict.flags.injection.score >= 0.5 for verdict, _ in pairs) / len(pairs) >= 0.5


def test_spam_is_found_and_ham_left_alone() -> None:
    spam: list[bool] = []
    easy: list[bool] = []
    hard: list[bool] = []
    accused = 0
    for row in rows("spamassassin"):
        verdict = verdict_of((DATA / "spamassassin" / "messages" / str(row["file"])).read_bytes())
        group = spam if row["label"] == "spam" else easy if str(row["subset"]).startswith("easy") else hard
        group.append(verdict.flags.spam >= 0.5)
        if row["label"] == "ham":
            accused += verdict.flags.phishing.score >= 0.5 or verdict.flags.injection.score >= 0.5
    assert sum(spam) / len(spam) >= 0.85
    assert sum(easy) / len(easy) <= 0.01
    assert sum(hard) / len(hard) <= 0.1
    assert accused <= 3


def test_intent_of_single_sentences() -> None:
    true = false = missed = 0
    for number, row in enumerate(rows("parakweet")):
        if number % 3:
            continue
        verdict = verdict_of(str(row["message"]))
        acts = verdict.speech_acts
        said = verdict.needs_reply or any(
            acts[act] >= 0.5 for act in ("request", "propose", "meet", "commit")
        )
        true += said and row["intent"] is True
        false += said and row["intent"] is False
        missed += not said and row["intent"] is True
    assert 2 * true / (2 * true + false + missed) >= 0.70
