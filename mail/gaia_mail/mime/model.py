"""The result of reading a message: `ParsedMessage`, the same for every reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gaia_mail.mime.transfer import decode_transfer


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxAddress:
    """A mailbox of an address header (RFC 5322 §3.4): decoded display name and bare address.

    `name` may be empty; `address` is empty for groups such as `undisclosed:;` and for words without an address.
    """

    name: str
    address: str


class Headers(Mapping[str, str]):
    """Decoded, unfolded header fields, in order; lookup ignores case.

    `headers["subject"]` is the first field of that name; `get_all` returns all of them from the top of the message down
    (for trace fields such as `Received` the first is the most recent).
    """

    __slots__ = ("_fields", "_first")

    def __init__(self, fields: tuple[tuple[str, str], ...], first: dict[str, str] | None = None) -> None:
        """Use `first`, if given, as the first value of each lower-case name."""
        self._fields = fields
        self._first = {name.lower(): value for name, value in reversed(fields)} if first is None else first

    def __getitem__(self, name: str) -> str:
        """Return the first field called `name`; raise `KeyError` if there is none."""
        return self._first[name.lower()]

    def __contains__(self, name: object) -> bool:
        """Return True if there is a field called `name`."""
        return isinstance(name, str) and name.lower() in self._first

    def __iter__(self) -> Iterator[str]:
        """Iterate over the distinct lower-case names in order of first appearance."""
        return iter(dict.fromkeys(name.lower() for name, _ in self._fields))

    def __len__(self) -> int:
        """Return the number of distinct names."""
        return len(self._first)

    def get_all(self, name: str) -> tuple[str, ...]:
        """Return every field called `name`, topmost first; empty if there is none."""
        wanted = name.lower()
        if wanted not in self._first:
            return ()
        if len(self._first) == len(self._fields):
            return (self._first[wanted],)
        size = len(wanted)
        return tuple([v for given, v in self._fields if len(given) == size and given.lower() == wanted])

    def group_by_name(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each lower-case name with all its values, in order of first appearance: `get_all` for every name."""
        groups: dict[str, list[str]] = {}
        for name, value in self._fields:
            groups.setdefault(name.lower(), []).append(value)
        return ((name, tuple(values)) for name, values in groups.items())

    def those_of(self, names: frozenset[str]) -> frozenset[str]:
        """Return the given lower-case names that are present."""
        return names.intersection(self._first)

    def fields(self) -> tuple[tuple[str, str], ...]:
        """Return all fields as written: original case, original order."""
        return self._fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A part other than the body: a file, an inline image, or an attached message.

    `id` is the part's path in the MIME tree (`"2"`, `"1.3"`), so it is stable for a message. `filename` is decoded and
    reduced to a bare name (no path separators, no control characters), or empty. `size` is the size of `content`.
    """

    id: str
    filename: str
    content_type: str
    size: int
    inline: bool
    content_id: str
    data: bytes = field(repr=False)
    """The part as encoded in the message: most attachments are listed and never opened."""
    encoding: str = ""
    """The transfer encoding of `data`."""

    @property
    def content(self) -> bytes:
        """The bytes of the file; decoded on every access."""
        return decode_transfer(self.data, self.encoding)[0] if self.encoding else self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedMessage:
    """One message, decoded. Everything in it is untrusted and bounded in size.

    Ids keep their angle brackets. `date` is None if the header is missing or unreadable, and otherwise aware (`-0000`
    and missing zones count as UTC). `text` joins the text/plain body parts and `html` the text/html ones, decoded and
    with line feeds; neither includes attachments. `calendars` contains the text of every text/calendar part, at any
    position. `defects` describes what was wrong with the message; no defect stops the parser.
    """

    headers: Headers
    message_id: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    sender: MailboxAddress | None
    """The first mailbox of `From`, or of `Sender` if there is no `From`."""
    reply_to: tuple[MailboxAddress, ...]
    to: tuple[MailboxAddress, ...]
    cc: tuple[MailboxAddress, ...]
    bcc: tuple[MailboxAddress, ...]
    date: datetime | None
    text: str
    html: str
    calendars: tuple[str, ...]
    attachments: tuple[Attachment, ...]
    content_type: str
    """The top-level media type, lower case, e.g. `multipart/alternative`."""
    encrypted: bool
    """True for S/MIME and PGP mail whose text cannot be read."""
    size: int
    """Bytes of the original message."""
    defects: tuple[str, ...]
