"""Boilerplate at the end goes; a sentence that shares its words stays."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.disclaimer import split_disclaimer

BODY = "Please send me the figures by Friday.\n\nBest regards,\nKim"

BOILERPLATE = {
    "en": "This e-mail is confidential and for the named addressee.\nDelete it if it was received in error.",
    "en notice": "CONFIDENTIALITY NOTICE: The contents are for the named person only.",
    "en after rule": "_______________\nThis message is privileged and for the person to whom it is addressed.",
    "de": "Diese E-Mail ist vertraulich. Sind Sie nicht der richtige Adressat, löschen Sie sie.",
    "fr": "Ce message et ses pièces jointes sont confidentiels et destinés au seul destinataire.",
    "es": "Este mensaje es confidencial y está dirigido únicamente a su destinatario.",
    "pt": "Esta mensagem pode conter informação confidencial. Se a recebeu por engano, apague-a.",
    "it": "Questo messaggio contiene informazioni riservate. Se lo avete ricevuto per errore, cancellatelo.",
    "nl": "Dit bericht is vertrouwelijk en uitsluitend bestemd voor de geadresseerde.",
    "pl": "Ta wiadomość zawiera informacje poufne.",
    "ru": "Это сообщение является конфиденциальным и предназначено только для адресата.",
    "scanner": "This email has been checked for viruses by Example Antivirus.\nhttps://www.example.com/antivirus",
    "printing": "Please consider the environment before printing this email.",
    "group": (
        "-- \nYou received this message because you are subscribed to the Google Groups 'tea' group.\n"
        "To unsubscribe from this group, send an email to tea+unsubscribe@example.com."
    ),
    "mailman": "__________\ntea mailing list\ntea@lists.example.org\nhttps://lists.example.org/mailman/listinfo/tea",
    "newsletter": "You are receiving this email because you signed up.\nUnsubscribe: https://example.com/u",
    "bare link": "Unsubscribe\n\nhttps://example.com/u",
    "two paragraphs": "This message is confidential and intended only for Kim.\n\nThis email was scanned for viruses.",
    "newsletter de": "Sie möchten keine Post mehr? Hier können Sie sich vom Newsletter abmelden.",
}  # fmt: skip


def test_the_boilerplate_below_is_taken_whole(subtests: pytest.Subtests) -> None:
    for name, footer in BOILERPLATE.items():
        with subtests.test(name):
            split = split_disclaimer(f"{BODY}\n\n{footer}\n")
            assert (split.kept, split.removed, split.how) == (BODY, footer, "boilerplate")


def test_boilerplate_without_a_blank_line_above_is_cut_at_its_first_line() -> None:
    split = split_disclaimer(
        "Fine.\nKim\nThis message is confidential and intended only for the person named.\nDelete it."
    )
    assert split.kept == "Fine.\nKim"


@pytest.mark.parametrize(
    "text",
    [
        "Please keep this confidential until Monday.",
        "Did the intended audience like it?",
        "Can you unsubscribe me from that list?",
        "My laptop has a virus, can you look at it?",
        "I read the disclaimer and have a question.",
        "We should subscribe to the journal.",
        "The registered letter has arrived.",
        "Here is the link:\n\nhttps://example.com/a",
    ],
)
def test_an_ordinary_sentence_with_the_same_words_is_kept(text: str) -> None:
    whole = f"Hello Lee,\n\n{text}"
    assert split_disclaimer(whole).kept == whole


def test_a_message_that_is_all_boilerplate_is_its_text() -> None:
    text = "This message is confidential and intended only for the person named."
    assert split_disclaimer(text).kept == text
