"""Drops optional arguments that a client sends empty or as the word null. Entry: `blank_arguments`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp_types import CallToolRequestParams
from typing_extensions import override

from gaia_email_registry.contract.fields import without_blanks


def blank_arguments(server: FastMCP[None]) -> Middleware:
    """Return middleware that reads tool arguments the way our mail servers do."""
    return _BlankArguments(server)


class _BlankArguments(Middleware):
    def __init__(self, server: FastMCP[None]) -> None:
        self._server = server

    @override
    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        given = context.message.arguments
        tool = await self._server.get_tool(context.message.name) if given else None
        if tool is None or not given:
            return await call_next(context)
        kept = without_blanks(given, optional=_optional(tool.parameters))
        return await call_next(context.copy(message=context.message.model_copy(update={"arguments": kept})))


def _optional(schema: Mapping[str, Any]) -> dict[str, bool]:
    """Return the optional arguments of a schema, each with True if it is a list."""
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    return {
        name: "array" in str(told.get("type", told.get("anyOf", "")))
        for name, told in properties.items()
        if name not in schema.get("required", ())
    }
