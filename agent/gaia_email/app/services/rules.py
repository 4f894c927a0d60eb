"""The user's rules, for who only prints what was kept: nothing that judges mail is imported. Entry: `current_rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.policy.switches import holds_run

if TYPE_CHECKING:
    from gaia_email.policy.user_rules import UserRules


def current_rules(app: App) -> tuple[UserRules, str]:
    """The user's rules, and a sentence where the agent is stopped or paused; empty otherwise.

    Raises:
        MailError: The ledger cannot be read.
    """
    rules = stored_rules(environ=app.environ)
    hold = holds_run(rules.switches, None, now=app.clock(), scheduled=True)
    return rules, "" if hold is None else hold.reason
