"""Determines a file's kind from its name and its first bytes. Entry: `sniff`."""

from __future__ import annotations

import os
import re
from typing import Literal

from gaia_mail.files.mbox import is_boundary_line, starts_boundary
from gaia_mail.files.opening import read_regular

FileKind = Literal["message", "emlx", "mbox", "empty", "other"]

SNIFF_BYTES = 4096

_BY_EXTENSION: dict[str, FileKind] = {".eml": "message", ".emlx": "emlx", ".mbox": "mbox", ".mbx": "mbox"}
_MAIL_FIELD = re.compile(
    rb"(?im)^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to"
    rb"|content-type|x-mailer|x-gmail-labels|x-gm-thrid)[ \t]{0,9}:"
)
_FIELD_LINE = re.compile(rb"[!-9;-~]{1,100}[ \t]{0,9}:")
_COUNT = re.compile(rb"\d{1,12}[ \t]{0,9}\r?\n")


def extension_kind(name: str) -> FileKind | None:
    """Return the kind that a file's extension indicates, or None."""
    return _BY_EXTENSION.get(os.path.splitext(name)[1].lower())


def sniff(path: str) -> FileKind:
    """Return the kind of a file; a `.eml` file is always a message.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    promised = extension_kind(path)
    data = read_regular(path, SNIFF_BYTES).data
    if promised == "message":
        return "message"
    return sniff_bytes(data, promised)


def sniff_bytes(data: bytes, promised: FileKind | None = None) -> FileKind:
    """Return the kind of a file that begins with `data`; `promised` is the kind its extension indicates."""
    if not data:
        return "empty"
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    line, _, rest = text.partition(b"\n")
    if starts_boundary(text) and (promised == "mbox" or is_boundary_line(line) or _FIELD_LINE.match(rest)):
        return "mbox"
    if promised in (None, "emlx") and _COUNT.match(text) and _looks_like_header(rest):
        return "emlx"
    if _looks_like_header(text):
        return "mbox" if promised == "mbox" else "message"
    if not text and not data.strip():
        return "empty"
    return "other"


def _looks_like_header(text: bytes) -> bool:
    """Return True if the first line is a header field and the first block contains a mail header field."""
    if not _FIELD_LINE.match(text):
        return False
    block = text[: text.find(b"\n\n")] if b"\n\n" in text else text
    return _MAIL_FIELD.search(block) is not None
