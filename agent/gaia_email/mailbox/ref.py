"""A mailbox's location and its one name. Entries: `MailboxRef`, `mailbox_of`, `mailbox_named`.

A connected account is named by its address. Mail files are named by kind and path, such as `maildir:/home/ann/Mail`, so
that two folders with the same name are two mailboxes, and the name shows where to find each.
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
"""Kinds of sources that can be changed; an mbox or a folder of files is read only."""

HEADERS_INDEX = "headers.db"
"""The file in an account's directory that indexes the headers of its mail files."""

FILES = ("maildir", "mbox", "eml")
"""Kinds of sources that are files on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxRef:
    """A mailbox.

    Attributes:
        kind: The option that names it.
        path: The account's id, the file, or the name of an MCP server.
        server: The provider of its server.
        called: A name for mail files that differs from their path: a mailbox that was moved keeps its name.
    """

    kind: str
    path: str
    server: str = "local"
    called: str = ""

    def spec(self, environ: Mapping[str, str]) -> ServerSpec:
        """Return its server, with write tools; a server of the user's list is looked up using `environ`.

        Raises:
            NotFound: No MCP server of that name is listed.
            NeedsApproval: It belongs to a project whose file has no consent in its current form.
            BadArgument: The list of servers cannot be read.
        """
        if self.kind == "server":
            from gaia_email.mailbox.project_servers import listed_server

            return listed_server(self.path, environ)
        return InProcessServer(provider=self.server, options=self._options)

    def reading(self, environ: Mapping[str, str]) -> ServerSpec:
        """Return its server without write tools, if possible; an MCP server's tools cannot be restricted here.

        Raises:
            MailError: As `spec`.
        """
        if self.kind == "server":
            return self.spec(environ)
        return InProcessServer(provider=self.server, options={**self._options, "read_only": "true"})

    def indexed_spec(self, environ: Mapping[str, str]) -> ServerSpec:
        """Return the server as `reading` does, with an index of headers.

        For callers that keep a copy of the listing and complete messages from it.

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
        """A key for the location, the same for every path that leads to the same mailbox."""
        path = (
            self.path
            if self.kind in ("account", "server")
            else os.path.realpath(os.path.expanduser(self.path))
        )
        return f"{self.kind}:{path}"

    @property
    def name(self) -> str:
        """The name in lists: an account's id, or the ledger's name for mail files."""
        return self.path if self.kind in ("account", "server") else self.called or self.key

    @property
    def _options(self) -> dict[str, str]:
        options = {self.kind: self.path}
        return options if self.kind == "account" else {**options, "account": self.name}

    def to_json(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"kind": self.kind, "path": self.path, "server": self.server}

    @staticmethod
    def from_json(value: Mapping[str, object]) -> MailboxRef:
        """Create a reference from the result of `to_json`.

        Raises:
            BadArgument: It is not a mailbox that can be changed.
        """
        kind, path, server = (str(value.get(name, "")) for name in ("kind", "path", "server"))
        if kind not in WRITABLE or not path:
            raise BadArgument(
                "Only a connected account or a Maildir can be changed.",
                hint="gaia email connect, or --maildir DIR.",
            )
        return MailboxRef(kind=kind, path=path, server=server or "local")


def mailbox_named(name: str) -> MailboxRef | None:
    """Return the mail files with this name; None if it does not name mail files."""
    kind, colon, path = name.partition(":")
    return MailboxRef(kind=kind, path=path) if colon and path and kind in FILES else None


def server_account(name: str) -> str:
    """Return the name for the mailbox of an MCP server that does not report its owner; no address looks like it."""
    return f"{TEXTS_ONLY}{name}"


def is_of_files(account_id: str) -> bool:
    """Return True if the ledger's name for an account names mail files; all others are remote accounts."""
    return mailbox_named(account_id) is not None


def mailbox_of(account_id: str, environ: Mapping[str, str]) -> MailboxRef:
    """Return the mailbox that the ledger has by this name.

    Raises:
        NotFound: It is neither connected nor an existing Maildir.
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
