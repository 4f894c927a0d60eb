"""What the scripted IMAP server holds, and how FETCH tells it. Entry points: `Store`, `fetched`."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(slots=True)
class Kept:
    """One message. Gmail's views of it share the object, so that flags and labels are the same in all."""

    raw: bytes
    flags: set[str]
    date: datetime
    number: int
    labels: set[str] = field(default_factory=set[str])
    modseq: int = 1


@dataclass(slots=True)
class Box:
    """One folder."""

    uidvalidity: int
    role: str = ""
    uidnext: int = 1
    messages: dict[int, Kept] = field(default_factory=dict[int, Kept])

    def add(self, message: Kept) -> int:
        """Store it; its UID."""
        uid, self.uidnext = self.uidnext, self.uidnext + 1
        self.messages[uid] = message
        return uid


class Store:
    """The folders of one account; `changed` is notified of every change made through it."""

    def __init__(self, roles: Sequence[str] = ()) -> None:
        self.changed = threading.Condition(threading.RLock())
        self.version = 0
        self._uidvalidity = 1000
        self._count = 0
        self.boxes: dict[str, Box] = {}
        for name in ("INBOX", *roles):
            self.create(name, role=name if name in roles else "")

    def touch(self) -> None:
        """Say that something changed; called with or without the lock held."""
        with self.changed:
            self.version += 1
            self.changed.notify_all()

    def create(self, name: str, role: str = "") -> Box:
        """A new folder."""
        self._uidvalidity += 1
        box = self.boxes[name] = Box(self._uidvalidity, role)
        return box

    def make(
        self, raw: bytes, flags: Sequence[str] = (), date: datetime | None = None, labels: Sequence[str] = ()
    ) -> Kept:
        """A message that lies in no folder yet."""
        self._count += 1
        when = date or datetime.now(UTC)
        return Kept(raw, set(flags), when, 1_700_000_000_000 + self._count, set(labels), self.version + 1)

    def put(self, raw: bytes, folder: str = "INBOX", flags: Sequence[str] = ()) -> int:
        """A message arrives; its UID."""
        with self.changed:
            return self.append(self.make(raw, flags), folder)

    def append(self, message: Kept, folder: str) -> int:
        """Store a message in a folder; its UID."""
        uid = self.boxes[folder].add(message)
        self.touch()
        return uid

    def copy(self, uids: Sequence[int], source: str, target: str) -> None:
        """What COPY does."""
        for uid in uids:
            kept = self.boxes[source].messages[uid]
            self.boxes[target].add(self.make(kept.raw, sorted(kept.flags), kept.date))
        self.touch()

    def move(self, uids: Sequence[int], source: str, target: str) -> None:
        """What MOVE does."""
        self.copy(uids, source, target)
        self.expunge(uids, source)

    def expunge(self, uids: Sequence[int], folder: str) -> None:
        """What EXPUNGE does with messages that are marked as deleted."""
        for uid in uids:
            del self.boxes[folder].messages[uid]
        self.touch()

    def note(self, message: Kept) -> None:
        """Flags or labels of a message have changed."""
        message.modseq = self.version + 1
        self.touch()

    def refuses(self, folder: str) -> bool:
        """Whether a folder of that name cannot be made."""
        return folder in self.boxes

    def remove(self, uid: int, folder: str = "INBOX") -> None:
        """A message vanishes."""
        with self.changed:
            del self.boxes[folder].messages[uid]
            self.touch()

    def renumber(self, folder: str = "INBOX") -> None:
        """The same messages under new UIDs and a new UIDVALIDITY."""
        with self.changed:
            old = self.boxes[folder]
            new = self.create(folder, old.role)
            for message in reversed(old.messages.values()):
                new.add(message)
            self.touch()


def internal_date(date: datetime) -> str:
    """As INTERNALDATE writes it."""
    return f"{date.day:2d}-{MONTHS[date.month - 1]}-{date:%Y %H:%M:%S %z}"


def quoted(text: str) -> str:
    """An IMAP quoted string; a literal where a line ends in it."""
    if "\r" in text or "\n" in text:
        return f"{{{len(text)}}}\r\n{text}"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fetched(message: Kept, uid: int, items: Sequence[str]) -> bytes:
    """The list of a FETCH answer.

    Raises:
        ValueError: An item that this server does not know.
    """
    parts = [b"UID %d" % uid]
    parts += [_item(message, item) for item in items if item.upper() != "UID"]
    return b"(" + b" ".join(parts) + b")"


_BODY = re.compile(r"BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$", re.I)


def _item(message: Kept, item: str) -> bytes:
    upper = item.upper()
    simple = {
        "FLAGS": f"FLAGS ({' '.join(sorted(message.flags))})",
        "INTERNALDATE": f'INTERNALDATE "{internal_date(message.date)}"',
        "RFC822.SIZE": f"RFC822.SIZE {len(message.raw)}",
        "X-GM-MSGID": f"X-GM-MSGID {message.number}",
        "X-GM-THRID": f"X-GM-THRID {_thread(message)}",
        "EMAILID": f"EMAILID (M{message.number})",
        "THREADID": f"THREADID (T{_thread(message)})",
        "X-GM-LABELS": f"X-GM-LABELS ({' '.join(quoted(label) for label in sorted(message.labels))})",
    }
    if upper in simple:
        return simple[upper].encode()
    if upper == "BODYSTRUCTURE":
        return b"BODYSTRUCTURE " + _structure(message.raw)
    match = _BODY.match(item)
    if match is None:
        raise ValueError(item)
    content = _section(message.raw, match[1].upper())
    name = f"BODY[{match[1]}]"
    if match[2] is not None:
        start, count = int(match[2]), int(match[3])
        content = content[start : start + count]
        name += f"<{start}>"
    return name.encode() + b" {%d}\r\n" % len(content) + content


def _thread(message: Kept) -> int:
    """The conversation as this server has it: by the first word of the subject, unlike any of ours."""
    found = re.search(rb"(?im)^subject: *(\w*)", message.raw)
    return 7_000_000 + sum(found[1]) if found else message.number


def _section(raw: bytes, section: str) -> bytes:
    head, _, body = raw.partition(b"\r\n\r\n")
    if not section:
        return raw
    if section == "HEADER":
        return head + b"\r\n\r\n"
    if section == "TEXT":
        return body
    match = re.fullmatch(r"HEADER\.FIELDS \(([^)]*)\)", section)
    if match is None:
        raise ValueError(section)
    wanted = {name.strip('"').lower().encode() for name in match[1].split()}
    fields = re.split(rb"\r\n(?![ \t])", head)
    kept = [line for line in fields if line.partition(b":")[0].strip().lower() in wanted]
    return b"".join(line + b"\r\n" for line in kept) + b"\r\n"


def _structure(raw: bytes) -> bytes:
    message = message_from_bytes(raw)
    main, _, sub = message.get_content_type().partition("/")
    size = len(raw.partition(b"\r\n\r\n")[2])
    return f'("{main}" "{sub}" NIL NIL NIL "7BIT" {size} 1)'.encode()
