"""A promise, an appointment or a proposal is found in its own sentence, whatever the mail mainly is."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.asks.sentence_acts import acts_in
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, SpeechAct
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


def performed(mail: MakeMail, text: str) -> dict[SpeechAct, str]:
    return acts_in(BuiltinTier().findings(mail(text), Context(owner=frozenset({OWNER}))).facts.view)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ("commit", "I'll have the drawings on your desk before you are back."),
        ("commit", "We will refund the deposit next week."),
        ("commit", "Leave it with me."),
        ("commit", "Ich schicke dir die Unterlagen heute Abend."),
        ("meet", "The kick-off is on Tuesday at 10:30 in room 4."),
        ("meet", "Let's sit down on Friday morning and go through it."),
        ("meet", "You are invited to our summer party on July 4th at 6 pm."),
        ("meet", "We can talk about the lease on Wed morning."),
        ("meet", "I am available to discuss it at your convenience."),
        ("propose", "How about moving the release to the week after?"),
        ("propose", "I suggest we split the bill."),
        ("propose", "Would Thursday work for you?"),
    ],
)
def test_an_act_has_its_own_sentence_as_evidence(mail: MakeMail, act: SpeechAct, sentence: str) -> None:
    text = f"Thanks for the pictures. {sentence} The weather is fine here."
    assert performed(mail, text)[act] == sentence


@pytest.mark.parametrize(
    ("act", "text"),
    [
        ("commit", "I'll be out of the office next week."),
        ("commit", "We will be in Bath on Saturday."),
        ("commit", "If nobody objects, I will send it."),
        ("commit", "They will send the parts themselves."),
        ("meet", "We met on Tuesday at 10:30 in room 4."),
        ("meet", "Please hand it in by Friday at 5 pm."),
        ("propose", "The proposal was accepted."),
    ],
)
def test_what_only_sounds_like_it_is_none(mail: MakeMail, act: SpeechAct, text: str) -> None:
    assert act not in performed(mail, text)


def test_a_request_that_comes_with_a_promise_has_both_and_stays_a_request(mail: MakeMail) -> None:
    text = "Please send me the signed form today. I'll forward it to the bank tomorrow."
    verdict = BuiltinTier().judge(
        mail(text), Context(owner=frozenset({OWNER}), received_before=3, written_to=3)
    )
    assert verdict.speech_act == "request"
    assert verdict.speech_acts["commit"] >= 0.5
    assert max(verdict.speech_acts, key=lambda act: verdict.speech_acts[act]) == "request"


def test_an_act_that_a_sentence_performs_is_told_though_no_act_is_likely(mail: MakeMail) -> None:
    text = "I'd suggest that we set up the briefing for Tuesday afternoon, a lot has to be done."
    verdict = BuiltinTier().judge(mail(text), Context(owner=frozenset({OWNER})))
    assert verdict.speech_acts["propose"] >= 0.5
