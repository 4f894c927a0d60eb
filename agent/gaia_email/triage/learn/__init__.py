"""What the user teaches: corrections of verdicts."""
