"""People a message names. Entry: `find_people`.

Conservative: names in the greeting and under the closing, names of the message's own sender and recipients
where the text says them, titles with a name, and common first names written with a capital.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gaia_email.extract.first_names import ALSO_WORDS, FIRST_NAMES
from gaia_email.extract.view import TextView
from gaia_email.extract.wordlists import alternatives, words
from gaia_mail_mcp.mime.lazy import lazy_pattern
from gaia_mail_mcp.mime.model import Mailbox

MAX_PEOPLE = 50
_MAX_ADDRESSEES = 40
_TAIL = 300

_NAME = r"[A-ZÀ-ÖØ-ÝŁŠŽŚĆ][\w'’-]{1,24}"
_FULL = rf"{_NAME}(?: (?:(?:van|von|de|der|den|la|di|da|del|dos|ten|ter|le) ){{0,2}}{_NAME}){{0,2}}"
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herr|Herrn|Frau|M|Mme|Mlle|Monsieur|Madame|Señora?|Sra?|Signora?"
    r"|Sig|Dhr|Mevr|Mevrouw|Sir)\.?"
)
_GREETING = lazy_pattern(
    r"\s{0,3}(?i:"
    + alternatives(
        "hi hello dear hey hallo liebe lieber liebes sehr_geehrte sehr_geehrter guten_tag "
        "guten_morgen moin servus bonjour salut "
        "cher chère hola estimado estimada querido querida buenos_días ciao buongiorno gentile "
        "caro cara olá prezado prezada "
        "bom_dia beste hoi dag geachte good_morning good_afternoon good_evening morning thanks thank_you"
    )
    + rf"),?\s(?:{_TITLE}\s)?(?P<a>{_FULL})(?:(?:,\s?|\s(?:and|und|et|y|e|en"
    rf"|&)\s)(?P<b>{_FULL}))?\s?[,!:.–-]?(?:\n|$|\s)"
)
_CLOSING = lazy_pattern(
    r"\n[ \t]*(?i:"
    + alternatives(
        "thanks thank_you many_thanks best best_regards kind_regards warm_regards regards cheers "
        "sincerely yours "
        "yours_sincerely yours_truly love xoxo all_the_best best_wishes talk_soon thx ta "
        "viele_grüße liebe_grüße lg vg mfg "
        "mit_freundlichen_grüßen beste_grüße gruß grüße cordialement bien_cordialement "
        "bien_à_vous amicalement merci "
        "à_bientôt bises saludos un_saludo atentamente un_abrazo gracias cordiali_saluti saluti "
        "grazie un_abbraccio "
        "atenciosamente abraços obrigado obrigada cumprimentos groeten groetjes "
        "met_vriendelijke_groet bedankt"
    )
    + rf")(?: (?i:again|so much|in advance|and regards|everyone|all))?[,.! ]{{0,3}}\n{{1,2}}[ "
    rf"\t]*(?P<name>{_FULL})[ \t]*(?:\n|$)"
)
_LAST_LINE = lazy_pattern(rf"\n?[ \t]*[-–—]{{0,2}} ?(?P<name>{_FULL})[ \t]*$")
_TITLED = lazy_pattern(
    rf"(?<!\w)(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau|Mme|Monsieur|Madame|Señora?|Sra?\.|Signora?"
    rf"|Mevrouw)\.? (?P<name>{_NAME}(?: {_NAME})?)"
)
_SURNAME = lazy_pattern(rf"(?: (?:van|von|de|der|den|la|di|da|del|dos){{0,1}} ?{_NAME})?(?: {_NAME})?")
_NOT_NAMES = words(
    "all team everyone everybody there folks guys friends friend customer customers sir madam "
    "colleague colleagues you zusammen "
    "kollegen kolleginnen damen herren kunde kundin team tous toutes équipe todos todas equipo "
    "tutti tutte team pessoal iedereen "
    "allemaal collega member members subscriber user valued client neighbors parents students "
    "both again ladies gentlemen "
    "the a an this that we i it my our your its and or but if for in on at to from with by of as "
    "is are was be please thanks "
    "thank best regards sent from monday tuesday wednesday thursday friday saturday sunday "
    "january february march april "
    "may june july august september october november december today tomorrow re fw fwd ps hi "
    "hello dear inc ltd llc gmbh corp "
    "can could would will do did have has let when what where how why who just also so then "
    "however support department office "
    "security group events service services sales marketing newsletter notifications calendar "
    "accounts billing admin finance hr "
    "project manager organizer organizers conference client success system lead leader "
    "engineering product community shop store "
    "bank travel alerts digest bot daily weekly updates no reply noreply no-reply info contact "
    "help desk via github"
)


def find_people(view: TextView, sender: Mailbox | None, addressees: tuple[Mailbox, ...]) -> tuple[str, ...]:
    """Names as written, in order of appearance, each once, at most `MAX_PEOPLE`.

    A first name is left out when the same text has it with a surname.
    """
    found: dict[str, int] = {}
    for name, start in _candidates(view, sender, addressees[:_MAX_ADDRESSEES]):
        name = name.strip()
        if 2 <= len(name) <= 60 and name not in found:
            found[name] = start
    ordered = sorted(found, key=lambda name: (found[name], -len(name), name))
    return tuple(name for name in ordered if not _is_part(name, ordered))[:MAX_PEOPLE]


@lru_cache(maxsize=1024)
def called(name: str) -> str:
    """What to call somebody of this display name: the first name of a person, the whole name of a role."""
    parts = name.replace('"', "").split()
    return parts[0].rstrip(",") if parts and _is_name(name) else " ".join(parts)


def _is_part(name: str, names: list[str]) -> bool:
    return " " not in name and any(other.startswith(name + " ") for other in names)


def _candidates(
    view: TextView, sender: Mailbox | None, addressees: tuple[Mailbox, ...]
) -> Iterator[tuple[str, int]]:
    text = view.text
    greeting = _GREETING.match(text, 0, 160)
    if greeting is not None:
        for group in ("a", "b"):
            if greeting[group] and _is_name(greeting[group]):
                yield greeting[group], greeting.start(group)
    closing = _closing(text)
    if closing is not None and _is_name(closing["name"]):
        yield closing["name"], closing.start("name")
    last = _LAST_LINE.match(text, max(0, text.rfind("\n", 0, len(text) - 1)))
    if last is not None and _is_name(last["name"]) and _known(last["name"], sender):
        yield last["name"], last.start("name")
    yield from _correspondents(view, sender, addressees)
    if not view.tokens.isdisjoint(TITLES):
        for match in _TITLED.finditer(text):
            name = match["name"].partition("'")[0].partition("’")[0]
            yield (name if _is_name(name) else name.split()[0]), match.start("name")
    for token in sorted(view.tokens & FIRST_NAMES):
        yield from _common(view, token)


def _closing(text: str) -> re.Match[str] | None:
    """The closing words and the name under them near the end of `text`."""
    return _CLOSING.search(text if len(text) > _TAIL else "\n" + text, max(0, len(text) - _TAIL))


_PLACES = ("san ", "santa ", "saint ", "st. ", "st ", "los ", "fort ", "lake ", "port ")
TITLES = words(
    "mr mrs ms dr prof herr herrn frau mme monsieur madame señor señora sr sra signor signora mevrouw"
)


def _is_name(name: str) -> bool:
    return not any(part.lower() in _NOT_NAMES for part in name.split())


def _known(name: str, sender: Mailbox | None) -> bool:
    """Whether a last line is the sender's name, or at least a first name."""
    first = name.split()[0].lower()
    return first in FIRST_NAMES or (sender is not None and first in sender.name.lower().split())


