"""Confirmation tokens, good once a person said yes to what they are for. Entries: `PeerAction`, `PeerTokens`.

In the peer's program whoever gets a token may use it, so that a model with the API token approves itself. Here a token
only says which question a call is about; the yes is a person's, in the Agent Inbox.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.services.person_answers import answer_to, call_request, put_up
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.credentials import Principal
from gaia_email_registry.approvals import ApprovalRequest
from gaia_email_registry.errors import NeedsApproval

PROGRAM = "gaia email serve"

VALID_S = 600.0
"""Seconds in which a token can be used."""

MOST_TOKENS = 1_000
"""Tokens that are kept, the newest."""

WHERE = "They answer in their Agent Inbox, on the page of this server or in a terminal; nothing was done yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerAction:
    """One effect that a program asks for.

    Attributes:
        name: What is to be done.
        account: On which mailbox, as the person is shown it.
        exact: All that it is done with; a token is for exactly this.
        shown: The question that the person is asked, made from what would be done.
    """

    name: str
    source: SourceSpec
    account: str
    exact: Mapping[str, object]
    shown: str

    def asked(self, principal: Principal) -> ApprovalRequest:
        """Return the question as the Agent Inbox keeps it, for this caller."""
        return call_request(PROGRAM, self.account, self.name, self.exact, self.shown, origin=principal.origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeptToken:
    action: PeerAction
    ends_at: float


class PeerTokens:
    """The tokens of one server; none outlives it.

    Args:
        app: The running program.
        clock: Seconds, which nobody sets back.
    """

    def __init__(self, app: App, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._kept: OrderedDict[str, _KeptToken] = OrderedDict()

    async def mint(self, action: PeerAction, *, principal: Principal) -> str:
        """A token for the action; where no person asked for it, the question is put up for one.

        Raises:
            NeedsApproval: As many questions as may wait do.
            ProviderError: The file of questions cannot be used.
        """
        if not principal.decides:
            await asyncio.to_thread(put_up, self._app, action.asked(principal))
        token = secrets.token_urlsafe(24)
        self._kept[token] = _KeptToken(action=action, ends_at=self._clock() + VALID_S)
        while len(self._kept) > MOST_TOKENS:
            self._kept.popitem(last=False)
        return token

    def bound_to(self, token: str | None) -> SourceSpec:
        """The mailbox that a token is for.

        Raises:
            NeedsApproval: There is none that is good for anything.
        """
        return self._good(token).action.source

    async def redeem(self, token: str | None, action: PeerAction, *, principal: Principal) -> None:
        """Use a token up for the action, as it would be done now.

        Args:
            token: What the caller sent.
            action: Made anew from the mailbox, so that what a person was shown is what is done.
            principal: The caller; a person needs no other word.

        Raises:
            NeedsApproval: It is not good for that, was used, is over, or nobody has said yes; nothing is to be done.
        """
        kept = self._good(token)
        meant = kept.action
        if (meant.name, meant.account, meant.exact) != (action.name, action.account, action.exact):
            raise NeedsApproval("This confirmation token is for something else; nothing was done.")
        del self._kept[token or ""]  # before anything is waited for, so that it is used once
        if meant.shown != action.shown:
            raise NeedsApproval(
                "It changed since the token was given; nothing was done.", hint="ask for one anew"
            )
        if principal.decides:
            return
        try:
            await self.require_yes(action, principal)
        except _StillWaiting:
            self._kept[token or ""] = kept
            raise

    async def require_yes(self, action: PeerAction, principal: Principal) -> None:
        """Use up the yes of a person to exactly this; where there is none, they are asked.

        Raises:
            NeedsApproval: They said no, or nothing yet.
        """
        answer = await asyncio.to_thread(answer_to, self._app, action.asked(principal))
        if answer is None:
            await asyncio.to_thread(put_up, self._app, action.asked(principal))
            raise _StillWaiting(f"This waits for the yes of a person to exactly this. {WHERE}")
        if not answer:
            raise NeedsApproval("The user said no; nothing was done.")

    def _good(self, token: str | None) -> _KeptToken:
        kept = self._kept.get(token or "")
        if kept is None or self._clock() >= kept.ends_at:
            raise NeedsApproval(
                "This takes a confirmation token that is not used and not older than ten minutes.",
                hint="ask for one anew",
            )
        return kept


class _StillWaiting(NeedsApproval):
    """Nobody has answered yet."""
