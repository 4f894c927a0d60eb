"""Classify a single line at the end of a message, for `signature`. Entry: `line_kind`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.signature_tables import (
    ADDRESS_WORDS,
    CLOSING_FILLER,
    CLOSING_PHRASES,
    CONTACT_LABELS,
    DEVICE_ENDS,
    DEVICE_FREE,
    DEVICE_NAMED,
    DEVICE_STARTS,
    DEVICE_WORDS,
    EXCUSES,
    GIVEN_NAMES,
    NAME_PARTICLES,
    NOT_NAMES,
    STRONG_CLOSING,
    TITLE_WORDS,
    WEAK_CLOSING,
)

LineKind = Literal[
    "prose", "contact", "title", "name", "known_name", "sender_name", "dash_name", "closing", "thanks", "closing_name",
    "device", "rule", "noise", "short",
]  # fmt: skip

MAX_SHORT = 80
MAX_SHORT_WORDS = 10
MAX_CONTACT = 200
MAX_OWN_WORDS = 3

_CONTACT = lazy_pattern(
    r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,100}|(?:https?://|www\.)\S|(?<![\w/])\+?\(?\d[\d().\-/ \u00a0]{5,22}\d(?!\w)"
    r"|^\W{0,3}(?:x|ext|extension)?[ .:#*-]{0,3}\d{0,2}-?\d{3,5}$",
    re.IGNORECASE,
)
_ZIP = lazy_pattern(r"\b[A-Z]{2},? \d{5}\b|\b\d{5} [A-ZÄÖÜÉ]|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b")
_WORD = lazy_pattern(r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]+)*\.?")
_DASH_NAME = lazy_pattern(r"[-–—~/]{1,2} ?([^\W\d_][\w'’\"\u201c\u201d. -]{1,40})$")
_DIGIT = lazy_pattern(r"\d\D{0,3}\d\D{0,3}\d")
_DEVICE_STARTS = {
    head: tuple(start for start in DEVICE_STARTS if start[:2] == head)
    for head in sorted({start[:2] for start in DEVICE_STARTS})
}
_DEVICE_TAILS = frozenset(end[-2:] for end in DEVICE_ENDS)
_NOISE = lazy_pattern(
    r"\[(?:image|cid|inline|logo|bild)[^\]]{0,120}\]|<?image\d{3}\.\w{3,4}>?|!\[[^\]]{0,80}\]\([^)]{0,200}\)",
    re.IGNORECASE,
)
_LINK = lazy_pattern(r" ?[<(\[]{0,2} ?https?://[^\s<>()]{1,300}[ >)\]]{0,3}|[\[\]]")
_PLACE_WORDS = frozenset(
    ["aus", "from", "depuis", "desde", "från", "fra", "z", "ze", "из", "з", "vanuit", "da"]
)
"""Words between a closing and a place: `Grüße aus Berlin`."""
_PRONOUNS = lazy_pattern(
    r" ?[(\[|](?:she|he|they|sie|er|ella|él|elle|il|xe|ze)/[\w/]{1,16}[)\]]?", re.IGNORECASE
)
_SAYING = lazy_pattern(r"[\"“„«][^\"“”„«»]{8,160}[\"”“»]\.?(?: ?[-–—~]{1,2} ?[\w .,'’-]{2,40})?")
"""A motto in quotation marks, part of a signature only if a name is above it."""
_RULE = frozenset("-_=*~—–─━ \t")
_TRIM = " \t\r\u00a0*_|"


class SenderWords(NamedTuple):
    """The known names of a message's sender: case-folded words of the display name and of the address."""

    words: frozenset[str]
    address: str

    @staticmethod
    @lru_cache(maxsize=512)
    def of(name: str, address: str) -> SenderWords:
        """Return the sender's words; words of one letter say nothing and are left out."""
        words = {
            word for word in re.split(r"[^\w'’]+", name.casefold()) if len(word) > 1 and not word.isdigit()
        }
        local = address.partition("@")[0].casefold()
        words.update(word for word in re.split(r"[\W\d_]+", local) if len(word) > 2)
        return SenderWords(words=frozenset(words - NAME_PARTICLES), address=address.casefold())

    def owns(self, word: str) -> bool:
        """Return True if a case-folded word is one of the sender's names, or two of them run together."""
        bare = word.strip(".")
        if bare in self.words:
            return True
        return len(bare) > 6 and any(
            len(own) > 3 and bare.startswith(own) and bare[len(own) :] in self.words
            for own in sorted(self.words)
        )


