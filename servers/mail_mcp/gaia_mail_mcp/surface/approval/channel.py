"""What the ways of asking have in common: one question about one call, and its answers. Entry: `ApprovalCase`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from gaia_email_registry.approvals import Approval, ApprovalRequest, Approvals
from gaia_email_registry.calls import call_digest
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.approval.tokens import MAX_PENDING, VALID_S, QuestionTokens
from gaia_mail_mcp.surface.approval.unasked import Unasked

if TYPE_CHECKING:
    from fastmcp.tools.base import ToolResult

    from gaia_mail_mcp.surface.approval.page import ApprovalPage

MAX_UNANSWERED = 2
"""Calls without an answer after which a modern client counts as unable to ask. Not one: an agent that stops its run at
the question (LangGraph's `interrupt`) begins the call anew once it has the answer."""

LOOKED_S = 0.25
"""Seconds between two looks whether a question was answered in another program."""


class ApprovalOutcome(Enum):
    """What a way of asking came to."""

    YES = "yes"
    """To the question as it was when it was asked."""
    YES_NOW = "yes, now"
    """To the question as it is now: it was made again when the answer came."""
    NO = "no"
    UNHEARD = "unheard"
    """It did not reach anybody: the next way is tried."""
    WAITING = "waiting"
    """Somebody may have seen it and has not answered."""


@dataclass(slots=True, kw_only=True)
class ApprovalMemory:
    """What a server remembers of its questions between calls."""

    settings: ApprovalSettings = field(default_factory=ApprovalSettings)
    tokens: QuestionTokens = field(default_factory=QuestionTokens)
    asked: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    """What was put to a client that answers by calling again, since when and how often; answered ones are gone."""
    _store: Approvals | None = None
    _unasked: Unasked | None = None
    _page: ApprovalPage | None = None

    @property
    def unasked(self) -> Unasked:
        """What the servers of this user did without a question; in a file beside the questions."""
        if self._unasked is None:
            store = self.settings.store
            self._unasked = Unasked(None if store is None else store.with_name("unasked.db"))
        return self._unasked

    @property
    def store(self) -> Approvals:
        """The questions of every server of this user."""
        if self._store is None:
            self._store = Approvals(self.settings.store)
        return self._store

    @property
    def page(self) -> ApprovalPage:
        """The page on loopback; it listens from its first question on."""
        if self._page is None:
            from gaia_mail_mcp.surface.approval.page import ApprovalPage

            self._page = ApprovalPage(self.store)
        return self._page

    def may_ask(self, mark: str) -> bool:
        """Whether the client was not asked that too often within the last minutes; it counts as asked now."""
        now = self.tokens.clock()
        since, times = self.asked.pop(mark, (now, 0))
        if now - since > VALID_S:
            since, times = now, 0
        while len(self.asked) >= MAX_PENDING:
            del self.asked[next(iter(self.asked))]
        self.asked[mark] = since, times + 1
        return times < MAX_UNANSWERED

    async def aclose(self) -> None:
        """Stop serving the page, and forget."""
        if self._page is not None:
            await self._page.aclose()
            self._page = None
        if self._store is not None:
            self._store.close()
        if self._unasked is not None:
            self._unasked.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalCase:
    """One question about one call; `brief` is what is shown where there is little room."""

    memory: ApprovalMemory
    asked: ApprovalRequest
    brief: str

    @property
    def mark(self) -> str:
        """A digest of the call and of everything that is shown for it."""
        return call_digest(self.asked.call, self.asked.shown_digest)

    def for_a_form(self) -> str:
        """What a form shows; where that is not all of it, the Agent Inbox has the whole and can be answered there."""
        if self.brief == self.asked.shown:
            return self.brief
        self.kept()
        return f"{self.brief}\n\nThis is not all of it: `gaia email review` in a terminal shows the whole."

    def closed(self, outcome: ChannelResult) -> ChannelResult:
        """After a form: the answer is that of the kept question, too."""
        if self.brief != self.asked.shown and outcome in (
            ApprovalOutcome.YES,
            ApprovalOutcome.YES_NOW,
            ApprovalOutcome.NO,
        ):
            approval_id = self.kept().approval_id
            self.memory.store.answer(
                approval_id, "refused" if outcome is ApprovalOutcome.NO else "granted", by="client"
            )
            if outcome is not ApprovalOutcome.NO:
                self.memory.store.take(self.asked.call, self.asked.shown_digest)
        return outcome

    def kept(self) -> Approval:
        """The question in the store, where other programs can answer it."""
        return self.memory.store.ask(self.asked)

    async def answer_to(self, approval: Approval, *, wait_s: float) -> ApprovalOutcome:
        """The answer to a kept question, from whichever program, within so many seconds."""
        loop = asyncio.get_running_loop()
        until = loop.time() + wait_s
        while True:
            found = self.memory.store.get(approval.approval_id)
            if found is None or found.state in ("refused", "expired"):
                return ApprovalOutcome.NO
            if found.state == "granted":
                # Another call may have used the yes first; then this one has none.
                took = self.memory.store.take(self.asked.call, self.asked.shown_digest)
                return ApprovalOutcome.YES if took else ApprovalOutcome.NO
            left = until - loop.time()
            if left <= 0:
                return ApprovalOutcome.WAITING
            await asyncio.sleep(min(LOOKED_S, left))


ChannelResult: TypeAlias = "ApprovalOutcome | ToolResult"
"""What a way came to, or what to send to the client first."""
