"""Bucket, act, answer and reason of a message do not contradict each other, whatever a model answers to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model.learned import load_shipped_model
from gaia_understanding.cascade.verdict import SPEECH_ACTS, Context, SpeechAct, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
MakeMail = Callable[..., Prepared]
STRANGER = Context(owner=frozenset({OWNER}), first_contact=True)
ASKING = ("request", "propose", "meet")
QUESTION = "Could you approve the colours of the panels before Tuesday?"
NEWS = "The samples of the catalogue went out by post this morning."


def judged(monkeypatch: pytest.MonkeyPatch, message: Prepared, **answers: str) -> Verdict:
    """The verdict with a model that always answers so."""
    model = load_shipped_model()
    assert model is not None
    questions = dict(model.questions)
    for name, answer in answers.items():
        asked = questions[name]
        offsets = tuple(10_000.0 if one == answer else -10_000.0 for one in asked.answers)
        questions[name] = replace(asked, offsets=offsets)
    monkeypatch.setattr(
        "gaia_understanding.cascade.judging.load_shipped_model", lambda: model._replace(questions=questions)
    )
    return BuiltinTier().judge(message, STRANGER)


@pytest.mark.parametrize("act", SPEECH_ACTS)
def test_who_waits_for_an_answer_has_asked_for_something(
    monkeypatch: pytest.MonkeyPatch, mail: MakeMail, act: SpeechAct
) -> None:
    verdict = judged(
        monkeypatch, mail(QUESTION), bucket="actionable", category="primary", act=act, reply="no"
    )
    assert verdict.needs_reply, "a plain question to the user, whatever the model says"
    assert verdict.speech_act in ASKING


@pytest.mark.parametrize("act", SPEECH_ACTS)
def test_what_asks_nothing_is_no_request_and_no_change_or_promise_out_of_nothing(
    monkeypatch: pytest.MonkeyPatch, mail: MakeMail, act: SpeechAct
) -> None:
    message = mail(NEWS, subject="The samples")
    verdict = judged(monkeypatch, message, bucket="informational", category="primary", act=act)
    assert verdict.speech_act not in ("request", "propose", "amend")
    assert verdict.speech_acts[verdict.speech_act] == max(verdict.speech_acts.values())
    assert " asks " not in verdict.priority.reason
    assert '"The samples"' not in verdict.priority.reason, "a subject is no promise and no change"


def test_a_promise_is_quoted_in_its_own_words(monkeypatch: pytest.MonkeyPatch, mail: MakeMail) -> None:
    message = mail("Good news from the board. I'll send you the order by Friday.", subject="Purchase order")
    verdict = judged(monkeypatch, message, bucket="informational", category="primary", act="commit")
    assert 'promises: "I\'ll send you the order by Friday"' in verdict.priority.reason
