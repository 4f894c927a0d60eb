"""The sentences that explain a verdict: reason, summary, confidence."""
