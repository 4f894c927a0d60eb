"""Who a request comes from, as far as its credential says. Entries: `Principal`, `principal_of`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from starlette.requests import HTTPConnection

HttpScope = Literal["read", "draft", "act"]
"""What an API key may be used for; `act` never stands for a person's word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who asks.

    Attributes:
        name: For counts and logs: `token`, `person`, or the name of an API key.
        is_person: Whether it is a person in a session of their own.
        scopes: What it may ask for.
    """

    name: str
    is_person: bool = False
    scopes: frozenset[HttpScope] = frozenset(("read", "draft", "act"))


def principal_of(request: HTTPConnection) -> Principal:
    """Who sent a request that was let through (`credentials` puts it there)."""
    found = request.scope["gaia.principal"]
    assert isinstance(found, Principal)
    return found
