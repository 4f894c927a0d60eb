"""A mailbox, a ledger and an Agent Inbox over them. Entry point: `AskingBench`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.pending.inbox import AgentInbox, AnsweredItem
from gaia_email.actions.pending.raising import raise_items, tell_of_run
from gaia_email.actions.triaging import RunReport, TriageRequest, triage_and_apply
from gaia_email.ledger import Ledger, PendingItem, PendingState, PendingType
from gaia_email.policy.document import Policy
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import Inbox
from gaia_email_registry.origin import RequestOrigin
from tests.actions.account import ME, Bench
from tests.origins import PERSON

T = TypeVar("T")


@dataclass
class AskingBench(Bench):
    """`ask` triages and raises; `inbox` answers over a fresh connection."""

    policy: Policy = field(default_factory=Policy)
    origin: RequestOrigin = PERSON

    def ask(self, run_id: str = "r1") -> RunReport:
        wanted = TriageRequest(
            tier=self.tier,
            owner=(ME,),
            run_id=run_id,
            rules=UserRules(policy=self.policy),
            also=lambda tx, inbox, run: self._also(tx, inbox, run),
        )
        report = self.run(lambda session: triage_and_apply(session, wanted))
        with self.ledger.write() as tx:
            tell_of_run(self.ledger, tx, ME, run_id, origin=self.origin)
        return report

    def _also(self, tx: object, inbox: Inbox, run_id: str) -> None:
        raise_items(self.ledger, tx, inbox, run_id, origin=self.origin)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def waiting(self, *types: PendingType, state: PendingState = "open") -> list[PendingItem]:
        with self.ledger.read() as tx:
            found = self.ledger.pending.select(tx, state=state)
        return [item for item in found if not types or item.type in types]

    def answering(
        self, use: Callable[[AgentInbox], Awaitable[T]], *, by: str = "cli", ledger: Ledger | None = None
    ) -> T:
        """Use an Agent Inbox whose desks are all the one of this bench."""

        async def scenario(session: AccountSession) -> T:
            @asynccontextmanager
            async def opened(account: str) -> AsyncGenerator[AccountSession, None]:
                assert account == ME
                yield session

            return await use(AgentInbox(ledger or self.ledger, opened, by=by, brakes=self.brakes))

        return self.run(scenario)

    def approve(
        self, item: PendingItem, edits: Mapping[str, object] | None = None, by: str = "cli"
    ) -> AnsweredItem:
        return self.answering(lambda inbox: inbox.approve(item.item_id, edits), by=by)

    def approve_all(self, items: list[PendingItem]) -> list[AnsweredItem]:
        return self.answering(lambda inbox: inbox.batch_approve([item.item_id for item in items]))

    def reject(self, item: PendingItem, reason: str = "", by: str = "web") -> AnsweredItem:
        async def use(inbox: AgentInbox) -> AnsweredItem:
            return inbox.reject(item.item_id, reason)

        return self.answering(use, by=by)

    def reopen(self, item: PendingItem) -> AnsweredItem:
        async def use(inbox: AgentInbox) -> AnsweredItem:
            return inbox.reopen(item.item_id)

        return self.answering(use)
