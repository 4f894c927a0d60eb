"""How pages have an operation done. Entry: `PerformOperation`."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

from starlette.requests import Request

from gaia_email.app.operations.operation import Operation

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
