"""Finds mail accounts that this machine already knows, so that users need not type them. Entry: `look.discover`."""
