"""Terminal output while a mailbox is read. Entries: `progress`, `user_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.interfaces.cli.output import counter, note

if TYPE_CHECKING:
    from gaia_email.policy.user_rules import UserRules

PROGRESS_FROM = 500
"""Number of messages from which progress is shown, since the run may take over a second."""


def user_rules(app: App) -> UserRules:
    """Return the user's rules; report on standard error if the agent is stopped or paused, and how to end that.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.rules import current_rules

    rules, held = current_rules(app)
    if held:
        note(held)
    return rules


progress = counter("understood", PROGRESS_FROM)
"""Progress of understood messages, for runs over a second."""
