"""The sender of a message, as far as headers and domains show."""
