"""Parsing and rendering of mail: messages, mail files, threads, search queries and approval questions. No network."""
