"""What one message says of who owes whom."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from gaia_email.triage.followups.message_note import MessageNote
from gaia_email.triage.followups.notes import note_of, reader_of
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.pipeline import prepare

ME = "sam@acme.example"
HER = "Dana Kim <dana@other.example>"


def note(
    body: str, *, subject: str = "Design review", to: str = HER, headers: dict[str, str] | None = None
) -> MessageNote:
    """A mail of the owner's, as the one who got it reads it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Sam Lee <{ME}>", to, subject
    mail["Date"] = "Mon, 02 Nov 2026 09:00:00 +0000"
    for name, value in (headers or {}).items():
        mail[name] = value
    mail.set_content(body)
    message = decode(mail.as_bytes())
    return note_of(prepare(message), Context(owner=reader_of(message, {ME})))


@pytest.mark.parametrize(
    "body",
    [
        "Hi Dana,\n\nCan we move Thursday's review to 3pm? Let me know if that works.\n\nSam",
        "Hi Dana,\n\nplease send me the signed form by Friday.\n\nSam",
        "Hi Dana,\n\nwhat about dinner at seven?\n\nSam",
        "Hallo Dana,\n\nkannst du mir bitte die Unterlagen schicken?\n\nSam",
        "Bonjour Dana,\n\npourriez-vous m'envoyer le contrat ?\n\nSam",
        "Hi Dana,\n\nYour thoughts on the draft would be very helpful.\n\nSam",
        "Hi Dana,\n\nany hour you can spare on Friday will be greatly appreciated.\n\nSam",
        "Hi Dana,\n\nI would like to know what the new rates are.\n\nSam",
    ],
)
def test_a_question_or_a_request_asks(body: str) -> None:
    assert note(body).asks


@pytest.mark.parametrize(
    "body",
    [
        "Thanks so much for the demo. No need to reply.\n\nSam",
        "Sounds good, see you Thursday.\n\nSam",
        "Attached is the recap. Please let me know if you have any questions.\n\nSam",
        "FYI.\n\nSam",
        "Feel free to call me.\n\nSam",
        "Don't mention that I told you.\n\nSam",
        "Please note that the office is closed on Monday.\n\nSam",
        "If there are any problems with the dates, please see me.\n\nSam",
        "Guys,\n\nthe new cups are here. Please wash them after use.\n\nSam",
    ],
)
def test_thanks_news_and_offers_ask_nothing(body: str) -> None:
    assert not note(body).asks


@pytest.mark.parametrize(
    "body",
    [
        "I'll send you the figures tomorrow.",
        "I shall contact you on my return.",
        "We will get back to you by Friday.",
        "Ich schicke dir die Zahlen morgen.",
    ],
)
def test_what_one_will_do_for_the_reader_is_a_promise(body: str) -> None:
    assert note(body).promises


@pytest.mark.parametrize(
    "body",
    [
        "I will be in London next week.",
        "If you need more, I will send it.",
        "Will I see you there?",
        "I shall join you for dinner.",
        "We will update you periodically.",
    ],
)
def test_plans_and_conditions_are_no_promise(body: str) -> None:
    assert not note(body).promises


@pytest.mark.parametrize(
    ("body", "asks"),
    [
        ("Please review and approve the attached documents by Friday.", True),
        ("Dear all,\n\nplease review and approve the attached documents by Friday.", False),
        ("All employees must renew their badge. Please bring the old one.", False),
    ],
)
def test_an_errand_is_for_the_one_reader_it_names(body: str, asks: bool) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Admin Office <admin@acme.example>", ME, "Documents"
    mail["Date"] = "Mon, 02 Nov 2026 09:00:00 +0000"
    mail.set_content(body)
    prepared, context = prepare(decode(mail.as_bytes())), Context(owner=frozenset({ME}))
    verdict = BuiltinTier().judge(prepared, context)
    assert bool(note_of(prepared, context, verdict=verdict).asks) is asks


def test_a_day_that_is_named_is_when_it_is_due() -> None:
    assert note("Hi Dana,\n\nplease send me the signed form by 6 November.\n\nSam").due == "2026-11-06"


def test_machines_lists_and_absences_ask_and_answer_nothing() -> None:
    asks = "Can you send me the form?"
    assert note(asks, headers={"Auto-Submitted": "auto-replied"}).automatic
    assert note(asks, headers={"List-Id": "<a.example>"}).automatic
    assert note("I am away until Monday.", subject="Out of office: Design review").automatic
    assert not note(asks, headers={"Auto-Submitted": "auto-replied"}).asks


def test_what_is_only_handed_on_is_asked_by_somebody_else() -> None:
    body = "---------- Forwarded message ----------\nFrom: Lee <lee@other.example>\nSubject: Form\n\nCan you sign this?"
    assert note(body, subject="Fwd: Form") == MessageNote()


def test_a_note_to_oneself_has_no_reader() -> None:
    assert note("Can you buy milk?", to=ME) == note("Can you buy milk?", to=ME)
    mail = EmailMessage()
    mail["From"], mail["To"] = ME, ME
    assert reader_of(decode(mail.as_bytes()), {ME}) == frozenset()
