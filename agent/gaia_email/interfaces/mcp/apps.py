"""The inbox as a card in clients that render MCP Apps; others get the text. Entry point: `add_inbox_card`.

The page is ours, loads nothing and speaks to its host alone (the extension `io.modelcontextprotocol/ui`,
https://apps.extensions.modelcontextprotocol.io). What mail says is set in it as text. It can ask why a thread is where
it is, and can change nothing.
"""

from __future__ import annotations

from importlib.resources import files

from fastmcp import FastMCP
from fastmcp.apps import UI_MIME_TYPE, AppConfig, ResourceCSP

URI = "ui://gaia-email/inbox"
INBOX_CARD = AppConfig(resource_uri=URI)
"""Of the tools whose answer the card shows."""


def add_inbox_card(server: FastMCP[None]) -> None:
    """Give the server the page; no origin is allowed to it."""
    nowhere = ResourceCSP(connect_domains=[], resource_domains=[], frame_domains=[])

    @server.resource(
        URI,
        name="inbox",
        description="The sorted inbox as a card.",
        mime_type=UI_MIME_TYPE,
        app=AppConfig(csp=nowhere, prefers_border=True),
    )
    def inbox_card() -> str:
        return (files("gaia_email.interfaces.mcp") / "inbox_card.html").read_text(encoding="utf-8")
