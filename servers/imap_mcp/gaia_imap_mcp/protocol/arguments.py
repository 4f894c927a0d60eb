"""Builds arguments of IMAP commands so that none can inject a second command. Entries: `string`, `mailbox`.

All outside input goes through here: NUL, CR and LF raise `BadArgument` before anything is sent, because a quoted
string cannot contain them (RFC 9051 §4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gaia_email_registry.errors import BadArgument
from gaia_mail.files.maildir import decode_folder, encode_folder

_FORBIDDEN = re.compile(r"[\x00\r\n]")
_FLAG = re.compile(r"\\?[^\x00-\x20\x7f-\U0010ffff(){%*\"\\\]]+")
_MAX_QUOTED = 1000
MAX_TOGETHER = 50_000


class ImapLiteral(bytes):
    """Bytes sent as a literal: announced by their length, never parsed."""


CommandArgument = bytes | ImapLiteral
"""A piece of a command line: bytes sent unchanged, or a literal."""


def string(text: str, *, argument: str | None = None) -> CommandArgument:
    """Return a quoted string, or a literal if the text is long or not ASCII.

    Raises:
        BadArgument: The text contains NUL, CR or LF.
    """
    if _FORBIDDEN.search(text):
        raise BadArgument("Line breaks and NUL are not possible here.", argument=argument)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise BadArgument("This text is not valid Unicode.", argument=argument) from None
    if not text.isascii() or len(data) > _MAX_QUOTED:
        return ImapLiteral(data)
    return b'"' + data.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def mailbox(name: str) -> CommandArgument:
    """Return a folder name in modified UTF-7 (RFC 3501 §5.1.3).

    Raises:
        BadArgument: As `string`.
    """
    if _FORBIDDEN.search(name):
        raise BadArgument("A folder name cannot hold line breaks.", argument="name")
    try:
        coded = encode_folder(name)
    except UnicodeEncodeError:
        raise BadArgument("This folder name is not valid Unicode.", argument="name") from None
    return string(coded, argument="name")


def literally(name: bytes) -> CommandArgument:
    """Return a name exactly as the server wrote it.

    Raises:
        BadArgument: The name contains NUL.
    """
    if b"\0" in name:
        raise BadArgument("A folder name cannot hold NUL.", argument="name")
    plain = name.isascii() and name.decode("ascii").isprintable()
    return string(name.decode("ascii")) if plain else ImapLiteral(name)


def folder_name(coded: bytes) -> str:
    """Decode a folder name from modified UTF-7, or from UTF-8 if a server sends that instead."""
    try:
        return decode_folder(coded.decode("ascii"))
    except UnicodeDecodeError:
        return coded.decode("utf-8", "replace")


def flag_list(flags: Iterable[str]) -> bytes:
    r"""Return a list such as `(\Seen $Important)`.

    Raises:
        BadArgument: A flag or keyword is not an atom.
    """
    found = list(flags)
    for flag in found:
        if not _FLAG.fullmatch(flag):
            raise BadArgument(f"{flag[:40]!r} is not possible as an IMAP keyword.", argument="labels")
    return b"(" + " ".join(found).encode("ascii") + b")"


def uid_set(uids: Iterable[int]) -> bytes:
    """Return a set such as `1:4,9` of UIDs in any order; there must be at least one."""
    runs: list[list[int]] = []
    for uid in sorted(set(uids)):
        if runs and runs[-1][1] == uid - 1:
            runs[-1][1] = uid
        else:
            runs.append([uid, uid])
    if not runs:
        raise ValueError("an empty set cannot be written")
    return ",".join(str(low) if low == high else f"{low}:{high}" for low, high in runs).encode("ascii")


def uid_sets(uids: Iterable[int], *, size: int = 6000) -> list[bytes]:
    """Return sets as `uid_set`, split to keep a command line below `size` bytes (RFC 7162 §4 asks for 8,192).

    None has more than `MAX_TOGETHER` messages, because a server may answer with a line for each.
    """
    ordered = sorted(set(uids))
    pieces: list[bytes] = []
    for start in range(0, max(len(ordered), 1), MAX_TOGETHER):
        current = b""
        for run in uid_set(ordered[start : start + MAX_TOGETHER]).split(b","):
            if current and len(current) + len(run) + 1 > size:
                pieces.append(current)
                current = run
            else:
                current = current + b"," + run if current else run
        pieces.append(current)
    return pieces
