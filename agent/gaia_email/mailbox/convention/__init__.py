"""Mailboxes of servers that have only the tools that Gmail and IMAP servers share, and answer in text."""
