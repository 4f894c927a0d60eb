"""The user's rules, for callers that only print stored data. Entry: `current_rules`.

Imports no code that judges mail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.policy.switches import holds_run

if TYPE_CHECKING:
    from gaia_email.policy.user_rules import UserRules


def current_rules(app: App) -> tuple[UserRules, str]:
    """Return the user's rules, and a sentence if the agent is stopped or paused, else an empty one."""
    rules = stored_rules(environ=app.environ)
    hold = holds_run(rules.switches, None, now=app.clock(), scheduled=True)
    return rules, "" if hold is None else hold.reason
