"""A FastMCP tool whose schema comes ready-made and whose code is imported when it is first called.

Entries: `ContractTool`, `MailServer` and `Extras`; `server.create_server` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from fastmcp import FastMCP
from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_context
from fastmcp.server.providers.base import Provider
from fastmcp.tools.base import Tool, ToolResult
from fastmcp.utilities.versions import VersionSpec
from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations
from pydantic import PrivateAttr
from typing_extensions import override

from gaia_email_registry.contract.tools import ToolSpec
from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.surface.accounts import Accounts, LazySurface

if TYPE_CHECKING:
    from fastmcp.prompts.base import Prompt
    from fastmcp.resources.base import Resource
    from fastmcp.resources.template import ResourceTemplate
    from fastmcp.utilities.components import FastMCPComponent

NAMING = "server_status"
"""The tool whose `account` says which there are; the others take the same names."""


class ContractTool(Tool):
    """One tool of the contract over one mailbox."""

    _accounts: Accounts = PrivateAttr()
    _listed: ListedTool = PrivateAttr()

    @classmethod
    def make(
        cls,
        spec: ToolSpec,
        accounts: Accounts,
        schema: dict[str, dict[str, object]],
        *,
        lean: bool,
    ) -> ContractTool:
        """The tool of `spec`; `lean` leaves out the output schema.

        No tool has a title: clients show its name, which says the same.
        """
        tool = cls(
            name=spec.name,
            description=spec.description,
            parameters=accounts.schema(schema["input"], named=spec.name == NAMING),
            output_schema=None if lean else schema["output"],
            annotations=_annotations(spec),
        )
        tool._accounts = accounts
        tool._listed = ListedTool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.parameters,
            output_schema=tool.output_schema,
            annotations=tool.annotations,
        )
        return tool

    def to_mcp_tool(self, **overrides: object) -> ListedTool:
        """As it is listed: without FastMCP's own metadata, which nobody reads and every byte counts."""
        changed = {key: value for key, value in overrides.items() if value != self.name}
        return self._listed.model_copy(update=changed) if changed else self._listed

    async def run(self, arguments: dict[str, object]) -> ToolResult:
        """Call the handler; every failure is a result with `isError`, never an exception.

        A client that gave a progress token hears how far a mailbox is that reads itself in.
        """
        from gaia_mail_mcp.progress import telling
        from gaia_mail_mcp.surface.dispatch import call_tool, failed

        try:
            surface, rest = self._accounts.pick(arguments)
        except BadArgument as error:
            return failed(self.name, error)
        async with telling(_report):
            return await call_tool(surface.get(), self.name, rest)


class MailServer(FastMCP[None]):
    """Looks its tools up in a table, and calls them.

    FastMCP's own way asks every provider, transform and the session which versions are visible, takes a call
    through its middleware twice and looks through every answer for parts of interactive cards. Here nothing is
    hidden and no tool has cards, and that costs a call as much as reading its message does. With a middleware it
    is asked after all.
    """

    own: Mapping[str, ContractTool] = MappingProxyType({})

    @override
    async def get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:
        return self.own.get(name) or await super().get_tool(name, version)

    @override
    async def list_tools(self, *, run_middleware: bool = True) -> Sequence[Tool]:
        if self.middleware:
            return await super().list_tools(run_middleware=run_middleware)
        return list(self.own.values())

    @override
    async def call_tool(
        self,
        name: str,
        arguments: dict[str, object] | None = None,
        *,
        version: VersionSpec | None = None,
        run_middleware: bool = True,
    ) -> ToolResult:
        tool = self.own.get(name)
        if tool is None or self.middleware:
            return await super().call_tool(name, arguments, version=version, run_middleware=run_middleware)
        async with Context(fastmcp=self):  # how a tool reports progress and asks the user
            return await tool.run(arguments or {})


class Extras(Provider):
    """Resources and prompts of a server, made when a client first asks for them."""

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


async def _report(done: float, total: float | None) -> None:
    await get_context().report_progress(done, total)


def _annotations(spec: ToolSpec) -> ToolAnnotations:
    if spec.risk == "read":
        return ToolAnnotations(read_only_hint=True)
    return ToolAnnotations(
        destructive_hint=spec.risk == "destructive", idempotent_hint=True if spec.idempotent else None
    )
