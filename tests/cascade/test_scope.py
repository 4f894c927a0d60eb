"""Words against their meaning: what is denied, over, supposed, quoted or asked of anybody presses nobody."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.asks.scope import asks_anyone, is_meant, is_title
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
KNOWN = Context(owner=frozenset({OWNER}), first_contact=False, received_before=5, written_to=4)
MET_NEVER = Context(owner=frozenset({OWNER}), first_contact=True)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("This is not urgent at all, but could you look at the floor plan sometime?", "en"),
        ("It's far from urgent. Can you check the caption?", "en"),
        ("If it were urgent I would call. Could you review the budget?", "en"),
        ("She said it was urgent last week, but that is settled. Could you send me the list?", "en"),
        ("There's no hard deadline. Could you send me the drawings, maybe today or tomorrow?", "en"),
        ("The finish line is a long ways away right now. Can you tell me how chapter one reads?", "en"),
        ("Das ist überhaupt nicht dringend, aber könntest du mir die Pläne schicken?", "de"),
        ("Ce n'est pas urgent du tout. Peux-tu m'envoyer les plans ?", "fr"),
        ("No es nada urgente, pero ¿puedes enviarme los planos?", "es"),
        ("Non è affatto urgente, ma puoi mandarmi i disegni?", "it"),
    ],
)
def test_hurry_that_is_denied_supposed_or_past_makes_nothing_urgent(
    mail: MakeMail, judge: Judge, text: str, language: str
) -> None:
    verdict = judge(mail(text, subject="Plans", language=language), KNOWN)
    assert verdict.bucket == "actionable"
    assert all(signal.name not in ("urgent_word", "wanted_today") for signal in verdict.priority.signals)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("This is urgent: could you look at the floor plan? I cannot wait.", "en"),
        ("No answer yet, and this is urgent. Could you call me?", "en"),
        ("We cannot work because the server is down right now. Can you restart it?", "en"),
        ("Could you send me the list? I need it by 5 pm today.", "en"),
        ("Das ist dringend, könntest du mir bitte sofort die Pläne schicken?", "de"),
        ("C'est urgent, peux-tu m'envoyer les plans tout de suite ?", "fr"),
    ],
)
def test_hurry_that_is_meant_still_presses(mail: MakeMail, judge: Judge, text: str, language: str) -> None:
    assert judge(mail(text, subject="Plans", language=language), KNOWN).bucket == "urgent"


@pytest.mark.parametrize(
    ("subject", "text", "language"),
    [
        ("Outage north site", "Power was restored at 14:10. All systems are running normally.", "en"),
        ("Server", "The server was down yesterday but is back up.", "en"),
        ("Stromausfall", "Der Strom ist wieder da. Die Störung wurde behoben.", "de"),
        ("Panne", "La panne a été réparée, tout est de nouveau disponible.", "fr"),
        ("Avería", "La avería ha sido resuelta y todo funciona.", "es"),
        ("Guasto", "Il guasto è stato risolto e tutto funziona.", "it"),
    ],
)
def test_trouble_that_is_over_is_worth_knowing(
    mail: MakeMail, judge: Judge, subject: str, text: str, language: str
) -> None:
    assert judge(mail(text, subject=subject, language=language), KNOWN).bucket == "informational"


@pytest.mark.parametrize(
    "text",
    [
        'I will speak on the panel "Who must act now? Please respond" at the fair in spring.',
        'My article "Can you hear me now?" appeared in the journal.',
        "The talk is called: How do we respond to an outage?",
        "The journal printed my essay “Could you live without a garden?” in its spring issue.",
        'Mein Vortrag heißt "Können Sie mir bitte helfen?" und ist im Mai.',
    ],
)
def test_the_title_of_a_work_asks_nobody(mail: MakeMail, judge: Judge, text: str) -> None:
    verdict = judge(mail(text, subject="Spring fair"), KNOWN)
    assert verdict.bucket == "informational"
    assert " asks " not in verdict.priority.reason


@pytest.mark.parametrize(
    "text",
    [
        "Can anyone tell me how to reset the kiln? I need it today.",
        "If anybody has a spare projector for today, please let me know.",
        "Kann jemand heute den Brennofen prüfen?",
    ],
)
def test_what_is_asked_of_anybody_is_urgent_for_nobody(mail: MakeMail, judge: Judge, text: str) -> None:
    many = [OWNER, *(f"maker{number}@makers.example" for number in range(12))]
    assert judge(mail(text, subject="Kiln", to=many), KNOWN).bucket == "informational"
    assert judge(mail(text, subject="Kiln"), KNOWN).bucket != "urgent"


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("¿alguien puede abrir hoy?", True),
        ("si quelqu'un a la clé, merci de me dire", True),
        ("has anyone seen this?", True),
        ("anyone seen this?", True),
        ("mande a alguien con llave hoy mismo", False),
        ("il faut que quelqu'un de chez vous vienne", False),
        ("if anyone in your household relies on a device, call 1-800-555-0170 now", False),
        ("if anyone has urgent concerns, contact hr at ext. 5500", False),
        ("if anyone can help with the move, call me", True),
    ],
)
def test_a_question_to_anybody_is_told_from_a_wish_for_somebody(sentence: str, is_so: bool) -> None:
    assert asks_anyone(sentence) is is_so


def test_a_question_that_a_help_desk_hands_on_is_asked(mail: MakeMail, judge: Judge) -> None:
    text = (
        "Customer: Marie\n\n"
        '"Thank you for the quick answer. I tried UTF-8 as you said, but when I open the file in the spreadsheet the '
        'accents are still wrong. Is there another setting? I only need it for the inventory in June."'
    )
    assert judge(mail(text, subject="New reply from customer"), KNOWN).bucket == "actionable"


@pytest.mark.parametrize(
    ("subject", "text", "sender", "name"),
    [
        (
            "Your subscription expires today",
            "Renew now to keep access.",
            "tom@letterhaus.example",
            "Tom Reed",
        ),
        (
            "Trial",
            "Your trial ends tonight. Please upgrade to keep your data.",
            "care@vault.example",
            "Vault",
        ),
        ("Domain", "Your domain expires today, please renew it at once.", "billing@hosts.example", "Hosts"),
    ],
)
def test_a_strangers_deadline_makes_nothing_urgent(
    mail: MakeMail, judge: Judge, subject: str, text: str, sender: str, name: str
) -> None:
    assert judge(mail(text, subject=subject, sender=sender, name=name), MET_NEVER).bucket != "urgent"


@pytest.mark.parametrize(
    ("sentence", "word", "is_so"),
    [
        ("this is urgent", "urgent", True),
        ("this is not urgent", "urgent", False),
        ("i have not heard from you, this is urgent", "urgent", True),
        ("if you could send it, this is urgent", "urgent", True),
        ("if it is urgent, call me", "urgent", False),
        ('he wrote "this is urgent" to all', "urgent", False),
        ("the talk is called: an urgent matter", "urgent", False),
        ("nichts ist kaputt, es ist dringend", "dringend", True),
        ("c'est loin d'être urgent", "urgent", False),
    ],
)
def test_a_word_counts_by_its_clause(sentence: str, word: str, is_so: bool) -> None:
    assert is_meant(sentence, sentence.index(word), len(word)) is is_so


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('My article "Can you hear me now?"', True),
        ("How Should Cities Respond To Floods?", True),
        ("Can you bring the Keys of the House?", False),
        ('Did you read "The Long Walk"?', False),
        ("Shall we talk Thursday at 10:00?", False),
        ("Could I take 19 to 24 October off?", False),
        ("Would you post or e-mail me one, so it's sorted in time?", False),
        ("The book lacks chapter 7 :) Could I have it again?", False),
    ],
)
def test_titles_are_told_from_questions(text: str, is_one: bool) -> None:
    assert is_title(text) is is_one


LIST = (("List-Id", "<glaze.lists.example>"), ("List-Post", "<mailto:glaze@lists.example>"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "Has anyone fired porcelain above cone 10 in a cheap kiln? My impression is that the shelves warp "
            "before the glaze runs, because the elements sag anyway. I would be curious about measurements.",
            "en",
        ),
        (
            "Does anybody know where the old cone charts went? I only find the scanned copy of the second edition, "
            "and half of its numbers are unreadable.",
            "en",
        ),
        (
            "Hat jemand Porzellan in einem billigen Ofen gebrannt? Mein Eindruck ist, dass sich die Platten "
            "verziehen, bevor die Glasur läuft. Messwerte würden mich interessieren.",
            "de",
        ),
    ],
)
def test_a_question_to_all_who_discuss_on_a_list_is_read(
    mail: MakeMail, judge: Judge, text: str, language: str
) -> None:
    made = mail(
        f"{text}\n\nDana",
        subject="[glaze] Cheap kilns",
        to=("glaze@lists.example",),
        headers=LIST,
        language=language,
    )
    assert judge(made, MET_NEVER).bucket == "informational"


def test_an_offer_to_all_who_discuss_on_a_list_is_still_put_away(mail: MakeMail, judge: Judge) -> None:
    text = "For sale: my old kiln, good condition, best offer, pick up in Graz. Does anyone want it?"
    made = mail(text, subject="[glaze] For sale: kiln", to=("glaze@lists.example",), headers=LIST)
    assert judge(made, MET_NEVER).bucket == "low_priority"
