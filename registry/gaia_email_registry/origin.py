"""The origin of a request: a program or user, and the interface used. Entry: `RequestOrigin`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal, get_args

PrincipalKind = Literal[
    "person",
    "program",
    "api_token",
    "api_key",
    "agent",
    "mcp_client",
    "automation",
    "schedule",
    "gaia",
    "unknown",
]
"""Kinds of principals.

`person` acted at a keyboard or in a browser, `program` ran a command, `gaia` is this program, and `unknown` is from
before origins were recorded.
"""

OriginInterface = Literal["cli", "chat", "http", "mcp", "control", "automation", "agent", "unknown"]
"""Interfaces, by their names in the event log; `agent` is the program's own work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOrigin:
    """The principal and the interface. Only an interface creates one: no text from mail, model or caller influences it.

    Attributes:
        principal: The kind of principal.
        interface: The interface of the request.
        name: The name of the key, agent, client or automation; empty for the others.
    """

    principal: PrincipalKind
    interface: OriginInterface
    name: str = ""

    def to_text(self) -> str:
        """Return the origin in its stored form."""
        return json.dumps(asdict(self), ensure_ascii=True, sort_keys=True)


UNKNOWN = RequestOrigin(principal="unknown", interface="unknown")
"""The origin of entries stored by an earlier version."""

OURS = RequestOrigin(principal="gaia", interface="agent")
"""The origin of this program's own observations."""

AUTOMATION = RequestOrigin(principal="automation", interface="automation")
"""The origin of an automation's actions if no automation is named."""

SCHEDULED = RequestOrigin(principal="schedule", interface="agent")
"""The origin of work started by a schedule of the user."""

_PRINCIPALS = {kind: kind for kind in get_args(PrincipalKind)}
_INTERFACES = {name: name for name in get_args(OriginInterface)}


def origin_from_text(text: str) -> RequestOrigin:
    """Parse a stored origin. Invalid text, as in rows of an earlier version, gives `UNKNOWN`."""
    try:
        found = json.loads(text)
        return RequestOrigin(
            principal=_PRINCIPALS[found["principal"]],
            interface=_INTERFACES[found["interface"]],
            name=str(found["name"])[:200],
        )
    except (ValueError, TypeError, KeyError):
        return UNKNOWN
