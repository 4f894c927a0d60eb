"""What the terminal shows while a mailbox is read. Entries: `progress`, `user_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.interfaces.cli.output import counter, note

if TYPE_CHECKING:
    from gaia_email.policy.user_rules import UserRules

PROGRESS_FROM = 500
"""Messages from which a run may take over a second and shows its progress."""


def user_rules(app: App) -> UserRules:
    """The user's rules; says on standard error when the agent is stopped or paused, and what ends that.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.rules import current_rules

    rules, held = current_rules(app)
    if held:
        note(held)
    return rules


progress = counter("understood", PROGRESS_FROM)
"""Messages understood, for runs over a second."""
