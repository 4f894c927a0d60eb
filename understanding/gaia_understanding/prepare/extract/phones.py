"""Telephone numbers. Entry: `find_phones`.

A number counts if its form shows it (a `+`, an area code in brackets, the North American 3-3-4) or if a word
such as "Tel." precedes it; bare runs of digits never do.
"""

from __future__ import annotations

import re

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.view import TextView
from gaia_understanding.prepare.extract.wordlists import alternatives

MAX_PHONES = 50

_NUMBER = lazy_pattern(r"(?:\+|00)?\(?\d[\d\u00a0 ().\u2011/–-]{5,24}\d(?!\w)")
_NORTH_AMERICAN = lazy_pattern(r"(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])\d{3}[ .-]\d{4}")
_FRENCH = lazy_pattern(r"0[1-9](?:[ .\u00a0]\d\d){4}")
_EXTENSION = lazy_pattern(
    r",? ?(?:ext(?:ension)?\.?|x|durchwahl|poste|interno|toestel) ?\d{1,6}(?!\w)", re.IGNORECASE
)
_DATE_LIKE = lazy_pattern(r"\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./](?:\d{4}|\d\d)\b")
_CALL_WORD = lazy_pattern(
    r"(?<!\w)(?:"
    + alternatives(
        "tel telephone phone call mobile mob cell ph fax whatsapp handy telefon mobil téléphone portable tél "
        "teléfono móvil telefono cellulare cell. telefone telemóvel celular telefoon mobiel gsm dial ring mobile "
        "telefonnummer rufnummer durchwahl erreichbar_unter joignable_au appelez-moi_au appelle-moi_au llámame_al "
        "llámenos_al llamar_al chiamami_al chiamaci_al chiamare_il ligue_para ligar_para bel_me_op bel_ons_op "
        "reach_me_at reach_us_at telefonnr numéro "
        "call_me_at call_us_at text sms number_is nummer 電話 contact"
    )
    + r")\b[^\d\n+]{0,24}$",
    re.IGNORECASE,
)
_SIGNS = "+(0123456789"


def find_phones(view: TextView) -> tuple[str, ...]:
    """Return telephone numbers as written, each once, at most `MAX_PHONES`."""
    found: dict[str, None] = {}
    reached = 0
    text = view.text
    for position in view.digits:
        if position < reached:
            continue
        start = _start(text, position)
        match = _NUMBER.match(text, start)
        if match is None:
            continue
        number = match[0].rstrip(" .-/(–")
        if _is_phone(text, start, number):
            reached = start + len(number)
            extension = _EXTENSION.match(text, reached)
            if extension is not None:
                number += extension[0]
                reached = extension.end()
            found[number] = None
            if len(found) >= MAX_PHONES:
                break
    return tuple(found)


def _start(text: str, position: int) -> int:
    """Include a `+` or `(` before the first digit."""
    while position and text[position - 1] in "+(":
        position -= 1
    return position


def _is_phone(text: str, start: int, number: str) -> bool:
    digits = sum(character.isdigit() for character in number)
    if not 7 <= digits <= 15 or number.count("(") != number.count(")"):
        return False
    before = text[start - 1 : start] if start else ""
    if before and (before.isalnum() or before in "/=#@_.,-$€£"):
        return False
    if _FRENCH.fullmatch(number):
        return True
    if _DATE_LIKE.match(number):
        return False
    if number[0] == "+":
        return digits >= 8
    if _NORTH_AMERICAN.fullmatch(number):
        return True
    if digits == len(number) and digits > 12:
        return False
    return _CALL_WORD.search(text[max(0, start - 40) : start]) is not None
