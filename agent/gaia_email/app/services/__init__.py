"""The use cases that every interface calls: nothing here parses a command line or prints."""
