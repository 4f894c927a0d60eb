"""Whether scripts may say yes for the user: only a person at a terminal lets them. Entry: `scripts_may_answer`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.ledger.policy_store import PolicyStore, has_ledger


def scripts_may_answer(app: App) -> bool:
    """Whether the user lets scripts say yes for them.

    Raises:
        MailError: The ledger cannot be read.
    """
    if not has_ledger(app.environ):
        return False
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        return PolicyStore(ledger).read_scripts(tx)[0]


def let_scripts_answer(app: App, *, answer: bool) -> None:
    """Let scripts say yes for the user, or no longer; an interface has to have their own yes before.

    Raises:
        MailError: The ledger cannot be written.
    """
    with app.ledger() as ledger, ledger.write() as tx:
        PolicyStore(ledger).save_scripts(tx, answer=answer)
