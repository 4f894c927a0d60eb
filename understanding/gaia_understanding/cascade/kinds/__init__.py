"""The kind of a message, and the group of its sender."""
