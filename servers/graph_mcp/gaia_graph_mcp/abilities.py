"""What a Graph mailbox can do, apart from the rest so that tools can be listed without loading it. Entry: `allowed`."""

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
"""With every scope that can be asked for; news is pushed where an address for it is configured."""

_NEEDED = {
    "Mail.Send": (Capability.SEND,),
    "MailboxSettings.ReadWrite": (Capability.FILTERS, Capability.VACATION),
    "Calendars.ReadWrite": (Capability.CALENDAR, Capability.CALENDAR_WRITE),
}
"""What a scope allows, beyond `Mail.ReadWrite`."""


def allowed(scopes: Iterable[str]) -> frozenset[Capability]:
    """What can be done with these scopes of Graph's."""
    granted = {scope.removesuffix(".Shared") for scope in scopes}
    missing = {one for scope, needing in _NEEDED.items() if scope not in granted for one in needing}
    return CAPABILITIES - missing
