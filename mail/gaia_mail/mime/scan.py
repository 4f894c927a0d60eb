"""Reads header facts of a message cheaply, for summaries and a first pass over a mailbox. Entry: `scan_headers`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.dates import parse_date
from gaia_mail.mime.declared import charsets_of
from gaia_mail.mime.headers import HeaderFields, scan_fields
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.walk import MOST_REMEMBERED
from gaia_mail.mime.words import decode_words

MAX_IDS = 500
"""Ids kept from a `References` field: the first and the latest ones."""

MAX_ID = 995
"""Characters of an id within its brackets."""

_ID = lazy_pattern(rf"<[^<>]{{1,{MAX_ID}}}>")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderScan:
    """Facts from a message's header, read without its body.

    Ids keep their angle brackets, `date` is None if missing or unreadable, `list_id` is the bare identifier of
    `List-Id` (RFC 2919) or `""`.
    """

    message_id: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    sender: MailboxAddress | None
    to: tuple[MailboxAddress, ...]
    cc: tuple[MailboxAddress, ...]
    date: datetime | None
    list_id: str


@dataclass(slots=True)
class _Latest:
    """Cache for the last header: a message is read several times in a row, for summary, text and structure."""

    raw: bytes
    fields: HeaderFields
    scan: HeaderScan | None = None


_latest = _Latest(b"", HeaderFields([], {}, 0, []))


def scan_headers(raw: bytes) -> HeaderScan:
    """Read only the header of `raw`; never raises. Bytes after the header may be missing."""
    return summarize(top_fields(normalize(raw)[0]))


def normalize(raw: bytes) -> tuple[bytes, list[str]]:
    """Remove a byte order mark and leading blank lines from `raw`, and add line feeds if it has none."""
    defects: list[str] = []
    if raw[:1] in (b"\n", b"\r", b"\xef", b" "):
        if raw.startswith(_BOM):
            raw = raw[3:]
            defects.append("the message begins with a byte order mark")
        raw = raw.lstrip(b"\r\n")
    first = raw.find(b"\r", 0, 4096)
    if first >= 0:
        if raw.find(b"\r\r\n", first, 4096) >= 0:
            raw = raw.replace(b"\r\r\n", b"\r\n")
        elif raw.find(b"\n", 0, 65_536) < 0:
            raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            defects.append("lines end in bare carriage returns")
    return raw, defects


def top_fields(raw: bytes) -> HeaderFields:
    """Return the header of a normalized message."""
    global _latest
    latest = _latest
    if latest.raw is raw:
        return latest.fields
    fields = scan_fields(raw, 0, len(raw), top=True, charsets=charsets_of(raw))
    if len(raw) <= MOST_REMEMBERED:
        _latest = _Latest(raw, fields)
    return fields


def summarize(fields: HeaderFields) -> HeaderScan:
    """Return the header facts of scanned fields."""
    latest = _latest
    if latest.fields is not fields:
        return _summarize(fields)
    if latest.scan is None:
        latest.scan = _summarize(fields)
    return latest.scan


def _summarize(fields: HeaderFields) -> HeaderScan:
    first = fields.first
    list_id = first.get("list-id", "")
    found = _ID.search(list_id) if list_id else None
    return HeaderScan(
        message_id=message_id(first.get("message-id", "")),
        in_reply_to=message_ids(first.get("in-reply-to", "")),
        references=message_ids(first.get("references", "")),
        subject=decode_words(first.get("subject", "")),
        sender=sender(first),
        to=addresses(fields, "to"),
        cc=addresses(fields, "cc"),
        date=parse_date(first.get("date", "")),
        list_id=found[0][1:-1].strip() if found else list_id.strip(),
    )


def sender(first: dict[str, str]) -> MailboxAddress | None:
    """Return the first mailbox of `From`, else of `Sender`."""
    for name in ("from", "sender"):
        value = first.get(name)
        if value:
            found = parse_addresses(value)
            if found:
                return found[0]
    return None


def addresses(fields: HeaderFields, name: str) -> tuple[MailboxAddress, ...]:
    """Return the mailboxes of every field called `name`."""
    found: tuple[MailboxAddress, ...] = ()
    for value in fields.all(name):
        found = found + parse_addresses(value) if found else parse_addresses(value)
        if len(found) > MAX_IDS * 2:
            return found[: MAX_IDS * 2]
    return found


def message_id(value: str) -> str:
    """Return the id of a `Message-ID` value with its angle brackets, or `""`."""
    value = _decoded_ids(value)
    if not value or _is_id(value):
        return value
    found = _ID.search(value)
    if found is not None:
        return "".join(found[0].split())
    words = value.split()
    return f"<{words[0].strip('<>')[:MAX_ID]}>" if words and words[0].strip("<>") else ""


def _decoded_ids(value: str) -> str:
    """Decode ids that a mail program wrote as encoded words (RFC 2047), which is not allowed in ids."""
    return decode_words(value) if "=?" in value and "?=" in value else value


def _is_id(value: str) -> bool:
    """Return True if a value consists of a single id, as most do."""
    core = value[1:-1]
    return (
        value[0] == "<"
        and value[-1] == ">"
        and 0 < len(core) <= MAX_ID
        and "<" not in core
        and ">" not in core
        and core.split() == [core]
    )


def message_ids(value: str) -> tuple[str, ...]:
    """Return the distinct ids of an `In-Reply-To` or `References` value, in order.

    Prose that old mailers write around the ids is skipped. Beyond `MAX_IDS`, the first id, which names the thread, and
    the latest are kept.
    """
    value = _decoded_ids(value)
    if not value:
        return ()
    if _is_id(value):
        return (value,)
    ids = tuple(dict.fromkeys(["".join(found.split()) for found in _ID.findall(value)]))
    if not ids and "@" in value:
        ids = tuple(
            dict.fromkeys(f"<{word}>" for word in value.replace(",", " ").split() if "@" in word.strip("<>@"))
        )
    return ids if len(ids) <= MAX_IDS else (ids[0], *ids[1 - MAX_IDS :])
