"""Small words for people: names, quotations and lines cut to length. Used by `reason` and `summary`."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from gaia_email.cascade.facts import RuleFacts
from gaia_email.cascade.phrases import Wordlist, fold, ideographs, is_garbled, positions
from gaia_mail.domains import domain_of
from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_email.cascade", "wording/lines.txt")

_GREETING = _TABLE.pattern("greeting", flags=re.IGNORECASE)
_GREETING_UNSPACED = lazy_pattern(r"^(?:您好|你好|大家好|こんにちは)[，,！!。、]\s*")
_OPENINGS = Wordlist(
    "could you; can you; would you; please; let me know; let us know; könntest; können sie; bitte; pourriez; pouvez; "
    "merci de; podría; podrías; puedes; potresti; può; poderia; pode; kun je; kunt u"
)
_LEAD = lazy_pattern(
    r"^(?:(?:quick|short|one|small|just a quick|kurze|eine|petite|una) )?(?:one|question|frage|thing|domanda|pregunta)"
    r"\s?[:,–-] |^(?:i am|i'm|we are|we're)? ?(?:so |very )?sorry,? (?:but )?|^(?:good news|bad news|p\.? ?s\.?)[:,.] "
    r"|^(?:so|and|also|btw|by the way),? ",
    re.IGNORECASE,
)
_CLAUSE_END = lazy_pattern(
    r"[,;:](?= )|(?<=\S)(?<!\b[MD]r)(?<!\bMs)(?<!\bMrs)(?<!\bSt)[.!?](?= )"
    r"| [–—-](?= )| (?=(?:while|because|so that|so|when|until|before|after|but"
    r"|which|weil|damit|wenn|bevor|aber|sobald|parce que|pour que|afin|mais|si|quand|porque|para que|pero|cuando|perché"
    r"|affinché|ma|quando|mas|omdat|zodat|maar|als) )|(?<=[。、！？])"
)
_VOCATIVE = lazy_pattern(r"^[A-ZÀ-Þ][a-zà-ÿ'-]{1,14}(?: [A-ZÀ-Þ][a-zà-ÿ'-]{1,14})?,\s+")
_STRIP = ' 。\t\n"“”„«»*_>•-–—|'
_TITLES = _TABLE.words("titles")
_ORGANISATION = _TABLE.words("organisation")
_ORGANISATION_ENDINGS = _TABLE.phrases("organisation_endings")
COURTESIES = _TABLE.phrases("courtesies")
_SUBJECT_PREFIX = lazy_pattern(
    r"^(?:(?:re|fwd?|aw|wg|sv|antw|tr|rif|res|ref|rv|enc)\s?:\s*|\[[^\]\n]{1,60}\]\s*)", re.IGNORECASE
)
_TAG = lazy_pattern(r"^(?:(?:re|aw|sv|fwd?)\s?:\s*)*\[([^\]\n]{1,40})\]", re.IGNORECASE)
_ADDRESS_ONLY = lazy_pattern(r"^(?:[<\[(]?(?:https?://|www\.)\S+[>\])]?|\[IMG: .*)$")
_LINK = lazy_pattern(r"https?://|www\.")
_FIELD = lazy_pattern(r"^(?:url|date|link|posted|from|to|cc|subject|sent)\s?: ", re.IGNORECASE)
_DATE = lazy_pattern(
    r"^(?:[a-z]{3,9}\.?,? )?(?:[a-z]{3,9}\.? \d{1,2}|\d{1,2}\.? [a-z]{3,9}|\d{1,2}[./-]\d{1,2})[,./-]? ?\d{2,4}$",
    re.IGNORECASE,
)
_DANGLING = _TABLE.pattern("dangling", flags=re.IGNORECASE)
"""Words that a quotation must not end with: what they begin was cut off."""
_ADDRESSED = lazy_pattern(
    r"\b(?:to|cc|from|sent by):\s*\S*@"
    r"|^please respond to (?!(?:this|the|that|these|those|my|our|your|me|us|him|her|them|it|an?|each|all|any)\b)\w",
    re.IGNORECASE,
)
"""Who it is from or to; Notes writes `Please respond to NAME` above a message, and what follows is run into it."""
_RULE = lazy_pattern(r"^[\W_]+$|[-=_~*]{6,}")
"""A line of signs, or words that such a line frames."""
_MOMENT = lazy_pattern(
    r"^\W*(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?\W*$",
    re.IGNORECASE,
)
_FILES = lazy_pattern(
    r"^(?:\W*(?:<<[^<>\n]{1,120}>>|\(see attached file: [^)\n]{1,120}\))\W*)+$", re.IGNORECASE
)
_SALUTATION = lazy_pattern(
    r"^(?:to )?(?:all|[A-ZÀ-Þ][\w'’-]*\.?)(?:(?: |, ?| and | & | / ?)(?:all|[A-ZÀ-Þ][\w'’-]*\.?)){0,3}\s*[,:–-]+$",
    re.IGNORECASE,
)
_ENOUGH_WORDS = 3
_ENOUGH_IDEOGRAPHS = 6
_LEAD_IN_WORDS = 7
_BOILERPLATE_CHARS = 200
_NAME_LENGTH = 40
_NAME_READ = 400


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
    return _heart(sentence, limit)[0]


def quote(sentence: str, limit: int) -> str:
    """`quotable` between quotation marks, with `…` behind them when it stops in the middle; empty for nothing."""
    words, whole = _heart(sentence, limit)
    return f'"{words}"{"" if whole else "…"}' if words else ""


def _heart(sentence: str, limit: int) -> tuple[str, bool]:
    text = one_line(sentence).lstrip(") >").replace('"', "'")
    if text[:1] == "'" == text[-1:] and text.count("'") == 2:
        text = text[1:-1]
    text = without_greeting(text.strip(_STRIP))
    link = _LINK.search(text, 10) if "://" in text or "www." in text else None
    if link:
        text = text[: link.start()].rstrip(" <([")
    match = _VOCATIVE.match(text) if "," in text else None
    if match and len(text) - match.end() > 10:
        text = text[match.end() :]
    match = _LEAD.match(text)
    if match and len(text) - match.end() > 10:
        text = text[match.end() :]
    if len(text) > limit:
        lowered = fold(text)
        starts = [at for at in _OPENINGS.positions(lowered) if at < len(text) - 15]
        text = text[min(starts) :] if starts else text
    text, whole = _clause(text, limit)
    text = text.strip(_STRIP).rstrip(".!?,;: ")
    cut_off = len(text) < len(one_line(sentence).strip(_STRIP).rstrip(".!?,;: "))
    bare = _DANGLING.sub("", text) if cut_off and _DANGLING.search(text) else text
    return (bare, False) if bare and bare != text else (text, whole)


def _clause(text: str, limit: int) -> tuple[str, bool]:
    """At most `limit` characters, up to the end of a clause where there is one; False when it stops within one."""
    if len(text) <= limit:
        return text, True
    ends = [
        match.start() for match in _CLAUSE_END.finditer(text[: limit + 1]) if match.start() >= limit * 0.6
    ]
    return (text[: ends[-1]], True) if ends else (cut(text, limit), False)


def without_greeting(text: str) -> str:
    """Drops `Hi Dana,` from the front."""
    match = _GREETING.match(text) or (None if text.isascii() else _GREETING_UNSPACED.match(text))
    return text[match.end() :] if match and match.end() < len(text) else text


def is_greeting(sentence: str) -> bool:
    """Whether the whole sentence is a greeting."""
    text = sentence.strip()
    match = _GREETING.match(text + "\n")
    return match is not None and match.end() >= len(text)


def linked_host(text: str) -> str:
    """The host of a text that is nothing but a link; empty for any other."""
    bare = one_line(text).strip("<>[]() ")
    if not _ADDRESS_ONLY.match(bare):
        return ""
    return bare.partition("://")[2 if "://" in bare else 0].partition("/")[0][:60]


def is_salutation(sentence: str) -> bool:
    """Whether the whole sentence addresses somebody and says no more: a greeting, or `Anne,`."""
    text = one_line(sentence)
    return is_greeting(sentence) or _SALUTATION.match(text) is not None


def who(facts: RuleFacts) -> str:
    """What a person would call the sender: the first name of somebody with one, else the whole name, else the domain.

    An organisation, a title ("Aunt Rosa", "Dr Lee") and a name that may be forged are never shortened.
    """
    sender = facts.sender
    personal = sender.kind == "person"
    return _called(
        sender.name[:_NAME_READ], sender.address, personal=personal, forged=facts.imitates is not None
    )


@lru_cache(maxsize=1024)
def _called(name: str, address: str, *, personal: bool, forged: bool) -> str:
    name = one_line(name).strip("\"' ")
    if "@" in name or not any(char.isalpha() for char in name) or len(name) > 2 * _NAME_LENGTH:
        name = ""
    if not name:
        first, _, family = address.partition("@")[0].partition(".")
        if personal and not forged and family.isalpha() and first in _first_names():
            return first.capitalize()
        short = personal and 0 < len(address) <= _NAME_LENGTH
        return address if short else domain_of(address)[:_NAME_LENGTH] or "The sender"
    if not personal or forged:
        return cut(name, _NAME_LENGTH)
    if "," in name:
        given = name.partition(",")[2].split()
        return given[0] if given and len(given) <= 2 else cut(name, _NAME_LENGTH)
    first = name.split()[0]
    return first if _has_given_name(name, address.partition("@")[0]) else cut(name, _NAME_LENGTH)


def is_persons_name(name: str) -> bool:
    """Whether a display name is a known given name and a family name."""
    return _has_given_name(one_line(name).strip("\"' "), "")


def _has_given_name(name: str, local: str) -> bool:
    """Whether `name` is a given name and a family name: known as such, or found again in the address."""
    words = name.split()
    folded = [fold(word).strip(".") for word in words]
    if not 2 <= len(words) <= 4 or any(char.isdigit() or char in "&|/()" for char in name):
        return False
    if not _ORGANISATION.isdisjoint(folded) or folded[0].endswith(_ORGANISATION_ENDINGS):
        return False
    if (
        folded[0] in _TITLES
        or words[0].endswith(".")
        or not all(word[:1].isupper() for word in (words[0], words[-1]))
    ):
        return False
    plain, parts = _plain(folded[0]), re.split(r"[._+-]", _plain(local))
    if plain in parts or (
        len(parts) == 1 and len(plain) >= 3 and parts[0].startswith(plain) and parts[0] != plain
    ):
        return True
    return folded[0] in _first_names() or plain in _first_names()


def _plain(text: str) -> str:
    """Without accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def full_name(facts: RuleFacts) -> str:
    """The display name as a whole, else the domain's own label as it stands in the address."""
    return _named(facts.sender.name[:_NAME_READ], facts.sender.domain)


