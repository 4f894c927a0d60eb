"""Who sent a message, as far as headers and domains tell."""
