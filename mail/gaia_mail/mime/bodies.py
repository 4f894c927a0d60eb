"""Classifies the leaves of a message as body text, calendar or attachment. Entry: `gather`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.charset import Trouble, decode_text
from gaia_mail.mime.declared import charsets_of
from gaia_mail.mime.filename import safe_filename
from gaia_mail.mime.headers import parse_parameters, scan_fields
from gaia_mail.mime.mending import find_encoding, is_text, not_base64
from gaia_mail.mime.model import Attachment
from gaia_mail.mime.transfer import BAD_BASE64, decode_transfer, decoded_size
from gaia_mail.mime.walk import Leaf, Tree
from gaia_mail.mime.words import decode_words

MESSAGE_TYPES = frozenset(("message/rfc822", "message/global", "message/news"))
OTHER_VERSIONS = frozenset(("text/x-amp-html", "text/watch-html"))
"""Renderings of the same body for one vendor's reader: neither body text nor a file for the user."""

MAX_TEXT = 8 * 1024 * 1024
"""Characters of body text kept per message."""

CALENDAR_TYPES = frozenset(
    (
        "application/ics",
        "text/ics",
        "text/x-vcalendar",
        "text/vcalendar",
        "application/calendar",
        "text/x-calendar",
    )
)
"""Calendar types other than `text/calendar` (RFC 5545)."""
TNEF_TYPES = frozenset(
    ("application/ms-tnef", "application/vnd.ms-tnef", "application/x-ms-tnef", "application/tnef")
)
_TNEF_NAMES = frozenset(("winmail.dat", "win.dat"))
_TNEF_MAGIC = b"\x78\x9f\x3e\x22"

TNEF = (
    "Outlook packed text and files into winmail.dat (TNEF), which cannot be opened here; ask the sender to send the "
    "mail as HTML or plain text, without rich text"
)
CUT = "the text is too long and was cut"
OTHER_ENCODING = "a text is in a transfer encoding that its header does not name"
NUL = "the text has NUL characters"

_META_CHARSET = lazy_pattern(
    rb"<meta\b[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE
)


@dataclass(slots=True)
class BodyParts:
    """The leaves of a message, grouped by kind."""

    text: list[str] = field(default_factory=list[str])
    html: list[str] = field(default_factory=list[str])
    calendars: list[str] = field(default_factory=list[str])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    messages: list[bytes] = field(default_factory=list[bytes])
    """Bytes of the attached messages, in order."""


def gather(raw: bytes, tree: Tree, *, as_written: bool = False) -> BodyParts:
    """Decode every leaf of `tree` and group it by kind; defects are added to the tree's.

    Lines of text end in line feeds; `as_written` returns only text and HTML, with the message's own line ends.
    """
    bodies = BodyParts()
    room = MAX_TEXT
    for leaf in tree.leaves:
        disposition, filename = _read_disposition(leaf, tree)
        kind = _kind(leaf, disposition, filename)
        if kind == "neither" or (as_written and kind not in ("text", "html")):
            continue
        encoding = _token(leaf.header.get("content-transfer-encoding", ""))
        content = raw[leaf.start : leaf.end]
        kind = _kind_by_content(kind, leaf, disposition, filename, content, encoding)
        if as_written and kind == "calendar":
            continue
        if kind == "file" and _is_tnef(leaf, filename, content, encoding):
            tree.add(TNEF)
        if kind == "file" and leaf.content_type not in MESSAGE_TYPES:
            size = decoded_size(content, encoding)
            if size is not None:
                bodies.attachments.append(_attachment(leaf, filename, disposition, content, size, encoding))
                continue
        content = _decode(content, encoding, tree, text=kind in ("text", "html"))
        if kind in ("text", "html", "calendar"):
            text = _text(content, leaf, tree, as_written)
            if len(text) > room:
                text = text[:room]
                tree.add(CUT)
            room -= len(text)
            {"text": bodies.text, "html": bodies.html, "calendar": bodies.calendars}[kind].append(text)
            listed = filename or disposition == "attachment" or leaf.content_type != "text/calendar"
            if kind != "calendar" or not listed:
                continue
        if leaf.content_type in MESSAGE_TYPES:
            bodies.messages.append(content)
            filename = filename or _message_name(content)
        bodies.attachments.append(_attachment(leaf, filename, disposition, content, len(content)))
    return bodies


def _decode(content: bytes, encoding: str, tree: Tree, *, text: bool) -> bytes:
    """Decode a part's transfer encoding, or the actual one if a text declares none or the wrong one."""
    if text and encoding not in ("base64", "quoted-printable") and (found := find_encoding(content)):
        encoding = found
        tree.add(OTHER_ENCODING)
    if not encoding:
        return content
    decoded, trouble = decode_transfer(content, encoding)
    if trouble:
        tree.add(trouble)
    return not_base64(content, decoded) if text and trouble == BAD_BASE64 else decoded


def _is_the_text(leaf: Leaf, disposition: str, filename: str) -> bool:
    """Return True for body text that its header calls a file: an unnamed text before all other parts."""
    if filename or leaf.position:
        return False
    if leaf.content_type in ("text/plain", "text/html"):
        return disposition == "attachment"
    return not leaf.parent and leaf.content_type.startswith(("text/", "application/octet-stream"))


