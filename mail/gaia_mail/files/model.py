"""The result of reading mail files: `RawMail`, one message with its location."""

from __future__ import annotations

from dataclasses import dataclass

MAX_MESSAGE_BYTES = 32 * 1024 * 1024
"""Bytes read from one message. Gmail accepts 25 MB and Exchange Online 150 MB; the text of a message is at its
beginning, so anything beyond this limit is attachment data, and memory stays bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMail:
    r"""One message of a file or folder, as bytes, with the store's metadata.

    Attributes:
        path: The path in the user's terms: the given argument, or the file below it.
        index: Position within `path`, from 0 (always 0 if a file is one message).
        key: Stable identity within the source, independent of flags and of messages added later.
        raw: The RFC 5322 bytes, cut at `MAX_MESSAGE_BYTES`.
        size: Bytes of the whole message; larger than `len(raw)` if it was cut.
        labels: Label ids from the store (Maildir folder and flags, Takeout's X-Gmail-Labels).
        flags: IMAP system flags (`\Seen` …).
        modified: Time at which the store received it, in seconds since the epoch; 0 if unknown.
        problem: Reason why the message could not be read, and `raw` is empty; else empty.
        thread_hint: The store's own conversation id (Takeout's X-GM-THRID); empty if it has none.
    """

    path: str
    index: int
    key: str
    raw: bytes
    size: int
    labels: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    modified: float = 0.0
    problem: str = ""
    thread_hint: str = ""
