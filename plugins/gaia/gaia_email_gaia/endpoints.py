"""An endpoint of the contract. Entries: `PeerEndpoint`, `endpoint`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from gaia_email.interfaces.scoped import RouteScope
from gaia_email_gaia import inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerCall:
    """An authorized request.

    Attributes:
        asked: Its input, of the endpoint's own type.
    """

    request: Request
    asked: Any


PeerHandle = Callable[[PeerCall], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerEndpoint:
    """One endpoint of the contract.

    Attributes:
        path: The peer's path, below the prefix.
        answer: The type of the answer; None for a stream of events.
        scope: The scope that the caller needs.
        asked: The type of the body, or of the query; None for no input.
    """

    method: str
    path: str
    handle: PeerHandle
    summary: str
    answer: type | None
    scope: RouteScope
    asked: type[inputs.PeerInput] | None


def endpoint(
    where: str,
    handle: PeerHandle,
    answer: type | None,
    asked: type[inputs.PeerInput] | None = None,
    *,
    scope: RouteScope,
) -> PeerEndpoint:
    """Return the endpoint at `where`, a method and a path; its summary is the first line of the handler's docstring."""
    method, _, path = where.partition(" ")
    return PeerEndpoint(
        method=method,
        path=path,
        handle=handle,
        summary=(handle.__doc__ or "").partition("\n")[0],
        answer=answer,
        scope=scope,
        asked=asked,
    )
