"""Amounts written out: `two hundred dollars`, `dos millones de euros`. Entry: `written_amounts`."""

from __future__ import annotations

from collections.abc import Iterator

from gaia_email.extract.wordlists import words
from gaia_mail.lazy import lazy_pattern

_TABLE = """
1 one a an un une una uno um uma een ein eine eins
2 two zwei deux dos due dois duas twee
3 three drei trois tres tre três drie
4 four vier quatre cuatro quattro quatro
5 five fünf cinq cinco cinque vijf
6 six sechs seis sei zes
7 seven sieben sept siete sette sete zeven
8 eight acht huit ocho otto oito
9 nine neun neuf nueve nove negen
10 ten zehn dix diez dieci dez tien
11 eleven elf onze once undici
12 twelve zwölf douze doce dodici doze twaalf
15 fifteen fünfzehn quinze quince quindici vijftien
20 twenty zwanzig vingt veinte venti vinte twintig
25 fünfundzwanzig veinticinco venticinque vijfentwintig
30 thirty dreißig trente treinta trenta trinta dertig
40 forty vierzig quarante cuarenta quaranta quarenta veertig
50 fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig
60 sixty sechzig soixante sesenta sessanta sessenta zestig
70 seventy siebzig setenta settanta zeventig
80 eighty achtzig ochenta ottanta oitenta tachtig
90 ninety neunzig noventa novanta negentig
200 zweihundert doscientos duecento duzentos tweehonderd
300 dreihundert trescientos trecento trezentos driehonderd
500 fünfhundert quinientos cinquecento quinhentos vijfhonderd
"""
_VALUES = {word: int(row.split()[0]) for row in _TABLE.strip().split("\n") for word in row.split()[1:]}
_TIMES = {
    100: "hundred hundert cent cents cien ciento cento cem honderd",
    1_000: "thousand tausend mille mil mila duizend grand",
    1_000_000: "million millions millionen millón millones milione milioni milhão milhões miljoen",
    1_000_000_000: "billion billions milliarde milliarden milliard milliards miliardo miliardi miljard",
}
_FACTORS = {word: factor for factor, names in _TIMES.items() for word in names.split()}
NUMBER_WORDS = frozenset(_VALUES) - words("a an un une una uno um uma een ein eine once") | frozenset(
    _FACTORS
)
_CURRENCIES = {
    "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "dólares": "USD", "dollari": "USD",
    "pound": "GBP", "pounds": "GBP", "quid": "GBP", "franken": "CHF", "francs": "CHF", "yen": "JPY",
    "rupees": "INR", "pfund": "GBP", "livres": "GBP", "libras": "GBP", "sterline": "GBP", "pond": "GBP",
    "reais": "BRL", "pesos": "",
}  # fmt: skip
CURRENCY_NAMES = frozenset(_CURRENCIES)
_CURRENCY = lazy_pattern(
    r"(?<![\w€$£])(?:" + "|".join(sorted(_CURRENCIES, key=len, reverse=True)) + r")(?!\w)"
)
_WORD = lazy_pattern(r"[^\W\d_]+")
_BEFORE = 60
_BETWEEN = words("and und et y e en de d di us")
_ARTICLES = words("a an un une una uno um uma een ein eine")


def written_amounts(lower: str) -> Iterator[tuple[int, int, int, str]]:
    """Start, end, value and currency of every amount in words of a text in lower case, in order."""
    for match in _CURRENCY.finditer(lower):
        head = lower[max(0, match.start() - _BEFORE) : match.start()]
        offset = match.start() - len(head)
        found: list[tuple[int, str]] = []
        reached = len(head)
        for word in reversed(list(_WORD.finditer(head))):
            gap = head[word.end() : reached]
            if gap.strip("-' ’\n") or (
                word[0] not in _VALUES and word[0] not in _FACTORS and word[0] not in _BETWEEN
            ):
                break
            found.append((word.start(), word[0]))
            reached = word.start()
        while found and found[-1][1] in _BETWEEN:
            found.pop()
        value = _value([word for _, word in reversed(found)])
        if value and not head[: found[-1][0]].rstrip()[-1:].isdigit():
            yield offset + found[-1][0], match.end(), value, _CURRENCIES[match[0]]


def _value(spelled: list[str]) -> int:
    """The number these words say; 0 for none, or for an article alone."""
    if not spelled or not any(word in NUMBER_WORDS for word in spelled):
        return 0
    total = part = 0
    for word in spelled:
        if word in _BETWEEN:
            continue
        factor = _FACTORS.get(word)
        if factor is None:
            part += _VALUES[word]
        elif factor == 100:
            part = max(part, 1) * factor
        else:
            total, part = total + max(part, 1) * factor, 0
    return total + part
