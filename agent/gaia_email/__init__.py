"""The agent: understands mail on this machine and knows mailboxes only through MCP tools."""
