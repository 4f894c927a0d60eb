"""Mailboxes on servers that offer only the text-based tools that Gmail and IMAP servers have in common."""
