"""A mailbox on an IMAP server as an MCP mail server."""
