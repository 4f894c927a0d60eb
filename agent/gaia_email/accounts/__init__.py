"""Connecting and disconnecting accounts."""
