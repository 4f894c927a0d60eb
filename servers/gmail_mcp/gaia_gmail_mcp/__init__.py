"""Gmail as a `Mailbox`, and the `gaia-gmail-mcp` server over it. Entry: `server.main`."""
