"""Contracts of other products that a server speaks beside its own. Entries: `HttpContract`, `contract_of`, `prefix_of`.

One contract is at the root of a server; every other one is below its own prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from gaia_email.plugins import installed_plugins

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from gaia_email.interfaces.http.plugged import HttpHost
    from gaia_email.interfaces.http.refusal import HttpRefusal

OWN = "own"
"""Name of our own contract."""


@dataclass(frozen=True, kw_only=True)
class HttpContract:
    """A contract of another product; it has the name of its plug-in.

    Attributes:
        routes: Returns its routes on one server, below a prefix.
        body: Returns a refusal in its shape.
        answer: Returns the answer for an error.
    """

    routes: Callable[[HttpHost, str], Sequence[BaseRoute]]
    body: Callable[[HttpRefusal], bytes]
    answer: Callable[[Exception], Response]


@cache
def other_contracts() -> Mapping[str, HttpContract]:
    """Return the contracts of plug-ins, by name."""
    return {one.name: resolve_name(one.contract) for one in installed_plugins() if one.contract}


def contract_names() -> tuple[str, ...]:
    """Return the names of all contracts, ours first, without importing a plug-in."""
    return (OWN, *(plugin.name for plugin in installed_plugins() if plugin.contract))


def prefix_of(contract: str, root: str) -> str:
    """Return the prefix of a contract's paths on a server with `root` at its root; empty for the root itself."""
    return "" if contract == root else f"/{contract}"


def contract_of(path: str, root: str) -> HttpContract | None:
    """Return the contract to which a path belongs on a server with `root` at its root; None for our own."""
    for name in contract_names():
        if name != root and path.startswith(f"{prefix_of(name, root)}/"):
            return other_contracts().get(name)
    return other_contracts().get(root)
