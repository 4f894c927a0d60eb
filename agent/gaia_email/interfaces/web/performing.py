"""How pages have an operation done. Entries: `PerformOperation`, `accounts_in_use`."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

from starlette.requests import Request

from gaia_email.app.operations.operation import Operation
from gaia_email.app.operations.state import STATUS

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


async def accounts_in_use(perform: PerformOperation, request: Request) -> list[str]:
    """The accounts that are on; one without a name where the server shows a mailbox that is none of them."""
    status = await perform(request, STATUS, {"quick": True})
    return [one["id"] for one in status["accounts"] if one["enabled"]] or [""]
