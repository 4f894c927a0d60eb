"""What an IMAP mailbox can do, known without connecting. Entry point: `IMAP_CAPABILITIES`."""

from __future__ import annotations

from gaia_mail_mcp.mailbox import Capability

IMAP_CAPABILITIES = frozenset(
    {
        Capability.MODIFY,
        Capability.DELETE,
        Capability.LABELS,
        Capability.DRAFTS,
        Capability.SEND,
        Capability.SNOOZE,
        Capability.REPORT_SPAM,
        Capability.UNSUBSCRIBE,
    }
)
"""With a server to send by; without one, all but `SEND`."""

WITHOUT_SENDING = IMAP_CAPABILITIES - {Capability.SEND}
