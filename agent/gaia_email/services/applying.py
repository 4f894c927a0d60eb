"""A triage that acts: what it would do at the user's levels, and doing it. Entries: `would_do`, `apply_in`."""

from __future__ import annotations

import uuid
from collections import Counter

from gaia_email.actions.kinds import BY_TRIAGE
from gaia_email.ledger import Action, Selection, open_ledger
from gaia_email.mailbox.ref import WRITABLE
from gaia_email.policy_store import has_ledger
from gaia_email.runs.job import Job, Told
from gaia_email.runs.steps import run_here
from gaia_email.services.mail_source import MailSource
from gaia_email.triage.inbox import Inbox
from gaia_email_registry.errors import BadArgument, NeedsApproval


def has_acted(source: MailSource) -> bool:
    """Whether a triage has changed this mailbox before."""
    if not has_ledger():
        return False
    account = source.account
    with open_ledger() as ledger, ledger.read() as tx:
        return bool(ledger.actions.select(tx, Selection(account_id=account, types=BY_TRIAGE), limit=1))


def would_do(inbox: Inbox) -> Counter[tuple[str, str]]:
    """Messages by cohort and what would be done with them by itself."""
    return Counter(
        (member.decision.cohort, member.decision.action)
        for items in inbox.buckets.values()
        for item in items
        for member in item.members
        if member.decision.mode == "apply"
    )


def apply_in(source: MailSource) -> tuple[str, Told, list[Action]]:
    """Triage and do what the user's levels allow: the run's id, what it told, and its actions.

    Raises:
        BadArgument: The mailbox can only be read, or another program is acting on it.
        NeedsApproval: The agent is stopped or paused.
        MailError: The mailbox or the ledger cannot be used.
    """
    if source.place.kind not in WRITABLE:
        raise BadArgument("Mail files of this kind are only read; nothing in them can be changed.")
    job = Job(kind="triage", run_id=str(uuid.uuid4()), place=source.place, owner=source.owner)
    told = run_here(job)
    if reason := told.get("held"):
        raise NeedsApproval(str(reason))
    with open_ledger() as ledger, ledger.read() as tx:
        actions = ledger.actions.select(tx, Selection(run_id=job.run_id, types=BY_TRIAGE))
    return job.run_id, told, actions
