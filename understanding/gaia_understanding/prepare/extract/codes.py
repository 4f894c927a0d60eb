"""One-time codes that a site sends to sign in with, or to collect something. Entry: `find_codes`.

A code is near a word for it. Order numbers, years, voucher and error codes are near such words too, and are
left out: the word next to the code word, or its beginning, shows the purpose of the code.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from gaia_mail.lazy import lazy_pattern, pattern_of
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.view import TextView
from gaia_understanding.prepare.extract.wordlists import alternatives

_TABLE = WordTable("gaia_understanding.prepare.extract", "codes.txt")

MAX_CODES = 10

_TRIGGERS = _TABLE.phrases("triggers")
_CODE_WORD = pattern_of(
    lambda: (
        rf"(?<![\w])(?P<word>[^\W\d_]{{0,20}}-?(?:{alternatives(_TABLE.text('code'))}))(?!\w)|{_TABLE.choice('joined_code')}"
    )
)
"""For text in lower case."""
_NATIVE_DIGIT = lazy_pattern(r"[^\D0-9]")
_GAP = r"[ \u00a0\u2009\u202f-]"
_USED = pattern_of(
    lambda: (
        rf"(?<!\w)(?:{alternatives(_TABLE.text('use'))})(?: the number)? [\"'«“„]?(?P<code>\d{{6}}|\d{{3}}[ -]\d{{3}})"
        rf"[\"'»”“]? (?:{_TABLE.choice('use_for')})\b"
    )
)
"""For text in lower case: a number that is to be used for something, without a word for it."""
_LETTER = r"[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
"""A letter or digit of a script that puts spaces between words."""
_NUMBER = (
    rf"\d{{3}}{_GAP}\d{{3}}|\d{{2}}(?:{_GAP}\d{{2}}){{2,3}}|\d{{4}}{_GAP}\d{{4}}|\d(?: \d){{3,7}}|\d{{4,8}}"
)
_MIXED = (
    r"(?=[A-Z0-9-]{5,9}(?![\w-]))(?=[A-Z-]*\d)(?=[0-9-]*[A-Z])[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,4})?"
    r"|(?=[a-z0-9]{5,8}(?![\w-]))(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{5,8}"
)
_CANDIDATE = lazy_pattern(
    rf"(?<!{_LETTER})(?<![#.,/$€£+-])(?<!\d[ \u00a0])(?:[A-Z]{{1,3}}-)?(?P<digits>{_NUMBER})"
    rf"(?!{_LETTER})(?![/%€$£]|[.,:/-]\d|[ \u00a0-]\d)"
    rf"|(?<!{_LETTER})(?<![#/.-])(?P<mixed>{_MIXED})(?![\w/.@-]\w)"
)
_WORD = lazy_pattern(r"[^\s\d.,:;!?()\[\]{}\"«»“”„<>/|=+*_。、，؟।’'-]+")
_WORD_BEFORE = lazy_pattern(r"([^\s\d.,:;!?()\[\]{}\"«»“”„<>/|=+*_]+)[ \u00a0-]\Z")
_SENTENCE_END = lazy_pattern(r"[.!?。！？؟।]\s|\n\s*\n")
_PURPOSE = _TABLE.pattern("purpose", flags=re.IGNORECASE)
_SALE = _TABLE.pattern("sale", flags=re.IGNORECASE)
_NUMBER_OF = _TABLE.pattern(
    "number_of",
    r"(?<!\w)(?:",
    r")(?:\s?(?:number|no\.?|nr\.?|id|n°|#|num))?\s?[:#]?\s?$",
    flags=re.IGNORECASE,
)
_COUNTED = _TABLE.pattern("counted", r"\s?(?:", r")(?!\w)", flags=re.IGNORECASE)
_DATE = lazy_pattern(r"(?:[0-2]\d|3[01])-(?:0\d|1[0-2])-\d\d")
_AHEAD, _BEHIND, _NEAR = 90, 48, 12
_SHORT = 5
"""The most letters of words such as "enter" and "use", which do not show the purpose of a code."""


def find_codes(view: TextView) -> tuple[str, ...]:
    """Return one-time codes, each once, at most `MAX_CODES`: as written, but in digits that a keyboard has."""
    match = _USED.search(view.lower) if view.digits else None
    used = (view.text[slice(*match.span("code"))],) if match else ()
    if not any(trigger in view.lower for trigger in _TRIGGERS):
        return used
    text = _NATIVE_DIGIT.sub(_keyboard_digit, view.text)
    if not view.digits and text == view.text:
        return ()
    found: dict[str, None] = {}
    for word in _CODE_WORD.finditer(view.lower):
        if _is_other_kind(view.lower, word):
            continue
        code = _code_near(text, word.start(), word.end())
        if code:
            found[code] = None
            if len(found) >= MAX_CODES:
                break
    return tuple(found) or used


def _keyboard_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match[0]))


@cache
def _other_kinds() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return whole words, and beginnings of words."""
    words = _TABLE.word_list("other_kinds")
    beginnings = tuple(dict.fromkeys(word[:-1] for word in words if word.endswith("*")))
    return frozenset(word for word in words if not word.endswith("*")), beginnings


