"""Signs of a message's origin that do not depend on its words. Entry: `signs`.

Mass mail under a borrowed name seldom agrees with itself: the Message-ID, the return path, the answer address
and the links lead to different places, and words are written so that filters do not read them.
"""

from __future__ import annotations

from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.traps.links import host_of
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.html.layout import WIDE_SPACES

_CHEAP = wordset(
    "tk ml ga cf gq xyz top icu buzz cam click link work monster quest sbs cfd bond cyou rest lol stream download "
    "racing win loan men science party review trade date faith accountant cricket biz shop online site store fun"
)
_SINGLES = "\x01" * 6
"""Six words of one letter in a row, each written as the character of its length."""
_ROW, _FEWEST = b" x x x x x x ", 3
"""Six words of one letter in a row; a count of words between spaces finds at least three of them."""
_SPACES = frozenset(WIDE_SPACES) - {"\u00a0", "\u202f"}
"""Non-ASCII white space that folding leaves."""
_CONTINUED = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that do not begin a character; without them a byte is a character."""
_SIGNS = "01345@$!|"
"""Signs that replace letters that look like them."""


_KINDS = bytes(
    code if code == 32 else 97 if 97 <= code <= 122 else 49 if chr(code) in _SIGNS else 120
    for code in (32 if code < 128 and chr(code).isspace() else code for code in range(256))
)
"""For each byte a space, `a` for a small letter, `1` for a sign and `x` for all else."""
_ALIKE = bytes.maketrans(b"a1", b"xx")
_OTHER_LETTERS = frozenset(map(chr, (*range(0x370, 0x500), 0x2126)))
"""The Greek and Cyrillic letters, and the ohm sign, whose lower case is one of them."""
_SWAPPED = lazy_pattern(r"^[a-z]{1,8}[01345@$!|][a-z]{2,10}[.,:;!?]?$")
# The rare character is searched for first, and only there the one before it is checked.
_MIXED = lazy_pattern(r"[\u0370-\u04ff](?:(?=[a-zA-Z])|(?<=[a-zA-Z].))")
_NUMBER = lazy_pattern(r"^\d{1,3}(?:\.\d{1,3}){3}$|^\d{8,10}$|^0x")
_HOME = frozenset({"id:home", "bounces:home", "answers:home", "relay:named", "leads:home", "leads:about"})
_AWAY = frozenset(
    {"id:away", "id:none", "bounces:away", "answers:away", "answers:free", "relay:strange", "leads:away"}
)
_NAMELESS = ("may be forged", "unknown [", "(unknown")
"""The text that mail servers write about a server whose address has no name, or another's."""
_SUBJECT = 200
_MOSTLY = 3
_READ = 700
_LINKS = 12
_RECEIVED = 8


def signs(facts: RuleFacts) -> list[str]:
    """Return the names of the signs found, each once; `kind:value`."""
    where = _where(facts)
    home, away = _count_places(where)
    return [*where, f"agrees:{min(home, 4)}/{min(away, 3)}", *find_disguises(facts.view)]


def agrees(facts: RuleFacts) -> bool:
    """Return True if nearly all leads to the sender's own domain: envelope, relay, Message-ID, answers, links."""
    home, away = _count_places(_where(facts))
    return home >= _MOSTLY and away <= 1


def _count_places(where: list[str]) -> tuple[int, int]:
    return len(_HOME.intersection(where)), len(_AWAY.intersection(where))


def _where(facts: RuleFacts) -> list[str]:
    return [*_addresses(facts), *_links(facts)]


def _addresses(facts: RuleFacts) -> list[str]:
    """Return signs that the addresses of the envelope and the headers belong together, or not."""
    message, home = facts.message, facts.sender.organisation
    headers = message.headers
    found = [f"id:{_place(message.message_id, home)}"]
    if message.reply_to:
        answers = domain_of(message.reply_to[0].address)
        found.append(f"answers:{'free' if is_free_mail(answers) else _place('@' + answers, home)}")
    bounces = headers.get("return-path")
    if bounces:
        found.append(f"bounces:{_place(bounces.strip(' <>'), home)}")
    received = headers.get_all("received")[:_RECEIVED]
    if received:
        trace = "\n".join(received).lower()
        if home:
            found.append("relay:named" if home in trace else "relay:strange")
        if any(map(trace.__contains__, _NAMELESS)):
            found.append("relay:nameless")
    if not (message.to or message.cc):
        found.append("to:nobody")
    if headers.get("date") is None:
        found.append("date:none")
    return found


def _place(address: str, home: str) -> str:
    domain = domain_of(address) if "@" in address else ""
    if not domain:
        return "none"
    return "home" if home and organisational_domain(domain) == home else "away"


def _links(facts: RuleFacts) -> list[str]:
    """Return where the links lead: all to the sender, none of them, or to numbers and cheap endings."""
    links = facts.prepared.links
    if not links:
        return ["leads:nowhere"]
    home, hosts = facts.sender.organisation, set(map(host_of, [link.url for link in links[:_LINKS]]))
    hosts.discard("")
    if not hosts:
        return ["leads:nowhere"]
    own = sum([organisational_domain(host) == home for host in hosts])
    found = [f"leads:{'home' if own == len(hosts) else 'about' if own else 'away'}"]
    if any(map(_NUMBER.search, hosts)):
        found.append("leads:number")
    if not _CHEAP.isdisjoint([host.rpartition(".")[2] for host in hosts]):
        found.append("leads:cheap")
    return found


def find_disguises(view: PhraseView) -> tuple[str, ...]:
    """Return signs of letters spaced or swapped so that a program reads other words than a person."""
    if view.disguised is None:
        wide = view.wide.union(view.folded_subject) if not view.folded_subject.isascii() else view.wide
        view.disguised = _search_disguises(
            f"{view.folded_subject[:_SUBJECT]} {view.folded_body[:_READ]}", wide
        )
    return view.disguised


def _search_disguises(text: str, wide: frozenset[str]) -> tuple[str, ...]:
    """`wide` has at least the non-ASCII characters of the text."""
    kinds = _kinds(text)
    found: list[str] = []
    if wide.isdisjoint(_SPACES):
        spaced = _has_row(b" %b " % kinds.translate(_ALIKE))
    else:
        spaced = _SINGLES in "".join(map(chr, map(len, text.split())))
    if spaced:
        found.append("letters:spaced")
    if (
        b"a1" in kinds
        and b"a1a" in kinds
        and sum([_SWAPPED.match(word) is not None for word in text.split()]) > 1
    ):
        found.append("letters:swapped")
    if not wide.isdisjoint(_OTHER_LETTERS) and _MIXED.search(text):
        found.append("letters:mixed")
    return tuple(found)


def _kinds(text: str) -> bytes:
    """Return a byte of `_KINDS` for each character."""
    raw = text.encode("utf-8", "replace")
    return raw.translate(_KINDS) if text.isascii() else raw.translate(_KINDS, _CONTINUED)


def _has_row(shape: bytes) -> bool:
    """Return True if six words of one letter are in a row, in a text with `x` for all that is not a space."""
    if shape.count(b" x ") < _FEWEST:
        return False
    while b"  " in shape:
        shape = shape.replace(b"  ", b" ")
    return _ROW in shape
