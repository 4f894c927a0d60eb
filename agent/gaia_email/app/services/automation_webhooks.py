"""Webhooks: those of automations that are fired, and those of Slack that steps post to. Entry: `FiredWebhooks`."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaia_email.app import App
from gaia_email.automations.dispatching import KEYS_HOLD_S, AutomationFiring, DispatchedRun, dispatch
from gaia_email.automations.saving import token_digest
from gaia_email.automations.slack import keep_webhook
from gaia_email.ledger.automations import StoredTrigger

if TYPE_CHECKING:
    from gaia_email.ledger import Ledger


class FiredWebhooks:
    """Finds the trigger of a token and makes runs of requests; its ledger is opened once. For any number of threads."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._opened: Ledger | None = None
        self._opening = threading.Lock()

    def close(self) -> None:
        """Close the ledger; harmless when called twice."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def trigger(self, automation_id: str, token: str) -> StoredTrigger | None:
        """The webhook of that automation whose token it is; None where there is none.

        Raises:
            MailError: The ledger cannot be read.
        """
        digest, ledger = token_digest(token), self._ledger()
        with ledger.read() as tx:
            for one in ledger.automations.triggers(tx, automation_id=automation_id, type="webhook"):
                if one.secret_hash is not None and hmac.compare_digest(one.secret_hash, digest):
                    return one
        return None

    def fire(self, trigger: StoredTrigger, payload: Mapping[str, Any], key: str) -> DispatchedRun:
        """The run of a request; the same for the same key within a day.

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
    """Put the address of an incoming webhook into the vault under a name.

    Raises:
        BadArgument: It is no https address.
        MailError: The vault or the ledger cannot be written.
    """
    with app.ledger() as ledger:
        keep_webhook(ledger, app.environ, name, address)
