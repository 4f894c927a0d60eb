"""Opens the Agent Inbox: the ledger, and the mailboxes that answers change. Entries: `agent_inbox`, `server_inbox`."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from gaia_email.actions.account_session import AccountSession, open_account_session
from gaia_email.actions.pending.calls import OpenQuestions
from gaia_email.actions.pending.inbox import AgentInbox
from gaia_email.actions.pending.questions import ServerQuestions, server_questions
from gaia_email.app import App
from gaia_email.ledger import Ledger, PendingType
from gaia_email.ledger import PendingItem as PendingItem
from gaia_email.ledger.policy_store import StoredBrakes, has_ledger
from gaia_email.mailbox.ref import MailboxRef, mailbox_named, mailbox_of
from gaia_email.plugins import load_parts
from gaia_email_registry.approvals import Approval
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import OriginInterface, RequestOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingItems:
    """Pending items: those that triage raised, and questions of the gate."""

    ledger: Ledger
    inbox: AgentInbox
    questions: OpenQuestions


@contextmanager
def agent_inbox(
    app: App, interface: OriginInterface, *, maildir: str | None = None
) -> Generator[WaitingItems, None, None]:
    """Yield the pending items, to be answered through `interface`; `maildir` is the new path of moved mail."""
    origin = RequestOrigin(principal="person", interface=interface)
    with app.ledger() as ledger:

        @asynccontextmanager
        async def open_account(account: str) -> AsyncGenerator[AccountSession, None]:
            mailbox = _moved(account, maildir) if maildir else mailbox_of(account, app.environ)
            async with open_account_session(
                mailbox.spec(app.environ), ledger, origin=origin, environ=app.environ
            ) as session:
                yield session

        yield WaitingItems(
            ledger=ledger,
            inbox=AgentInbox(
                ledger, open_account, by=interface, source="cli" if interface == "cli" else "button"
            ),
            questions=OpenQuestions(ledger, open_account, by=interface),
        )
        for resume in load_parts("on_answers"):
            resume(ledger)


def server_inbox(app: App, interface: str) -> ServerQuestions:
    """Return the mail servers' questions, to be answered through `interface`; creates no ledger or other file."""
    return server_questions(app.environ, by=interface, halted=partial(_halted, app))


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatWaits:
    """Items, questions of the gate, and the total number of each type."""

    items: Sequence[PendingItem] = ()
    calls: Sequence[Approval] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


def what_waits(
    app: App, interface: OriginInterface, *, type_: str | None = None, cohort: str | None = None
) -> WhatWaits:
    """Return what is pending in the ledger, empty without one; excludes questions of mail servers."""
    if not has_ledger(app.environ):
        return WhatWaits()
    with agent_inbox(app, interface) as found:
        calls = found.questions.waiting()
        wanted: PendingType | None = None
        match type_:
            case "question" | "review" | "notify":
                wanted = type_
            case _:
                pass
        items = [] if type_ == "confirmation" else found.inbox.list_pending(type=wanted, cohort=cohort)
        with found.ledger.read() as tx:
            counts = {str(name): count for name, count in found.ledger.pending.count(tx).items()}
    shown = [call for call in calls if cohort in (None, call.asked.fields.get("cohort"))]
    return WhatWaits(
        items=items,
        calls=shown if type_ in (None, "confirmation") else [],
        counts=counts | {"confirmation": len(calls)},
    )


def has_agent_inbox(app: App) -> bool:
    """Return True if there is a ledger, so that reading does not create one."""
    return has_ledger(app.environ)


def _halted(app: App) -> str:
    if not has_ledger(app.environ):
        return ""
    with app.ledger() as ledger:
        return StoredBrakes(ledger).explain_halt()


def _moved(account: str, maildir: str) -> MailboxRef:
    """Return the new place of a Maildir, under its name in the ledger.

    Raises:
        BadArgument: It is another mailbox.
    """
    now = MailboxRef(kind="maildir", path=os.path.abspath(os.path.expanduser(maildir)))
    before = mailbox_named(account)
    if now.key == account:
        return now
    if before is None or os.path.isdir(before.path):
        raise BadArgument(f"That is the mailbox of {now.key[:200]}, but this is about {account[:200]}.")
    return replace(now, called=account)
