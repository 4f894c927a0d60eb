"""The program or person that asked for something, and the interface it came through. Entry: `RequestOrigin`."""

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
"""Kinds of askers.

`person` asked at a keyboard or in a browser, `program` ran a command, `gaia` is this program, and `unknown` is from
before origins were kept.
"""

OriginInterface = Literal["cli", "chat", "http", "mcp", "control", "automation", "agent", "unknown"]
"""Interfaces, by the names that the event log has for them; `agent` is the program's own work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOrigin:
    """The asker and the interface. Only an interface makes one: no text of mail, model or caller decides about it.

    Attributes:
        principal: The kind of asker.
        interface: The interface it came through.
        name: The name of the key, agent, client or automation; empty for the others.
    """

    principal: PrincipalKind
    interface: OriginInterface
    name: str = ""

    def to_text(self) -> str:
        """Return the origin as it is stored."""
        return json.dumps(asdict(self), ensure_ascii=True, sort_keys=True)


UNKNOWN = RequestOrigin(principal="unknown", interface="unknown")
"""The origin of what an earlier version stored."""

OURS = RequestOrigin(principal="gaia", interface="agent")
"""The origin of what this program notices by itself."""

AUTOMATION = RequestOrigin(principal="automation", interface="automation")
"""The origin of what automations do where none is named."""

SCHEDULED = RequestOrigin(principal="schedule", interface="agent")
"""The origin of what a schedule of the user's starts."""

_PRINCIPALS = {kind: kind for kind in get_args(PrincipalKind)}
_INTERFACES = {name: name for name in get_args(OriginInterface)}


def origin_from_text(text: str) -> RequestOrigin:
    """Read a stored origin. Text that is none, as in rows of an earlier version, gives `UNKNOWN`."""
    try:
        found = json.loads(text)
        return RequestOrigin(
            principal=_PRINCIPALS[found["principal"]],
            interface=_INTERFACES[found["interface"]],
            name=str(found["name"])[:200],
        )
    except (ValueError, TypeError, KeyError):
        return UNKNOWN
