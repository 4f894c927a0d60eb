"""An IMAP account as an MCP server. Run `gaia-imap-mcp`, or call `gaia_imap_mcp.server.open_server`."""
