"""Sort the mail of a mailbox, once or continuously, by verdicts and the user's rules."""
