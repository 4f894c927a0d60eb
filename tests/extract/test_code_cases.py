"""One-time codes in many languages and shapes, and the numbers beside the same words that are something else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gaia_understanding.prepare.extract.codes import find_codes
from gaia_understanding.prepare.extract.view import view_of

CODES: Sequence[tuple[str, str]] = [
    # Shapes.
    ("Your code is 48 29 13.", "48 29 13"),
    ("Your code is 48-29-13.", "48-29-13"),
    ("Your verification code: 4 8 2 9 1 3", "4 8 2 9 1 3"),
    ("Your verification code: 4829 1377", "4829 1377"),
    ("Your login code: 482\u00a0913", "482 913"),
    ("FB-48291 is your confirmation code", "FB-48291"),
    ("Sign in with this code:\n\n    482913\n\nIt ends in ten minutes.", "482913"),
    ("Your one-time password\n\n7731\n\nNever share it.", "7731"),
    ("Here is the code you asked for\n**903114**\n", "903114"),
    ("Verification code: K7P2QX", "K7P2QX"),
    ("Your sign-in code is x7k9p2.", "x7k9p2"),
    ("482913 — your login code for Lantern", "482913"),
    ("(482913) is the code to confirm your address", "482913"),
    ("Use 482913 to verify your account. This code expires soon.", "482913"),
    # Without a word for it.
    ("Use 739201 to sign in to Lantern.", "739201"),
    ("Enter 482 913 to finish signing up.", "482 913"),
    ("Geben Sie 482913 ein, um sich anzumelden.", "482913"),
    ("Utilisez 482913 pour vous connecter.", "482913"),
    ("Usa 482913 para iniciar sesión.", "482913"),
    ("Usa 482913 per accedere.", "482913"),
    ("Gebruik 482913 om in te loggen.", "482913"),
    # To get in, or to collect something.
    ("Your PIN to collect the parcel at locker 17 is 4471.", "4471"),
    ("Pick-up code for locker 12: 900417", "900417"),
    ("The PIN for the meeting room printer is 2255.", "2255"),
    ("Ihr Abholcode für die Packstation 145 lautet 662 190.", "662 190"),
    ("Le code de retrait de votre colis est 5512.", "5512"),
    ("El código de recogida es 7741.", "7741"),
    ("Kod odbioru paczki: 118204", "118204"),
    ("Verification code for order 884121: 4471", "4471"),
    ("Wi-Fi code: k7p2qx91", "k7p2qx91"),
    ("Activation code: 7F3K-9Q2L", "7F3K-9Q2L"),
    ("Meeting ID: 845 2291 0032 Passcode: 918273", "918273"),
    # Languages.
    ("Ihr Sicherheitscode lautet 48 29 13.", "48 29 13"),
    ("Dein Einmalcode ist 771204.", "771204"),
    ("Votre mot de passe à usage unique, code 119 482", "119 482"),
    ("Ваш код подтверждения: 482913", "482913"),
    ("482913 — ваш код для входа", "482913"),
    ("Doğrulama kodunuz: 482913", "482913"),
    ("Twój kod weryfikacyjny to 482913", "482913"),
    ("Váš ověřovací kód je 482913", "482913"),
    ("Din engångskod är 482913", "482913"),
    ("Din bekræftelseskode er 482913", "482913"),
    ("Vahvistuskoodisi on 482913", "482913"),
    ("Ο κωδικός επαλήθευσης είναι 482913", "482913"),
    ("Codul tău de verificare este 482913", "482913"),
    ("Mã xác minh của bạn là 482913", "482913"),
    ("Kode verifikasi Anda adalah 482913", "482913"),
    ("رمز التحقق الخاص بك هو 482913", "482913"),
    ("رمز التحقق الخاص بك هو ٤٨٢٩١٣", "482913"),
    ("کد تایید شما: ۴۸۲۹۱۳", "482913"),
    ("आपका सत्यापन कोड ४८२९१३ है", "482913"),
    ("आपका ओटीपी 482913 है", "482913"),
    ("קוד האימות שלך הוא 482913", "482913"),
    ("您的验证码是482913，请勿泄露", "482913"),
    ("取件码 4471", "4471"),
    ("認証コードは 482913 です", "482913"),
    ("ワンタイムパスワード：482913", "482913"),
    ("인증번호는 482913 입니다", "482913"),
    ("รหัสยืนยันของคุณคือ 482913", "482913"),
    ("４８２９１３ is your verification code", "482913"),
]

OTHERS: Sequence[str] = [
    "Use 250000 to fund the project.",
    "Mit 120000 Euro zur Bestätigung",
    "Type 100200 for the part is out of stock.",
    "Invoice code 550021 for the March bill.",
    "The code of invoice 550021 is on page two.",
    "Order code: 884121",
    "Your booking code is 550021.",
    "Customer code 118204, please quote it.",
    "Contract code 550021 was renewed.",
    "Product code: 550021 (blue)",
    "Discount code 482913 for you",
    "Error code 500451 in module 7",
    "Status code: 5031",
    "The QR code 4821 is printed twice.",
    "The source code has 4821 lines.",
    "VAT code 550021",
    "Cost center code 550021",
    "Payment code 482913 for the invoice",
    "Commit 4829137 fixed the code",
    "Gift card code 4829 1377 2211 9900",
    "Dress code from 1920 to 1935",
    "Country code 0049, then the number",
    "Post code 10115 Berlin",
    "Sort code 20-44-11",
    "Tax code 118204",
    "The class code is 770412.",
    "Airport code review, 2024 edition",
    "The code review took 4821 minutes.",
    "The code costs 4821 EUR a year.",
    "Please call 01632 960118 about the code.",
    "We never ask for your PIN. Call 01632 960 118.",
    "The code was changed in 2024.",
    "The code of conduct of 2023",
    "Code review on 28-11-26",
    "Rechnungscode 550021 für März",
    "Der Fehlercode lautet 500451.",
    "Ihr Rabattcode: 482913",
    "Die Artikelcodes 550021 und 550022",
    "Le code postal est 75011.",
    "Code d'erreur : 500451",
    "Le code promo 482913 est valable demain",
    "Código postal: 28013",
    "El código de error es 500451",
    "Código de pedido: 550021",
    "Codice fiscale 550021",
    "Il codice di errore è 500451",
    "Kortingscode 482913",
    "Kod pocztowy: 00950",
    "Kod błędu 500451",
    "Ваш промокод 482913",
    "Код ошибки: 500451",
    "Posta kodu: 34000",
    "İndirim kodu: 482913",
    "رمز الخطأ هو 500451",
    "الرمز البريدي 11511",
    "کد پستی ۱۲۳۴۵",
    "पिन कोड 110001",
    "错误代码：500451",
    "优惠码 482913",
    "エラーコード：500451",
    "郵便番号 1000001",
]


@pytest.mark.parametrize(("text", "code"), CODES, ids=[text[:40] for text, _ in CODES])
def test_a_code_is_found_in_any_shape_and_language(text: str, code: str) -> None:
    assert find_codes(view_of(text)) == (code,)


@pytest.mark.parametrize("text", OTHERS)
def test_a_number_beside_another_kind_of_code_is_no_code(text: str) -> None:
    assert find_codes(view_of(text)) == ()


def test_two_codes_are_both_found_and_each_once() -> None:
    text = (
        "Your login code is 482913. Your PIN to collect the parcel is 4471. Again: the login code is 482913."
    )
    assert find_codes(view_of(text)) == ("482913", "4471")
