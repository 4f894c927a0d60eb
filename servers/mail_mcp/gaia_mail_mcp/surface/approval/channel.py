"""Shared parts of all channels: one question about one call, and its answers. Entry: `ApprovalCase`."""

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
"""Calls without an answer after which a modern client counts as unable to ask.

One is not enough: an agent that stops its run at the question (LangGraph's `interrupt`) starts the call again once it
has the answer.
"""

LOOKED_S = 0.25
"""Seconds between checks for an answer given in another program."""


class ApprovalOutcome(Enum):
    """The result of a channel."""

    YES = "yes"
    """Approved as the question was when it was asked."""
    YES_NOW = "yes, now"
    """Approved as the question is now: it was rebuilt when the answer arrived."""
    NO = "no"
    UNHEARD = "unheard"
    """The user was not reached, so the next channel is tried."""
    WAITING = "waiting"
    """The user may have seen it but has not answered."""


@dataclass(slots=True, kw_only=True)
class ApprovalMemory:
    """A server's state about its questions between calls."""

    settings: ApprovalSettings = field(default_factory=ApprovalSettings)
    tokens: QuestionTokens = field(default_factory=QuestionTokens)
    asked: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    """Questions to a client that answers by calling again: time of the first and count; answered ones are removed."""
    _store: Approvals | None = None
    _unasked: Unasked | None = None
    _page: ApprovalPage | None = None

    @property
    def unasked(self) -> Unasked:
        """The record of changes made without approval by this user's servers, in a file next to the questions."""
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
        """The page on loopback; it starts listening with its first question."""
        if self._page is None:
            from gaia_mail_mcp.surface.approval.page import ApprovalPage

            self._page = ApprovalPage(self.store)
        return self._page

    def may_ask(self, mark: str) -> bool:
        """Return True if the client may be asked this now, and count the attempt."""
        now = self.tokens.clock()
        since, times = self.asked.pop(mark, (now, 0))
        if now - since > VALID_S:
            since, times = now, 0
        while len(self.asked) >= MAX_PENDING:
            del self.asked[next(iter(self.asked))]
        self.asked[mark] = since, times + 1
        return times < MAX_UNANSWERED

    async def aclose(self) -> None:
        """Stop serving the page, and close the stores."""
        if self._page is not None:
            await self._page.aclose()
            self._page = None
        if self._store is not None:
            self._store.close()
        if self._unasked is not None:
            self._unasked.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalCase:
    """One question about one call; `brief` is its text for small spaces."""

    memory: ApprovalMemory
    asked: ApprovalRequest
    brief: str

    @property
    def mark(self) -> str:
        """A digest of the call and of everything that is shown for it."""
        return call_digest(self.asked.call, self.asked.shown_digest)

    def for_a_form(self) -> str:
        """Return the text for a form; a shortened question is also stored, to be read in full in the Agent Inbox."""
        if self.brief == self.asked.shown:
            return self.brief
        self.store_question()
        return f"{self.brief}\n\nThis is not all of it: `gaia email review` in a terminal shows the whole."

    def record_answer(self, outcome: ChannelResult) -> ChannelResult:
        """Apply a form's answer to the stored question as well."""
        if self.brief != self.asked.shown and outcome in (
            ApprovalOutcome.YES,
            ApprovalOutcome.YES_NOW,
            ApprovalOutcome.NO,
        ):
            approval_id = self.store_question().approval_id
            self.memory.store.answer(
                approval_id, "refused" if outcome is ApprovalOutcome.NO else "granted", by="client"
            )
            if outcome is not ApprovalOutcome.NO:
                self.memory.store.take(self.asked.call, self.asked.shown_digest)
        return outcome

    def store_question(self) -> Approval:
        """Return the stored question, which other programs can answer."""
        return self.memory.store.ask(self.asked)

    async def answer_to(self, approval: Approval, *, wait_s: float) -> ApprovalOutcome:
        """Wait up to `wait_s` seconds for an answer to a stored question, from any program."""
        loop = asyncio.get_running_loop()
        until = loop.time() + wait_s
        while True:
            found = self.memory.store.get(approval.approval_id)
            if found is None or found.state in ("refused", "expired"):
                return ApprovalOutcome.NO
            if found.state == "granted":
                # If another call has already used the approval, this one has none.
                took = self.memory.store.take(self.asked.call, self.asked.shown_digest)
                return ApprovalOutcome.YES if took else ApprovalOutcome.NO
            left = until - loop.time()
            if left <= 0:
                return ApprovalOutcome.WAITING
            await asyncio.sleep(min(LOOKED_S, left))


ChannelResult: TypeAlias = "ApprovalOutcome | ToolResult"
"""The result of a channel, or a reply to send to the client first."""
