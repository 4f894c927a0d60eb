r"""Creates, renames and removes folders on the server. Entries: `make_folder`, `existing_folder`.

A label's levels are separated by `/`; the server reports its own separator and the prefix of names.
"""

from __future__ import annotations

from contextlib import suppress

from gaia_email_registry.errors import BadArgument
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.namespaces import namespaces
from gaia_mail.files import labels

_USES = {
    labels.SENT: b"(USE (\\Sent))",
    labels.DRAFT: b"(USE (\\Drafts))",
    labels.SPAM: b"(USE (\\Junk))",
    labels.TRASH: b"(USE (\\Trash))",
    labels.ARCHIVE: b"(USE (\\Archive))",
}


def existing_folder(connection: Connection, label: str) -> str:
    """Create the folder that represents a system label (RFC 6154); return its name.

    Raises:
        CommandRefused: The server does not allow it.
        ConnectionDropped: The connection is gone.
    """
    name = wire_name(connection, labels.FOLDER_NAMES[label])
    if connection.has("CREATE-SPECIAL-USE"):
        try:
            _create(connection, name, _USES[label])
            return name
        except CommandRefused as error:
            if error.code not in ("USEATTR", "CANNOT"):
                raise
    _create(connection, name)
    return name


def make_folder(connection: Connection, label: str) -> str:
    """Create the folder of a label; return its name.

    Raises:
        BadArgument: The name contains the server's separator.
        CommandRefused, ConnectionDropped: As `existing_folder`.
    """
    name = wire_name(connection, label)
    _create(connection, name)
    return name


def rename_folder(connection: Connection, old: str, new: str) -> None:
    """Rename a folder, with its messages and the folders below it.

    Raises:
        CommandRefused, ConnectionDropped: As `existing_folder`.
    """
    _leave(connection)
    connection.command(b"RENAME", connection.mailbox(old), connection.mailbox(new))
    for verb, name in ((b"UNSUBSCRIBE", old), (b"SUBSCRIBE", new)):
        with suppress(CommandRefused):
            connection.command(verb, connection.mailbox(name))


def remove_folder(connection: Connection, name: str) -> None:
    """Remove a folder and everything in it.

    Raises:
        CommandRefused, ConnectionDropped: As `existing_folder`.
    """
    _leave(connection)
    try:
        connection.command(b"DELETE", connection.mailbox(name))
    except CommandRefused:
        if exists(connection, name):
            raise
    with suppress(CommandRefused):
        connection.command(b"UNSUBSCRIBE", connection.mailbox(name))


def exists(connection: Connection, name: str) -> bool:
    """Return True if a folder can be opened.

    Raises:
        ConnectionDropped: The connection is gone.
    """
    try:
        connection.examine(name)
    except CommandRefused:
        return False
    _leave(connection)
    return True


def wire_name(connection: Connection, label: str) -> str:
    """Return the name that the folder of a label has on this server.

    Raises:
        BadArgument: The name contains the server's separator.
    """
    spaces = namespaces(connection)
    if spaces.separator not in ("", "/") and spaces.separator in label:
        raise BadArgument(
            f"{label[:80]!r} cannot be a folder there: the server uses {spaces.separator!r} between folders.",
            argument="name",
        )
    return spaces.prefix + label.replace("/", spaces.separator or "/")


def _create(connection: Connection, name: str, use: bytes | None = None) -> None:
    parts = [b"CREATE", connection.mailbox(name)] + ([use] if use else [])
    try:
        connection.command(*parts)
    except CommandRefused as error:
        if error.code != "ALREADYEXISTS":
            raise
    with suppress(
        CommandRefused
    ):  # some servers have no subscriptions; other programs show only what is subscribed
        connection.command(b"SUBSCRIBE", connection.mailbox(name))


def _leave(connection: Connection) -> None:
    """Close the selected folder, which may be about to be renamed or removed."""
    for command in connection.leave():
        connection.command(*command)
