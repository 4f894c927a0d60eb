"""Small words for people: names, quotations and lines cut to length. Used by `reason` and `summary`."""

from __future__ import annotations

import re

from gaia_email.cascade.facts import Facts
from gaia_email.cascade.phrases import fold, locate
from gaia_email.cascade.suffixes import registered_label
from gaia_email.cascade.tables import phrase_list, wordset

_GREETING = re.compile(
    r"^(?:hi|hey|hello|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|moin|servus"
    r"|guten (?:tag|morgen|abend)|bonjour|bonsoir|salut|cher|chère|hola|querid[oa]s?|estimad[oa]s?|buenos días"
    r"|buenas tardes|ciao|gentile|buongiorno|buonasera|car[oa]s?|olá|oi|bom dia|boa tarde|prezad[oa]s?|beste|geachte"
    r"|hoi|dag|goedemorgen|goedemiddag)\b[^.!?\n]{0,40}?[,!:\n–-]\s*",
    re.IGNORECASE,
)
_OPENINGS = phrase_list(
    "could you; can you; would you; please; let me know; let us know; könntest; können sie; bitte; pourriez; pouvez; "
    "merci de; podría; podrías; puedes; potresti; può; poderia; pode; kun je; kunt u"
)
_VOCATIVE = re.compile(r"^[A-ZÀ-Þ][a-zà-ÿ'-]{1,14}(?: [A-ZÀ-Þ][a-zà-ÿ'-]{1,14})?,\s+")
_STRIP = " 。\t\n\"'“”„«»*_>•-–—"
_TITLES = wordset(
    "coach barrister tía tío tante onkel oma opa aunt uncle grandma grandpa sister brother father pastor sir madame "
    "café praxis herr frau professor captain office studio team"
)
_NAME_LENGTH = 40


def one_line(text: str) -> str:
    """White space runs become one space."""
    return " ".join(text.split())


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, ending at a word; says nothing about what was left out."""
    text = one_line(text)
    if len(text) <= limit:
        return text
    short = text[:limit].rsplit(" ", 1)[0] if " " in text[:limit] else text[:limit]
    return short.rstrip(" ,;:–-(")


def quotable(sentence: str, limit: int) -> str:
    """The heart of a sentence for quoting inside another: no greeting, no closing mark, at most `limit` long."""
    text = one_line(sentence).strip(_STRIP)
    text = without_greeting(text)
    match = _VOCATIVE.match(text)
    if match and len(text) - match.end() > 10:
        text = text[match.end() :]
    if len(text) > limit:
        lowered = fold(text)
        starts = [at for opening in _OPENINGS if 0 < (at := locate(lowered, opening)) < len(text) - 15]
        text = text[min(starts) :] if starts else text
    text = cut(text, limit)
    if '"' in text:
        text = max(text.split('"'), key=len)
    return text.strip(_STRIP).rstrip(".!?,;:")


def without_greeting(text: str) -> str:
    """Drops `Hi Dana,` from the front."""
    match = _GREETING.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def is_greeting(sentence: str) -> bool:
    """Whether the whole sentence is a greeting."""
    text = sentence.strip()
    match = _GREETING.match(text + "\n")
    return match is not None and match.end() >= len(text)


def who(facts: Facts) -> str:
    """What a person would call the sender: the first name, else the name, else the domain."""
    sender = facts.sender
    name = one_line(sender.name).strip("\"' ")
    if "@" in name or not any(char.isalpha() for char in name) or len(name) > 2 * _NAME_LENGTH:
        name = ""
    if not name:
        personal = sender.kind == "person" and 0 < len(sender.address) <= _NAME_LENGTH
        return sender.address if personal else sender.domain[:_NAME_LENGTH] or "The sender"
    if sender.kind != "person" or (sender.free_mail and facts.imitates):
        return cut(name, _NAME_LENGTH)
    if "," in name:
        return (
            name.partition(",")[2].split()[0] if name.partition(",")[2].split() else cut(name, _NAME_LENGTH)
        )
    words = name.split()
    titled = len(words) > 1 and (
        words[0].endswith(".") or words[0].lower() in ("dr", "mr", "mrs", "ms", "prof", "the")
    )
    personal = fold(words[0])[:4] in sender.address.partition("@")[0] and fold(words[0]) not in _TITLES
    if titled or not personal or len(words) > 3 or any(char.isdigit() for char in name):
        return cut(name, _NAME_LENGTH)
    return words[0]


def full_name(facts: Facts) -> str:
    """The display name as a whole, else the domain's own label as it stands in the address."""
    name = one_line(facts.sender.name).strip("\"' ")
    if name and "@" not in name and any(char.isalpha() for char in name):
        return cut(name, _NAME_LENGTH)
    return facts.sender.domain[:60] or registered_label(facts.sender.domain) or "an unknown sender"
