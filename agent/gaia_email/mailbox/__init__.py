"""The agent's view of a mailbox: its identity, its tools, and the local copy of its mail."""
