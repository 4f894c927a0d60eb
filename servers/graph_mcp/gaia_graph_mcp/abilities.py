"""Capabilities of a Graph mailbox, in a module of their own so that tools can be listed without loading the rest.

Entry: `capabilities_of`.
"""

from __future__ import annotations

from collections.abc import Iterable

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
        Capability.CALENDAR,
        Capability.CALENDAR_WRITE,
        Capability.FILTERS,
        Capability.VACATION,
        Capability.UNSUBSCRIBE,
    }
)
"""All capabilities, given every scope; `PUSH` is added if a notification URL is configured."""

_NEEDED = {
    "Mail.Send": (Capability.SEND,),
    "MailboxSettings.ReadWrite": (Capability.FILTERS, Capability.VACATION),
    "Calendars.ReadWrite": (Capability.CALENDAR, Capability.CALENDAR_WRITE),
}
"""Capabilities that a scope allows beyond those of `Mail.ReadWrite`."""


def capabilities_of(scopes: Iterable[str]) -> frozenset[Capability]:
    """Return the capabilities that these Graph scopes allow."""
    granted = {scope.removesuffix(".Shared") for scope in scopes}
    missing = {one for scope, needing in _NEEDED.items() if scope not in granted for one in needing}
    return CAPABILITIES - missing
