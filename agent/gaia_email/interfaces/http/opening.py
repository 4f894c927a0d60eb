"""How a person comes to their session: an address with a code, opened in a browser. Entry point: `opening_page`."""

from __future__ import annotations

from pathlib import Path

from gaia_email.interfaces.http.sessions import PersonSessions
from gaia_email_registry.private_page import page_leading_to


def entry_address(base: str, code: str) -> str:
    """Where a code is used; behind the # it is sent to no server, written to no log and named to no other page.

    Args:
        base: The server's address: `http://127.0.0.1:8767`.
        code: From `PersonSessions.new_code`.
    """
    return f"{base}/#code={code}"


def opening_page(base: str, sessions: PersonSessions, directory: Path) -> Path:
    """A file to open in the user's browser: it leads to the server with a new code. Remove it once the code is over.

    Args:
        base: The server's address.
        sessions: Of the server.
        directory: Where to put the file.

    Raises:
        OSError: It cannot be written.
    """
    address = entry_address(base, sessions.new_code())
    return page_leading_to(address, directory, prefix="open-", link="Open your inbox")
