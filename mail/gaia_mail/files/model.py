"""What reading mail files gives: `RawMail`, one message with where it stands."""

from __future__ import annotations

from dataclasses import dataclass

MAX_MESSAGE_BYTES = 32 * 1024 * 1024
"""Bytes of one message that are read. Gmail accepts 25 MB and Exchange Online 150 MB; the text of a message
is at its beginning, so what lies beyond this bound is attachment data, and memory stays bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMail:
    r"""One message of a file or folder, as bytes, and what the store says about it.

    Attributes:
        path: The path as the user would name it: the argument given, or the file below it.
        index: Position within `path`, from 0 (always 0 where a file is one message).
        key: Stable identity within the source, independent of flags and of messages added later.
        raw: The RFC 5322 bytes, cut at `MAX_MESSAGE_BYTES`.
        size: Bytes of the whole message; larger than `len(raw)` when it was cut.
        labels: Label ids the store gives it (Maildir folder and flags, Takeout's X-Gmail-Labels).
        flags: IMAP system flags (`\Seen` …).
        modified: When the store received it, seconds since the epoch; 0 when unknown.
        problem: In words, why it could not be read at all; then `raw` is empty. Else empty.
        thread_hint: The store's own conversation id (Takeout's X-GM-THRID); empty when it has none.
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
