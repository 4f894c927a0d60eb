"""Framework that turns any mailbox into an MCP server: the mailbox protocol, the tool surface, and logins."""
