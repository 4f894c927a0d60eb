"""What people write: requests, promises, thanks, and who is meant."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Bucket, Context, SpeechAct, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hi Robin,\n\nCould you send me the signed lease?\n\nDana"),
        ("en", "Please let me know which colour you prefer."),
        ("en", "Do you still have my ladder?"),
        ("de", "Hallo Robin,\n\nkönntest du mir bitte den unterschriebenen Vertrag schicken?\n\nDana"),
        ("fr", "Bonjour Robin,\n\nPourriez-vous m'envoyer le contrat signé ?\n\nDana"),
        ("es", "Hola Robin,\n\n¿Podrías enviarme el contrato firmado?\n\nDana"),
        ("it", "Ciao Robin,\n\npotresti mandarmi il contratto firmato?\n\nDana"),
        ("pt", "Olá Robin,\n\nVocê pode me enviar o contrato assinado?\n\nDana"),
        ("nl", "Hoi Robin,\n\nkun je mij het ondertekende contract sturen?\n\nDana"),
    ],
)
def test_a_question_of_a_person_is_actionable_and_wants_an_answer(
    mail: MakeMail, judge: Judge, language: str, text: str
) -> None:
    verdict = judge(mail(text, subject="Lease", language=language))
    assert verdict.bucket == "actionable"
    assert verdict.needs_reply
    assert verdict.content_category == "primary"
    assert verdict.speech_acts["request"] >= 0.5
    assert "Dana" in verdict.priority.reason


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, that is perfect!",
        "Got it, thank you.",
        "Sounds good, see you there.",
        "The boxes arrived yesterday and everything is in the cellar now.",
        "For your information: the bakery moved to Mill Street. No need to reply.",
        "I watered the plants while you were away.",
    ],
)
def test_news_and_thanks_ask_for_nothing(mail: MakeMail, judge: Judge, text: str) -> None:
    verdict = judge(mail(text, subject="Re: boxes", in_reply_to="<zero@mail.example>"))
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply


@pytest.mark.parametrize(
    ("language", "text", "act"),
    [
        ("en", "I'll send you the drawings this evening.", "commit"),
        ("de", "Ich schicke dir die Pläne heute Abend.", "commit"),
        ("fr", "Je vous envoie les plans ce soir.", "commit"),
        ("en", "How about lunch on Thursday at 12:30?", "propose"),
        ("en", "Correction: the rehearsal was moved to Friday.", "amend"),
        ("de", "Korrektur: die Probe wurde verschoben auf Freitag.", "amend"),
        ("en", "Please find attached the report you wanted.", "deliver"),
        ("es", "Adjunto el informe de ayer.", "deliver"),
        ("en", "Let's have a meeting on Tuesday at 10:00.", "meet"),
        ("nl", "Zullen we dinsdag om 10:00 afspreken?", "meet"),
        ("en", "FYI, the lift is being repaired.", "fyi"),
    ],
)
def test_each_speech_act_is_recognised(
    mail: MakeMail, judge: Judge, language: str, text: str, act: SpeechAct
) -> None:
    subject = "Correction" if act == "amend" else ""
    verdict = judge(mail(text, subject=subject, language=language))
    assert verdict.speech_acts[act] >= 0.5
    assert set(verdict.speech_acts) == {"request", "commit", "deliver", "propose", "meet", "amend", "fyi"}
    assert all(0 <= probability <= 1 for probability in verdict.speech_acts.values())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Can you call the landlord? It is urgent, the water is running through the ceiling."),
        ("en", "Could you sign the form today? The office closes at five."),
        ("de", "Kannst du mich bitte sofort anrufen? Es ist dringend."),
        ("fr", "Pouvez-vous me rappeler ? C'est urgent."),
        ("es", "¿Puedes llamarme? Es urgente."),
        ("it", "Puoi chiamarmi? È urgente."),
        ("pt", "Você pode me ligar? É urgente."),
        ("nl", "Kun je mij bellen? Het is dringend."),
    ],
)
def test_urgent_words_of_a_person_who_asks_make_it_urgent(
    mail: MakeMail, judge: Judge, language: str, text: str
) -> None:
    verdict = judge(
        mail(text, subject="Water" if language != "en" else "Urgent: please read", language=language)
    )
    assert verdict.bucket == "urgent"
    assert verdict.priority.score >= 0.75


@pytest.mark.parametrize(
    ("text", "bucket"),
    [
        ("Hi Robin, could you send me the signed offer by tonight?", "urgent"),
        ("Hi Robin, could you send me the signed offer by tomorrow?", "actionable"),
        ("Could you send me the signed offer by tomorrow? Otherwise we lose the flat.", "urgent"),
        ("Kannst du mir das Angebot bis morgen schicken? Sonst verlieren wir die Wohnung.", "urgent"),
        ("Could you send me the signed offer by 9 March? Otherwise we lose the flat.", "actionable"),
    ],
)
def test_a_quiet_deadline_counts_without_any_loud_word(
    mail: MakeMail, judge: Judge, text: str, bucket: Bucket
) -> None:
    verdict = judge(mail(text, subject="Offer", language="de" if "Angebot" in text else "en"))
    assert verdict.bucket == bucket
    assert verdict.priority.score >= 0.6
    assert any(signal.name.startswith(("deadline", "wanted")) for signal in verdict.priority.signals)


def test_no_hurry_takes_urgency_back(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(mail("Could you look at the photos? No rush, not urgent at all.", subject="Photos"))
    assert verdict.bucket == "actionable"


def test_a_question_in_the_signature_or_the_quote_is_nobodys_request(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(
        mail(
            "The parcel is here.",
            subject="Re: parcel",
            signature="Dana\nNeed help? Could you rate us today?",
            quoted="> URGENT! Can you please call me immediately?",
            in_reply_to="<zero@mail.example>",
        )
    )
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply
    assert verdict.speech_acts["request"] < 0.5


@pytest.mark.parametrize(
    ("context", "needs"),
    [
        (Context(owner=frozenset({OWNER})), True),
        (Context(owner=frozenset({OWNER}), answered=True), False),
    ],
)
def test_an_answered_question_is_settled(mail: MakeMail, judge: Judge, context: Context, needs: bool) -> None:
    verdict = judge(mail("Could you send me the recipe?", subject="Recipe"), context)
    assert verdict.needs_reply is needs
    assert verdict.bucket == ("actionable" if needs else "informational")


def test_a_copy_counts_only_when_the_user_is_named(mail: MakeMail, judge: Judge) -> None:
    others = ("lee@friends.example",)
    plain = judge(mail("Could you bring the drinks?", subject="Party", to=others, cc=(OWNER,)))
    named = judge(mail("Robin, could you bring the drinks?", subject="Party", to=others, cc=(OWNER,)))
    assert not plain.needs_reply
    assert plain.bucket == "informational"
    assert named.needs_reply


@pytest.mark.parametrize(
    ("ending", "asked"),
    [("Send me what you have by six.", False), ("Robin, please send me the old figures by six.", True)],
)
def test_what_a_copy_asks_of_others_is_for_information(
    mail: MakeMail, judge: Judge, ending: str, asked: bool
) -> None:
    text = (
        "Kev, where are the figures for the north? I cannot close the model without them, and I present it to the bank "
        f"tomorrow at ten. The board would never forgive us if we had to put it off again. {ending}"
    )
    found = judge(mail(text, subject="Forecast", to=("kev@friends.example",), cc=(OWNER,)))
    assert (found.bucket in ("urgent", "actionable")) is asked
    assert asked or not found.needs_reply


def test_a_person_on_a_mailing_list_is_neither_a_newsletter_nor_waiting_for_the_user(
    mail: MakeMail, judge: Judge
) -> None:
    headers = (
        ("List-Id", "<climbers.lists.example>"),
        ("List-Post", "<mailto:climbers@lists.example>"),
        ("List-Unsubscribe", "<mailto:climbers-leave@lists.example>"),
    )
    text = "Hello everyone,\n\ndoes anybody know whether the north wall is open?\n\nDana"
    verdict = judge(
        mail(text, subject="[climbers] north wall", to=("climbers@lists.example",), headers=headers)
    )
    assert verdict.content_category == "primary"
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply


def test_mail_to_many_wants_less_of_each(mail: MakeMail, judge: Judge) -> None:
    crowd = (OWNER, *(f"guest{number}@friends.example" for number in range(12)))
    verdict = judge(mail("I wonder what the weather will be like?", subject="Picnic", to=crowd))
    assert not verdict.needs_reply


def test_mail_the_user_wrote_asks_nothing_of_the_user(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(
        mail("Could you send me the keys?", sender=OWNER, name="Robin", to=("dana@friends.example",))
    )
    assert verdict.bucket == "informational"
    assert not verdict.needs_reply


@pytest.mark.parametrize(
    ("method", "bucket"), [("REQUEST", "actionable"), ("CANCEL", "informational"), ("REPLY", "informational")]
)
def test_an_invitation_waits_for_an_answer_and_a_cancellation_does_not(
    mail: MakeMail, judge: Judge, method: str, bucket: Bucket
) -> None:
    calendar = (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:1@mail.example\r\n"
        "DTSTAMP:20260304T080000Z\r\nDTSTART:20260309T130000Z\r\nDTEND:20260309T140000Z\r\nSUMMARY:House meeting\r\n"
        "ORGANIZER:mailto:dana@friends.example\r\nATTENDEE:mailto:robin@home.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    verdict = judge(mail("House meeting", subject="Invitation: House meeting", calendars=(calendar,)))
    assert verdict.bucket == bucket
    assert verdict.speech_acts["meet"] >= 0.5 or method == "CANCEL"
    assert verdict.needs_reply is (method == "REQUEST")
    assert "House meeting" in verdict.priority.reason
