r"""Makes, renames and removes folders on the server. Entries: `make_folder`, `standing_folder`.

A label's levels are separated by `/`; the server's own separator and the prefix it wants before names are asked.
"""

from __future__ import annotations

from contextlib import suppress

from gaia_email_registry.errors import BadArgument
from gaia_imap_mcp.arguments import folder_name, mailbox
from gaia_imap_mcp.connection import Connection
from gaia_imap_mcp.errors import Refused
from gaia_mail_mcp.files import labels as names

_USES = {
    names.SENT: b"(USE (\\Sent))",
    names.DRAFT: b"(USE (\\Drafts))",
    names.SPAM: b"(USE (\\Junk))",
    names.TRASH: b"(USE (\\Trash))",
    names.ARCHIVE: b"(USE (\\Archive))",
}


def standing_folder(connection: Connection, label: str) -> str:
    """Make the folder that stands for a system label (RFC 6154); answers its name.

    Raises:
        Refused: The server does not let us.
        Dropped: The connection is gone.
    """
    name = wire_name(connection, names.FOLDER_NAMES[label])
    if connection.has("CREATE-SPECIAL-USE"):
        try:
            _create(connection, name, _USES[label])
            return name
        except Refused as error:
            if error.code not in ("USEATTR", "CANNOT"):
                raise
    _create(connection, name)
    return name


def make_folder(connection: Connection, label: str) -> str:
    """Make the folder of a label; answers its name.

    Raises:
        BadArgument: The server's separator is in the name.
        Refused, Dropped: As `standing_folder`.
    """
    name = wire_name(connection, label)
    _create(connection, name)
    return name


def rename_folder(connection: Connection, old: str, new: str) -> None:
    """Give a folder another name, with what is in it and below it; repeated, it does nothing.

    Raises:
        Refused, Dropped: As `standing_folder`.
    """
    _leave(connection)
    connection.command(b"RENAME", mailbox(old), mailbox(new))
    for verb, name in ((b"UNSUBSCRIBE", old), (b"SUBSCRIBE", new)):
        with suppress(Refused):
            connection.command(verb, mailbox(name))


def remove_folder(connection: Connection, name: str) -> None:
    """Remove a folder, and whatever is in it.

    Raises:
        Refused, Dropped: As `standing_folder`.
    """
    _leave(connection)
    try:
        connection.command(b"DELETE", mailbox(name))
    except Refused as error:
        if error.code != "NONEXISTENT":
            raise
    with suppress(Refused):
        connection.command(b"UNSUBSCRIBE", mailbox(name))


def wire_name(connection: Connection, label: str) -> str:
    """What the folder of a label is called on this server.

    Raises:
        BadArgument: The server's separator is in the name.
    """
    prefix, separator = _shape(connection)
    if separator != "/" and separator in label:
        raise BadArgument(
            f"{label[:80]!r} cannot be a folder there: the server uses {separator!r} between folders.",
            argument="name",
        )
    return prefix + label.replace("/", separator or "/")


def _shape(connection: Connection) -> tuple[str, str]:
    """What the user's folders begin with, and what separates their levels (RFC 2342, RFC 9051 §6.3.9)."""
    if connection.has("NAMESPACE"):
        for line in connection.command(b"NAMESPACE").lines:
            words = line.tokens()
            if len(words) > 2 and words[1] == b"NAMESPACE" and isinstance(words[2], list):
                own = words[2][0] if words[2] else None
                if isinstance(own, list) and len(own) > 1:
                    return _text(own[0]), _text(own[1])
    for line in connection.command(b"LIST", b'""', b'""').lines:
        words = line.tokens()
        if len(words) > 3 and words[1] == b"LIST":
            return "", _text(words[3])
    return "", ""


def _text(token: object) -> str:
    return folder_name(token) if isinstance(token, bytes) else ""


def _create(connection: Connection, name: str, use: bytes | None = None) -> None:
    parts = [b"CREATE", mailbox(name)] + ([use] if use else [])
    try:
        connection.command(*parts)
    except Refused as error:
        if error.code != "ALREADYEXISTS":
            raise
    with suppress(Refused):  # some servers have no subscriptions; other programs show only what is subscribed
        connection.command(b"SUBSCRIBE", mailbox(name))


def _leave(connection: Connection) -> None:
    """No folder is selected that is about to change its name or to go."""
    for command in connection.leave():
        connection.command(*command)
