"""Tells what a file is from its name and its first bytes. Entry: `sniff`."""

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
    """What the extension promises; None when it promises nothing."""
    return _BY_EXTENSION.get(os.path.splitext(name)[1].lower())


def sniff(path: str) -> FileKind:
    """What a file holds; a `.eml` file is always a message.

    Raises:
        OSError: It cannot be read, or is not a regular file.
    """
    promised = extension_kind(path)
    data = read_regular(path, SNIFF_BYTES).data
    if promised == "message":
        return "message"
    return sniff_bytes(data, promised)


def sniff_bytes(data: bytes, promised: FileKind | None = None) -> FileKind:
    """What begins with `data`, given what the file's extension promises."""
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
    """Whether the first line is a header field and one of the first block's fields is one of mail."""
    if not _FIELD_LINE.match(text):
        return False
    block = text[: text.find(b"\n\n")] if b"\n\n" in text else text
    return _MAIL_FIELD.search(block) is not None