@lru_cache(maxsize=1024)
def _named(name: str, domain: str) -> str:
    name = one_line(name).strip("\"' ")
    if name and "@" not in name and any(char.isalpha() for char in name):
        return cut(name, _NAME_LENGTH)
    return domain[:60] or "an unknown sender"


def topic(subject: str) -> str:
    """What a subject is about: without `Re:`, `Fwd:` and `[list]` before it and a mark behind it."""
    text = one_line(subject)[:300]
    for _ in range(6):
        match = _SUBJECT_PREFIX.match(text)
        if match is None or match.end() >= len(text):
            break
        text = text[match.end() :]
    return text


def tag(subject: str) -> str:
    """The `[name]` of a mailing list at the front of a subject."""
    match = _TAG.search(one_line(subject)[:80])
    return match[1] if match else ""


@lru_cache(maxsize=256)
def says_nothing(sentence: str) -> bool:
    """A greeting, an address, a rule, a courtesy, or too few words to stand alone."""
    text = plain_sentence(sentence)
    if (
        not text
        or is_salutation(sentence)
        or _ADDRESS_ONLY.match(text)
        or _RULE.search(text)
        or _FIELD.match(text)
        or _ADDRESSED.search(text)
        or _DATE.match(text)
        or _MOMENT.match(text)
        or _FILES.match(one_line(sentence))
        or is_garbled(text)
    ):
        return True
    signs = ideographs(text)
    if signs >= 2:
        short = signs < _ENOUGH_IDEOGRAPHS or text.endswith(("様", "さん"))
    else:
        short = len(text.split()) < _ENOUGH_WORDS and not text.endswith("?")
    folded = fold(text)
    short = short or (text.endswith(":") and len(text.split()) < _LEAD_IN_WORDS)
    short = short or (text.endswith(",") and len(text.split()) <= _ENOUGH_WORDS)
    return short or (len(text) < _BOILERPLATE_CHARS and bool(_boilerplate().positions(folded)))


@lru_cache(maxsize=256)
def plain_sentence(sentence: str) -> str:
    """On one line, without greeting and marks of lists and headings."""
    return one_line(without_greeting(one_line(sentence))).lstrip(")").strip(" *_>•–—-|#=~<")


def key_sentence(facts: RuleFacts) -> str:
    """The first sentence that says something; empty when none does."""
    for sentence in facts.view.sentences[:12]:
        folded = fold(sentence)
        if not says_nothing(sentence) and not (
            folded.startswith(COURTESIES) and 0 in positions(folded, COURTESIES)
        ):
            return sentence
    return ""


@lru_cache(maxsize=1)
def _boilerplate() -> Wordlist:
    from gaia_email.cascade.lexicon import table

    return Wordlist(";".join(table("tone")["boilerplate"].values()))


@lru_cache(maxsize=1)
def _first_names() -> frozenset[str]:
    from gaia_email.prepare.extract import first_names

    return first_names.FIRST_NAMES
