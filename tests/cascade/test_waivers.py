"""A mail's own word that nothing is to be done outweighs the words that stand in and around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gaia_understanding.cascade.asks.waivers import read
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.cascade.view import look
from gaia_understanding.prepare.extract.sentences import split_sentences
from gaia_understanding.prepare.model import Prepared

MakeMail = Callable[..., Prepared]
OWNER = "robin@home.example"
KNOWN = Context(owner=frozenset({OWNER}), written_to=2, received_before=4, first_contact=False)
SENDERS = ("kim.otis@home.example", "monitoring@home.example", "noreply@portal.example")

WAIVED = [
    ("Outage over", "The outage at 9 is over. No urgent action required, please do not call the help desk."),
    (
        "Production is down",
        "No action needed on your side: production is down for the upgrade until 14:00 today.",
    ),
    ("Board paper", "Nothing needed, the board paper is due today and I have sent it."),
    ("Certificate", "The certificate expires today, but no manual intervention is required."),
    ("Approval", "No need to approve it by 5pm any more, Kim signed it."),
    ("Contract", "You don't need to sign anything today. Kim did."),
    ("URGENT patch", "The urgent patch was installed. No action is required on your part."),
    ("Zertifikat", "Das Zertifikat läuft heute um 17 Uhr ab. Keine Aktion erforderlich, es wird erneuert."),
]


@pytest.mark.parametrize(("subject", "text"), WAIVED)
@pytest.mark.parametrize("sender", SENDERS)
def test_a_waiver_wins_over_the_words_inside_it(mail: MakeMail, sender: str, subject: str, text: str) -> None:
    language = "de" if "heute" in text else "en"
    message = mail(text, subject=subject, sender=sender, name="", language=language)
    for tier in (BuiltinTier(), BuiltinTier(model=False)):
        assert tier.judge(message, KNOWN).bucket not in ("urgent", "actionable")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("The form", "Nothing is needed from you but your signature, please sign it by 5pm today."),
        ("Transfer", "Robin, no answer needed if you agree. Otherwise please call me before noon today."),
        (
            "Boiler",
            "You don't need to bring tools. Could you let the plumber in at 2 today? He stands at the door.",
        ),
        ("Chasing", "I got no answer from you. Please send me the figures today, the board meets at 3."),
    ],
)
def test_what_is_asked_beside_a_waiver_is_still_asked(mail: MakeMail, subject: str, text: str) -> None:
    message = mail(text, subject=subject, sender="kim.otis@home.example", name="Kim Otis")
    assert BuiltinTier().judge(message, KNOWN).bucket in ("urgent", "actionable")


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("No further steps are necessary on your side.", True),
        ("The roof leaks, but nothing is needed from you.", True),
        ("Nothing is needed, but the roof leaks.", False),
        ("If you made this change, no action is needed.", False),
        ("No action is required unless you object.", False),
        ("The service is off until 14:00, no action required.", True),
        ("We have had no answer from you.", False),
        ("Letzte Rückmeldung: keine Antwort auf 5 von 5 Prüfungen.", False),
        ("Nous n'avons reçu aucune réponse de votre part.", False),
        ("Aucune action n'est requise.", True),
    ],
)
def test_it_holds_without_a_condition_and_where_nothing_takes_it_back(text: str, nothing: bool) -> None:
    view = look("", text, split_sentences(text))
    assert bool(read(view).nothing) is nothing
    assert read(view).cover(view, text[:6]) is nothing


def test_who_spares_the_reader_an_answer_spares_nothing_else(mail: MakeMail) -> None:
    text = "No need to answer, the gate opens at 5 today."
    view = look("", text, split_sentences(text))
    assert read(view).nothing == "No need to answer"
    assert not read(view).cover(view, "at 5 today")


def test_words_that_also_stand_elsewhere_are_not_covered() -> None:
    text = "No action is needed today. The roof is wet. Call me today."
    view = look("today", text, split_sentences(text))
    waivers = read(view)
    assert waivers.cover(view, "action is needed")
    assert not waivers.cover(view, "today")
    assert not waivers.cover(view, "roof")
    assert not waivers.cover(view, "")
