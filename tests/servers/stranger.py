"""An MCP server with a surface of its own, which is no mailbox: it tells the weather."""

from __future__ import annotations

from fastmcp import FastMCP

server: FastMCP[None] = FastMCP("weather")


@server.tool
def weather(place: str) -> str:
    """The weather at a place."""
    return f"fine at {place}"


if __name__ == "__main__":
    server.run(show_banner=False)
