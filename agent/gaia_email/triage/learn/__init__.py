"""Learn from the user: corrections of verdicts."""
