"""What an endpoint of the contract is. Entries: `PeerEndpoint`, `endpoint`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from gaia_email.interfaces.http.gaia import inputs
from gaia_email.interfaces.scoped import RouteScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerCall:
    """One request that may be answered.

    Attributes:
        asked: What it is asked with, of the endpoint's own type.
    """

    request: Request
    asked: Any


PeerHandle = Callable[[PeerCall], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerEndpoint:
    """One endpoint of the contract.

    Attributes:
        path: As the peer has it, below the prefix.
        answer: The type of what it answers; None for a stream of events.
        scope: What who asks needs.
        asked: The type of its body, or of its query; None where it takes nothing.
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
    """The endpoint at `where`, a method and a path; the first line of what answers it says what it is for."""
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
