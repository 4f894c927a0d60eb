"""FastMCP tools with ready-made schemas, whose code is imported by the first call.

Entries: `ContractTool`, `MailServer` and `Extras`; `server.create_server` creates them.
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
"""The tool whose `account` lists the names of the accounts; the other tools take the same names."""


class ContractTool(Tool):
    """One tool of the contract for the server's mailboxes."""

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
        """Create the tool of `spec`; `lean` leaves out the output schema.

        Tools have no title: clients then show the name, which would be the same.
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
        """Return the tool for listing, without FastMCP's own metadata: it is not needed, and every byte counts."""
        changed = {key: value for key, value in overrides.items() if value != self.name}
        return self._listed.model_copy(update=changed) if changed else self._listed

    async def run(self, arguments: dict[str, object]) -> ToolResult:
        """Call the handler; a failure is a result with `isError`, never an exception.

        A client with a progress token is informed while a mailbox is read for the first time.
        """
        from gaia_mail_mcp.progress import telling
        from gaia_mail_mcp.surface.dispatch import call_tool, report_failure

        try:
            surface, rest = self._accounts.pick(arguments)
        except BadArgument as error:
            return report_failure(self.name, error)
        async with telling(_report):
            return await call_tool(surface.get(), self.name, rest)


class MailServer(FastMCP[None]):
    """Looks up and calls its tools in a table.

    FastMCP asks every provider, transform and the session for visible versions, passes a call through its middleware
    twice, and searches every result for parts of interactive cards. Here nothing is hidden and no tool has cards, and
    those steps take as long as reading a message. They are skipped unless there is middleware.
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
        async with Context(fastmcp=self):  # lets a tool report progress and ask the user
            return await tool.run(arguments or {})


class Extras(Provider):
    """Resources and prompts of a server, created when a client first asks for them."""

    def __init__(self, surface: LazySurface) -> None:
        super().__init__()
        self._surface = surface

    async def get_tasks(self) -> Sequence[FastMCPComponent]:
        """Return no background tasks. FastMCP asks at start; its default would create everything to find out."""
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
