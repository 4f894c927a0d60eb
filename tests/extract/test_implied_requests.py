"""Sentences that ask without a question and without "please", and those that only sound like asking."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.extract.requests import find_requests


def strength(sentence: str, language: str) -> float:
    return max((span.strength for span in find_requests((sentence,), language)), default=0.0)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "We are stuck until you sign the plan."),
        ("en", "The only sheet I do not have is yours, so I am waiting for your numbers."),
        ("en", "The claim needs your approval."),
        ("en", "I'm still missing two photos from you."),
        ("en", "A short answer by Friday would suffice."),
        ("en", "If you send me the key today, I can open the hall."),
        ("en", "The landlord would like to know whether you stay."),
        ("en", "Only you can open the safe."),
        ("en", "All members must renew their card."),
        ("en", "Just say if that is too early."),
        ("en", "I would value your view on the second draft."),
        ("en", "Grateful for your text so that we can submit."),
        ("en", "I should be glad to learn in due course whether the date suits."),
        ("en", "I was hoping you might take the minutes."),
        ("en", "Looking forward to hearing which of the two you prefer."),
        ("en", "do you still need the key for the loft"),
        ("en", "what time is the meeting on the ground floor"),
        ("en", "any news from the surveyor"),
        ("de", "Mir fehlt noch die Unterschrift auf Seite zwei."),
        ("de", "Wir warten noch auf deine Antwort."),
        ("fr", "Il me manque votre signature."),
        ("fr", "La somme est à régler avant vendredi."),
        ("es", "Me falta tu firma."),
        ("es", "Quedamos a la espera de su respuesta."),
        ("it", "Manca la tua firma sul contratto."),
        ("it", "Gradirei un tuo parere."),
        ("pt", "Ficamos a aguardar a sua resposta."),
        ("nl", "Ik wacht nog op je handtekening."),
        ("zh", "请发我一份合同。"),
    ],
)
def test_what_is_only_implied_is_found(language: str, sentence: str) -> None:
    assert strength(sentence, language) >= 0.5


@pytest.mark.parametrize(
    "sentence",
    [
        "There is nothing you need to do.",
        "Should we miss the train, we will take the bus",
        "Why did the hen cross the road",
        "We are grateful for your support over the years.",
        "We look forward to hearing from you.",
        "I'd be happy to hear about your trip some day.",
        "Please keep this message for your records.",
        "Don't worry about the shed.",
        "Never share your code with anyone.",
        "As agreed, please find the plans attached.",
        "Let me tell you about our summer.",
        "Let me know if you need anything else!",
        "Please join us in congratulating the winners.",
        "Scan finished at noon.",
        "Order 4500-2217 left the warehouse.",
    ],
)
def test_courtesies_and_boilerplate_ask_for_nothing(sentence: str) -> None:
    assert strength(sentence, "en") < 0.5


def test_a_sentence_that_repeats_itself_asks_once() -> None:
    for piece in (
        "if you ",
        "needs your ",
        "waiting for you until you ",
        "a short answer ",
        "yours is the only ",
    ):
        assert len(find_requests((piece * 400,), "en")) <= 1
