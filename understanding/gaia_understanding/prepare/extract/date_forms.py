"""The shapes of dates in running text: one compiled pattern per language. Entry: `forms_for`.

`Forms` also keeps the meaning of the words in those shapes, so that `dates` can resolve a match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.date_words import LANGUAGES, DateWords, Unit
from gaia_understanding.prepare.extract.view import tokens_of
from gaia_understanding.prepare.extract.wordlists import alternatives, words

NUMERIC = lazy_pattern(
    r"(?<![\w./:-])(?:"
    r"(?P<iso_y>(?:19|20)\d\d)-(?P<iso_m>\d\d)-(?P<iso_d>\d\d)"
    r"(?:[T ](?P<iso_h>[01]\d|2[0-3]):(?P<iso_min>[0-5]\d)(?::(?P<iso_s>[0-5]\d)(?:\.\d{1,6})?)?"
    r"\s?(?P<iso_z>Z|[+-]\d\d:?\d\d)?)?"
    r"|(?P<a>\d{1,2})(?P<sep>[./-])(?P<b>\d{1,2})(?P=sep)(?P<y>(?:19|20)\d\d|\d\d)"
    r"|(?P<ymd_y>20\d\d)/(?P<ymd_m>\d{1,2})/(?P<ymd_d>\d{1,2})"
    r"|(?P<sa>\d{1,2})(?P<ssep>[./])(?P<sb>\d{1,2})(?P<stop>\.)?"
    r")(?![\w%€$£°]|[./:,-]\d|\s?(?:€|%|\$|£|kg|km|EUR|USD|GB|MB|x\d))"
)
CJK = lazy_pattern(
    r"(?:(?P<y>20\d\d)年)?(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]|(?P<rel>明日|今日|本日|明後日|明天|今天)"
)

_YEAR = r"(?:19|20)\d\d"
_ARTICLES = r"(?:the|on|this|dem|den|der|am|diesen|le|la|l'|el|los|il|lo|o|a|ao|em|de|het|op)\s+"
_CLOSERS = words("end ende fin fine final finales fim einde eind")
_TOKEN = lazy_pattern(r"\w+")
# In so many sentences without a date that examining the text around each would cost more than it finds.
_TOO_COMMON = words(
    "day year an ans jour tag dag dia día giorno ora year hour ore hora heure stunde uur années"
)
# So common in texts that finding them would cost more than it helps.
_UNTELLING = words("the of this der des dem de du la le ce del da do di della van het")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """A language's date pattern and its vocabulary, in lower case with single spaces.

    Patterns are for text in lower case: without regard to case they would take more than twice as long.
    """

    words: DateWords
    pattern: re.Pattern[str]
    months: dict[str, int]
    weekdays: dict[str, int]
    short_weekdays: frozenset[str]
    relative: dict[str, int]
    units: dict[str, Unit]
    numbers: dict[str, int]
    upcoming: frozenset[str]
    past: frozenset[str]
    close: dict[str, Unit]
    deadline_before: re.Pattern[str]
    deadline_behind: re.Pattern[str]
    counted: re.Pattern[str]
    """The text before a unit of time in "two days", "next week" and "end of month"."""
    closers: tuple[str, ...]
    """Words that make a month's name mean its last day."""
    triggers: frozenset[str]
    """Lower-case words that a date of the language may contain."""
    phrases: tuple[tuple[str, frozenset[str]], ...]
    """The same for phrases of several words, each with its words except the commonest."""
    led: dict[str, tuple[tuple[str, frozenset[str]], ...]]
    """`phrases` by the longest word of each."""
    leads: frozenset[str]
    """Words, one of which is in every text with a worded date."""


def _spellings(rows: tuple[str, ...], first: int) -> dict[str, int]:
    return {spelling: number for number, row in enumerate(rows, first) for spelling in row.split()}