def is_device_line(line: str) -> bool:
    """Return True for device lines in many languages: `Sent from my iPhone`, `Get Outlook for iOS`.

    False for `Sent from my desk, it is easier`.
    """
    core = line.strip(" \t\r\u00a0*_()[]<>-~|")
    if not 4 < len(core) <= 160:
        return False
    if "://" in core:
        core = _LINK.sub(" ", core).strip(" .")
    folded = core.casefold()
    starts = _DEVICE_STARTS.get(folded[:2])
    if starts is None or not folded.startswith(starts):
        tail = folded.rstrip(" .!")
        if tail[-2:] not in _DEVICE_TAILS or not tail.endswith(DEVICE_ENDS):
            return False
    if len(folded) <= 110 and "?" not in folded and any(word in folded for word in DEVICE_WORDS):
        rest = folded.partition(", ")[2]
        return (not rest or any(word in rest for word in EXCUSES)) and len(folded.split()) <= 16
    if "," in folded or ":" in folded or "?" in folded:
        return False
    if folded.startswith(DEVICE_FREE):
        return len(folded.split()) <= 8
    return folded.startswith(DEVICE_NAMED) and _is_product(core.split()[2:])


def _is_product(words: list[str]) -> bool:
    """Return True for a mail program that is not in the table: `Sent from Nine`, `Sent with Example Mail`."""
    return 0 < len(words) <= 3 and all(word[0].isupper() and word[-1] not in "!?" for word in words)


def line_kind(line: str, sender: SenderWords) -> LineKind:
    """Return the kind of a non-blank line; `prose` if it is the sender's own text."""
    core = line.strip(_TRIM)
    if not core or (len(core) > 1 and _RULE.issuperset(core)):
        return "rule"
    if len(core) > MAX_CONTACT:
        return "prose"
    if core in ("--", "—", "-"):
        return "rule"
    if core[0] in "[<!" and _NOISE.fullmatch(core):
        return "noise"
    if is_device_line(core):
        return "device"
    if core[0] in '"“„«' and _SAYING.fullmatch(core):
        return "noise"
    if _has_contact(core):
        return "contact" if _prose_words(core) <= 2 and not core.endswith("?") else "prose"
    if len(core) > MAX_SHORT or core[-1] in "?;:":
        return "prose"
    closing = _closing(core, sender)
    if closing != "prose":
        return closing
    return _short_kind(core, sender)


def _has_contact(core: str) -> bool:
    if "@" not in core and "://" not in core and "www." not in core and not _DIGIT.search(core):
        return False
    return _CONTACT.search(core) is not None


def _prose_words(core: str) -> int:
    text = _CONTACT.sub(" ", core)
    return sum(
        1
        for word in text.split()
        if word.islower()
        and len(word) > 1
        and word.strip(".,:;()[]|*/-") not in CONTACT_LABELS
        and word.isalpha()
    )


def _closing(core: str, sender: SenderWords) -> LineKind:
    if core.count(" ") > MAX_SHORT_WORDS:
        return "prose"
    folded = core.casefold()
    if folded.rstrip(" .!,;:-–—~。！，、…") in CLOSING_PHRASES:
        return "thanks"
    words = folded.rstrip(" ,.!").replace(",", " , ").split()
    strong = weak = False
    for at, raw in enumerate(words):
        word = raw.strip(".!,;:-–—~/|&\u200b。！，、…")
        if not word:
            continue
        if word in STRONG_CLOSING:
            strong = True
        elif word in WEAK_CLOSING:
            weak = True
        elif word not in CLOSING_FILLER:
            if strong and at == len(words) - 1 and at and words[at - 1] in _PLACE_WORDS:
                break
            if (strong or weak) and _signed_on_line(words[at:], sender):
                return "closing_name"
            return "prose"
    if strong:
        return "closing"
    return "thanks" if weak and core[-1] != "." else "prose"


