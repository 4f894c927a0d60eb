"""A signature is parted from the text in many languages and forms; an ordinary last paragraph never is."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.signature import split_signature

BODY = "The report is ready and I will bring it along when we meet on Thursday afternoon."

SIGNATURES = {
    "delimiter": "-- \nKim Vale\nExample Ltd",
    "delimiter without space": "--\nKim Vale",
    "delimiter with a saying": "-- \nKim Vale\nNever a dull day when the tea is hot, as my grandmother said.",
    "em dash": "—\nKim Vale\nkim@example.com",
    "underscores": "________________\nKim Vale\nExample Ltd\ntel: 020 7946 0000",
    "regards": "Best regards,\nKim",
    "regards blank": "Kind regards\n\nKim Vale\nHead of Tea",
    "regards alone": "Best regards",
    "thanks and name": "Thanks,\nKim",
    "thanks a lot": "Many thanks and best wishes,\nKim Vale",
    "unknown name": "Cheers,\nZorblax",
    "german": "Mit freundlichen Grüßen\n\nKim Vale\nGeschäftsführerin\nBeispiel GmbH\nTel.: +49 30 1234567",
    "german short": "Viele Grüße\nKim",
    "german abbreviation": "MfG\nKim",
    "french": "Cordialement,\nKim Vale",
    "french long": "Bien à vous,\n\nKim Vale\nDirectrice",
    "spanish": "Saludos cordiales,\nKim Vale",
    "portuguese": "Atenciosamente,\nKim Vale\nGerente",
    "italian": "Cordiali saluti\nKim Vale",
    "dutch": "Met vriendelijke groet,\n\nKim Vale",
    "swedish": "Med vänliga hälsningar,\nKim",
    "danish": "Med venlig hilsen\nKim Vale",
    "finnish": "Ystävällisin terveisin,\nKim Vale",
    "polish": "Pozdrawiam,\nKim",
    "polish formal": "Z poważaniem\nKim Vale",
    "czech": "S pozdravem\nKim Vale",
    "russian": "С уважением,\nИван Петров",
    "ukrainian": "З повагою,\nОлена",
    "turkish": "Saygılarımla,\nKim Vale",
    "hungarian": "Üdvözlettel,\nKim Vale",
    "romanian": "Cu stimă,\nKim Vale",
    "iphone": "Sent from my iPhone",
    "iphone german": "Von meinem iPhone gesendet",
    "iphone french": "Envoyé de mon iPhone",
    "iphone spanish": "Enviado desde mi iPhone",
    "iphone italian": "Inviato da iPhone",
    "iphone dutch": "Verstuurd vanaf mijn iPhone",
    "iphone japanese": "iPhoneから送信",
    "iphone chinese": "发自我的iPhone",
    "iphone turkish": "iPhone'umdan gönderildi",
    "outlook": "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "samsung": "Sent from my Samsung Galaxy smartphone.",
    "name and device": "Kim\n\nSent from my iPhone",
    "sender name": "Kim",
    "two names": "Kim and Robin",
    "contact block": "Kim Vale\nHead of Tea\nExample Ltd\n1 High Street, London\n+44 20 7946 0000\nkim@example.com",
    "contact block of another": "Zorblax Quux\nzorblax@example.com\n(555) 010-0000\nwww.example.com",
    "logo": "Best regards,\nKim Vale\n[image: logo]\nwww.example.com",
    "dash": "-Kim",
    "dash stranger": "-Zorblax",
    "unknown name after a greeting": "Zorblax",
    "farewell": "Talk soon,\nKim",
    "farewell german": "Bis bald\nKim",
    "on one line": "Thanks, Kim Vale",
    "extension": "Thanks,\nKim\nx6259",
}


def test_the_signature_block_is_taken_whole(subtests: pytest.Subtests) -> None:
    for name, signature in SIGNATURES.items():
        with subtests.test(name):
            split = split_signature(
                f"Hello Lee,\n\n{BODY}\n\n{signature}\n",
                sender_name="Kim Vale",
                sender_address="kim@example.com",
            )
            assert (split.kept, split.removed) == (f"Hello Lee,\n\n{BODY}", signature)
            assert split.how


CONTENT = [
    "Thanks!",
    "Thank you.",
    "Thanks for your help with the move, it went well.",
    "Please call me at 555-010-0000 if you have questions.",
    "Regards from Berlin, the weather is good and we are well.",
    "The new number is\n\n555-010-0000",
    "Certification Document",
    "See you on Monday",
    "Yes",
    "We hope you will join us!\nRobin and Chris",
    "- milk\n- bread\n- tea",
    "Milk\nBread\nTea",
    "https://example.com/report",
    "Sent from my desk, is much easier then my mobile phone.",
    "Cell\t555-010-0000\nHome\t555-010-0001",
    "Best,\nbut only if you have the time for it.",
    "Regards, can you call me?",
    "Name\tAge\nLee\t40\nRobin\t41",
    "Robin\nLee\nSandy\nalready signed up for it.",
    "Total: $10.00\nCode: 479847",
    "Intro\n\n--\n\nThe second part of the story begins here and goes on for a while.",
    "This fixes it -- this is not a signature.",
    "Regards, Roman",
]


def test_ordinary_last_lines_are_never_claimed(subtests: pytest.Subtests) -> None:
    for text in CONTENT:
        with subtests.test(text=text):
            whole = f"{BODY}\n\n{text}"
            split = split_signature(whole, sender_name="Kim Vale", sender_address="kim@example.com")
            assert (split.kept, split.removed, split.how) == (whole, "", "")


@pytest.mark.parametrize(
    "text",
    ["--\nKim", "Best regards,\nKim", "Kim", "", "\n\n", "-- \n", ".\n\nBest regards,\nKim", "-----\n\nKim"],
)
def test_a_message_that_is_all_signature_is_its_text(text: str) -> None:
    assert split_signature(text, sender_name="Kim Vale", sender_address="kim@example.com").kept == text


def test_an_unknown_name_without_a_greeting_is_not_claimed() -> None:
    assert split_signature(f"{BODY}\n\nZorblax", sender_name="Kim Vale", sender_address="").removed == ""


def test_a_postscript_below_the_signature_stays_in_the_text() -> None:
    split = split_signature(
        f"{BODY}\n\nRegards,\nKim\n\nPS: bring the keys.", sender_name="Kim", sender_address=""
    )
    assert split.kept.split("\n") == [BODY, "", "PS: bring the keys."]
    assert split.removed == "Regards,\nKim"


def test_only_the_last_of_two_closings_is_the_signature() -> None:
    split = split_signature("Thanks,\nBlah\n\nregards\n\n\nKim Vale", sender_name="", sender_address="")
    assert (split.kept, split.removed) == ("Thanks,\nBlah", "regards\n\n\nKim Vale")
