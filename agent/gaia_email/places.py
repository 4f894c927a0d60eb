"""Where the mailbox of an account is, so that what waits can be done later, from anywhere. Entry points: `Place`.

An account's mailbox is a connected account, or a Maildir that was named on a command line. The ledger knows an account
by what its server calls it; where that was opened to act on it, a small document says where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.servers import InProcessServer

if TYPE_CHECKING:
    from gaia_email.ledger import Ledger

DOCUMENT = "place:"
WRITABLE = ("account", "maildir")
"""Kinds of sources that can be acted on; an mbox or a folder of files is read only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A mailbox: `kind` is the option that names it, `path` the account's id or the file, `server` what serves it."""

    kind: str
    path: str
    server: str = "local"

    @property
    def spec(self) -> InProcessServer:
        """Its server, with its write tools."""
        return InProcessServer(provider=self.server, options={self.kind: self.path})

    @property
    def reading(self) -> InProcessServer:
        """Its server without them."""
        return InProcessServer(provider=self.server, options={self.kind: self.path, "read_only": "true"})

    @property
    def key(self) -> str:
        """One word for the place, the same for the same mailbox."""
        return f"{self.kind}:{self.path}"

    @property
    def copy(self) -> str | None:
        """What the copy of its mail is called; None for the account's address, as its server tells it."""
        return None if self.kind == "account" else self.key

    def to_json(self) -> dict[str, str]:
        """As JSON."""
        return {"kind": self.kind, "path": self.path, "server": self.server}

    @staticmethod
    def from_json(value: Mapping[str, object]) -> Place:
        """From what `to_json` wrote.

        Raises:
            BadArgument: It is no mailbox that can be acted on.
        """
        kind, path, server = (str(value.get(name, "")) for name in ("kind", "path", "server"))
        if kind not in WRITABLE or not path:
            raise BadArgument(
                "Only a connected account or a Maildir can be changed.",
                hint="gaia email connect, or --maildir DIR.",
            )
        return Place(kind=kind, path=path, server=server or "local")


def remember_place(ledger: Ledger, account_id: str, place: Place) -> None:
    """Note where an account's mailbox is; a connected account says so itself.

    Raises:
        ProviderError: The ledger cannot be written.
    """
    if place.kind == "account":
        return
    with ledger.write() as tx:
        known = ledger.documents.read(tx, DOCUMENT + account_id)
        if known is None or known.value != place.to_json():
            ledger.documents.write(tx, DOCUMENT + account_id, place.to_json(), known.version if known else 0)


def place_of(ledger: Ledger, account_id: str, environ: Mapping[str, str]) -> Place:
    """Where an account's mailbox is.

    Raises:
        NotFound: It is neither connected nor was it opened before.
    """
    wanted = account_id.casefold()
    for account in read_accounts(environ):
        if wanted in (account.id.casefold(), account.address.casefold()):
            return Place(kind="account", path=account.id, server=account.server)
    with ledger.read() as tx:
        known = ledger.documents.read(tx, DOCUMENT + account_id)
    if known is None:
        raise NotFound(
            f"Where the mailbox of {account_id[:80]} is, is not known any more.",
            argument="account",
            hint="gaia email connect, or name it: --maildir DIR.",
        )
    return Place.from_json(known.value)
