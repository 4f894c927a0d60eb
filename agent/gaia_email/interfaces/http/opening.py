"""Starts a person's session: a URL with a code, opened in a browser. Entry point: `opening_page`."""

from __future__ import annotations

from pathlib import Path

from gaia_email.interfaces.http.sessions import PersonSessions
from gaia_email_registry.private_page import page_leading_to


def entry_address(base: str, code: str) -> str:
    """Return the URL that uses a code; the part after # is not sent to servers, logs or other pages.

    Args:
        base: The server's address: `http://127.0.0.1:8767`.
        code: From `PersonSessions.new_code`.
    """
    return f"{base}/#code={code}"


def opening_page(base: str, sessions: PersonSessions, directory: Path) -> Path:
    """Write a file that leads the user's browser to the server with a new code. Remove it after the code expires.

    Args:
        base: The server's address.
        sessions: The server's sessions.
        directory: The directory for the file.

    Raises:
        OSError: It cannot be written.
    """
    address = entry_address(base, sessions.new_code())
    return page_leading_to(address, directory, prefix="open-", link="Open your inbox")
