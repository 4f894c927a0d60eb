"""How pages have an operation done. Entries: `PageOperations`, `PageRoutes`, `accounts_in_use`."""

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
    """Does an operation as whoever sent the request, with every check of theirs."""

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
        """Its document.

        Raises:
            MailError: It was refused, or failed.
        """
        ...


@dataclass(slots=True)
class PageOperations:
    """Has operations done by name, for what answers the pages' requests."""

    perform: PerformOperation

    async def ask(
        self, request: Request, name: str, value: Json | None = None, account: str = "", session_id: str = ""
    ) -> Json:
        """The document of an operation.

        Raises:
            MailError: It was refused, or failed.
        """
        return await self.perform(
            request, OPERATIONS[name], value or {}, account=account, session_id=session_id
        )


async def accounts_in_use(perform: PerformOperation, request: Request) -> list[str]:
    """The accounts that are on; one without a name where the server shows a mailbox that is none of them."""
    status = await perform(request, state.status, {"quick": True})
    return [one["id"] for one in status["accounts"] if one["enabled"]] or [""]


PageHandler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRoutes:
    """What one module of pages answers, by name below `/ui/`: `shown` what is looked at, `changed` what is posted."""

    shown: Mapping[str, PageHandler]
    changed: Mapping[str, PageHandler]
