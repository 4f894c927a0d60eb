"""Resources and prompts of a server, made when a client first asks for them. Entry: `Extras`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastmcp.server.providers.base import Provider

from gaia_mail_mcp.surface.accounts import LazySurface

if TYPE_CHECKING:
    from fastmcp.prompts.base import Prompt
    from fastmcp.resources.base import Resource
    from fastmcp.resources.template import ResourceTemplate
    from fastmcp.utilities.components import FastMCPComponent


class Extras(Provider):
    """What a server has besides tools."""

    def __init__(self, surface: LazySurface) -> None:
        super().__init__()
        self._surface = surface

    async def get_tasks(self) -> Sequence[FastMCPComponent]:
        """None runs in the background; FastMCP asks at start, and its own way makes everything to find out."""
        return ()

    async def _list_resources(self) -> Sequence[Resource]:
        from gaia_mail_mcp.surface.resources import resources

        return resources(self._surface)

    async def _list_resource_templates(self) -> Sequence[ResourceTemplate]:
        from gaia_mail_mcp.surface.resources import templates

        return templates(self._surface)

    async def _list_prompts(self) -> Sequence[Prompt]:
        from gaia_mail_mcp.surface.prompts import prompts

        return prompts()
