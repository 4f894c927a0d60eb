"""People that a message names. Entry: `find_people`.

Conservative: names in the greeting and under the closing, names of the message's own sender and recipients if
the text contains them, titles with a name, and common first names written with a capital.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern, pattern_of
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.word_table import WordTable
from gaia_understanding.prepare.extract.first_names import ALSO_WORDS, FIRST_NAMES
from gaia_understanding.prepare.extract.view import TextView
from gaia_understanding.prepare.extract.wordlists import alternatives

_TABLE = WordTable("gaia_understanding.prepare.extract", "people.txt")

MAX_PEOPLE = 50
_MAX_ADDRESSEES = 40
_TAIL = 300
_MAX_TRIES = 20

_NAME = r"[A-ZÀ-ÖØ-ÝŁŠŽŚĆ][\w'’-]{1,24}"
_FULL = rf"{_NAME}(?: (?:(?:van|von|de|der|den|la|di|da|del|dos|ten|ter|le) ){{0,2}}{_NAME}){{0,2}}"
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herr|Herrn|Frau|M|Mme|Mlle|Monsieur|Madame|Señora?|Sra?|Signora?"
    r"|Sig|Dhr|Mevr|Mevrouw|Sir)\.?"
)
_GREETING = pattern_of(
    lambda: (
        r"\s{0,3}(?i:"
        + alternatives(_TABLE.text("greeting"))
        + rf"),?\s(?:{_TITLE}\s)?(?P<a>{_FULL})(?:(?:,\s?|\s(?:and|und|et|y|e|en"
        rf"|&)\s)(?P<b>{_FULL}))?\s?[,!:.–-]?(?:\n|$|\s)"
    )
)
_CLOSING = pattern_of(
    lambda: (
        r"\n[ \t]*(?:"
        + alternatives(_TABLE.text("closing"))
        + r")(?: (?:again|so much|in advance|and regards|everyone|all))?[,.! ]{0,3}(?=(?P<gap>\n{1,2}[ \t]*))"
    )
)
"""Closing words, in lower case, alone on a line near the end."""
_SIGNED = lazy_pattern(rf"(?P<name>{_FULL})[ \t]*(?:\n|$)")
_LAST_LINE = lazy_pattern(rf"\n?[ \t]*[-–—]{{0,2}} ?(?P<name>{_FULL})[ \t]*$")
_TITLED = lazy_pattern(
    rf"(?<!\w)(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau|Mme|Monsieur|Madame|[Ss]eñora?|Sra?\.|[Ss]ignora?"
    rf"|Mevrouw)\.? (?P<name>{_NAME}(?: {_NAME})?)"
)
_SURNAME = lazy_pattern(rf"(?: (?:van|von|de|der|den|la|di|da|del|dos){{0,1}} ?{_NAME})?(?: {_NAME})?")
_NOT_NAMES = _TABLE.words("not_names")


def find_people(
    view: TextView, sender: MailboxAddress | None, addressees: tuple[MailboxAddress, ...]
) -> tuple[str, ...]:
    """Return names as written, in order of appearance, each once, at most `MAX_PEOPLE`.

    A first name is left out if the same text has it with a surname.
    """
    found: dict[str, int] = {}
    for name, start in _candidates(view, sender, addressees[:_MAX_ADDRESSEES]):
        name = name.strip()
        if 2 <= len(name) <= 60 and name not in found:
            found[name] = start
    if len(found) < 2:
        return tuple(found)
    ordered = sorted(found, key=lambda name: (found[name], -len(name), name))
    return tuple(name for name in ordered if not _is_part(name, ordered))[:MAX_PEOPLE]


@lru_cache(maxsize=1024)
def shorten_name(name: str) -> str:
    """Return the short form of a display name: the first name of a person, the whole name of a role."""
    parts = name.replace('"', "").split()
    return parts[0].rstrip(",") if parts and _is_name(name) else " ".join(parts)


def _is_part(name: str, names: list[str]) -> bool:
    return " " not in name and any(other.startswith(name + " ") for other in names)


def _candidates(
    view: TextView, sender: MailboxAddress | None, addressees: tuple[MailboxAddress, ...]
) -> list[tuple[str, int]]:
    text = view.text
    found: list[tuple[str, int]] = []
    greeting = _GREETING.match(text, 0, 160)
    if greeting is not None:
        found = [(greeting[group], greeting.start(group)) for group in ("a", "b") if greeting[group]]
    closing = _closing(view)
    if closing is not None:
        found.append((closing["name"], closing.start("name")))
    last = _LAST_LINE.match(text, max(0, text.rfind("\n", 0, len(text) - 1)))
    if last is not None and _known(last["name"], sender):
        found.append((last["name"], last.start("name")))
    found = [(name, start) for name, start in found if _is_name(name)]
    for mailbox in (sender, *addressees) if sender else addressees:
        found.extend(_correspondent(text, mailbox.name))
    if not view.tokens.isdisjoint(TITLES):
        for match in _TITLED.finditer(text):
            name = match["name"].partition("'")[0].partition("’")[0]
            found.append((name if _is_name(name) else name.split()[0], match.start("name")))
    for token in sorted(view.tokens & FIRST_NAMES):
        found.extend(_common(view, token))
    return found


def _closing(view: TextView) -> re.Match[str] | None:
    """Return the name under closing words near the end of the text."""
    lower = view.lower
    added = 0
    if len(lower) <= _TAIL:
        lower, added = "\n" + lower, 1
    for match in _CLOSING.finditer(lower, max(0, len(lower) - _TAIL)):
        signed = _SIGNED.match(view.text, match.end("gap") - added)
        if signed is not None:
            return signed
    return None


_PLACES = ("san ", "santa ", "saint ", "st. ", "st ", "los ", "fort ", "lake ", "port ")
TITLES = _TABLE.words("titles")


def _is_name(name: str) -> bool:
    return _NOT_NAMES.isdisjoint(name.lower().split())


def _known(name: str, sender: MailboxAddress | None) -> bool:
    """Return True if a last line is the sender's name, or at least a first name."""
    first = name.split()[0].lower()
    return first in FIRST_NAMES or (sender is not None and first in sender.name.lower().split())


