"""Money, phone numbers, codes, addresses and parcels: short strings in running text."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.extract.codes import find_codes
from gaia_understanding.prepare.extract.entities import find_urls
from gaia_understanding.prepare.extract.money import find_money
from gaia_understanding.prepare.extract.phones import find_phones
from gaia_understanding.prepare.extract.tracking import find_tracking
from gaia_understanding.prepare.extract.view import view_of
from gaia_understanding.prepare.model import Link


@pytest.mark.parametrize(
    ("text", "written", "amount", "currency"),
    [
        ("Total: $1,249.00", "$1,249.00", "1249.00", "USD"),
        ("a $1.2M deal", "$1.2M", "1200000", "USD"),
        ("12,50 € bitte", "12,50 €", "12.50", "EUR"),
        ("1.234,56 EUR", "1.234,56 EUR", "1234.56", "EUR"),
        ("CHF 1'234.50", "CHF 1'234.50", "1234.50", "CHF"),
        ("Fr. 20.-", "Fr. 20.-", "20", "CHF"),
        ("¥5000", "¥5000", "5000", "JPY"),
        ("kr 250", "kr 250", "250", ""),
        ("100 zł", "100 zł", "100", "PLN"),
        ("R$ 1.500,00", "R$ 1.500,00", "1500.00", "BRL"),
        ("3.000 €", "3.000 €", "3000", "EUR"),
        ("1 234,56 €", "1 234,56 €", "1234.56", "EUR"),
        ("USD 500", "USD 500", "500", "USD"),
    ],
)
def test_money_is_read_in_both_ways_of_writing(text: str, written: str, amount: str, currency: str) -> None:
    (found,) = find_money(view_of(text))
    assert (found.money.text.rstrip("-").rstrip("."), found.money.amount) == (
        written.rstrip("-").rstrip("."),
        amount,
    )
    assert found.money.currency == currency


@pytest.mark.parametrize(
    "text", ["version 3.5", "I will try 100 try", "12 EURO2024 seats", "no number, only $"]
)
def test_numbers_without_a_currency_are_not_money(text: str) -> None:
    assert find_money(view_of(text)) == ()


def test_crowns_and_dollars_follow_language_and_country() -> None:
    assert find_money(view_of("250 kr", language="sv"))[0].money.currency == "SEK"
    assert find_money(view_of("$5", region="ca"))[0].money.currency == "CAD"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Your verification code is 482913.", "482913"),
        ("482 913 is your login code", "482 913"),
        ("Code: 123456", "123456"),
        ("Ihr Bestätigungscode lautet 4829", "4829"),
        ("Votre code de vérification : 938201", "938201"),
        ("Su código de verificación es 118822", "118822"),
        ("Il tuo codice di verifica è 552211", "552211"),
        ("O seu código de segurança é 771133", "771133"),
        ("Je verificatiecode is 909182", "909182"),
        ("認証コードは 123456 です", "123456"),
        ("G-482913 is your verification code", "G-482913"),
        ("your one-time passcode: AB12CD", "AB12CD"),
    ],
)
def test_a_one_time_code_is_found_in_many_languages(text: str, code: str) -> None:
    assert find_codes(view_of(text)) == (code,)


@pytest.mark.parametrize(
    "text",
    [
        "Use code SAVE20 at checkout",
        "Your order #12345678 has shipped to zip code 94110",
        "In 2024 the code was changed",
        "Enter promo code 482913 to save",
        "the source code of 123456 lines",
        "no code words, only 482913",
    ],
)
def test_vouchers_orders_years_and_postcodes_are_not_codes(text: str) -> None:
    assert find_codes(view_of(text)) == ()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Call +1 555 0112 now", "+1 555 0112"),
        ("(555) 123-4567", "(555) 123-4567"),
        ("tel. 030 1234567", "030 1234567"),
        ("call me at 415.782.7822.", "415.782.7822"),
        ("+49 (0)30 123456", "+49 (0)30 123456"),
    ],
)
def test_phone_numbers_are_found_as_written(text: str, number: str) -> None:
    assert find_phones(view_of(text)) == (number,)


@pytest.mark.parametrize(
    "text", ["2026-03-05 10:30", "order 1234567890", "192.168.100.200", "$ 1 234 567", "12345678"]
)
def test_dates_orders_and_addresses_are_not_phone_numbers(text: str) -> None:
    assert find_phones(view_of(text)) == ()


def test_urls_come_from_links_first_and_each_once() -> None:
    links = (Link(text="here", url="https://a.example/x"), Link(text="mail", url="mailto:a@example.com"))
    text = "see https://a.example/x, (https://b.example/y(z)) and www.c.example/q."
    assert find_urls(text, links) == ("https://a.example/x", "https://b.example/y(z)", "www.c.example/q")


def test_a_parcel_number_with_a_right_check_digit_names_its_carrier() -> None:
    (ups,) = find_tracking(view_of("Your package 1Z999AA10123456784 is on its way"))
    assert (ups.carrier, ups.number) == ("UPS", "1Z999AA10123456784")
    (post,) = find_tracking(view_of("Track your parcel RB123456785GB"))
    assert post.carrier == "Royal Mail"


@pytest.mark.parametrize(
    "text",
    [
        "Your package 1Z999AA10123456785 left",
        "invoice 1Z999AA10123456784",
        "the shipment has 123456789012 parts",
    ],
)
def test_wrong_check_digits_and_numbers_without_shipping_words_are_no_parcels(text: str) -> None:
    assert find_tracking(view_of(text)) == ()


def test_a_labelled_number_of_unknown_form_has_no_carrier() -> None:
    (parcel,) = find_tracking(view_of("Shipped! Tracking number: ABC1234567"))
    assert (parcel.carrier, parcel.number) == ("", "ABC1234567")
