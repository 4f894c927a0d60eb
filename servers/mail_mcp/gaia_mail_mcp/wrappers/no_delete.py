"""A mailbox from which nothing disappears for good. Entry point: `NoPermanentDelete`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.mailbox import Capability, WriteOutcome
from gaia_mail_mcp.wrappers.base import MailboxWrapper


class NoPermanentDelete(MailboxWrapper):
    """Refuses `delete`; moving to Trash is still possible. Drafts may be deleted: their text comes back with it."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """All but permanent deletion."""
        return self.inner.capabilities - {Capability.DELETE}

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """Always `NeedsApproval`."""
        raise NeedsApproval(
            "Permanent deletion is switched off on this server; the message can be moved to Trash instead.",
            hint="start the server with --allow-permanent-delete to allow it",
        )
