"""The IMAP protocol (RFC 3501, 9051) over one bounded connection; knows no index."""
