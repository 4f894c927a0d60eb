"""Whether scripts may say yes for the user: only a person at a terminal lets them. Entry: `scripts_may_answer`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gaia_email.policy_store import PolicyStore, has_ledger


def scripts_may_answer(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the user lets scripts say yes for them.

    Raises:
        MailError: The ledger cannot be read.
    """
    if not has_ledger(environ):
        return False
    from gaia_email.ledger import open_ledger

    with open_ledger(environ=environ, read_only=True) as ledger, ledger.read() as tx:
        return PolicyStore(ledger).read_scripts(tx)[0]


def let_scripts_answer(*, answer: bool) -> None:
    """Let scripts say yes for the user, or no longer; an interface has to have their own yes before.

    Raises:
        MailError: The ledger cannot be written.
    """
    from gaia_email.ledger import open_ledger

    with open_ledger() as ledger, ledger.write() as tx:
        PolicyStore(ledger).save_scripts(tx, answer=answer)
