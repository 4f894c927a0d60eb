"""The index of an account (SQLite): stored, read and searched."""
