"""The chat interface: takes a line from the user, emits events."""
