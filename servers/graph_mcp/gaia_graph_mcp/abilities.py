"""What a Graph mailbox can do, apart from the rest so that tools can be listed without loading it."""

from __future__ import annotations

from gaia_mail_mcp.mailbox import Capability

CAPABILITIES = frozenset(
    {
        Capability.MODIFY,
        Capability.DELETE,
        Capability.LABELS,
        Capability.DRAFTS,
        Capability.SEND,
        Capability.SNOOZE,
        Capability.REPORT_SPAM,
    }
)
