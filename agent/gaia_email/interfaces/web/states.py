"""Agent and account states on the pages: shown instead of unavailable mail, with their remedies.

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
from gaia_email.interfaces.web.posting import note, only, read_form
from gaia_email.interfaces.web.rendering import fragment
from gaia_email_registry.errors import MailError

Json = dict[str, Any]

UNAVAILABLE = 503
"""Status of a page shown in place of another one (RFC 9110 section 15.6.4)."""


def state_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes of the states' buttons."""
    changes = _Remedies(perform)
    return PageRoutes(shown={}, changed={"enable": changes.enable, "end-travel": changes.end_travel})


def stating(perform: PerformOperation, handle: PageHandler) -> PageHandler:
    """Wrap a page's handler: if a state makes its mail unavailable, show the state instead."""

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
    """Return the document of `status`, or a minimal one with the reason if it is unavailable."""
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
    """Return the states under which newer mail than shown may exist."""
    rows: list[Mapping[str, Any]] = (await state_of_frame(perform, request))["states"]
    return [row for row in rows if STATES[row["state"]].again_s]


async def _holding(
    perform: PerformOperation, request: Request, state: StateName, error: MailError
) -> Sequence[Mapping[str, Any]]:
    """Return the states that explain an error: those of the accounts if it may come from one, or else its own."""
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
        """Enable an account again."""
        account = only(await read_form(request), "account")
        found = await self.ask(request, "enable", {"account": account})
        return note(N_("Switched on"), len(found["accounts"]))

    async def end_travel(self, request: Request) -> Response:
        """End travel mode early."""
        await self.ask(request, "travel", {"until": "off"})
        return note(N_("Travel mode is over"))
