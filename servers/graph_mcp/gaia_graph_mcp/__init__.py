"""`gaia-graph-mcp`: Outlook.com and Microsoft 365 mailboxes behind the tools that every mail server has."""
