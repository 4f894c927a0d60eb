"""Selects the mailbox of a call; with several, every tool takes `account`. Entry: `Accounts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings

if TYPE_CHECKING:
    from gaia_mail_mcp.surface.approval.channel import ApprovalMemory
    from gaia_mail_mcp.surface.call import Surface

ARGUMENT = "account"


class LazyApprovalMemory:
    """Memory of a server's approval questions, created with its first surface."""

    __slots__ = ("_made", "_settings")

    def __init__(self, settings: ApprovalSettings) -> None:
        self._settings = settings
        self._made: ApprovalMemory | None = None

    def get(self) -> ApprovalMemory:
        """Return the server's memory, created by the first call."""
        if self._made is None:
            from gaia_mail_mcp.surface.approval.channel import ApprovalMemory

            self._made = ApprovalMemory(settings=self._settings)
        return self._made

    async def aclose(self) -> None:
        """Close the memory, if it was created."""
        if self._made is not None:
            await self._made.aclose()


class LazySurface:
    """The `Surface` of a server, created by the first call so that start-up does not import its dependencies."""

    __slots__ = ("_made", "_memory", "settings", "source")

    def __init__(self, source: MailboxSource, settings: SurfaceSettings, memory: LazyApprovalMemory) -> None:
        self.source = source
        self.settings = settings
        self._memory = memory
        self._made: Surface | None = None

    def get(self) -> Surface:
        """Return the server's surface, created by the first call."""
        if self._made is None:
            from gaia_mail_mcp.surface.call import Surface

            self._made = Surface(source=self.source, settings=self.settings, memory=self._memory.get())
        return self._made


class Accounts:
    """The surface of each account by name; the first is the default."""

    def __init__(self, surfaces: Mapping[str, LazySurface]) -> None:
        self._surfaces = dict(surfaces)

    @property
    def first(self) -> LazySurface:
        """The surface used if no account is named."""
        return next(iter(self._surfaces.values()))

    @property
    def described(self) -> str:
        """Description of the accounts, for a model that is about to call."""
        if len(self._surfaces) < 2:
            return "Mail of one account."
        return f"Mail of the accounts {', '.join(self._surfaces)}; without account the first is meant."

    def schema(self, parameters: dict[str, object], *, named: bool) -> dict[str, object]:
        """Return a tool's input schema, with `account` if there is a choice.

        The names are listed only if `named`: one tool of the list has them, because every conversation pays for the
        list.
        """
        properties = parameters.get("properties")
        if len(self._surfaces) < 2 or not _is_object(properties):
            return parameters
        choice: dict[str, object] = {"type": "string"}
        if named:
            choice["enum"] = list(self._surfaces)
        return {**parameters, "properties": {**properties, ARGUMENT: choice}}

    def pick(self, arguments: Mapping[str, object]) -> tuple[LazySurface, Mapping[str, object]]:
        """Return the mailbox of a call, and the remaining arguments.

        Raises:
            BadArgument: There is no such account.
        """
        if len(self._surfaces) < 2 or ARGUMENT not in arguments:
            return self.first, arguments
        name = arguments[ARGUMENT]
        rest = {key: value for key, value in arguments.items() if key != ARGUMENT}
        if name is None or name == "":
            return self.first, rest
        for known, surface in self._surfaces.items():
            if str(name).casefold() in (known.casefold(), surface.source.account.casefold()):
                return surface, rest
        names = ", ".join(known or surface.source.account for known, surface in self._surfaces.items())
        raise BadArgument(
            f"There is no account {str(name)[:80]!r} here; there is {names}.", argument=ARGUMENT
        )


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
