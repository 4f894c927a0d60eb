"""Text cut into sentences, and which of them ask for something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_understanding.prepare.extract.requests import find_requests
from gaia_understanding.prepare.extract.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Hi Sam,\n\nAll good. Thanks!\nDana", ("Hi Sam,", "All good.", "Thanks!", "Dana")),
        ("Dr. Foo came at 3 p.m. Then he left.", ("Dr. Foo came at 3 p.m.", "Then he left.")),
        ("Use tools, e.g. hammers, etc. as needed.", ("Use tools, e.g. hammers, etc. as needed.",)),
        (
            "Das Treffen ist am 12. März um 10 Uhr. Bis dann!",
            ("Das Treffen ist am 12. März um 10 Uhr.", "Bis dann!"),
        ),
        ("1. Do this\n2. Do that\n- and that", ("1. Do this", "2. Do that", "- and that")),
        ("See https://a.example/x?y=1.2 for more", ("See https://a.example/x?y=1.2 for more",)),
        ("お世話になっております。資料です。", ("お世話になっております。", "資料です。")),
        (
            "This line was wrapped by a mail program at about seventy columns\nand goes on here. Done",
            ("This line was wrapped by a mail program at about seventy columns\nand goes on here.", "Done"),
        ),
        (
            "A line that was wrapped by a mail program ends in a full stop.\nThe next one (see p. 3) does, too!\nEnd",
            (
                "A line that was wrapped by a mail program ends in a full stop.",
                "The next one (see p. 3) does, too!",
                "End",
            ),
        ),
        (
            '  Indented.  \n\n \n  "Why?" she said… Nobody knew.',
            ("Indented.", '"Why?"', "she said…", "Nobody knew."),
        ),
        ("", ()),
    ],
)
def test_mail_text_is_cut_where_a_reader_would(text: str, sentences: tuple[str, ...]) -> None:
    assert split_sentences(text) == sentences


@given(st.text(alphabet=st.sampled_from("aB1.?! \n,:-。…\"'é"), max_size=200))
def test_every_sentence_is_a_slice_of_the_text_in_order(text: str) -> None:
    position = 0
    for sentence in split_sentences(text):
        position = text.index(sentence, position) + len(sentence)
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


def test_no_more_sentences_than_asked_for() -> None:
    assert len(split_sentences("One. " * 1000, 10)) == 10


def strength(text: str, language: str = "en") -> float:
    return max((span.strength for span in find_requests(split_sentences(text), language)), default=0.0)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Please send me the report."),
        ("en", "Could you review the draft?"),
        ("en", "Rachel, can you check this with Tom."),
        ("en", "Let me know what works for you."),
        ("en", "You need to renew the certificate."),
        ("en", "Send me the slides when you can."),
        ("en", "If your team can attend, let me know."),
        ("en", "What time suits you?"),
        ("en", "I would appreciate your comments."),
        ("en", "Reminder: submit your expense reports by Friday."),
        ("de", "Kannst du mir den Vertrag schicken?"),
        ("de", "Bitte prüfen Sie die Rechnung."),
        ("fr", "Pourriez-vous m'envoyer le contrat ?"),
        ("fr", "Merci de confirmer votre présence."),
        ("fr", "Merci\nde confirmer votre présence."),
        ("es", "¿Podrías revisar el documento?"),
        ("es", "Por favor, confirma la reunión."),
        ("it", "Potresti mandarmi il file?"),
        ("it", "Fammi sapere se va bene."),
        ("pt", "Poderia enviar o relatório?"),
        ("pt", "Por favor confirme a presença."),
        ("pt", "Ligue-me já, por favor, é urgente."),
        ("pt", "Diz-me onde ficou a chave."),
        ("pt", "Precisava que me enviasses o número de bota."),
        ("pt", "Me responde até sexta."),
        ("pt", "Venha às 13h."),
        ("es", "Indíquenos cuál le interesa."),
        ("de", "Ich ersuche um Stellungnahme."),
        ("nl", "Kun je dit even nakijken?"),
        ("nl", "Laat me weten of dat lukt."),
        ("ja", "ご確認をお願いいたします。"),
        ("", "Könnten Sie mir bitte helfen?"),
    ],
)
def test_a_request_is_strong(language: str, text: str) -> None:
    assert strength(text, language) >= 0.5


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Feel free to reach out if you have any questions."),
        ("en", "How are you?"),
        ("en", "Thank you for your help."),
        ("en", "The meeting was moved to Friday."),
        ("en", "No action needed on your side."),
        ("en", "Click here to unsubscribe."),
        ("en", "Please note that the office is closed."),
        ("en", "We wanted to let you know that the sale is over."),
        ("en", "I'll let you know tomorrow."),
        ("en", "Review of the year"),
        ("de", "Bei Fragen melden Sie sich jederzeit gern."),
        ("fr", "N'hésitez pas à nous contacter pour toute question."),
        ("es", "Si tienes alguna duda, no dudes en escribirnos."),
        ("pt", "Nunca pedimos a sua senha por e-mail."),
        ("pt", "A Ana disse-nos que vem."),
        ("nl", "Heb je nog vragen, aarzel niet."),
    ],
)
def test_courtesies_statements_and_advertising_are_weak(language: str, text: str) -> None:
    assert strength(text, language) < 0.5
