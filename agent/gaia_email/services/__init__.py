"""The use cases that every face calls: nothing here parses a command line or prints."""
