"""Tools built from operations. Entry: `add_operation_tools`.

Only operations that need no consent become tools. The parameters are the operation's input, the annotations come from
its risk, and the answer is a selection of its document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from fastmcp import FastMCP
from fastmcp.tools.base import Tool, ToolResult
from mcp_types import ToolAnnotations
from pydantic import PrivateAttr
from typing_extensions import override

from gaia_email.app.documents.short import short
from gaia_email.app.operations.offers import AgentTool
from gaia_email.app.operations.operation import Operation, OperationRisk
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.mcp.served_mailbox import (
    OBJECT,
    READ,
    REPEATABLE,
    ServedMailbox,
    answer,
    tool_error,
)
from gaia_email_registry.errors import BadArgument, MailError

ANNOTATIONS: Mapping[OperationRisk, ToolAnnotations] = {"read": READ, "restrain": REPEATABLE}
"""Annotations by risk, for the operations that a model may call without asking."""


@dataclass(frozen=True, slots=True)
class OperationToolForm:
    """An operation's tool, as offered to a model."""

    operation: Operation[Any]
    tool: AgentTool

    @property
    def takes(self) -> Mapping[str, str]:
        """Mapping of each parameter to its input field."""
        if self.tool.takes is not None:
            return self.tool.takes
        return {one.name: one.name for one in msgspec.structs.fields(self.operation.input)}

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        whole: dict[str, Any] = self.operation.input_schema
        known, required = whole["properties"], whole["required"]
        found = {name: dict(known[at]) for name, at in self.takes.items()}
        for name, most in self.tool.most.items():
            found[name]["maximum"] = most
        needed = [name for name, at in self.takes.items() if at in required]
        told = {"type": "object", "properties": found, "additionalProperties": False}
        return {**told, "required": needed} if needed else told

    def read_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the operation's input for a call's arguments.

        Raises:
            BadArgument: A parameter is unknown, or a number is too large.
        """
        for name, value in arguments.items():
            if name not in self.takes:
                raise BadArgument(f"There is no parameter {name[:60]!r}; there are {', '.join(self.takes)}.")
            if isinstance(value, int) and value > self.tool.most.get(name, value):
                raise BadArgument(f"{name} is at most {self.tool.most[name]}.", argument=name)
        return {self.takes[name]: value for name, value in arguments.items()}


class OperationTool(Tool):
    """An MCP tool that calls an operation."""

    _form: OperationToolForm = PrivateAttr()
    _served: ServedMailbox = PrivateAttr()

    @classmethod
    def of(cls, form: OperationToolForm, served: ServedMailbox) -> OperationTool:
        """Return the tool for a form.

        Raises:
            KeyError: The operation needs the user's consent.
        """
        tool = cls(
            name=form.tool.name or form.operation.name,
            description=form.tool.description or form.operation.summary,
            parameters=form.parameters,
            output_schema=OBJECT,
            annotations=ANNOTATIONS[form.operation.risk],
        )
        tool._form, tool._served = form, served
        return tool

    @override
    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Call the operation and return the selected fields of its document.

        Raises:
            ToolError: It failed or the arguments are invalid; the text is for the user and the model.
        """
        form = self._form
        try:
            asked = form.operation.read(form.read_arguments(arguments))
        except MailError as error:
            raise tool_error(error) from None
        document = await self._served.document(form.operation, asked)
        return answer(
            short(document, form.tool.fields or list(document), without_empty=form.tool.without_empty)
        )


def add_operation_tools(server: FastMCP[None], served: ServedMailbox, risk: OperationRisk) -> None:
    """Add the tools of all operations with this risk to the server."""
    for operation in OPERATIONS.values():
        for tool in operation.tools if operation.risk == risk else ():
            server.add_tool(OperationTool.of(OperationToolForm(operation, tool), served))
