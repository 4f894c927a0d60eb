"""Which mail accounts this machine already knows, so that nobody types what a file says. Entry: `look.discover`."""
