"""The index of an account (SQLite), and what is read and searched in it."""
