"""Files with one message: `.eml` and similar, and Apple Mail's `.emlx`. Entry: `file_mail`."""

from __future__ import annotations

import os
import re
from typing import Literal

from gaia_mail.files import labels
from gaia_mail.files.location import FileLocation, LocatedMail
from gaia_mail.files.model import MAX_MESSAGE_BYTES, RawMail
from gaia_mail.files.opening import (
    Blob,
    display,
    header_end,
    open_regular,
    read_at,
    read_header,
    read_regular,
    reason,
)

_EMLX_FLAGS = re.compile(rb"<key>flags</key>\s{0,20}<integer>(\d{1,19})</integer>")
_EMLX_BITS = ((0, labels.SEEN), (2, labels.ANSWERED), (4, labels.FLAGGED), (6, labels.DRAFT_FLAG))
_PLIST_BYTES = 64 * 1024


def file_mail(
    path: str,
    *,
    key: str,
    kind: Literal["message", "emlx"],
    headers_only: bool,
    label: str = labels.INBOX,
    flags: tuple[str, ...] = (labels.SEEN,),
) -> LocatedMail:
    """Return the message in a file; an unreadable one has a `problem`.

    Such a file does not record whether it was read, so by default it counts as read and in the inbox.
    """
    try:
        if kind == "emlx":
            return _emlx(path, key=key, headers_only=headers_only, label=label)
        blob = read_header(path) if headers_only else read_regular(path, MAX_MESSAGE_BYTES)
    except OSError as error:
        return unreadable(path, key, f"the file cannot be read: {reason(error)}")
    if blob.size == 0:
        return unreadable(path, key, "the file is empty")
    envelope = 0
    if blob.data.startswith(b"From "):
        envelope = blob.data.find(b"\n") + 1
        blob = Blob(blob.data[envelope:], blob.size - envelope, blob.modified)
    mail = RawMail(
        path=display(path),
        index=0,
        key=key,
        raw=blob.data,
        size=blob.size,
        labels=labels.flag_labels(label, flags),
        flags=flags,
        modified=blob.modified,
    )
    return LocatedMail(mail, FileLocation(path, envelope))


def unreadable(path: str, key: str, problem: str, *, index: int = 0) -> LocatedMail:
    """Return a placeholder for an unreadable message, with its location and the problem."""
    return LocatedMail(
        RawMail(path=display(path), index=index, key=key, raw=b"", size=0, problem=problem),
        FileLocation(path),
    )


def _emlx(path: str, *, key: str, headers_only: bool, label: str) -> LocatedMail:
    """Read Apple's format: the byte count on a line, the message, a property list with the flags."""
    descriptor, status = open_regular(path)
    try:
        first = read_at(descriptor, 0, 64)
        line, newline, _ = first.partition(b"\n")
        if not newline or not line.strip().isdigit():
            return unreadable(path, key, "the .emlx file does not begin with the size of its message")
        start = len(line) + 1
        size = min(int(line), max(status.st_size - start, 0))
        raw = read_at(descriptor, start, min(size, MAX_MESSAGE_BYTES))
        plist = read_at(descriptor, start + size, _PLIST_BYTES)
    finally:
        os.close(descriptor)
    found = _EMLX_FLAGS.search(plist)
    bits = int(found[1]) if found else 1
    flags = tuple(flag for bit, flag in _EMLX_BITS if bits >> bit & 1)
    if bits >> 1 & 1:
        label = labels.TRASH
    mail = RawMail(
        path=display(path),
        index=0,
        key=key,
        raw=raw[: header_end(raw)] if headers_only and header_end(raw) >= 0 else raw,
        size=size,
        labels=labels.flag_labels(label, flags),
        flags=flags,
        modified=status.st_mtime,
    )
    return LocatedMail(mail, FileLocation(path, start, size))