def _correspondents(
    view: TextView, sender: Mailbox | None, addressees: tuple[Mailbox, ...]
) -> Iterator[tuple[str, int]]:
    """Names of the sender and recipients, in full or by first name, where the text has them as words."""
    for mailbox in (*((sender,) if sender else ()), *addressees):
        parts = mailbox.name.replace('"', "").split()
        if not parts or len(mailbox.name) > 60 or not _is_name(mailbox.name):
            continue
        if not parts[0].rstrip(",").isalnum() or parts[0] not in view.text:
            continue
        for name in (" ".join(parts), parts[0]):
            position = view.text.find(name)
            if (
                len(name) > 2
                and name[0].isupper()
                and position >= 0
                and _whole(view.text, position, len(name))
            ):
                yield name, position
                break


def _whole(text: str, position: int, length: int) -> bool:
    after = text[position + length : position + length + 1]
    before = text[position - 1 : position] if position else ""
    return not (before.isalnum() or before in ("@", ".", "/")) and not (after.isalnum() or after == "@")


def _common(view: TextView, token: str) -> Iterator[tuple[str, int]]:
    """Occurrences of a common first name that are written as a name, with the surname that follows."""
    position = view.lower.find(token)
    tries = 0
    while position >= 0 and tries < 20:
        tries += 1
        end = position + len(token)
        if (
            view.text[position].isupper()
            and not view.lower[max(0, position - 6) : position].endswith(_PLACES)
            and _whole(view.text, position, len(token))
        ):
            match = _SURNAME.match(view.text, end)
            full = view.text[position:end] + (match[0] if match and _is_name(match[0]) else "")
            if full[len(token) :].strip() or token not in ALSO_WORDS:
                yield full.removesuffix("'s").removesuffix("’s"), position
        position = view.lower.find(token, end)
