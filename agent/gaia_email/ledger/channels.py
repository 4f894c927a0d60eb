"""Webhooks of Slack whose addresses are in the vault, and the events about them. Entry: `webhooks_kept`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaia_email.ledger import Ledger

SLACK_POSTED = "slack.posted"
"""The event for a post that Slack accepted."""

WEBHOOK_KEPT = "webhook.kept"

WEBHOOKS = "automation webhooks"
"""The document that maps webhook names to their vault references."""


def webhooks_kept(ledger: Ledger) -> list[str]:
    """Return the names of the webhooks whose addresses are in the vault."""
    with ledger.read() as tx:
        known = ledger.documents.read(tx, WEBHOOKS)
    return sorted(known.value) if known else []
