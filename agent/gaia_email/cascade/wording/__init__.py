"""What people are told of a verdict: reason, summary, confidence in words."""
