"""Capabilities of an IMAP mailbox, known before it connects. Entry point: `IMAP_CAPABILITIES`."""

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
"""Capabilities of an account with an SMTP server."""

WITHOUT_SENDING = IMAP_CAPABILITIES - {Capability.SEND}
