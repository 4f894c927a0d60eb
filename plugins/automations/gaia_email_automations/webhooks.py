"""Webhooks that trigger automations, and Slack webhooks that steps post to. Entry: `FiredWebhooks`."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaia_email.app import App
from gaia_email_automations.dispatching import KEYS_HOLD_S, AutomationFiring, DispatchedRun, dispatch
from gaia_email_automations.saving import token_digest
from gaia_email_automations.slack import keep_webhook
from gaia_email_automations.store import AutomationStore, StoredTrigger

if TYPE_CHECKING:
    from gaia_email.ledger import Ledger


class FiredWebhooks:
    """Finds the trigger for a token and turns requests into runs. Thread-safe; opens its ledger once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._opened: Ledger | None = None
        self._opening = threading.Lock()

    def close(self) -> None:
        """Close the ledger; safe to call twice."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def trigger(self, automation_id: str, token: str) -> StoredTrigger | None:
        """Return the automation's webhook with that token, or None."""
        digest, ledger = token_digest(token), self._ledger()
        with ledger.read() as tx:
            for one in AutomationStore.of(ledger).triggers(tx, automation_id=automation_id, type="webhook"):
                if one.secret_hash is not None and hmac.compare_digest(one.secret_hash, digest):
                    return one
        return None

    def fire(self, trigger: StoredTrigger, payload: Mapping[str, Any], key: str) -> DispatchedRun:
        """Return the run of a request, the same run for the same key within a day.

        Raises:
            NeedsApproval: The automation or the trigger is switched off.
            MailError: The ledger cannot be written.
        """
        firing = AutomationFiring(
            trigger=trigger,
            type="webhook",
            payload=payload,
            key=f"key {key}" if key else "",
            keys_hold_s=KEYS_HOLD_S,
        )
        return dispatch(self._ledger(), trigger.automation_id, firing)

    def _ledger(self) -> Ledger:
        with self._opening:
            if self._opened is None:
                self._opened = self._app.ledger()
            return self._opened


def keep_slack_webhook(app: App, name: str, address: str) -> None:
    """Store the address of an incoming webhook in the vault under a name.

    Raises:
        BadArgument: It is not an https address.
        MailError: The vault or the ledger cannot be written.
    """
    with app.ledger() as ledger:
        keep_webhook(ledger, app.environ, name, address)
