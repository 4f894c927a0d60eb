"""An event as filters and templates see it. Entry: `event_payload`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from gaia_email.ledger import LedgerEvent


def event_payload(event: LedgerEvent) -> dict[str, Any]:
    """Its fields by name; `type` is its kind, `at` its time in ISO 8601."""
    return {
        "type": event.kind,
        "seq": event.seq,
        "at": datetime.fromtimestamp(event.at, UTC).isoformat(),
        "actor": event.actor,
        "account_id": event.account_id,
        "message_id": event.message_id,
        "run_id": event.run_id,
        "session_id": event.session_id,
        "action_id": event.action_id,
        "sender": event.sender,
        "subject": event.subject,
        "payload": event.payload,
    }
