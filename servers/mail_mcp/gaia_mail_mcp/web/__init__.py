"""Shared by mail providers on the web: HTTP, OAuth logins and their storage, and access tokens."""