def _phrases(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


def languages_for(language: str) -> tuple[str, ...]:
    """Return the languages of dates in a text: its own and English, or all if its language is unknown."""
    if language in LANGUAGES:
        return (language,) if language == "en" else (language, "en")
    return tuple(LANGUAGES)


@lru_cache(maxsize=8)
def forms_for(language: str) -> Forms:
    """Return the forms of a language that `LANGUAGES` has; compiled when first asked for."""
    table = LANGUAGES[language]
    months = _spellings(table.months, 1)
    weekdays = _spellings(table.weekdays, 0)
    relative = {phrase: days for days, row in table.relative.items() for phrase in _phrases(row)}
    units: dict[str, Unit] = {phrase: unit for unit, row in table.units.items() for phrase in _phrases(row)}
    close: dict[str, Unit] = {phrase: unit for unit, row in table.close.items() for phrase in _phrases(row)}
    phrases = (*weekdays, *months, *relative, *close, *units)
    full_weekdays = {row.split()[0] for row in table.weekdays}
    triggers = frozenset(phrase for phrase in phrases if _TOKEN.fullmatch(phrase)) - _TOO_COMMON
    longer = tuple(
        (phrase, tokens_of(phrase) - _UNTELLING) for phrase in phrases if not _TOKEN.fullmatch(phrase)
    )
    led = _index_phrases(longer)
    return Forms(
        words=table,
        pattern=re.compile(_pattern(table)),
        months=months,
        weekdays=weekdays,
        short_weekdays=frozenset(name for name in weekdays if name not in full_weekdays and len(name) < 5),
        relative=relative,
        units=units,
        numbers=_spellings(table.numbers, 1),
        upcoming=_phrases(table.upcoming),
        past=_phrases(table.past),
        close=close,
        deadline_before=re.compile(
            rf"(?:^|[^\w'])(?:{alternatives(table.deadline)})\s*:?\s*(?:{_ARTICLES})?(?:{alternatives(table.current)})?\s*$"
        ),
        deadline_behind=re.compile(rf"\s*(?:{alternatives(table.deadline_after)})\b"),
        counted=_compile_counts(table),
        closers=_closers(table),
        triggers=triggers,
        phrases=longer,
        led=led,
        leads=triggers.union(led),
    )


def _index_phrases(
    phrases: tuple[tuple[str, frozenset[str]], ...],
) -> dict[str, tuple[tuple[str, frozenset[str]], ...]]:
    led: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    for phrase, tokens in phrases:
        lead = max(sorted(tokens), key=len)
        led[lead] = (*led.get(lead, ()), (phrase, tokens))
    return led


def _compile_counts(words: DateWords) -> re.Pattern[str]:
    before = alternatives(f"{' '.join(words.numbers)} {words.upcoming} {words.current}")
    return re.compile(
        rf"(?:\d|\b(?:{before}|of|of\s+the|business|working|der|des|de|del|la|della|da|do|van|van\s+de|van\s+het"
        r"|fine|fin|fim|final))\s+$"
    )


def _pattern(words: DateWords) -> str:
    months = alternatives(" ".join(words.months))
    weekdays = alternatives(" ".join(words.weekdays))
    relative = alternatives(" ".join(words.relative.values()))
    units = alternatives(" ".join(words.units.values()))
    numbers = alternatives(" ".join(words.numbers))
    close = alternatives(" ".join(words.close.values()))
    turns = alternatives(f"{words.upcoming} {words.current} {words.past}")
    joint = rf"(?:(?:{alternatives(words.day_joint)})\s+)?" if words.day_joint else ""
    ordinal = rf"(?:{words.ordinal})?"
    weekday = rf"(?:(?:{weekdays})\.?,?\s+(?:{_ARTICLES})?)?"
    close_of_month = "(?:" + "|".join(_closers(words)) + r")(?:\s+(?:of|de|del|di|do|van))?"
    return (
        r"(?<![\w@/])(?:"
        rf"{weekday}(?P<d>\d{{1,2}}){ordinal}\.?(?:\s*[-–]\s*\d{{1,2}}{ordinal})?\s{{0,2}}{joint}-?(?P<mon>{months})\b\.?"
        rf"(?:,?\s{{1,2}}{joint}(?P<y>{_YEAR})\b)?"
        rf"|{weekday}(?P<mon2>{months})\b\.?\s{{1,2}}(?P<d2>\d{{1,2}}){ordinal}(?![\d:.]\d"
        rf"|\d)(?:\s*[-–]\s*\d{{1,2}}\b)?"
        rf"(?:,?\s{{1,2}}(?P<y2>{_YEAR})\b)?"
        rf"|(?P<close_month>{close_of_month})\s+(?P<mon3>{months})\b"
        rf"|(?P<close>{close})\b"
        rf"|(?P<rel>{relative})\b"
        rf"|(?:(?P<turn>{turns})\s+)?(?P<wd>{weekdays})\b(?:\s+(?P<turn2>{turns})\b)?"
        rf"|(?P<turn3>{turns})\s+(?P<unit3>{units})\b"
        rf"|(?P<within>{alternatives(words.within)})\s+(?P<n>\d{{1,3}}|{numbers})\s+(?P<unit>{units})\b"
        rf"|(?P<n2>\d{{1,3}}|{numbers})\s+(?P<unit2>{units})\s+(?P<after>{alternatives(words.after_span)}|{alternatives(words.ago)})\b"
        rf"|(?P<ago>{alternatives(words.ago)})\s+(?P<n4>\d{{1,3}}|{numbers})\s+(?P<unit4>{units})\b"
        r")"
    )


def _closers(words: DateWords) -> tuple[str, ...]:
    """Return the words that make a following month's name mean its last day, e.g. "end" (of June)."""
    firsts = {phrase.split("_")[0] for phrase in words.close["month"].split()}
    return tuple(sorted(firsts & _CLOSERS))
