"""The setting that lets scripts approve for the user, changed only at a terminal. Entry: `scripts_may_answer`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.ledger.policy_store import PolicyStore, has_ledger


def scripts_may_answer(app: App) -> bool:
    """Return True if the user lets scripts approve for them."""
    if not has_ledger(app.environ):
        return False
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        return PolicyStore(ledger).read_scripts(tx)[0]


def let_scripts_answer(app: App, *, answer: bool) -> None:
    """Let scripts approve for the user, or stop that; the interface must ask the user first."""
    with app.ledger() as ledger, ledger.write() as tx:
        PolicyStore(ledger).save_scripts(tx, answer=answer)
