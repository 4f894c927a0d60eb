"""Who mail would go to, and what a person should know about each of them. Entry: `recipients`."""

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
"""Where an address is: the user's own, in their organisation, in another one, or at a provider for anybody."""

AddressField = Literal["from", "sender", "reply_to", "receipt", "to", "cc", "bcc", "forward", "guest"]
"""Where an address stands. `receipt`: a receipt is asked for there; `forward`, `guest`: filters and events."""

_ADDRESS = lazy_pattern(
    r"[^\s<>()\[\]\"',;:@]{1,64} ?@ ?[^\s<>()\[\]\"',;:@]{1,190}\.[^\s<>()\[\]\"',;:@]{1,63}"
)
_LIKE_AT = str.maketrans({"\N{CIRCLED LATIN SMALL LETTER A}": "@", "\N{IDEOGRAPHIC FULL STOP}": "."})
"""What NFKC does not bring to `@` and to the dot; it does so with the full-width and the small form."""

_MOST_NAME = 2_000
"""Characters of a display name in which an address is looked for; a longer one is taken for a disguise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """One address, and what is known about it.

    Attributes:
        field: Where it stands.
        name: The display name as it would be sent; strangers may have chosen it.
        address: The bare address.
        standing: Where that is, seen from the user.
        only_in_text: Nobody but a message's text ever named it.
        never_written: The user has never written to it; False where nobody could look that up.
        disguise: The display name looks like another address than this one.
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
        """Whether it is beyond the user and their organisation."""
        return self.standing in ("other_organisation", "free_mail")


def recipients(
    named: Sequence[tuple[AddressField, MailboxAddress]],
    *,
    own: Collection[str],
    known: Collection[str] | None,
    in_text: Collection[str],
) -> tuple[KnownPerson, ...]:
    """Everybody in `named`, in that order; who names no address is left out.

    Args:
        named: Field and mailbox, as often as they stand there.
        own: The user's addresses.
        known: Addresses the user has written to, or typed themselves; None where nobody could look that up.
        in_text: Addresses that occur in the text of the messages that were read before.
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
    """What two spellings of one address have in common: only ASCII letters are the same in both cases.

    Unicode's folding takes `ß` for `ss`, which are two domains (RFC 5891) that may have two owners.
    """
    return "".join(char.lower() if char.isascii() else char for char in address)


def affiliation_of(address: str, own: Iterable[str]) -> AddressStanding:
    """Where `address` is, seen from the user's own addresses; a free-mail domain is never an organisation."""
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
    """Whether a display name shows another address than the one it belongs to.

    Encoded words that were encoded again, look-alikes of `@` and invisible characters do not hide it.

    Args:
        name: The display name, decoded once.
        address: Whose name it is.
        others: Addresses that a name may not show either, however they are written: the user's own, other recipients'.
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
    """A name as a reader takes it: decoded, compatibility characters resolved, invisible ones left out."""
    for _ in range(3):
        decoded = decode_words(name)
        if decoded == name:
            break
        name = decoded
    name = unicodedata.normalize("NFKC", name.translate(_LIKE_AT))
    return "".join(char for char in name if unicodedata.category(char) not in ("Cf", "Mn", "Me"))


def _wire(address: str) -> str:
    """An address in the one spelling that names of other scripts have on the wire (IDNA), for comparing."""
    address = same(address).strip(".")
    local, at, domain = address.rpartition("@")
    if domain.isascii():
        return address
    try:
        return f"{local}{at}{domain.encode('idna').decode()}"
    except UnicodeError:
        return address


def ascii_form(address: str) -> str:
    """The address as the wire has it where its domain holds letters beyond ASCII; else empty."""
    domain = address.rpartition("@")[2]
    wired = _wire(address)
    return wired if not domain.isascii() and wired != same(address) else ""