def _read_disposition(leaf: Leaf, tree: Tree) -> tuple[str, str]:
    """Return the disposition of a part and its file name; `""` if it has none."""
    header = leaf.header
    disposition = name = ""
    if "content-disposition" in header:
        disposition, given = parse_parameters(header["content-disposition"], tree.charsets)
        name = given.get("filename", "")
    if not name and "name" in leaf.parameters:
        name = parse_parameters(header["content-type"], tree.charsets)[1].get("name", "")
    return disposition, safe_filename(name) if name else ""


def _kind_by_content(
    kind: str, leaf: Leaf, disposition: str, filename: str, content: bytes, encoding: str
) -> str:
    """Return the kind of a part based on its content if the header alone misleads."""
    if kind in ("text", "file") and _is_calendar(leaf, filename, content, encoding):
        return "calendar"
    if (
        kind == "file"
        and _is_the_text(leaf, disposition, filename)
        and is_text(decode_transfer(content, encoding)[0])
    ):
        return "html" if leaf.content_type == "text/html" else "text"
    return kind


def _is_calendar(leaf: Leaf, filename: str, content: bytes, encoding: str) -> bool:
    """Return True for a calendar of another type than `text/calendar`, recognized by type or file name."""
    if leaf.content_type not in CALENDAR_TYPES and not filename.lower().endswith((".ics", ".vcs", ".ical")):
        return False
    start = decode_transfer(content, encoding)[0][:200].replace(b"\0", b"")
    return start.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").upper().startswith(b"BEGIN:VCALENDAR")


def _is_tnef(leaf: Leaf, filename: str, content: bytes, encoding: str) -> bool:
    """Return True for Outlook's rich-text container (MS-OXTNEF), recognized by type, name or first bytes."""
    if leaf.content_type in TNEF_TYPES or filename.lower() in _TNEF_NAMES:
        return True
    if leaf.content_type != "application/octet-stream" or not filename.lower().endswith(".dat"):
        return False
    return decode_transfer(content[:200], encoding)[0].startswith(_TNEF_MAGIC)


def _kind(leaf: Leaf, disposition: str, filename: str) -> str:
    """Return `text`, `html`, `calendar`, `file` or `neither` (after JMAP, RFC 8621 section 4.1.4)."""
    content_type = leaf.content_type
    if content_type == "text/calendar":
        return "calendar"
    if content_type in OTHER_VERSIONS and leaf.parent == "alternative":
        return "neither"
    if content_type not in ("text/plain", "text/html") or disposition == "attachment":
        return "file"
    if leaf.position and (leaf.parent == "related" or (filename and leaf.parent != "alternative")):
        return "file"
    return "text" if content_type == "text/plain" else "html"


def _token(encoding: str) -> str:
    if not encoding or encoding.isalnum() or encoding == "quoted-printable":
        return encoding.lower()
    return encoding.partition(";")[0].partition("(")[0].strip().strip("\"'").lower()


def _text(content: bytes, leaf: Leaf, tree: Tree, as_written: bool) -> str:
    charset = leaf.parameters.get("charset", "")
    if not charset and leaf.content_type == "text/html" and not content.isascii():
        declared = _META_CHARSET.search(content, 0, 4096)
        charset = declared[1].decode() if declared else ""
    text, trouble = decode_text(content, charset)
    if trouble:
        tree.add(_charset_defect(trouble, charset, leaf.content_type))
    if "\r" in text and not as_written:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "")
        tree.add(NUL)
    return text


def _charset_defect(trouble: Trouble, charset: str, content_type: str) -> str:
    what = "the calendar" if content_type == "text/calendar" else "the text"
    name = "".join(c for c in charset.lower() if c.isascii() and c.isprintable())[:40]
    if trouble == "unknown":
        return (
            f"{what} says it is in an unknown charset, {name}" if name else f"{what} is in an unknown charset"
        )
    if trouble == "undeclared":
        return f"{what} does not say its charset and is not ASCII"
    if trouble == "damaged":
        return f"{what} has bytes that are not valid {name}"
    return f"{what} says it is {name} but is not"


def _message_name(content: bytes) -> str:
    """Return a file name for an attached message: its subject with `.eml`."""
    fields = scan_fields(content, 0, len(content), top=True, charsets=charsets_of(content))
    subject = decode_words(fields.first.get("subject", ""))
    stem = safe_filename(subject.replace("/", "-").replace("\\", "-")[:100])
    return f"{stem or 'message'}.eml"


def _attachment(
    leaf: Leaf, filename: str, disposition: str, data: bytes, size: int, encoding: str = ""
) -> Attachment:
    content_id = leaf.header.get("content-id", "").strip().strip("<>")[:998]
    inline = disposition == "inline" or (
        disposition != "attachment" and bool(content_id) and leaf.parent == "related"
    )
    return Attachment(
        id=leaf.path,
        filename=filename,
        content_type=leaf.content_type,
        size=size,
        inline=inline,
        content_id=content_id,
        data=data,
        encoding=encoding,
    )
