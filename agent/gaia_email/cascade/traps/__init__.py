"""What tells fraud, spam and text that speaks to machines."""
