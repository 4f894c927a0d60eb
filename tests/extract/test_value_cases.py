"""Labelled texts in many languages: everything a reader would write down is found, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gaia_understanding.prepare.extract.codes import find_codes
from gaia_understanding.prepare.extract.money import find_money
from gaia_understanding.prepare.extract.phones import find_phones
from gaia_understanding.prepare.extract.tracking import find_tracking
from gaia_understanding.prepare.extract.view import view_of

MONEY: Sequence[tuple[str, str, list[tuple[str, str]]]] = [
    ("en", "The total comes to $1,249.50 incl. tax.", [("1249.50", "USD")]),
    ("en", "Between $500 and $750, I'd say.", [("500", "USD"), ("750", "USD")]),
    ("en", "Budget: £10-15k for the kitchen.", [("10000", "GBP"), ("15000", "GBP")]),
    ("en", "Budget: $10k–$15k for the kitchen.", [("10000", "USD"), ("15000", "USD")]),
    ("en", "Tickets are €20–25 each.", [("20", "EUR"), ("25", "EUR")]),
    ("en", "Tickets are 20-25 EUR each.", [("20", "EUR"), ("25", "EUR")]),
    ("en", "A refund of -$45.00 was posted.", [("-45.00", "USD")]),
    ("en", "Refund: ($45.00)", [("45.00", "USD")]),
    ("en", "Balance: −€12.30", [("-12.30", "EUR")]),
    ("en", "Credit EUR -120.00", [("-120.00", "EUR")]),
    ("en", "It was two hundred dollars.", [("200", "USD")]),
    ("en", "I owe you fifty euros for the tickets.", [("50", "EUR")]),
    ("en", "They raised five million dollars.", [("5000000", "USD")]),
    ("en", "It is 20 pounds, or 20 quid as Dad says.", [("20", "GBP"), ("20", "GBP")]),
    ("en", "Only 99 cents!", [("0.99", "USD")]),
    ("en", "Postage was 85p, the card £2.", [("0.85", "GBP"), ("2", "GBP")]),
    ("en", "US$ 300 or C$410", [("300", "USD"), ("410", "CAD")]),
    ("en", "A$1,000.00 deposit", [("1000.00", "AUD")]),
    ("en", "1.5 billion USD", [("1500000000", "USD")]),
    ("en", "€2.5m seed round", [("2500000", "EUR")]),
    ("en", "500 rupees or ₹1,00,000", [("500", "INR"), ("100000", "INR")]),
    ("en", "20,000 yen per night", [("20000", "JPY")]),
    ("en", "3 bitcoin, or 0.25 BTC", []),
    ("en", "Room 250, page 12, 5 % off, version 3.20", []),
    ("en", "Meet at 10.30, call 555-0142", []),
    ("en", "GBP1,200 and USD 85.", [("1200", "GBP"), ("85", "USD")]),
    ("en", "fee of $0.30", [("0.30", "USD")]),
    ("en", "$ 1 200", [("1200", "USD")]),
    ("en", "$100/month", [("100", "USD")]),
    ("en", "cost: 1200 USD/yr", [("1200", "USD")]),
    ("de", "Bitte überweisen Sie 1.234,56 € bis Freitag.", [("1234.56", "EUR")]),
    ("de", "Betrag: EUR 89,-", [("89", "EUR")]),
    ("de", "zwischen 300 und 400 Euro", [("300", "EUR"), ("400", "EUR")]),
    ("de", "Gutschrift: -19,90 EUR", [("-19.90", "EUR")]),
    ("de", "hundert Euro Anzahlung", [("100", "EUR")]),
    ("de", "2,5 Mio. € Umsatz", [("2500000", "EUR")]),
    ("de", "Fr. 1'250.00", [("1250.00", "CHF")]),
    ("de", "CHF 80.--", [("80", "CHF")]),
    ("de", "50 Cent", [("0.50", "EUR")]),
    ("fr", "Le loyer est de 1 250,00 € par mois.", [("1250.00", "EUR")]),
    ("fr", "entre 20 et 30 euros", [("20", "EUR"), ("30", "EUR")]),
    ("fr", "12€50 la place", [("12.50", "EUR")]),
    ("fr", "un remboursement de -45,90 €", [("-45.90", "EUR")]),
    ("fr", "3 millions d'euros", [("3000000", "EUR")]),
    ("es", "Son 1.500 euros más IVA.", [("1500", "EUR")]),
    ("es", "cuesta 25,50€", [("25.50", "EUR")]),
    ("es", "MX$ 350", [("350", "MXN")]),
    ("es", "dos millones de euros", [("2000000", "EUR")]),
    ("it", "L'importo è di € 2.300,00.", [("2300.00", "EUR")]),
    ("it", "tra 50 e 60 euro", [("50", "EUR"), ("60", "EUR")]),
    ("pt", "O valor é R$ 1.250,00.", [("1250.00", "BRL")]),
    ("pt", "custa 15,90 euros", [("15.90", "EUR")]),
    ("nl", "De factuur is € 1.210,-.", [("1210", "EUR")]),
    ("nl", "tussen 40 en 50 euro", [("40", "EUR"), ("50", "EUR")]),
    ("pl", "Do zapłaty: 129,99 zł", [("129.99", "PLN")]),
    ("sv", "Det blir 1 200 kr.", [("1200", "SEK")]),
    ("ja", "合計 12,800円", [("12800", "JPY")]),
]

PHONES: Sequence[tuple[str, str, list[str]]] = [
    ("en", "Call me on +44 20 7946 0958.", ["+44 20 7946 0958"]),
    ("en", "My number is (415) 555-0132.", ["(415) 555-0132"]),
    ("en", "415-555-0132 ext. 42", ["415-555-0132 ext. 42"]),
    ("en", "Tel: 020 7946 0958 x204", ["020 7946 0958 x204"]),
    ("en", "+1 (212) 555-0190, extension 7", ["+1 (212) 555-0190, extension 7"]),
    ("en", "Phone 01632 960 118 or mobile 07700 900123", ["01632 960 118", "07700 900123"]),
    ("en", "1-800-555-0199 is toll free", ["1-800-555-0199"]),
    ("en", "+1.415.555.0132", ["+1.415.555.0132"]),
    ("en", "Order number 4155550132 shipped", []),
    ("en", "order #415-555-01324", []),
    ("en", "Invoice 2026-11-21-001", []),
    ("en", "From 2026-01-02 to 2026-03-04", []),
    ("en", "IBAN DE89 3704 0044 0532 0130 00", []),
    ("en", "card 4111 1111 1111 1111", []),
    ("en", "ISBN 978-3-16-148410-0", []),
    ("en", "Lat 52.520008, 13.404954", []),
    ("en", "192.168.100.200", []),
    ("en", "Meeting ID: 812 3456 7890", []),
    ("en", "Passcode 123456, dial +49 69 7104 9922", ["+49 69 7104 9922"]),
    ("en", "WhatsApp +55 11 91234-5678", ["+55 11 91234-5678"]),
    ("en", "1999-2003 and 2004-2010", []),
    ("en", "Tracking number 9400 1000 0000 0000 0000 00", []),
    ("de", "Tel. 030 / 901820-0", ["030 / 901820-0"]),
    ("de", "Handy: 0171 1234567", ["0171 1234567"]),
    ("de", "Durchwahl -42, Zentrale +49 (0)89 123456-0", ["+49 (0)89 123456-0"]),
    ("de", "Kundennummer 0301234567", []),
    ("de", "Telefonnummer: 0043 1 5321234", ["0043 1 5321234"]),
    ("fr", "Tél. : 01 42 68 53 00", ["01 42 68 53 00"]),
    ("fr", "mobile 06.12.34.56.78", ["06.12.34.56.78"]),
    ("fr", "joignable au 06 12 34 56 78", ["06 12 34 56 78"]),
    ("fr", "SIRET 732 829 320 00074", []),
    ("es", "Teléfono: 91 234 56 78", ["91 234 56 78"]),
    ("es", "llámame al 612 345 678", ["612 345 678"]),
    ("it", "Cell. 333 123 4567", ["333 123 4567"]),
    ("it", "chiamami al 347 1234567", ["347 1234567"]),
    ("pt", "Telemóvel: 912 345 678", ["912 345 678"]),
    ("pt", "ligue para (11) 91234-5678", ["(11) 91234-5678"]),
    ("nl", "bel me op 06-12345678", ["06-12345678"]),
    ("nl", "Telefoon: 020-1234567", ["020-1234567"]),
]

CODES: Sequence[tuple[str, str, list[str]]] = [
    ("en", "Your verification code is 482913. It expires in 10 minutes.", ["482913"]),
    ("en", "Use 4821 as your one-time PIN.", ["4821"]),
    ("en", "Enter this code to sign in:\n\n739 104\n", ["739 104"]),
    ("en", "739104 is your Lantern security code. Don't share it.", ["739104"]),
    ("en", "Your sign-in code: K7P-2QX", ["K7P-2QX"]),
    ("en", "OTP for txn of INR 500: 221908", ["221908"]),
    ("en", "Coupon code: SAVE20", []),
    ("en", "Error code 500451 in module 7", []),
    ("en", "Your order code is 88412-11", []),
    ("en", "Postal code 94110", []),
    ("en", "We never ask for your PIN. Call 01632 960 118.", []),
    ("en", "The door code is 4471#, second floor.", ["4471"]),
    ("de", "Ihr Sicherheitscode: 559201", ["559201"]),
    ("de", "Ihre TAN lautet 881203.", ["881203"]),
    ("fr", "Votre code de connexion est le 771 204.", ["771 204"]),
    ("es", "Tu código es 449120. No lo compartas.", ["449120"]),
    ("it", "Il codice di accesso è 120934.", ["120934"]),
    ("pt", "Seu código de verificação: 300215", ["300215"]),
    ("nl", "Uw inlogcode is 665120.", ["665120"]),
]

TRACKING: Sequence[tuple[str, str, list[tuple[str, str]]]] = [
    ("en", "Your parcel 1Z999AA10123456784 is on its way.", [("UPS", "1Z999AA10123456784")]),
    ("en", "UPS tracking 1Z999AA10123456785", [("", "1Z999AA10123456785")]),
    ("en", "Track: RB123456785GB", [("Royal Mail", "RB123456785GB")]),
    ("en", "Your package: RB123456784GB", []),
    ("en", "USPS tracking number 9400 1000 0000 0000 0000 00 shipped", [("", "9400100000000000000000")]),
    ("en", "FedEx tracking number: 986578788855", [("FedEx", "986578788855")]),
    ("en", "Your FedEx order 123456789012 shipped", []),
    ("en", "Shipped with Amazon, tracking ID TBA123456789000", [("Amazon", "TBA123456789000")]),
    ("de", "DHL Sendungsnummer: 00340434161094042557", [("DHL", "00340434161094042557")]),
    ("de", "Sendung JJD000390007836612345 ist unterwegs", [("DHL", "JJD000390007836612345")]),
    ("fr", "Colissimo, numéro de suivi : 6A12345678901", [("", "6A12345678901")]),
    ("es", "Número de seguimiento: PK43BR0123456780128012K", [("", "PK43BR0123456780128012K")]),
    ("nl", "Track & trace: 3SABCD1234567 (PostNL)", [("PostNL", "3SABCD1234567")]),
    ("en", "Invoice INV20260012345 for your delivery", []),
    ("en", "Order 88120045512 will be delivered tomorrow", []),
]


@pytest.mark.parametrize(("language", "text", "wanted"), MONEY)
def test_amounts_are_all_found_with_their_currency(
    language: str, text: str, wanted: list[tuple[str, str]]
) -> None:
    found = [
        (item.money.amount, item.money.currency) for item in find_money(view_of(text, language=language))
    ]
    assert found == wanted


@pytest.mark.parametrize(("language", "text", "wanted"), MONEY)
def test_an_amount_is_quoted_as_it_stands(language: str, text: str, wanted: list[tuple[str, str]]) -> None:
    found = find_money(view_of(text, language=language))
    assert [text[item.start : item.end] for item in found] == [item.money.text for item in found]
    assert len(found) == len(wanted)


@pytest.mark.parametrize(("language", "text", "wanted"), PHONES)
def test_telephone_numbers_are_found_and_order_numbers_are_not(
    language: str, text: str, wanted: list[str]
) -> None:
    assert list(find_phones(view_of(text, language=language))) == wanted


@pytest.mark.parametrize(("language", "text", "wanted"), CODES)
def test_codes_to_sign_in_with_are_found_and_others_are_not(
    language: str, text: str, wanted: list[str]
) -> None:
    assert list(find_codes(view_of(text, language=language))) == wanted


@pytest.mark.parametrize(("language", "text", "wanted"), TRACKING)
def test_parcel_numbers_are_found_where_their_check_digit_or_label_says_so(
    language: str, text: str, wanted: list[tuple[str, str]]
) -> None:
    found = [(item.carrier, item.number) for item in find_tracking(view_of(text, language=language))]
    assert found == wanted
