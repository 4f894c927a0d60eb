"""What reads a mailbox, whoever answers: the account over MCP, or its copy in the ledger. Entry point: `MailReader`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gaia_email_registry.contract.wire import (
    Label,
    ListEmailsResult,
    ReadEmailsResult,
    StatusResult,
    SyncResult,
    WaitResult,
)

ANYWHERE = "in:anywhere"
"""The query that lists Spam and Trash, too."""


class MailReader(Protocol):
    """A mailbox as the agent reads it: `gaia_email.mailbox.client.MailClient`, `mail_copy.MailCopy`.

    Every method raises a `MailError` where the mailbox cannot be asked.
    """

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        """A page of summaries, newest first."""
        ...

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        """What happened since a cursor; without one, a first page of everything."""
        ...

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> WaitResult:
        """Until something happened after the cursor, or the time is over."""
        ...

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        """Messages with their raw bytes, and the ids that are gone."""
        ...

    async def labels(self) -> list[Label]:
        """Every label."""
        ...

    async def status(self) -> StatusResult:
        """Whose mailbox it is."""
        ...
