"""Find out who owes whom an answer in each thread; pure functions over the cascade's findings per message."""
