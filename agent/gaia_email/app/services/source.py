"""Which mail a use case is about. Entry: `SourceSpec`."""

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
    """Which mail something is about: `kind` is `maildir`, `mbox`, `eml`, `demo`, `account` or `server`.

    `path` is the id of an account, or the name of an MCP server; `server` says what serves an account, `user` whose
    mailbox it is.
    """

    kind: str
    path: str
    user: tuple[str, ...]
    server: str = "local"
    assumed: bool = False
    """Whether it was taken without being named, as the only one that is connected."""
    is_sample: bool = False
    """Whether it is the sample mailbox, in a folder that goes when the program ends."""

    @staticmethod
    def of(place: MailboxRef, user: tuple[str, ...]) -> SourceSpec:
        """The mailbox of a run."""
        return SourceSpec(kind=place.kind, path=place.path, user=user, server=place.server)

    @property
    def flags(self) -> str:
        """The options of `gaia email` that name this source again, for a next command; empty where none is needed."""
        if self.assumed:
            return ""
        return (
            "--demo"
            if self.kind == "demo" or self.is_sample
            else f"--{self.kind} {quote(visible(self.path))}"
        )

    @property
    def mailbox(self) -> MailboxRef:
        """Where it is, from whatever folder the program is started next."""
        from gaia_email.mailbox.ref import MailboxRef

        path = (
            self.path
            if self.kind in ("account", "server")
            else os.path.abspath(os.path.expanduser(self.path))
        )
        return MailboxRef(kind=self.kind, path=path, server=self.server)
