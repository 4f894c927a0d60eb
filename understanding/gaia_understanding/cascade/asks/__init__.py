"""The requests of a message: what it asks, of whom, and how soon."""
