"""A mailbox's tools for the program that runs it in its own process: a server's results without the protocol.

Entry: `EmbeddedTools`. The program asks its user itself, so nothing is asked here. Neither FastMCP nor the SDK is
imported: for a command line, that takes longer than reading a mailbox of typical size.
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
        """Create the tools; the first call opens the mailbox.

        Raises:
            BadArgument: `settings.enabled_tools` contains an unknown tool or group.
            ValueError: The settings ask the user, which only servers do.
        """
        if settings.approval.way != "caller":
            raise ValueError("who embeds a mailbox asks the user itself")
        self._source = MailboxSource.of(mailbox)
        self._surface = LazySurface(self._source, settings, LazyApprovalMemory(settings.approval))
        self._names = {spec.name for spec in listed_tools(mailbox, settings)}

    def arguments(self) -> Mapping[str, frozenset[str]]:
        """Return the argument names of every available tool."""
        found: dict[str, frozenset[str]] = {}
        for name, schema in published_schemas(confirmed=False).items():
            properties = schema["input"].get("properties")
            if name in self._names and isinstance(properties, dict):
                found[name] = frozenset(map(str, properties))  # pyright: ignore[reportUnknownArgumentType]
        return found

    async def reply(self, tool: str, arguments: Mapping[str, object], *, timeout_s: float) -> ToolReply:
        """Return the reply of a tool; failures are replies too."""
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
