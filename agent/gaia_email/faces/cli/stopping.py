"""What a stop does besides turning the switch: nothing begun before it is done any more. Entry: `cancel_everything`."""

from __future__ import annotations

import os

from gaia_email.faces.cli.output import note
from gaia_email.ledger import open_ledger
from gaia_email.runs.files import has_runs
from gaia_email.runs.steps import cancel
from gaia_email_registry.errors import MailError


def cancel_everything() -> None:
    """Cancel every run that waits or is under way, one that died included.

    Raises:
        ProviderError: The ledger cannot be written.
    """
    with open_ledger() as ledger:
        with ledger.read() as tx:
            begun = {action.run_id for action in ledger.actions.open(tx) if action.run_id is not None}
        for run_id in sorted(begun):
            cancel(ledger, run_id, actor="user")
    if not has_runs(os.environ):
        return
    from gaia_email.runs.history import cancel_all

    try:
        cancel_all(os.environ)
    except MailError as error:
        note(f"The agent is stopped, but its runs could not be marked as cancelled: {error.message}")
