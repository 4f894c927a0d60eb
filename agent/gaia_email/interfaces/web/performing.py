"""Calls to operations from the pages. Entries: `PageOperations`, `PageRoutes`, `accounts_in_use`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.operations import state
from gaia_email.app.operations.operation import Operation
from gaia_email.app.operations.table import OPERATIONS

Json = dict[str, Any]


class PerformOperation(Protocol):
    """Performs an operation on behalf of the request's sender, with all permission checks."""

    def __call__(
        self,
        request: Request,
        operation: Operation[Any],
        value: Json,
        *,
        account: str = "",
        words: bool = False,
        session_id: str = "",
    ) -> Awaitable[Json]:
        """Return the operation's document.

        Raises:
            MailError: It was refused, or failed.
        """
        ...


@dataclass(slots=True)
class PageOperations:
    """Base of page handlers, which perform operations by name."""

    perform: PerformOperation

    async def ask(
        self, request: Request, name: str, value: Json | None = None, account: str = "", session_id: str = ""
    ) -> Json:
        """Perform an operation and return its document.

        Raises:
            MailError: It was refused, or failed.
        """
        return await self.perform(
            request, OPERATIONS[name], value or {}, account=account, session_id=session_id
        )


async def accounts_in_use(perform: PerformOperation, request: Request) -> list[str]:
    """Return the enabled accounts; a single empty name if the server shows another mailbox."""
    status = await perform(request, state.status, {"quick": True})
    return [one["id"] for one in status["accounts"] if one["enabled"]] or [""]


PageHandler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRoutes:
    """A module's routes by name below `/ui/`: `shown` for GET, `changed` for POST."""

    shown: Mapping[str, PageHandler]
    changed: Mapping[str, PageHandler]
