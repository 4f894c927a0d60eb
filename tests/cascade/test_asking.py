"""Which sentence asks, which only sounds like it, and which one a person would repeat."""

from __future__ import annotations

from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_understanding.cascade.asks.requests import leaves_open, substance
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The boiler was repaired this morning. You do not need to do anything."),
        ("en", "The boiler was repaired. There is nothing for you to do."),
        ("de", "Der Kessel ist repariert. Sie müssen nichts weiter tun."),
        ("de", "Der Kessel ist repariert, du brauchst nichts zu machen, es ist nicht nötig."),
        ("fr", "La chaudière est réparée. Aucune action n'est requise."),
        ("es", "La caldera está reparada. No es necesario que haga nada."),
        ("it", "La caldaia è riparata. Nessuna azione è richiesta."),
        ("pt", "A caldeira está reparada. Não é necessário fazer nada."),
        ("nl", "De ketel is gerepareerd. U hoeft niets te doen."),
    ],
)
def test_saying_that_nothing_is_to_be_done_asks_for_nothing(
    mail: MakeMail, judge: Judge, language: str, text: str
) -> None:
    verdict = judge(mail(text, subject="Boiler", language=language))
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply
    assert verdict.speech_acts["request"] < 0.5


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "You do not need to come on Monday, but please send me the meter reading."),
        ("en", "Do I not need to sign it?"),
        ("de", "Sie müssen nichts bezahlen, aber bitte schicken Sie uns den Zählerstand."),
    ],
)
def test_a_request_beside_a_negated_one_still_counts(
    mail: MakeMail, judge: Judge, language: str, text: str
) -> None:
    verdict = judge(mail(text, subject="Boiler", language=language))
    assert verdict.speech_acts["request"] >= 0.5
    assert verdict.bucket == "actionable"


@pytest.mark.parametrize(
    "text",
    [
        "We see you on Tuesday at 9:40. If you cannot come, please cancel a day before on 0555 0140.",
        "The plan is attached. If you have any questions, please call me.",
        "The new key works from Monday. If anything is unclear, please write to us.",
    ],
)
def test_what_is_asked_only_in_case_waits_for_nobody(mail: MakeMail, judge: Judge, text: str) -> None:
    verdict = judge(mail(text, subject="Tuesday"))
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply


@pytest.mark.parametrize(
    ("subject", "text", "quoted"),
    [
        (
            "Our talk",
            "Can we move the talk to the large hall? Just let me know if that works for you.",
            '"Can we move the talk to the large hall"',
        ),
        (
            "Boat",
            "Are you and Lee coming to the boat on Saturday? And bring the rope, please!",
            '"Are you and Lee coming to the boat on Saturday"',
        ),
        (
            "Boat",
            "Could you repaint the hull before the season starts? Call me when you see this.",
            '"Could you repaint the hull before the season starts"',
        ),
        ("boat trip?", "The lake is open again. Are you in?", '"Are you in" about "boat trip"'),
        (
            "[club] Re: Mooring contract",
            "Here it is again. Please sign it.",
            '"Please sign it" about "Mooring contract"',
        ),
        (
            "Regatta: who can steer?",
            "We still lack two people. Please answer by Friday.",
            '"Please answer by Friday" about "Regatta: who can steer"',
        ),
    ],
)
def test_the_reason_quotes_the_main_ask(
    mail: MakeMail, judge: Judge, subject: str, text: str, quoted: str
) -> None:
    reason = judge(mail(text, subject=subject)).priority.reason
    assert reason.startswith(f"Dana asks {quoted}"), reason


def test_the_subject_of_an_answer_is_nobodys_question(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(
        mail(
            "The figures are in now, twelve in all.",
            subject="Re: Can you check the figures?",
            in_reply_to="<zero@mail.example>",
        )
    )
    assert verdict.bucket == "informational"
    assert verdict.speech_act == "fyi"


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Notes from Monday's meeting", "Roof: the tiles come on Thursday. Cellar: dry again."),
        ("Protokoll der Besprechung", "Dach: die Ziegel kommen am Donnerstag."),
    ],
)
def test_notes_of_a_meeting_are_news_and_no_meeting(
    mail: MakeMail, judge: Judge, subject: str, text: str
) -> None:
    assert judge(mail(text, subject=subject)).speech_acts["meet"] < 0.5


@given(st.text(alphabet="abcABCthe09_'- \n.,", max_size=40))
def test_substance_is_the_same_beside_a_letter_with_an_accent(sentence: str) -> None:
    assert substance(sentence) == substance(f"{sentence} é")


@pytest.mark.parametrize(
    ("sentence", "words", "open_"),
    [
        ("Are you in?", 0, True),
        ("Please fill it in.", 1, True),
        ("Could you send us the signed lease?", 2, False),
        ("Any thoughts?", 0, True),
        ("来週の打ち合わせはいかがでしょうか。", 5, False),
    ],
)
def test_substance_counts_the_words_that_say_what_it_is_about(sentence: str, words: int, open_: bool) -> None:
    assert substance(sentence) == words
    assert leaves_open(sentence) is open_


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("See attached.", False),
        ("Please find attached the file", False),
        ("Please see below.", False),
        ("Please see the attached file and send me your comments by Friday.", True),
        ("\x8c\x93 could you send \x81\x02 the \ufffd\ufffd file?", False),
        ("Könntest du mir bitte die Datei schicken?", True),
    ],
)
def test_pointing_at_a_file_and_garbled_bytes_ask_for_nothing(
    mail: MakeMail, judge: Judge, text: str, asks: bool
) -> None:
    assert (judge(mail(text, language="")).speech_acts["request"] >= 0.5) is asks


@pytest.mark.parametrize(
    "text",
    [
        "Who would have thought that they cannot add? It is put right now.",
        'She asked me "are you still doing that pottery thing?" all evening.',
        '"Are you still doing that pottery thing?" I went for a walk.',
        "Start the call without me, Ann has my numbers.",
        "Attached please find the signed copies of both agreements.",
        "As of today I have a new number. Please update your records.",
        "If you need to change the appointment, please call us a day before.",
    ],
)
def test_what_only_looks_like_asking_asks_nothing(mail: MakeMail, text: str) -> None:
    requests = BuiltinTier().findings(mail(text, subject="News"), Context()).acts.requests
    assert all(span.strength < 0.5 for span in requests), requests


@pytest.mark.parametrize(
    "text",
    [
        "where are we on this",
        "did you ever hear back from the printer",
        "Who would be free to open the hall on Monday?",
        'Is "Northern Lights" still the title you want?',
        "Attached are the agreements. Please find two witnesses before Friday.",
    ],
)
def test_what_asks_in_few_or_unusual_words_is_heard(mail: MakeMail, text: str) -> None:
    requests = BuiltinTier().findings(mail(text, subject="News"), Context()).acts.requests
    assert max((span.strength for span in requests), default=0.0) >= 0.5
