"""What turns any mailbox into an MCP server: MIME, threads, search, the mailbox protocol, the tool surface."""
