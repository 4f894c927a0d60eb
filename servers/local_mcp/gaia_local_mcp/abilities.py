"""Capabilities of a Maildir, known before it is opened. Entry point: `MAILDIR_CAPABILITIES`."""

from __future__ import annotations

from gaia_mail_mcp.mailbox import Capability

MAILDIR_CAPABILITIES = frozenset(
    {
        Capability.MODIFY,
        Capability.DELETE,
        Capability.LABELS,
        Capability.DRAFTS,
        Capability.REPORT_SPAM,
    }
)
"""Capabilities of a Maildir; other files are read-only and have none."""
