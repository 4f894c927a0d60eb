"""The agent as an MCP server: `gaia-email-mcp`."""
