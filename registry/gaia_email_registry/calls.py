"""One exact tool call, as gate and servers fingerprint it. Entries: `ToolCall.of`, `ToolCall.of_server`, `call_digest`.

Arguments are parsed as a server parses them before anything is decided: synonyms get their canonical name, single
texts become lists, and missing arguments get their default. So no other spelling of a call has another risk or
another fingerprint.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast, get_args

from gaia_email_registry.contract.tools import TOOLS, RiskTier, effective_risk
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email_registry.contract.inputs import ToolInput

RISK_TIERS: tuple[RiskTier, ...] = get_args(RiskTier)

_TOKEN = "confirm"
"""The argument for a server's own confirmation; never part of a call, and never accepted from a caller."""


def call_digest(*parts: object) -> str:
    """Return the SHA-256 of the canonical JSON of `parts`, in hexadecimal."""
    return _sha256(canonical(parts))


def canonical(value: object) -> str:
    """Return canonical JSON: sorted keys, no spaces, ASCII; equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def texts(value: object) -> list[str]:
    """Return the strings in a list argument; empty for any other type."""
    if not isinstance(value, (list, tuple)):
        return []
    return [item for item in value if isinstance(item, str)]  # pyright: ignore[reportUnknownVariableType]


def message_of(arguments: Mapping[str, object]) -> str | None:
    """Return the single message ID in a call's arguments, or None."""
    named = arguments.get("message_id", arguments.get("messageId"))
    return named if isinstance(named, str) else None


def messages_of(arguments: Mapping[str, object]) -> list[str]:
    """Return all message IDs in a call's arguments."""
    one = message_of(arguments)
    return texts(arguments.get("messageIds", arguments.get("ids"))) if one is None else [one]


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A tool call on one account; `text`, the canonical JSON of `[account, tool, arguments]`, is its whole state.

    A tool of another MCP server is named `server.tool`, and its risk tier follows the arguments.
    """

    text: str

    @classmethod
    def of(cls, account: str, tool: str, arguments: Mapping[str, object]) -> ToolCall:
        """Return the call of `tool` with these arguments.

        Raises:
            BadArgument: There is no such tool, or an argument is missing, wrong, or unknown.
        """
        from gaia_email_registry.contract import inputs

        if tool not in TOOLS:
            raise BadArgument(f"There is no mail tool called {tool[:60]!r}.", argument="tool")
        model = getattr(inputs, TOOLS[tool].input)
        given = {name: value for name, value in arguments.items() if name != _TOKEN}
        read, dropped = inputs.read_arguments(cast("type[inputs.ToolInput]", model), given)
        if dropped:
            raise BadArgument(f"{tool} takes no argument {dropped[0]!r}.", argument=dropped[0])
        return cls.of_input(account, tool, read)

    @classmethod
    def of_input(cls, account: str, tool: str, read: ToolInput) -> ToolCall:
        """Return the call of `tool` with arguments that are already parsed."""
        exact = read.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={_TOKEN})
        return cls(text=canonical([account, tool, exact]))

    @classmethod
    def of_server(cls, account: str, name: str, arguments: Mapping[str, object], risk: RiskTier) -> ToolCall:
        """Return the call of `server.tool` for an account; the caller checks the arguments by the tool's schema."""
        return cls(text=canonical([account, name, dict(arguments), risk]))

    @classmethod
    def from_parts(cls, account: str, tool: str, arguments: Mapping[str, object], risk: object) -> ToolCall:
        """Return a call whose parts were stored separately; `risk` is only used for tools of other servers.

        Raises:
            BadArgument: As for `of`.
        """
        for tier in RISK_TIERS:
            if "." in tool and tier == risk:
                return cls.of_server(account, tool, arguments, tier)
        return cls.of(account, tool, arguments)

    @classmethod
    def parse(cls, text: str) -> ToolCall:
        """Parse a call from its canonical JSON, with the checks of a new one.

        Raises:
            BadArgument: The text is not a stored call, or was altered.
        """
        try:
            account, tool, arguments, *risk = json.loads(text)
        except (ValueError, TypeError):
            raise BadArgument("That is not a stored tool call.") from None
        call = cls.from_parts(str(account), str(tool), dict(arguments), next(iter(risk), None))
        if call.text != text:
            raise BadArgument("That stored tool call is not as it was written.")
        return call

    @cached_property
    def _parts(self) -> tuple[str, str, dict[str, object], RiskTier | None]:
        account, tool, arguments, *risk = json.loads(self.text)
        return account, tool, arguments, next(iter(risk), None)

    @property
    def account(self) -> str:
        """The account, as reported by its server."""
        return self._parts[0]

    @property
    def tool(self) -> str:
        """The name of the tool."""
        return self._parts[1]

    @property
    def server(self) -> str:
        """The MCP server of the tool; empty for a tool of the mail contract."""
        return self.tool.partition(".")[0] if self._parts[3] is not None else ""

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments under their wire names; a new object each time."""
        arguments: dict[str, object] = json.loads(self.text)[2]
        return arguments

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the canonical JSON, in hexadecimal."""
        return _sha256(self.text)

    @property
    def risk(self) -> RiskTier:
        """The risk tier; for tools of the contract, arguments can raise or lower it."""
        return self._parts[3] or effective_risk(self.tool, self._parts[2])
