"""What a Maildir can do, known without opening one. Entry point: `MAILDIR_CAPABILITIES`."""

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
"""Files other than a Maildir are only read and have none."""
