"""The inbox as a card in clients that render MCP Apps; others get the text. Entry point: `add_inbox_card`.

The page is our own, loads nothing and communicates only with its host (the extension `io.modelcontextprotocol/ui`,
https://apps.extensions.modelcontextprotocol.io). Text from mail is inserted as plain text. The page can ask why a
thread is in its bucket, but cannot change anything.
"""

from __future__ import annotations

from importlib.resources import files

from fastmcp import FastMCP
from fastmcp.apps import UI_MIME_TYPE, AppConfig, ResourceCSP

URI = "ui://gaia-email/inbox"
INBOX_CARD = AppConfig(resource_uri=URI)
"""Configuration of the tools whose answer the card shows."""


def add_inbox_card(server: FastMCP[None]) -> None:
    """Add the card page to the server; its policy allows no other origin."""
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
