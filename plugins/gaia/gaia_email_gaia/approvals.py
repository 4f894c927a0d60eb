"""Confirmation tokens, usable after a person's yes to their action. Entries: `PeerAction`, `PeerTokens`.

In the peer's program anyone with a token may use it, so a model with the API token could approve its own actions. Here
a token only identifies the question of a call; the yes comes from a person, in the Agent Inbox.
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
"""Seconds during which a token can be used."""

MOST_TOKENS = 1_000
"""Maximum number of tokens; the oldest are dropped."""

WHERE = "They answer in their Agent Inbox, on the page of this server or in a terminal; nothing was done yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerAction:
    """An effect requested by a program.

    Attributes:
        name: The effect.
        account: The mailbox, as shown to the person.
        exact: All its arguments; a token is valid for exactly these.
        shown: The question for the person, built from the effect.
    """

    name: str
    source: SourceSpec
    account: str
    exact: Mapping[str, object]
    shown: str

    def build_request(self, principal: Principal) -> ApprovalRequest:
        """Return the question for this caller, as the Agent Inbox stores it."""
        return call_request(PROGRAM, self.account, self.name, self.exact, self.shown, origin=principal.origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeptToken:
    action: PeerAction
    ends_at: float


class PeerTokens:
    """The tokens of one server; none outlives it.

    Args:
        app: The running program.
        clock: Monotonic clock in seconds.
    """

    def __init__(self, app: App, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._kept: OrderedDict[str, _KeptToken] = OrderedDict()

    async def mint(self, action: PeerAction, *, principal: Principal) -> str:
        """Return a token for the action; unless a person asked for it, queue the question for one.

        Raises:
            NeedsApproval: The maximum number of questions is waiting.
            ProviderError: The file of questions cannot be used.
        """
        if not principal.decides:
            await asyncio.to_thread(put_up, self._app, action.build_request(principal))
        token = secrets.token_urlsafe(24)
        self._kept[token] = _KeptToken(action=action, ends_at=self._clock() + VALID_S)
        while len(self._kept) > MOST_TOKENS:
            self._kept.popitem(last=False)
        return token

    def bound_to(self, token: str | None) -> SourceSpec:
        """Return the mailbox of a token.

        Raises:
            NeedsApproval: There is no valid token.
        """
        return self._good(token).action.source

    async def redeem(self, token: str | None, action: PeerAction, *, principal: Principal) -> None:
        """Use up a token for the action as it would be done now.

        Args:
            token: The caller's token.
            action: The action, rebuilt from the mailbox, so that a person's yes covers exactly what is done.
            principal: The caller; a person needs no further consent.

        Raises:
            NeedsApproval: The token is for another action, was used or has expired, or nobody has said yes; do nothing.
        """
        kept = self._good(token)
        meant = kept.action
        if (meant.name, meant.account, meant.exact) != (action.name, action.account, action.exact):
            raise NeedsApproval("This confirmation token is for something else; nothing was done.")
        del self._kept[token or ""]  # before any await, so that it can be used only once
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
        """Use up a person's yes to exactly this action; if there is none, ask for it.

        Raises:
            NeedsApproval: They said no, or have not answered.
        """
        answer = await asyncio.to_thread(answer_to, self._app, action.build_request(principal))
        if answer is None:
            await asyncio.to_thread(put_up, self._app, action.build_request(principal))
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
