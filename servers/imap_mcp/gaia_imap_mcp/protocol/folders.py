"""Lists the folders of an account with their labels and status. Entry: `list_folders`.

One round trip is enough if the server has LIST-STATUS (RFC 5819); otherwise STATUS commands need another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_imap_mcp.protocol.arguments import folder_name
from gaia_imap_mcp.protocol.bounds import LISTING, MAX_FOLDERS
from gaia_imap_mcp.protocol.connection import CommandParts, Connection
from gaia_imap_mcp.protocol.errors import refusal
from gaia_imap_mcp.protocol.namespaces import namespaces
from gaia_imap_mcp.protocol.numbers import LAST_MODSEQ, number
from gaia_imap_mcp.protocol.wire import CommandReply, ResponseLine, Token
from gaia_mail.files import labels
from gaia_mail.files.maildir import encode_folder
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

_ROLES = {
    "\\sent": labels.SENT,
    "\\drafts": labels.DRAFT,
    "\\junk": labels.SPAM,
    "\\trash": labels.TRASH,
    "\\archive": "",
}
_BY_NAME = frozenset({labels.SENT, labels.DRAFT, labels.SPAM, labels.TRASH, ""})
_VIEWS = frozenset({"\\all", "\\flagged", "\\important"})
"""Folders that show messages of other folders (RFC 6154); on Gmail, `\\All` holds the messages."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LISTED_ATOM = re.compile(
    rb'\* LIST \([^()]*\) (?:"(?:[^"\\]|\\.)*"|NIL) ([^"({\s][^"({]*?)(?: *\(.*\))? *',
    re.IGNORECASE | re.DOTALL,
)
_STATUS_ATOM = re.compile(rb'\* STATUS ([^"({\s][^"({]*?) +\(.*', re.IGNORECASE | re.DOTALL)
_NEWS = re.compile(rb"\* (?:\d+ (?:EXISTS|EXPUNGE|FETCH)|VANISHED)\b", re.IGNORECASE)
INBOX = "INBOX"
_UNSELECTABLE = frozenset({"\\noselect", "\\nonexistent"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderStatus:
    """The STATUS of a folder; `modseq` is 0 if the server does not count its changes."""

    uidvalidity: int
    uidnext: int
    exist: int
    modseq: int
    unseen: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapFolder:
    """A folder of the account. `label` is the label of its messages, empty for the archive."""

    name: str
    attributes: frozenset[str]
    delimiter: str
    label: str = ""
    status: FolderStatus | None = None
    """None if the server reports none, as for a folder that may not be opened."""


def list_folders(
    connection: Connection, known: Sequence[str] = (), *, inbox: FolderStatus | None = None
) -> list[ImapFolder]:
    """Return every folder whose messages belong to the account, with its status.

    Args:
        connection: Its selected folder is closed, because STATUS may omit changes in it.
        known: Folders whose STATUS is requested in the same round trip if LIST cannot return it.
        inbox: The status of the selected inbox, which stays selected unless the server reports changes in it.

    Raises:
        CommandRefused, ConnectionDropped: As `Connection.command`.
        ExcessiveResponse: As `Connection.command`, or there are more than `MAX_FOLDERS`.
    """
    leaving = [] if inbox else connection.leave()
    looking: list[CommandParts] = (
        [(b"NOOP",)] if inbox else []
    )  # sent last: Dovecot finishes NOOP after the commands behind it
    items = _status_items(connection)
    together = connection.has("LIST-STATUS") and connection.has("LIST-EXTENDED")
    listing = _listing(connection, items if together else None)
    asked = [] if together else [name for name in known if _is_plain(name) and not (inbox and name == INBOX)]
    asking = [_status(connection, name, items) for name in asked]
    replies = connection.pipeline([*leaving, listing, *asking, *looking], LISTING)
    if inbox is not None and (replies[-1].status != "OK" or _tells_news(replies)):
        return list_folders(connection, known)
    replies = replies[len(leaving) :]
    if replies[0].status != "OK":
        raise refusal(replies[0].code, replies[0].text, bad=replies[0].status == "BAD")
    found = _read_list(replies[0].lines, connection.spelled)
    if len(found) > MAX_FOLDERS:
        raise connection.excess(LISTING.too_many)
    statuses = _read_statuses(replies)
    spaces = namespaces(connection)
    if connection.is_gmail:
        connection.beside.clear()
        connection.beside.update(beside(found.values()))
    chosen = choose(found.values(), gmail=connection.is_gmail, others=spaces.foreign, prefix=spaces.prefix)
    if inbox is not None:
        statuses[INBOX] = inbox
    missing = [folder.name for folder in chosen if folder.name not in statuses and folder.name not in asked]
    if missing and not together:
        statuses |= _read_statuses(
            connection.pipeline([_status(connection, name, items) for name in missing], LISTING)
        )
    return [replace(folder, status=statuses.get(folder.name)) for folder in chosen]


def choose(
    found: Iterable[ImapFolder], *, gmail: bool, others: Sequence[str] = (), prefix: str = ""
) -> list[ImapFolder]:
    """Return the folders to follow, INBOX first, each with its label.

    A folder's role is its attribute (RFC 6154), else derived from its name in one of the usual languages, else none.
    """
    folders = sorted(found, key=lambda folder: (folder.name != INBOX, folder.name))
    taken = {role for folder in folders for role in _roles(folder)}
    chosen: list[ImapFolder] = []
    for folder in folders:
        if folder.attributes & _UNSELECTABLE or folder.name.startswith(tuple(others)):
            continue
        if gmail:
            if "\\all" in folder.attributes:
                chosen.append(replace(folder, label=""))
            elif {"\\junk", "\\trash"} & folder.attributes:
                chosen.append(replace(folder, label=_roles(folder)[0]))
        elif not folder.attributes & _VIEWS:
            chosen.append(replace(folder, label=_label(folder, taken, prefix)))
    return chosen


def beside(found: Iterable[ImapFolder]) -> dict[str, str]:
    """Return Gmail labels whose folders show part of All Mail, each with its folder's name."""
    shown: dict[str, str] = {}
    for folder in found:
        if folder.name == INBOX or folder.attributes & (_UNSELECTABLE | _VIEWS):
            continue
        roles = _roles(folder)
        if roles not in ([labels.SPAM], [labels.TRASH]):
            shown[roles[0] if roles else folder.name] = folder.name
    return shown


def _label(folder: ImapFolder, taken: set[str], prefix: str) -> str:
    """Return the label of a folder; a role that it gets by its name is added to `taken`."""
    if folder.name == INBOX:
        return labels.INBOX
    roles = _roles(folder)
    if roles:
        return roles[0]
    name = folder.name.removeprefix(prefix) or folder.name
    parts = name.split(folder.delimiter) if folder.delimiter else [name]
    by_name = labels.special_label(parts[-1] if parts[0].upper() == INBOX else "/".join(parts))
    if by_name is not None and by_name in _BY_NAME - taken:
        taken.add(by_name)
        return by_name
    label = _CONTROL.sub(" ", "/".join(parts))
    return f"{label} (folder)" if label.upper() in SYSTEM_LABELS else label


def _roles(folder: ImapFolder) -> list[str]:
    return [label for attribute, label in _ROLES.items() if attribute in folder.attributes]


def _listing(connection: Connection, items: bytes | None) -> CommandParts:
    wanted: list[bytes] = []
    if connection.has("SPECIAL-USE") and connection.has("LIST-EXTENDED"):
        wanted.append(b"SPECIAL-USE")
    if items is not None:
        wanted.append(b"STATUS " + items)
    if wanted:
        return (b"LIST", b'""', b'"*"', b"RETURN", b"(" + b" ".join(wanted) + b")")
    return (b"LIST", b'""', b'"*"')


def _status(connection: Connection, name: str, items: bytes) -> CommandParts:
    return (b"STATUS", connection.mailbox(name), items)


def _is_plain(name: str) -> bool:
    """Return True if every server writes this name the same way."""
    return name.isascii() and name.isprintable() and "&" not in name


def _status_items(connection: Connection) -> bytes:
    if connection.has("CONDSTORE"):
        return b"(MESSAGES UIDNEXT UIDVALIDITY HIGHESTMODSEQ)"
    return b"(MESSAGES UIDNEXT UIDVALIDITY UNSEEN)"


def _tells_news(replies: Iterable[CommandReply]) -> bool:
    """Return True if a reply reports a change in the selected folder."""
    return any(_NEWS.match(line.start) for reply in replies for line in reply.lines)


def _read_list(lines: Iterable[ResponseLine], spelled: dict[str, bytes]) -> dict[str, ImapFolder]:
    """Return the folders by name; names that the server does not write in modified UTF-7 are added to `spelled`."""
    found: dict[str, ImapFolder] = {}
    for line in lines:
        words = line.tokens()
        if len(words) < 5 or not _is_word(words[1], b"LIST"):
            continue
        attributes, delimiter, name = *words[2:4], _name(line, _LISTED_ATOM, words[4])
        if not isinstance(attributes, list) or not isinstance(name, bytes) or b"\0" in name:
            continue
        text = _normal(folder_name(name))
        if _CONTROL.search(text) or encode_folder(text).encode() not in (name, b"INBOX"):
            spelled[text] = name
        found[text] = ImapFolder(
            name=text,
            attributes=frozenset(
                item.decode("ascii", "replace").lower() for item in attributes if isinstance(item, bytes)
            ),
            delimiter=delimiter.decode("utf-8", "replace") if isinstance(delimiter, bytes) else "",
        )
    return found


def _read_statuses(replies: Iterable[CommandReply]) -> dict[str, FolderStatus]:
    found: dict[str, FolderStatus] = {}
    for reply in replies:
        for line in reply.lines:
            words = line.tokens()
            if len(words) < 4 or not _is_word(words[1], b"STATUS"):
                continue
            name = _name(line, _STATUS_ATOM, words[2])
            status = _read_status(next((word for word in words[3:] if isinstance(word, list)), None))
            if status is not None and isinstance(name, bytes):
                found[_normal(folder_name(name))] = status
    return found


def _name(line: ResponseLine, atom: re.Pattern[bytes], parsed: Token) -> Token:
    """Return a folder's name: NIL is a valid name here, and some servers do not quote names with spaces."""
    found = atom.fullmatch(line.start) if len(line.parts) == 1 else None
    return found[1] if found is not None else parsed


def _is_word(token: Token, word: bytes) -> bool:
    return isinstance(token, bytes) and token.upper() == word


def _read_status(items: Token) -> FolderStatus | None:
    if not isinstance(items, list):
        return None
    words = [item if isinstance(item, bytes) else b"" for item in items]
    values = {
        key.upper(): number(value, LAST_MODSEQ)
        for key, value in zip(words[::2], words[1::2], strict=False)
        if value.isdigit()
    }
    if b"UIDVALIDITY" not in values:
        return None
    return FolderStatus(
        uidvalidity=values[b"UIDVALIDITY"],
        uidnext=values.get(b"UIDNEXT", 0),
        exist=values.get(b"MESSAGES", 0),
        modseq=values.get(b"HIGHESTMODSEQ", 0),
        unseen=values.get(b"UNSEEN", 0),
    )


def _normal(name: str) -> str:
    """Return the name, with INBOX in capitals: it is not case-sensitive (RFC 9051 §5.1)."""
    return INBOX if name.upper() == INBOX else name
