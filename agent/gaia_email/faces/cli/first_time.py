"""Before a triage first acts on a mailbox: what the levels would do, in counts, and a question. Entry: `ask_first`."""

from __future__ import annotations

import os
import sys
from collections import Counter

import click

from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.faces.cli.card import PLAN_TEXT
from gaia_email.faces.cli.options import Source
from gaia_email.faces.cli.output import note
from gaia_email.faces.cli.searching import account_of
from gaia_email.faces.cli.session import owner_of, progress, with_copy
from gaia_email.ledger import Selection, open_ledger
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy_store import has_ledger, stored_rules
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.errors import NeedsApproval


def ask_first(source: Source, since: float | None, *, yes: bool) -> None:
    """Return when it may act: it was agreed to, has acted here before, or would do nothing by itself.

    Raises:
        NeedsApproval: The answer was no, or nobody can be asked.
        MailError: The mailbox cannot be read.
    """
    if yes or _has_acted(account_of(source)):
        return
    planned = _planned(source, since)
    if not planned:
        return
    note(
        "this would be the first triage that acts on this mailbox. At the levels your rules have now it would:"
    )
    for (cohort, action), count in planned.most_common():
        note(f"  {count:>5,} × {PLAN_TEXT[action]}  ({cohort})")
    note(
        "gaia email policy list shows the levels, gaia email triage each thread; gaia email undo takes it all back."
    )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NeedsApproval("Nothing was done yet: agree to this first triage.", hint="the same with --yes.")
    if not click.confirm("Do it?", default=False, err=True):
        raise NeedsApproval("Nothing was done.", hint="gaia email policy set changes a level.")


def _has_acted(account: str) -> bool:
    if not has_ledger(os.environ):
        return False
    with open_ledger() as ledger, ledger.read() as tx:
        return bool(ledger.actions.select(tx, Selection(account_id=account, types=BY_TRIAGE), limit=1))


def _planned(source: Source, since: float | None) -> Counter[tuple[str, str]]:
    """Messages by cohort and what would be done with them by itself."""
    from time import time

    now, rules = time(), stored_rules()

    async def look(mail: MailReader) -> Inbox:
        return await triage(
            mail, default_tier(), now=now, owner=owner_of(source), since=since, rules=rules, progress=progress
        )

    inbox = with_copy(source, look, now=now)
    return Counter(
        (member.decision.cohort, member.decision.action)
        for items in inbox.buckets.values()
        for item in items
        for member in item.members
        if member.decision.mode == "apply"
    )
