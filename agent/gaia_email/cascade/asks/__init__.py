"""What a message asks, of whom, and how soon."""
