"""A mailbox as the agent knows it: which it is, its tools, and the one copy of its mail."""
