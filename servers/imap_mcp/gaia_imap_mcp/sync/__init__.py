"""Brings the index in line with the server."""
