"""Sorting what a mailbox holds, once or for months, by verdicts and the user's rules."""
