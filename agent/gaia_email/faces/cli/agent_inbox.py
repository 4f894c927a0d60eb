"""Opens the Agent Inbox for a command: the ledger, and the mailboxes its answers change.

Entries: `agent_inbox`, and `server_inbox` for what mail servers ask.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

from gaia_email.actions.account_session import AccountSession, open_desk
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.mailbox.ref import MailboxRef, place_named, place_of
from gaia_email.pending.calls import OpenQuestions
from gaia_email.pending.inbox import AgentInbox
from gaia_email.pending.server_questions import ServerQuestions, server_questions
from gaia_email.policy_store import Brakes, has_ledger
from gaia_email_registry.errors import BadArgument

FACE = "cli"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits: items that triages raised, and questions of the gate."""

    ledger: Ledger
    inbox: AgentInbox
    questions: OpenQuestions


@contextmanager
def agent_inbox(maildir: str | None = None) -> Generator[Waiting, None, None]:
    """What waits for the user; `maildir` says where the mail is, for who moved it.

    Raises:
        MailError: The ledger cannot be opened.
    """
    with open_ledger() as ledger:

        @asynccontextmanager
        async def opened(account: str) -> AsyncGenerator[AccountSession, None]:
            place = _moved(account, maildir) if maildir else place_of(account, os.environ)
            async with open_desk(place.spec, ledger, actor=FACE) as desk:
                yield desk

        yield Waiting(
            ledger=ledger,
            inbox=AgentInbox(ledger, opened, by=FACE, source="cli"),
            questions=OpenQuestions(ledger, opened, by=FACE),
        )


def server_inbox() -> ServerQuestions:
    """What mail servers ask; makes neither a ledger nor any other file."""
    return server_questions(os.environ, by=FACE, halted=_halted)


def _halted() -> str:
    if not has_ledger(os.environ):
        return ""
    with open_ledger() as ledger:
        return Brakes(ledger).halted()


def _moved(account: str, maildir: str) -> MailboxRef:
    """Where a Maildir is now, under the name it has in the ledger.

    Raises:
        BadArgument: It is another mailbox.
    """
    now = MailboxRef(kind="maildir", path=os.path.abspath(os.path.expanduser(maildir)))
    before = place_named(account)
    if now.key == account:
        return now
    if before is None or os.path.isdir(before.path):
        raise BadArgument(f"That is the mailbox of {now.key[:200]}, but this is about {account[:200]}.")
    return replace(now, called=account)
