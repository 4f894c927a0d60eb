"""The `gaia-graph-mcp` server: Outlook.com and Microsoft 365 mailboxes behind the tools of every mail server."""
