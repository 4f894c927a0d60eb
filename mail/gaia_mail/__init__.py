"""Reading mail: messages, mail files, threads, search queries, and what a person is shown of a mail. No network."""