def _names_other_kind(word: str) -> bool:
    whole, beginnings = _other_kinds()
    return word in whole or word.startswith(beginnings)


def _is_other_kind(lower: str, found: re.Match[str]) -> bool:
    """Return True if the word before or after a code word, or its own beginning, names another kind of code."""
    own = found["word"] or ""
    if own and _names_other_kind(own):
        return True
    before = _WORD_BEFORE.search(lower, max(0, found.start() - 40), found.start())
    if before is not None and any(map(_names_other_kind, before[1].split("-"))):
        return True
    if before is not None and len(before[1]) > _SHORT and _PURPOSE.search(before[1]):
        return False  # a verification code for an order is one
    linking = _TABLE.words("linking")
    behind = re.match(r"(?:[ \u00a0'’-]+[^\s\d.,:;!?()'’-]+){1,4}", lower[found.end() : found.end() + 60])
    for word in _WORD.findall(behind[0]) if behind else ():
        if word not in linking:
            return _names_other_kind(word)
    return False


def _code_near(text: str, start: int, end: int) -> str:
    """Return the code that belongs to the code word between `start` and `end`; `""` if there is none."""
    around = text[max(0, start - 120) : end + 120]
    if _SALE.search(around):
        return ""
    purpose = _PURPOSE.search(around) is not None
    for match in _CANDIDATE.finditer(text, end, min(len(text), end + _AHEAD)):
        between = text[end : match.start()]
        told = not _SENTENCE_END.search(between) and (
            _is_told(between) or not between.strip(" \u00a0:=-–—\"'«»“”„(")
        )
        near = (
            told or len(between) <= _NEAR or (_stands_alone(text, match) and not _CANDIDATE.search(between))
        )
        if _acceptable(text, match, near=near, told=told, purpose=purpose):
            return _written(match)
    before = ""
    for match in _CANDIDATE.finditer(text, max(0, start - _BEHIND), start):
        between = text[match.end() : start]
        if "\n\n" in between:
            continue
        told = not _SENTENCE_END.search(between) and _begins_told(between)
        if _acceptable(text, match, near=told, told=told, purpose=purpose):
            before = _written(match)
    return before


def _is_told(between: str) -> bool:
    """Return True if a code word's sentence ends in words that introduce a code: "… is", "lautet", a colon."""
    if between.rstrip().endswith((":", "=", "：", "→")):
        return True
    words = _WORD.findall(between.lower())
    return (bool(words) and words[-1] in _TABLE.words("told")) or between.rstrip().endswith(
        ("は", "是", "为", "為", "는", "은")
    )


def _begins_told(between: str) -> bool:
    words = _WORD.findall(between.lower())
    return (bool(words) and words[0] in _TABLE.words("told")) or between.lstrip().startswith(
        ("—", "–", "- ", ":", "は", "是")
    )


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Return True if there is nothing else in the line."""
    line_start = text.rfind("\n", 0, match.start()) + 1
    line_end = text.find("\n", match.end())
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    return line.strip(" \u00a0\t*_\"'«»“”„>|.") == match[0] and line_start > 0


def _written(match: re.Match[str]) -> str:
    return re.sub(r"[\u00a0\u2009\u202f]", " ", match[0])


def _acceptable(text: str, match: re.Match[str], *, near: bool, told: bool, purpose: bool) -> bool:
    if _NUMBER_OF.search(text[max(0, match.start() - 24) : match.start()]):
        return False
    if _COUNTED.match(text, match.end()):
        return False
    digits = match["digits"]
    if not digits:
        return told or (purpose and match[0].isupper())
    if len(digits) == 4 and digits[:2] in ("19", "20") and not (told or (near and purpose)):
        return False
    if _DATE.fullmatch(digits) and not told:
        return False
    return near or purpose
