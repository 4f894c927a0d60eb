"""One-time codes: what a site sends so that the user can sign in. Entry: `find_codes`.

A code stands near a word for it. Order numbers, years, voucher and error codes have such words near them too,
and are left out.
"""

from __future__ import annotations

import re

from gaia_email.prepare.extract.view import TextView
from gaia_email.prepare.extract.wordlists import alternatives
from gaia_mail.lazy import lazy_pattern, pattern_of
from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_email.prepare.extract", "codes.txt")

MAX_CODES = 10

_TRIGGERS = _TABLE.phrases("triggers")
_CODE_WORD = pattern_of(
    lambda: (
        rf"(?<!\w)(?:(?P<kind>[\w-]{{2,16}})\s+)?(?:{alternatives(_TABLE.text('code'))})\b"
        r"|(?:認証|確認)?コード|验证码|驗證碼|인증\s?번호"
    )
)
"""In lower case."""
_OTHER_KINDS = _TABLE.words("other_kinds")
_CANDIDATE = lazy_pattern(
    r"(?<![\w#.,/$€£+-])(?:[A-Z]{1,3}-)?(?P<digits>\d{3}[ -]\d{3}|\d{4,8})(?![\w/%€$£]|[.,:-]\d)"
    r"|(?<![\w#/.-])(?P<mixed>(?=[A-Z0-9-]{5,9}(?![\w-]))(?=[A-Z-]*\d)(?=[0-9-]*[A-Z])[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,4})?)(?![\w/.-]\w)"
)
_PURPOSE = _TABLE.pattern("purpose", flags=re.IGNORECASE)
_SALE = _TABLE.pattern("sale", flags=re.IGNORECASE)
_NUMBER_OF = _TABLE.pattern(
    "number_of", "(?:", r")(?:\s?(?:number|no\.?|nr\.?|id|n°|#|num))?\s?[:#]?\s?$", flags=re.IGNORECASE
)
_AHEAD, _BEHIND = 90, 48


def find_codes(view: TextView) -> tuple[str, ...]:
    """One-time codes as written, each once, at most `MAX_CODES`."""
    if not view.digits or not any(trigger in view.lower for trigger in _TRIGGERS):
        return ()
    text = view.text
    found: dict[str, None] = {}
    for word in _CODE_WORD.finditer(view.lower):
        if word["kind"] and word["kind"].strip("-") in _OTHER_KINDS:
            continue
        code = _code_near(text, word.start(), word.end())
        if code:
            found[code] = None
            if len(found) >= MAX_CODES:
                break
    return tuple(found)


def _code_near(text: str, start: int, end: int) -> str:
    """The code that belongs to the code word between `start` and `end`, `""` when there is none."""
    around = text[max(0, start - 120) : end + 120]
    if _SALE.search(around):
        return ""
    purpose = _PURPOSE.search(around) is not None
    for match in _CANDIDATE.finditer(text, end, min(len(text), end + _AHEAD)):
        if _acceptable(text, match, near=match.start() - end <= 12, purpose=purpose):
            return match[0]
    before = None
    for match in _CANDIDATE.finditer(text, max(0, start - _BEHIND), start):
        if "\n\n" not in text[match.end() : start] and _acceptable(text, match, near=False, purpose=purpose):
            before = match[0]
    return before or ""


def _acceptable(text: str, match: re.Match[str], *, near: bool, purpose: bool) -> bool:
    if _NUMBER_OF.search(text[max(0, match.start() - 24) : match.start()]):
        return False
    digits = match["digits"]
    if not digits:
        return purpose
    if len(digits) == 4 and digits[:2] in ("19", "20") and not near:
        return False
    return near or purpose
