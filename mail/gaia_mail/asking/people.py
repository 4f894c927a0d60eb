"""Classifies the recipients of a mail and adds warnings for the user. Entry: `recipients`."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.words import decode_words

AddressStanding = Literal["own", "inside", "other_organisation", "free_mail"]
"""Relation of an address to the user: their own, inside their organisation, in another one, or free mail."""

AddressField = Literal["from", "sender", "reply_to", "receipt", "to", "cc", "bcc", "forward", "guest"]
"""Role of an address. `receipt`: the mail requests a receipt to it; `forward`, `guest`: filters and events."""

_ADDRESS = lazy_pattern(
    r"[^\s<>()\[\]\"',;:@]{1,64} ?@ ?[^\s<>()\[\]\"',;:@]{1,190}\.[^\s<>()\[\]\"',;:@]{1,63}"
)
_LIKE_AT = str.maketrans({"\N{CIRCLED LATIN SMALL LETTER A}": "@", "\N{IDEOGRAPHIC FULL STOP}": "."})
"""Look-alikes of `@` and the dot that NFKC does not convert, unlike their full-width and small forms."""

_MOST_NAME = 2_000
"""Characters of a display name that are searched for an address; a longer name counts as a disguise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """One address and the facts known about it.

    Attributes:
        field: Role of the address.
        name: The display name as it would be sent; untrusted.
        address: The bare address.
        standing: Relation to the user.
        only_in_text: True if the address occurs only in the text of messages.
        never_written: True if the user has never written to it; False if this could not be looked up.
        disguise: True if the display name looks like a different address.
    """

    field: AddressField
    name: str = ""
    address: str
    standing: AddressStanding
    only_in_text: bool = False
    never_written: bool = False
    disguise: bool = False

    @property
    def outside(self) -> bool:
        """True for an address outside the user's organisation."""
        return self.standing in ("other_organisation", "free_mail")


def recipients(
    named: Sequence[tuple[AddressField, MailboxAddress]],
    *,
    own: Collection[str],
    known: Collection[str] | None,
    in_text: Collection[str],
) -> tuple[KnownPerson, ...]:
    """Classify everyone in `named`, in that order; entries without an address are left out.

    Args:
        named: Field and mailbox, repetitions included.
        own: The user's addresses.
        known: Addresses the user has written to or typed; None if they could not be looked up.
        in_text: Addresses that occur in the text of previously read messages.
    """
    mine = {same(address) for address in own}
    written = mine | {same(address) for address in known or ()}
    read = {same(address) for address in in_text} - written
    everybody = mine | {same(mailbox.address) for _, mailbox in named if mailbox.address}
    return tuple(
        KnownPerson(
            field=field,
            name=mailbox.name,
            address=mailbox.address,
            standing=affiliation_of(mailbox.address, own),
            only_in_text=same(mailbox.address) in read,
            never_written=known is not None and same(mailbox.address) not in written,
            disguise=imitates(mailbox.name, mailbox.address, everybody),
        )
        for field, mailbox in named
        if mailbox.address
    )


def same(address: str) -> str:
    """Return a comparison key for an address; only ASCII letters are folded.

    Unicode folds `ß` to `ss`, but these are two domains (RFC 5891) that may have two owners.
    """
    return "".join(char.lower() if char.isascii() else char for char in address)


def affiliation_of(address: str, own: Iterable[str]) -> AddressStanding:
    """Return the relation of `address` to the user's own addresses; free-mail domains are never organisations."""
    mine = {same(other) for other in own}
    if same(address) in mine:
        return "own"
    domain = domain_of(address)
    if is_free_mail(domain):
        return "free_mail"
    organisation = organisational_domain(domain)
    ours = {organisational_domain(domain_of(other)) for other in mine if not is_free_mail(domain_of(other))}
    return "inside" if organisation and organisation in ours else "other_organisation"


def imitates(name: str, address: str, others: Iterable[str] = ()) -> bool:
    """Return True if a display name shows an address other than its own.

    Double-encoded words, look-alikes of `@` and invisible characters do not defeat the check.

    Args:
        name: The display name, decoded once.
        address: The address that belongs to the name.
        others: Addresses the name must not show in any spelling: the user's own, other recipients'.
    """
    if len(name) > _MOST_NAME:
        return True
    plain = _plain(name)
    if "@" not in plain:
        return False
    real = _wire(address)
    if any(_wire(found.replace(" ", "")) != real for found in _ADDRESS.findall(plain)):
        return True
    shown = same(plain)
    return any(other in shown for other in map(same, others) if "@" in other and _wire(other) != real)


def _plain(name: str) -> str:
    """Return a name as a reader sees it: decoded, compatibility characters resolved, invisible ones removed."""
    for _ in range(3):
        decoded = decode_words(name)
        if decoded == name:
            break
        name = decoded
    name = unicodedata.normalize("NFKC", name.translate(_LIKE_AT))
    return "".join(char for char in name if unicodedata.category(char) not in ("Cf", "Mn", "Me"))


def _wire(address: str) -> str:
    """Return the IDNA form of an address, for comparison."""
    address = same(address).strip(".")
    local, at, domain = address.rpartition("@")
    if domain.isascii():
        return address
    try:
        return f"{local}{at}{domain.encode('idna').decode()}"
    except UnicodeError:
        return address


def ascii_form(address: str) -> str:
    """Return the ASCII form of an address with a non-ASCII domain; empty for any other address."""
    domain = address.rpartition("@")[2]
    wired = _wire(address)
    return wired if not domain.isascii() and wired != same(address) else ""
