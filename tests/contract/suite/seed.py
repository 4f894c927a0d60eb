"""What a contract test puts into a mailbox: `Seed`, and `write_message`, which makes plain RFC 5322 bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gaia_email_registry.contract.wire import Attendee, CalendarEvent

BASE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""When the first message of a test is dated; the next ones follow by minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A message to start with, and the label ids it carries (`UNREAD` and `STARRED` are flags on disk)."""

    raw: bytes
    labels: tuple[str, ...] = ("INBOX", "UNREAD")


def write_message(
    number: int,
    *,
    subject: str = "",
    sender: str = "Pat Example <pat@example.com>",
    to: str = "me@example.org",
    body: str = "",
    message_id: str = "",
    extra: tuple[tuple[str, str], ...] = (),
    attachment: tuple[str, bytes] | None = None,
) -> bytes:
    """A message whose Message-ID is `<number@seed.example>` unless given, dated `number` minutes after `BASE`."""
    date = (BASE + timedelta(minutes=number)).strftime("%a, %d %b %Y %H:%M:%S +0000")
    fields = [
        ("From", sender),
        ("To", to),
        ("Subject", subject or f"Message number {number}"),
        ("Date", date),
        ("Message-ID", message_id or f"<{number}@seed.example>"),
        ("MIME-Version", "1.0"),
        *extra,
    ]
    text = (body or f"This is the text of message {number}.\n").encode().replace(b"\n", b"\r\n")
    if attachment is None:
        fields.append(("Content-Type", "text/plain; charset=utf-8"))
    else:
        fields.append(("Content-Type", 'multipart/mixed; boundary="seam"'))
        text = _mixed(text, *attachment)
    head = "".join(f"{name}: {value}\r\n" for name, value in fields).encode()
    return head + b"\r\n" + text


def many(count: int, labels: tuple[str, ...] = ("INBOX", "UNREAD")) -> list[Seed]:
    """Messages numbered from 1, each a minute newer than the one before."""
    return [Seed(raw=write_message(number), labels=labels) for number in range(1, count + 1)]


def _mixed(text: bytes, filename: str, content: bytes) -> bytes:
    from base64 import encodebytes

    head = b"--seam\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    part = (
        "\r\n--seam\r\nContent-Type: application/octet-stream\r\n"
        f'Content-Disposition: attachment; filename="{filename}"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    return head + text + part.encode() + encodebytes(content).replace(b"\n", b"\r\n") + b"--seam--\r\n"


def an_event(
    event_id: str,
    start: str = "2026-03-02T10:00:00+00:00",
    end: str = "2026-03-02T11:00:00+00:00",
    *,
    title: str = "Meeting",
    attendees: Sequence[str] = (),
    me: str = "me@example.org",
    busy: bool = True,
) -> CalendarEvent:
    """An event; of several attendees the last one organizes it, and none has answered."""
    guests: list[Attendee] = [
        {"name": "", "address": guest, "response": "needsAction", "optional": False, "me": guest == me}
        for guest in attendees
    ]
    return {
        "id": event_id,
        "uid": f"{event_id}@example.com",
        "title": title,
        "start": start,
        "end": end,
        "all_day": "T" not in start,
        "time_zone": "UTC",
        "status": "confirmed",
        "busy": busy,
        "location": "",
        "description": "",
        "organizer": {"name": "", "address": attendees[-1] if attendees else me},
        "attendees": guests,
        "response": "needsAction" if me in attendees else "",
    }
