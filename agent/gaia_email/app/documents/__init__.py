"""The JSON documents that commands print, one typed definition each."""
