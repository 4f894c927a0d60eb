"""The lowest layer: mail tools and their risk, settings, servers and accounts."""
