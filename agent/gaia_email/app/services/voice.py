"""The user's style, counted from sent mail: greeting, sign-off, length, language. Entry point: `voice_of`.

Counted each time and never stored. Only the user's own text counts, never a quote in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

Tone = Literal["usual", "formal", "casual"]

GREETINGS: dict[str, tuple[str, str]] = {
    "en": ("Dear {name}", "Hi {name}"),
    "de": ("Guten Tag {name}", "Hallo {name}"),
    "fr": ("Bonjour {name}", "Salut {name}"),
    "es": ("Buenos días {name}", "Hola {name}"),
    "it": ("Buongiorno {name}", "Ciao {name}"),
    "pt": ("Bom dia {name}", "Olá {name}"),
    "nl": ("Beste {name}", "Hoi {name}"),
}
"""Formal and casual greeting by language, for users without enough sent mail."""

SIGN_OFFS: dict[str, tuple[str, str]] = {
    "en": ("Kind regards", "Best"),
    "de": ("Mit freundlichen Grüßen", "Viele Grüße"),
    "fr": ("Cordialement", "À bientôt"),
    "es": ("Atentamente", "Un saludo"),
    "it": ("Cordiali saluti", "A presto"),
    "pt": ("Com os melhores cumprimentos", "Um abraço"),
    "nl": ("Met vriendelijke groet", "Groetjes"),
}

_OPENING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen)|liebe[rs]?|"
    r"sehr geehrte[rs]?|moin|bonjour|salut|cher|chère|hola|buenos días|estimad[oa]|ciao|buongiorno|gentile|"
    r"olá|bom dia|caro|cara|hoi|beste|geachte)\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:kind|best|warm|many)? ?regards|best(?: wishes)?|cheers|thanks(?: again)?|thank you|many thanks|yours|"
    r"sincerely|mit freundlichen grüßen|viele grüße|(?:beste|liebe|herzliche) grüße|lg|vg|gruß|danke|cordialement|"
    r"bien à vous|à bientôt|merci|atentamente|(?:un )?saludos?|gracias|cordiali saluti|a presto|grazie|"
    r"(?:com os melhores )?cumprimentos|(?:um )?abraço|obrigad[oa]|met vriendelijke groet|groet(?:jes|en)?)"
    r"\s*[,.!]?",
    re.IGNORECASE,
)
_FORMAL = re.compile(r"dear|sehr geehrte|guten tag|estimad|gentile|geachte|buenos|buongiorno", re.IGNORECASE)
LONGEST_OPENING = 50
NAMES_AFTER = 40

FEWEST = 2
"""Minimum number of occurrences that make a habit."""

MOST_ENDINGS, ENDING_CHARS = 20, range(8, 161)
"""Maximum number of habitual sentences, and the range of their length in characters."""

_SENTENCE = re.compile(r"[^.!?…]{3,}[.!?…]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMessage:
    """A message that the user wrote: its own text with the signature, its language, and the recipient's first name."""

    text: str
    language: str
    to_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """The style that was counted; fields are empty if no habit was found.

    `greeting` has `{name}` in place of the name. `endings` are sentences and lines that the user wrote more
    than once, most frequent first.
    """

    greeting: str = ""
    sign_off: str = ""
    signed: str = ""
    words: int = 0
    formal: bool = False
    language: str = ""
    messages: int = 0
    endings: tuple[str, ...] = ()


def voice_of(sent: Sequence[SentMessage]) -> Voice:
    """Return the most frequent values; ties go to the first in `sent`."""
    openings = [(one, _greeting(one)) for one in sent]
    closings = [_closing(one.text) for one in sent]
    greeting = _most(found for _, found in openings)
    return Voice(
        greeting=greeting,
        sign_off=_most(closing for closing, _ in closings),
        signed=_most(name for _, name in closings),
        words=int(median([len(one.text.split()) for one in sent])) if sent else 0,
        formal=bool(_FORMAL.match(greeting)),
        language=_most(one.language for one in sent),
        messages=len(sent),
        endings=_endings(sent),
    )


def greeting_line(voice: Voice, name: str, language: str, tone: Tone) -> str:
    """Return the first line of a mail to `name`, with its comma."""
    known = voice.greeting and tone == "usual" and language in ("", voice.language)
    formal = tone == "formal" or (tone == "usual" and voice.formal)
    pattern = voice.greeting if known else GREETINGS.get(language, GREETINGS["en"])[0 if formal else 1]
    text = pattern.replace("{name}", name) if name else pattern.replace("{name}", "").strip()
    return f"{text.strip()},"


def sign_off_lines(voice: Voice, language: str, tone: Tone, name: str) -> list[str]:
    """Return the last lines of a mail: the user's sign-off, and their name."""
    known = voice.sign_off and tone == "usual" and language in ("", voice.language)
    formal = tone == "formal" or (tone == "usual" and voice.formal)
    closing = voice.sign_off if known else SIGN_OFFS.get(language, SIGN_OFFS["en"])[0 if formal else 1]
    return [line for line in (f"{closing},", voice.signed or name) if line]


def _most(found: Iterable[str]) -> str:
    counted = Counter(one for one in found if one)
    best, times = counted.most_common(1)[0] if counted else ("", 0)
    return best if times >= FEWEST else ""


def _endings(sent: Sequence[SentMessage]) -> tuple[str, ...]:
    """Return repeated sentences and lines; each counts once per message."""
    counted: Counter[str] = Counter()
    for one in sent:
        lines = [line for line in _lines(one.text) if not _OPENING.match(line)]
        parts = {part.strip() for line in lines for part in _SENTENCE.findall(line)}
        counted.update(part for part in parts if len(part) in ENDING_CHARS)
    return tuple(text for text, times in counted.most_common(MOST_ENDINGS) if times >= FEWEST)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _greeting(sent: SentMessage) -> str:
    lines = _lines(sent.text)
    first = lines[0].rstrip(",!.:– -") if lines else ""
    if not first or len(first) > LONGEST_OPENING or not (found := _OPENING.match(first)):
        return ""
    rest = first[found.end() :].strip()
    return f"{found[0]} {{name}}" if rest and len(rest) <= NAMES_AFTER else found[0]


def _closing(text: str) -> tuple[str, str]:
    """Return the sign-off of a message, and the name below it."""
    lines = _lines(text)
    for number in range(len(lines) - 1, max(-1, len(lines) - 8), -1):
        if _CLOSING.fullmatch(lines[number]):
            below = lines[number + 1] if number + 1 < len(lines) else ""
            signed = below if 0 < len(below) <= NAMES_AFTER and len(below.split()) <= 3 else ""
            return lines[number].rstrip(",.! "), signed
    return "", ""
