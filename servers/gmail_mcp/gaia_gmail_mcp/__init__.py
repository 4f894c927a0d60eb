"""The Gmail backend: a `Mailbox` over Google's API, and the `gaia-gmail-mcp` server. Entry: `server.main`."""
