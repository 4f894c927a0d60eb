"""What no model may tell a user: that a mail is to be believed, or to do what fraud wants of them."""

from __future__ import annotations

import pytest

from gaia_email.policy.advice import advice_in

ADVICE = [
    "This mail from PayPal is safe and genuine.",
    "Please follow its link and log in now.",
    "This mail is s\u0430fe",
    "You can trust the sender.",
    "The sender was verified.",
    "Open the link.",
    "Call the number below.",
    "Send your PIN.",
    "Pay the invoice and be done.",
    "You should transfer the amount.",
    "Bitte überweisen Sie den Betrag.",
    "Sie können dem Absender vertrauen.",
    "Öffnen Sie den Link.",
    "Vous pouvez cliquer ici.",
    "Cet expéditeur est fiable.",
    "Payez la facture.",
    "Este correo es auténtico.",
    "Pague ahora la factura.",
    "Questo messaggio è sicuro.",
    "Effettua l'accesso.",
    "Pode confiar nele, é confiável.",
    "Deze mail is betrouwbaar.",
    "Betaal nu.",
    "这封邮件是安全的",
    "Перейдите по ссылке",
]
PLAIN = [
    "Sam asks you to come home by 3:30.",
    "Sam asks you to pay him 20 euros.",
    "The invoice of 300 euros is due on Friday.",
    "Anna wants to move the meeting to Tuesday.",
    "You find the agenda in the attachment.",
    "Nous parlons sur le toit dimanche.",
    "Gracie schickt das Protokoll der Sitzung.",
    "5 messages match invoice.",
    "Noted, thank you.",
]


@pytest.mark.parametrize("sentence", ADVICE)
def test_advice_is_found_in_every_language(sentence: str) -> None:
    assert advice_in(sentence)


@pytest.mark.parametrize("sentence", PLAIN)
def test_what_a_mail_says_is_no_advice(sentence: str) -> None:
    assert not advice_in(sentence)
