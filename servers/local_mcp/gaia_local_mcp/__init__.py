"""Mail files on this machine (Maildir, mbox, folders of `.eml`) as an MCP mail server."""
