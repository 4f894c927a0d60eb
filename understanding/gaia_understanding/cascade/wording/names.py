"""Names of senders as people say them. Entries: `who`, `full_name`.

A sender without a display name is called by the readable local part of the address, else by the brand of its
domain. The reader's own organisation is not a name for anyone: its people and offices have names of their
own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import fold
from gaia_understanding.cascade.sender.sender import SenderKind, kind_of
from gaia_understanding.cascade.wording.lines import cut, one_line

_TABLE = WordTable("gaia_understanding.cascade", "wording/lines.txt")

_TITLES = _TABLE.words("titles")
_ORGANISATION = _TABLE.words("organisation")
_ORGANISATION_ENDINGS = _TABLE.phrases("organisation_endings")
_LEGAL_FORMS = frozenset(
    {"corp", "corporation", "inc", "ltd", "llc", "gmbh", "ag", "co", "company", "plc", "group"}
)
_PARTICLES = frozenset(
    {"de", "da", "di", "du", "del", "la", "le", "von", "van", "der", "den", "dos", "y", "e"}
)
_ACRONYMS = frozenset({"it", "hr", "pr", "qa", "ceo", "cfo", "cto", "coo", "ir", "csr"})
_NAME_LENGTH = 40
_NAME_READ = 400
_LOCAL_PARTS = 5
_NAMELESS = "An automatic sender"


def who(facts: RuleFacts) -> str:
    """Return the name by which people call the sender: a known first name, else the whole name.

    An organisation, a title ("Aunt Rosa", "Dr Lee") and a name that may be forged are never shortened.
    """
    sender, forged = facts.sender, facts.imitates is not None
    name = _display_name(sender.name[:_NAME_READ], sender.address, own=facts.shares_domain)
    return _shorten(name, sender.address, sender.kind, forged=forged, own=facts.shares_domain)


def full_name(facts: RuleFacts) -> str:
    """Return the whole display name, else the name that the address suggests."""
    sender, forged = facts.sender, facts.imitates is not None
    name = _display_name(sender.name[:_NAME_READ], sender.address, own=facts.shares_domain)
    return cut(name, _NAME_LENGTH) or _spoken(
        sender.address, sender.kind, forged=forged, own=facts.shares_domain
    )


@lru_cache(maxsize=1024)
def _display_name(name: str, address: str, *, own: bool) -> str:
    """Return the display name of an address; empty for none, for an address, and for the reader's own organisation."""
    name = one_line(name).strip("\"' ")
    if "@" in name or not any(char.isalpha() for char in name) or len(name) > 2 * _NAME_LENGTH:
        return ""
    if own and not is_free_mail(domain_of(address)):
        words = [word for word in fold(name).replace(".", " ").split() if word not in _LEGAL_FORMS]
        if "".join(words) == _brand_label(address).replace("-", ""):
            return ""
    return name


@lru_cache(maxsize=1024)
def _shorten(name: str, address: str, kind: SenderKind, *, forged: bool, own: bool) -> str:
    if not name:
        spoken = _spoken(address, kind, forged=forged, own=own)
        first = spoken.partition(" ")[0]
        return first if kind == "person" and fold(first) in _first_names() else spoken
    if kind != "person" or forged:
        return cut(name, _NAME_LENGTH)
    if "," in name:
        given = name.partition(",")[2].split()
        return given[0] if given and len(given) <= 2 else cut(name, _NAME_LENGTH)
    first = name.split()[0]
    return first if _has_given_name(name, address.partition("@")[0]) else cut(name, _NAME_LENGTH)


@lru_cache(maxsize=1024)
def _spoken(address: str, kind: SenderKind, *, forged: bool, own: bool) -> str:
    """Return the name that an address suggests: a person's or an office's, else a brand; a forged one as it is."""
    local, domain = address.partition("@")[0], domain_of(address)
    if forged or not domain:
        return domain[:_NAME_LENGTH] or "The sender"
    own = own or is_free_mail(domain)
    label = _brand_label(address).replace("-", " ")
    brand = " ".join(word.capitalize() for word in label.split()) if any(map(str.isalpha, label)) else domain
    if kind != "person" and not own:
        return cut(brand, _NAME_LENGTH)
    readable = _readable(local)
    if kind == "machine" and kind_of(local, "") == "machine" and "reply" in local.lower():
        return _NAMELESS if own else cut(brand, _NAME_LENGTH)
    if readable:
        return cut(readable, _NAME_LENGTH)
    return address if len(address) <= _NAME_LENGTH else cut(brand, _NAME_LENGTH)


def _brand_label(address: str) -> str:
    return organisational_domain(domain_of(address)).partition(".")[0]


def _readable(local: str) -> str:
    """Return a local part as a name: `Ana M. de Sousa` for `ana_m_de_sousa7`; empty if it is not a name."""
    parts = [part for part in re.split(r"[._+-]+", local.rstrip("0123456789")) if part]
    if not 1 <= len(parts) <= _LOCAL_PARTS or not all(map(str.isalpha, parts)) or len("".join(parts)) < 2:
        return ""
    return " ".join(
        f"{part.upper()}."
        if len(part) == 1
        else part.upper()
        if part.lower() in _ACRONYMS
        else part.lower()
        if place and part.lower() in _PARTICLES
        else part.capitalize()
        for place, part in enumerate(parts)
    )


def is_persons_name(name: str) -> bool:
    """Return True if a display name is a known given name and a family name."""
    return _has_given_name(one_line(name).strip("\"' "), "")


def _has_given_name(name: str, local: str) -> bool:
    """Return True if `name` is a given name and a family name: a known one, or one that the address repeats."""
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
    """Return the text without accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


@lru_cache(maxsize=1)
def _first_names() -> frozenset[str]:
    from gaia_understanding.prepare.extract import first_names

    return first_names.FIRST_NAMES
