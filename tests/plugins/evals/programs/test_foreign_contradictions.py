"""Verdicts do not contradict themselves on mail that none of us wrote; skipped where the shared corpora are not here.

The mail needs no labels for most of it: what is changed about it here says what must not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gaia_email_evals.cases import LabelledMessage
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import Context, Verdict

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
SETS = ("triage_foreign/*", "triage_langchain", "gaia_phishing")
NAME = re.compile(rb'^From: *"?[^<\n"]+"? *<([^>\n]+)>', re.MULTILINE)
QUESTION = 160
WAIVED = re.compile(
    r"no action (?:is )?(?:needed|required)|no response needed|for your information only|no need to (?:reply|respond)",
    re.IGNORECASE,
)
TIER = BuiltinTier(summaries=False)


def judged(raw: bytes, context: Context) -> Verdict:
    return understand(decode(raw), context, TIER).verdict


@cache
def foreign() -> tuple[tuple[LabelledMessage, Verdict], ...]:
    def cases() -> Iterator[LabelledMessage]:
        for pattern in SETS:
            for listing in sorted(DATA.glob(f"{pattern}/expected.jsonl")):
                yield from read_labelled(listing)

    found = tuple((case, judged(case.raw, case.context)) for case in cases())
    if not found:
        pytest.skip(f"no foreign mail in {DATA}")
    return found


def share(wrong: list[str], of: int) -> float:
    assert of, "the corpora hold no mail of this kind"
    return len(wrong) / of


def test_what_is_filed_as_advertising_is_never_urgent() -> None:
    offers = [(c, v) for c, v in foreign() if v.content_category in ("promotions", "newsletters", "social")]
    assert offers
    assert not [case.name for case, verdict in offers if verdict.bucket == "urgent"]


def test_mail_that_says_nothing_is_to_be_done_is_not_urgent() -> None:
    waived = [(c, v) for c, v in foreign() if WAIVED.search(decode(c.raw).text)]
    assert waived
    assert not [case.name for case, verdict in waived if verdict.bucket == "urgent"]


def test_a_sender_without_a_name_is_judged_as_one_with_a_name() -> None:
    pairs = [(c, v, NAME.sub(rb"From: \1", c.raw, count=1)) for c, v in foreign()]
    named = [(case, verdict, nameless) for case, verdict, nameless in pairs if nameless != case.raw]
    moved = [c.name for c, v, nameless in named if judged(nameless, c.context).bucket != v.bucket]
    assert share(moved, len(named)) <= 0.05
    assert not [
        case.name
        for case, verdict, nameless in named
        if verdict.bucket != "low_priority" and judged(nameless, case.context).bucket == "low_priority"
    ]


def test_mail_labelled_as_spam_or_a_trap_is_never_urgent_however_often_it_comes() -> None:
    bad = [(c, v) for c, v in foreign() if c.labels.spam or c.labels.phishing]
    assert bad
    for before in (0, 5, 40):
        contexts = [replace(c.context, received_before=before, first_contact=not before) for c, _ in bad]
        again = [judged(case.raw, context) for (case, _), context in zip(bad, contexts, strict=True)]
        assert not [
            case.name for (case, _), verdict in zip(bad, again, strict=True) if verdict.bucket == "urgent"
        ]


def test_mail_labelled_as_a_trap_rises_by_no_repetition() -> None:
    traps = [
        (c, v) for c, v in foreign() if (c.labels.spam or c.labels.phishing) and v.bucket == "low_priority"
    ]
    risen = [
        case.name
        for case, _ in traps
        if judged(case.raw, replace(case.context, received_before=40, first_contact=False)).bucket
        != "low_priority"
    ]
    assert share(risen, len(traps)) <= 0.05


def test_what_is_not_urgent_to_its_owner_is_hardly_called_so_for_its_tone() -> None:
    calm = [(c, v) for c, v in foreign() if c.labels.buckets and "urgent" not in c.labels.buckets]
    assert share([c.name for c, v in calm if v.bucket == "urgent"], len(calm)) <= 0.05


def test_what_is_urgent_to_its_owner_is_hardly_put_away_unread() -> None:
    urgent = [(c, v) for c, v in foreign() if c.labels.buckets == ("urgent",)]
    assert share([c.name for c, v in urgent if v.bucket == "low_priority"], len(urgent)) <= 0.1


def test_a_question_of_one_line_by_an_honest_sender_is_no_offer() -> None:
    texts = [(c, v, " ".join(decode(c.raw).text.split())) for c, v in foreign() if not c.labels.spam]
    asked = [
        (case, verdict)
        for case, verdict, text in texts
        if text.endswith("?") and len(text) <= QUESTION and "low_priority" not in case.labels.buckets
    ]
    assert asked
    for case, verdict in asked:
        assert verdict.content_category not in ("promotions", "newsletters", "social"), case.name
        assert verdict.bucket != "low_priority", case.name
