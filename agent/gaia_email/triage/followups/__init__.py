"""Who owes whom an answer, thread by thread: pure, from what the cascade finds in each message."""
