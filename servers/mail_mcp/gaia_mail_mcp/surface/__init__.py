"""The whole tool surface over any `Mailbox`. Entry point: `server.create_server`."""