def _correspondent(text: str, display: str) -> list[tuple[str, int]]:
    """Return a correspondent's name, in full or else the first name, if the text contains it as words."""
    first, names = _spellings(display)
    if names and first in text:
        for name in names:
            position = text.find(name)
            if position >= 0 and _whole(text, position, len(name)):
                return [(name, position)]
    return []


@lru_cache(maxsize=1024)
def _spellings(display: str) -> tuple[str, tuple[str, ...]]:
    """Return the beginning of a person's name, and the full and the first name; empty if it is not a person's."""
    parts = display.replace('"', "").split()
    if not parts or len(display) > 60 or not _is_name(display) or not parts[0].rstrip(",").isalnum():
        return "", ()
    names = (" ".join(parts), parts[0])
    return parts[0], tuple(name for name in names if len(name) > 2 and name[0].isupper())


def _whole(text: str, position: int, length: int) -> bool:
    after = text[position + length : position + length + 1]
    before = text[position - 1 : position] if position else ""
    return not (before.isalnum() or before in ("@", ".", "/")) and not (after.isalnum() or after == "@")


def _common(view: TextView, token: str) -> list[tuple[str, int]]:
    """Return occurrences of a common first name that are written as a name, with the surname that follows."""
    text, lower = view.text, view.lower
    found: list[tuple[str, int]] = []
    position = lower.find(token)
    for _ in range(_MAX_TRIES):
        if position < 0:
            break
        end = position + len(token)
        if (
            text[position].isupper()
            and not lower.endswith(_PLACES, max(0, position - 6), position)
            and _whole(text, position, len(token))
        ):
            match = _SURNAME.match(text, end)
            surname = match[0] if match and _is_name(match[0]) else ""
            if surname.strip() or token not in ALSO_WORDS:
                full = text[position:end] + surname
                found.append((full.removesuffix("'s").removesuffix("’s"), position))
        position = lower.find(token, end)
    return found
