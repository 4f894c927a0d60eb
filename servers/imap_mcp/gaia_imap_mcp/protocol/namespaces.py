"""Tells the user's own folders from other people's by their prefixes (RFC 2342). Entry: `namespaces`."""

from __future__ import annotations

from collections.abc import Iterable

from gaia_imap_mcp.protocol.arguments import folder_name
from gaia_imap_mcp.protocol.connection import Connection, Namespaces
from gaia_imap_mcp.protocol.wire import ResponseLine, Token


def namespaces(connection: Connection) -> Namespaces:
    """Return the namespaces of the account; requested once per connection.

    Raises:
        ConnectionDropped: The connection is gone.
    """
    if connection.namespaces is None:
        found = Namespaces()
        if connection.has("NAMESPACE"):
            found = _read_namespaces(connection.pipeline([(b"NAMESPACE",)])[0].lines)
        if not found.separator:
            lines = connection.pipeline([(b"LIST", b'""', b'""')])[0].lines
            found = Namespaces(prefix=found.prefix, separator=_root(lines), foreign=found.foreign)
        connection.namespaces = found
    return connection.namespaces


def _read_namespaces(lines: Iterable[ResponseLine]) -> Namespaces:
    for line in lines:
        words = line.tokens()
        if len(words) >= 5 and words[1] == b"NAMESPACE":
            own = _entries(words[2])
            foreign = [prefix for group in words[3:5] for prefix, _ in _entries(group) if prefix]
            prefix, separator = own[0] if own else ("", "")
            return Namespaces(prefix=prefix, separator=separator, foreign=tuple(foreign))
    return Namespaces()


def _root(lines: Iterable[ResponseLine]) -> str:
    """Return the separator from the answer to LIST with an empty name (RFC 9051 §6.3.9)."""
    for line in lines:
        words = line.tokens()
        if len(words) > 3 and words[1] == b"LIST":
            return _text(words[3])
    return ""


def _entries(group: Token) -> list[tuple[str, str]]:
    if not isinstance(group, list):
        return []
    return [
        (_text(entry[0]), _text(entry[1])) for entry in group if isinstance(entry, list) and len(entry) > 1
    ]


def _text(token: Token) -> str:
    return folder_name(token) if isinstance(token, bytes) else ""
