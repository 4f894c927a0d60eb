"""What makes mail urgent without a deadline in so many words: hours of this day, people who wait, harm under way."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


def cues(verdict: Verdict) -> set[str]:
    return {signal.name for signal in verdict.priority.signals}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The printer closes the file at two. Could you check page four?"),
        ("en", "Can you send me the figures? I present them at 14:30."),
        ("en", "We load the van in half an hour. Where did you put the straps?"),
        ("en", "Please tell me before 3pm whether the order stands."),
        ("en", "The press is booked for 3:30. Could you give me a yes in writing?"),
        ("en", "The buyers are here at noon. Is the cellar open?"),
        ("de", "Um 15 Uhr kommt der Kurier. Kannst du mir bitte das Etikett schicken?"),
        ("fr", "Le camion part à 15 h. Pouvez-vous m'envoyer le bon ?"),
        ("es", "Cierran a las dos. ¿Puedes mandarme la firma?"),
        ("it", "Chiudono alle due. Puoi mandarmi la firma?"),
        ("pt", "Eles fecham às duas. Você pode me enviar a assinatura?"),
        ("nl", "De koerier komt om 15 uur. Kun je mij het etiket sturen?"),
    ],
)
def test_a_request_before_an_hour_of_this_day_is_urgent(
    mail: MakeMail, judge: Judge, language: str, text: str
) -> None:
    verdict = judge(mail(text, subject="The order", language=language))
    assert verdict.bucket == "urgent"
    assert "wanted_today" in cues(verdict) or "deadline_today" in cues(verdict)


@pytest.mark.parametrize(
    "text",
    [
        "Could you water the plants on Saturday at 14:30?",
        "We were there at 8:15 and nobody came. What happened?",
        "Choir is every Thursday at half past seven. Would you like to sing with us?",
        "The flat has 2.5 rooms at 14 Mill Street. Do you want to see it?",
        "Sales grew by 12.30 points. Do you know why?",
        "Could you send the minutes? The room is free from 5 May at 10:00.",
    ],
)
def test_hours_of_other_days_and_other_numbers_do_not_hurry(mail: MakeMail, judge: Judge, text: str) -> None:
    verdict = judge(mail(text, subject="A question"))
    assert verdict.bucket == "actionable"
    assert "wanted_today" not in cues(verdict)


@pytest.mark.parametrize(
    "text",
    [
        "I'm standing outside the hall with twenty children. Do you have the key?",
        "There is a smell of gas in the stairwell. Can you come home?",
        "Your visitor is waiting in the lobby. Shall I send her up?",
        "Water is coming through the ceiling. Where is the valve?",
    ],
)
def test_somebody_who_waits_or_is_in_trouble_is_urgent(mail: MakeMail, judge: Judge, text: str) -> None:
    assert judge(mail(text, subject="Hello")).bucket == "urgent"


def test_in_a_long_letter_hurry_has_to_stand_near_the_request(mail: MakeMail, judge: Judge) -> None:
    story = (
        "In winter there was a smell of gas in the old house, and we all ran out at two. "
        + "It rained on the hills and in the valley for most of the week. " * 20
    )
    verdict = judge(mail(story + "\n\nWould you like my spare bicycle?", subject="News"))
    assert verdict.bucket == "actionable"


def test_a_plan_of_this_day_that_changed_is_urgent_though_it_asks_nothing(
    mail: MakeMail, judge: Judge
) -> None:
    today = judge(
        mail("The rehearsal this afternoon was moved to room 4.", subject="Change of room: rehearsal")
    )
    later = judge(mail("The rehearsal in May was moved to room 4.", subject="Change of room: rehearsal"))
    assert today.bucket == "urgent"
    assert "changed_today" in cues(today)
    assert later.bucket == "informational"


def test_news_of_this_day_is_not_urgent(mail: MakeMail, judge: Judge) -> None:
    assert (
        judge(mail("We had lunch by the lake today and were home at six.", subject="Lake")).bucket
        == "informational"
    )


def test_a_seller_s_hurry_is_none(mail: MakeMail, judge: Judge) -> None:
    offer = mail(
        "Only today until midnight: 40% off all lamps! Shop now. Unsubscribe at any time.",
        subject="Last hours: 40% off",
        sender="news@lamps.example",
        name="Lamp World",
        headers=(("List-Unsubscribe", "<https://lamps.example/out>"),),
    )
    assert judge(offer).bucket == "low_priority"


@pytest.mark.parametrize(
    "text",
    [
        "How about Friday at the Mexican place? My treat if we win tonight.",
        "Can you have the list ready by next Thursday? I send the first half round today.",
        "Could you mend the file when you get a minute? No rush, I typed the figures in for tonight.",
    ],
)
def test_what_else_happens_today_does_not_hurry_what_is_asked_for_later(mail: MakeMail, text: str) -> None:
    found = BuiltinTier().findings(mail(text, subject="Later"), Context())
    assert not [cue for cue in found.urgency.cues if cue.name == "wanted_today" and cue.weight >= 0.5]
    assert max(span.strength for span in found.acts.requests) >= 0.5
