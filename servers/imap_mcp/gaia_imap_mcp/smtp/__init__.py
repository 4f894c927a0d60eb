"""Submission of mail (RFC 6409)."""
