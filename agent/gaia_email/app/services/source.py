"""The mail that a use case works on. Entry: `SourceSpec`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.mailbox.ref import MailboxRef


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """A source of mail: `kind` is `maildir`, `mbox`, `eml`, `demo`, `account` or `server`.

    `path` is the id of an account, or the name of an MCP server; `server` is the mail server for an account,
    `user` the addresses of the mailbox's owner.
    """

    kind: str
    path: str
    user: tuple[str, ...]
    server: str = "local"
    assumed: bool = False
    """True if it was not named, but used as the only connected source."""
    is_sample: bool = False
    """True for the sample mailbox, in a folder that is deleted when the program ends."""

    @staticmethod
    def of(place: MailboxRef, user: tuple[str, ...]) -> SourceSpec:
        """Make the source for the mailbox of a run."""
        return SourceSpec(kind=place.kind, path=place.path, user=user, server=place.server)

    @property
    def flags(self) -> str:
        """The options of `gaia email` that select this source in a later command; empty if none are needed."""
        if self.assumed:
            return ""
        return (
            "--demo"
            if self.kind == "demo" or self.is_sample
            else f"--{self.kind} {quote(visible(self.path))}"
        )

    @property
    def mailbox(self) -> MailboxRef:
        """The mailbox, with an absolute path so that it can be opened from any folder."""
        from gaia_email.mailbox.ref import MailboxRef

        path = (
            self.path
            if self.kind in ("account", "server")
            else os.path.abspath(os.path.expanduser(self.path))
        )
        return MailboxRef(kind=self.kind, path=path, server=self.server)
