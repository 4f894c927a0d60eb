"""Talking with the agent: a line of the user in, events out."""
