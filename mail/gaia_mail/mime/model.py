"""What reading a message gives: `ParsedMessage`, the same whichever reader made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gaia_mail.mime.transfer import decode_transfer


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxAddress:
    """A mailbox of an address header (RFC 5322 §3.4): decoded display name and bare address.

    `name` is empty when there is none; `address` is empty for groups such as `undisclosed:;` and for words that
    name no address.
    """

    name: str
    address: str


class Headers(Mapping[str, str]):
    """Decoded, unfolded header fields, in order; looking a name up ignores case.

    `headers["subject"]` is the first field of that name; `get_all` gives every one from the top of the
    message down (for trace fields such as `Received` the first is the most recent).
    """

    __slots__ = ("_fields", "_first")

    def __init__(self, fields: tuple[tuple[str, str], ...], first: dict[str, str] | None = None) -> None:
        """`first` may give the first value of each lower-case name, where it is known already."""
        self._fields = fields
        self._first = {name.lower(): value for name, value in reversed(fields)} if first is None else first

    def __getitem__(self, name: str) -> str:
        """The first field called `name`; `KeyError` when there is none."""
        return self._first[name.lower()]

    def __contains__(self, name: object) -> bool:
        """Whether there is a field called `name`."""
        return isinstance(name, str) and name.lower() in self._first

    def __iter__(self) -> Iterator[str]:
        """Lower-case names, each once, in order of first appearance."""
        return iter(dict.fromkeys(name.lower() for name, _ in self._fields))

    def __len__(self) -> int:
        """How many different names there are."""
        return len(self._first)

    def get_all(self, name: str) -> tuple[str, ...]:
        """Every field called `name`, topmost first; empty when there is none."""
        wanted = name.lower()
        if wanted not in self._first:
            return ()
        if len(self._first) == len(self._fields):
            return (self._first[wanted],)
        size = len(wanted)
        return tuple([v for given, v in self._fields if len(given) == size and given.lower() == wanted])

    def grouped(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Each lower-case name with every field of it, in order of first appearance: `get_all` of all names."""
        groups: dict[str, list[str]] = {}
        for name, value in self._fields:
            groups.setdefault(name.lower(), []).append(value)
        return ((name, tuple(values)) for name, values in groups.items())

    def those_of(self, names: frozenset[str]) -> frozenset[str]:
        """Which of these lower-case names there are."""
        return names.intersection(self._first)

    def fields(self) -> tuple[tuple[str, str], ...]:
        """All fields as written: original case, original order."""
        return self._fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A part that is not the body: a file, an inline image, or an attached message.

    `id` is the part's path in the MIME tree (`"2"`, `"1.3"`), so it is stable for a message. `filename` is
    decoded and reduced to a bare name (no path separators, no control characters); empty when there is none.
    `size` is that of its `content`.
    """

    id: str
    filename: str
    content_type: str
    size: int
    inline: bool
    content_id: str
    data: bytes = field(repr=False)
    """The part as the message has it: most attachments are listed and never opened."""
    encoding: str = ""
    """The transfer encoding that is still on `data`."""

    @property
    def content(self) -> bytes:
        """The bytes of the file; decoded anew at each call."""
        return decode_transfer(self.data, self.encoding)[0] if self.encoding else self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedMessage:
    """One message, decoded. Nothing in it is trusted; everything in it is bounded.

    Ids keep their angle brackets. `date` is None when the header is missing or cannot be read, and is
    aware otherwise (`-0000` and missing zones count as UTC). `text` joins the text/plain body parts and
    `html` the text/html ones, both decoded with line feeds; what is an attachment is in neither.
    `calendars` holds every text/calendar part's text, wherever it stood. `defects` says in words what was
    wrong with the message; reading goes on past every one of them.
    """

    headers: Headers
    message_id: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    sender: MailboxAddress | None
    """The `From` header's first mailbox; `Sender` where there is no `From`."""
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
    """True for S/MIME and PGP mail whose text cannot be read here."""
    size: int
    """Bytes of the original message."""
    defects: tuple[str, ...]