def _signed_on_line(words: list[str], sender: SenderWords) -> bool:
    """Return True for `Thanks, Pat Jones` if Pat Jones sent the message; from others it is a sentence."""
    names = [word.strip(".,!") for word in words if word.strip(".,!")]
    return 0 < len(names) <= 4 and all(sender.owns(name) or len(name) == 1 for name in names)


def _short_kind(core: str, sender: SenderWords) -> LineKind:
    dashed = _DASH_NAME.match(core)
    if dashed is not None:
        return _dash_kind(core, dashed.group(1), sender)
    if "/" in core:
        core = _PRONOUNS.sub("", core)
    if " | " in core:
        core = _name_before_bar(core)
    words = core.split()
    if len(words) > MAX_SHORT_WORDS or not words:
        return "prose"
    folded = [word.casefold().strip(",()\"'") for word in words]
    if (
        (
            not TITLE_WORDS.isdisjoint(folded)
            or (core.count(".") > 1 and any(map(_is_abbreviated_title, folded)))
        )
        and len(words) <= 9
        and _lower_words(words) <= 3
        and core[-1] != "!"
    ):
        own = _is_name(words) and any(sender.owns(word) for word in folded)
        return "sender_name" if own else "title"
    if any(map(str.isdigit, core)) and (
        _ZIP.search(core) or (not ADDRESS_WORDS.isdisjoint(folded) and len(words) <= 10)
    ):
        return "contact"
    if sender.words and len(words) <= MAX_OWN_WORDS and all(sender.owns(word.rstrip("!")) for word in folded):
        return "sender_name"
    if core[-1] in "!," or (core[-1] == "." and len(words[-1]) > 4):
        return "prose"
    if _is_name(words):
        if any(sender.owns(word) for word in folded):
            return "sender_name"
        return "known_name" if folded[0].strip(".") in GIVEN_NAMES else "name"
    if len(words) <= 5 or (len(words) <= 8 and _lower_words(words) <= 2):
        return "short"
    return "prose"


def _name_before_bar(core: str) -> str:
    """Return the name of `Kim Vale | Example Ltd`; a line without a name there is unchanged."""
    head = core.partition(" | ")[0].strip(_TRIM)
    return head if _is_name(head.split()) else core


def _is_abbreviated_title(word: str) -> bool:
    """Return True for a title or company form with dots inside: `M.D.`, `S.r.l.`."""
    return word[-1:] == "." and "." in word[:-1] and word[:-1] in TITLE_WORDS


def _lower_words(words: list[str]) -> int:
    return sum(1 for word in words if word.islower() and word not in NAME_PARTICLES)


def _dash_kind(core: str, name: str, sender: SenderWords) -> LineKind:
    first = name.split()[0].casefold().strip(".")
    if len(name.split()) > 4:
        return "prose"
    if sender.owns(first) or first in GIVEN_NAMES:
        return "dash_name"
    return (
        "dash_name"
        if core[0] != "/" and core[1] != " " and name[0].isupper() and _is_name(name.split())
        else "prose"
    )


def _is_name(words: list[str]) -> bool:
    if not 1 <= len(words) <= 5 or words[0].casefold().strip(".,") in NOT_NAMES:
        return False
    proper = 0
    for word in words:
        bare = word.strip(",.()\"'")
        if bare.casefold() in NAME_PARTICLES:
            continue
        if not bare or not _WORD.fullmatch(bare) or bare[0].islower():
            return False
        proper += 1
    return 1 <= proper <= 4
