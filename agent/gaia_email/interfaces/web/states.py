"""States as pages show them: in place of mail that cannot be had, and what a person does about them.

Entries: `state_routes`, `stating`, `state_of_frame`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.documents.states import STATES, HeldState, StateName
from gaia_email.app.languages.speaking import N_
from gaia_email.app.operations.state import status
from gaia_email.app.services.states import state_of_error
from gaia_email.document import json_of
from gaia_email.interfaces.web.performing import PageHandler, PageOperations, PageRoutes, PerformOperation
from gaia_email.interfaces.web.posting import note, only, posted
from gaia_email.interfaces.web.rendering import fragment
from gaia_email_registry.errors import MailError

Json = dict[str, Any]

UNAVAILABLE = 503
"""The status of a page that stands in for another one (RFC 9110 section 15.6.4)."""


def state_routes(perform: PerformOperation) -> PageRoutes:
    """What the buttons of states post."""
    changes = _Remedies(perform)
    return PageRoutes(shown={}, changed={"enable": changes.enable, "end-travel": changes.end_travel})


def stating(perform: PerformOperation, handle: PageHandler) -> PageHandler:
    """The handler of a page; where a state keeps it from its mail, that state is shown in its place."""

    async def answer(request: Request) -> Response:
        try:
            return await handle(request)
        except MailError as error:
            state = state_of_error(error)
            if state is None:
                raise
            rows = await _holding(perform, request, state, error)
            page = fragment("state.html", rows=rows, said=error.message)
            page.status_code = UNAVAILABLE
            return page

    return answer


async def state_of_frame(perform: PerformOperation, request: Request) -> Json:
    """The document of `status`; where that cannot be had, one that says only why."""
    try:
        return await perform(request, status, {"quick": True})
    except MailError as error:
        state = state_of_error(error)
        return {
            "accounts": [],
            "switches": {"stopped_at": None, "paused_at": None, "travel_until": None},
            "pending": {"confirmation": 0, "question": 0, "review": 0, "notify": 0},
            "problems": [] if state else [error.message],
            "states": [_alone(state, error)] if state else [],
        }


async def states_of_mail(perform: PerformOperation, request: Request) -> Sequence[Mapping[str, Any]]:
    """The states for which there may be newer mail than is shown."""
    rows: list[Mapping[str, Any]] = (await state_of_frame(perform, request))["states"]
    return [row for row in rows if STATES[row["state"]].again_s]


async def _holding(
    perform: PerformOperation, request: Request, state: StateName, error: MailError
) -> Sequence[Mapping[str, Any]]:
    """The states that explain an error: those of the accounts where it may be one's, else what it says itself."""
    if not STATES[state].hides_mail:
        rows: list[Mapping[str, Any]] = (await state_of_frame(perform, request))["states"]
        found = [row for row in rows if row["account"] or STATES[row["state"]].hides_mail]
        if found:
            return found
    return [_alone(state, error)]


def _alone(state: StateName, error: MailError) -> Mapping[str, Any]:
    return json_of(HeldState(state=state, said=error.message))


@dataclass(slots=True)
class _Remedies(PageOperations):
    async def enable(self, request: Request) -> Response:
        """Switch an account on again."""
        account = only(await posted(request), "account")
        found = await self.ask(request, "enable", {"account": account})
        return note(N_("Switched on"), len(found["accounts"]))

    async def end_travel(self, request: Request) -> Response:
        """End travel mode before its time."""
        await self.ask(request, "travel", {"until": "off"})
        return note(N_("Travel mode is over"))
