"""The tools of a mailbox for the program it is opened in: what a server answers, without a protocol between.

Entry: `EmbeddedTools`. The program asks its user itself, so nothing is asked here. Nothing of FastMCP or the SDK is
imported: that takes a command line longer than reading a mailbox of the usual size.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email_registry.errors import ProviderError
from gaia_mail_mcp.mailbox import Mailbox
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.accounts import LazyApprovalMemory, LazySurface
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.refusals import no_such_tool
from gaia_mail_mcp.surface.server import listed_tools, published_schemas

if TYPE_CHECKING:
    from gaia_mail_mcp.surface.call import ToolReply


class EmbeddedTools:
    """The tools of one mailbox, which it owns."""

    def __init__(self, mailbox: Mailbox | MailboxSource, settings: SurfaceSettings) -> None:
        """Nothing is opened before the first call.

        Raises:
            BadArgument: `settings.enabled_tools` names a tool or group that does not exist.
            ValueError: The settings want the user to be asked, which is for servers.
        """
        if settings.approval.way != "caller":
            raise ValueError("who embeds a mailbox asks the user itself")
        self._source = MailboxSource.of(mailbox)
        self._surface = LazySurface(self._source, settings, LazyApprovalMemory(settings.approval))
        self._names = {spec.name for spec in listed_tools(mailbox, settings)}

    def arguments(self) -> Mapping[str, frozenset[str]]:
        """The arguments of every tool there is."""
        found: dict[str, frozenset[str]] = {}
        for name, schema in published_schemas(confirmed=False).items():
            properties = schema["input"].get("properties")
            if name in self._names and isinstance(properties, dict):
                found[name] = frozenset(map(str, properties))  # pyright: ignore[reportUnknownArgumentType]
        return found

    async def reply(self, tool: str, arguments: Mapping[str, object], *, timeout_s: float) -> ToolReply:
        """What a tool answers; every failure is an answer, too."""
        from gaia_mail_mcp.surface.dispatch import reply_of
        from gaia_mail_mcp.surface.failures import failure

        if tool not in self._names:
            return failure(tool, no_such_tool(tool))
        try:
            async with asyncio.timeout(timeout_s):
                return await reply_of(self._surface.get(), tool, arguments)
        except TimeoutError:
            return failure(tool, ProviderError(f"{tool} did not end in {timeout_s:.0f} seconds."))

    async def aclose(self) -> None:
        """Close the mailbox."""
        await self._source.aclose()
