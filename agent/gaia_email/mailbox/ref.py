"""Where a mailbox is and what it is called, the same everywhere. Entries: `MailboxRef`, `mailbox_of`, `mailbox_named`.

A connected account is called by its address. Mail files are called by their kind and where they are, such as
`maildir:/home/ann/Mail`: two folders of one name are two mailboxes, and the name says where to find it again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gaia_email.policy.levels import TEXTS_ONLY
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.paths import account_directory
from gaia_email_registry.servers import InProcessServer, ServerSpec

WRITABLE = ("account", "maildir", "server")
"""Kinds of sources that can be acted on; an mbox or a folder of files is read only."""

HEADERS_INDEX = "headers.db"
"""The file in an account's directory with what the headers of its mail files say."""

FILES = ("maildir", "mbox", "eml")
"""Kinds of sources that are files on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxRef:
    """A mailbox: `kind` is the option that names it, `path` the account's id, the file, or the name of an MCP server.

    `called` is what mail files are called in spite of where they are: a mailbox that was moved keeps its name.
    """

    kind: str
    path: str
    server: str = "local"
    called: str = ""

    def spec(self, environ: Mapping[str, str]) -> ServerSpec:
        """Its server, with its write tools; one of the user's list is looked up where `environ` says.

        Raises:
            NotFound: No MCP server of that name is listed.
            NeedsApproval: It is a project's, whose file nobody agreed to as it is now.
            BadArgument: The list of servers cannot be read.
        """
        if self.kind == "server":
            from gaia_email.mailbox.project_servers import listed_server

            return listed_server(self.path, environ)
        return InProcessServer(provider=self.server, options=self._options)

    def reading(self, environ: Mapping[str, str]) -> ServerSpec:
        """Its server without them, where that can be said: what an MCP server offers is its own affair.

        Raises:
            MailError: As `spec`.
        """
        if self.kind == "server":
            return self.spec(environ)
        return InProcessServer(provider=self.server, options={**self._options, "read_only": "true"})

    def copied(self, environ: Mapping[str, str]) -> ServerSpec:
        """As `reading`, for who keeps a copy of what was listed and takes from it what reading a message leaves open.

        Raises:
            MailError: As `spec`.
        """
        spec = self.reading(environ)
        if self.kind in FILES and isinstance(spec, InProcessServer):
            index = account_directory(environ, self.key) / HEADERS_INDEX
            return replace(spec, options={**spec.options, "index": str(index)})
        return spec

    @property
    def key(self) -> str:
        """One word for the place, the same for the same mailbox by whatever path it was named."""
        path = (
            self.path
            if self.kind in ("account", "server")
            else os.path.realpath(os.path.expanduser(self.path))
        )
        return f"{self.kind}:{path}"

    @property
    def name(self) -> str:
        """What it is called in lists: the id of an account, of mail files what the ledger calls them."""
        return self.path if self.kind in ("account", "server") else self.called or self.key

    @property
    def _options(self) -> dict[str, str]:
        options = {self.kind: self.path}
        return options if self.kind == "account" else {**options, "account": self.name}

    def to_json(self) -> dict[str, str]:
        """As JSON."""
        return {"kind": self.kind, "path": self.path, "server": self.server}

    @staticmethod
    def from_json(value: Mapping[str, object]) -> MailboxRef:
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
        return MailboxRef(kind=kind, path=path, server=server or "local")


def mailbox_named(name: str) -> MailboxRef | None:
    """The mail files that are called so; None where it is no name of mail files."""
    kind, colon, path = name.partition(":")
    return MailboxRef(kind=kind, path=path) if colon and path and kind in FILES else None


def server_account(name: str) -> str:
    """What the mailbox of an MCP server is called that does not say whose it is; no address can be mistaken for it."""
    return f"{TEXTS_ONLY}{name}"


def is_of_files(account_id: str) -> bool:
    """Whether the ledger calls mail files so; everything else is an account somewhere else."""
    return mailbox_named(account_id) is not None


def mailbox_of(account_id: str, environ: Mapping[str, str]) -> MailboxRef:
    """Where the mailbox is that the ledger calls so.

    Raises:
        NotFound: It is neither connected nor a Maildir that is there.
    """
    wanted = account_id.casefold()
    for account in read_accounts(environ):
        if account.server != "local" and wanted in (account.id.casefold(), account.address.casefold()):
            return MailboxRef(kind="account", path=account.id, server=account.server)
    if account_id.startswith(server_account("")):
        return MailboxRef(kind="server", path=account_id.removeprefix(server_account("")))
    mailbox = mailbox_named(account_id)
    if mailbox is not None and mailbox.kind in WRITABLE and os.path.isdir(mailbox.path):
        return mailbox
    raise NotFound(
        f"{account_id[:200]} is not connected any more."
        if mailbox is None
        else f"There is no mailbox at {mailbox.path[:200]} any more.",
        argument="account",
        hint="gaia email connect, or name where it is now: --maildir DIR.",
    )
