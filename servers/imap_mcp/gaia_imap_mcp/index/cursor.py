"""The cursor of `sync_emails`: how much of the mailbox a caller knows. Entries: `ImapCursor`, `read_cursor`.

It identifies its index and a number in the index's sequence of events. It also has the state of every folder on the
server (UIDVALIDITY, UIDNEXT, HIGHESTMODSEQ), so that it can still be checked if the index is lost.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from dataclasses import dataclass, field

PREFIX = "i1."
_MAX_TEXT = 1 << 20
_MAX_BYTES = 1 << 24

Marks = tuple[int, int, int]
"""UIDVALIDITY, UIDNEXT and HIGHESTMODSEQ of a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapCursor:
    """A caller's progress: it knows all events up to `base`, and of those up to `target` it has received `at`."""

    owner: str
    """The account and its server; see `fingerprint`."""
    epoch: str
    """The id of the index."""
    base: int
    target: int
    at: int
    folders: dict[str, Marks] = field(default_factory=dict[str, Marks])
    """Empty unless the caller knew everything when the cursor was made."""

    @property
    def is_resting(self) -> bool:
        """True if every event up to `target` has been reported."""
        return self.base == self.target == self.at

    def __str__(self) -> str:
        values = [self.owner, self.epoch, self.base, self.target, self.at, self.folders]
        text = json.dumps(values, separators=(",", ":"), sort_keys=True)
        packed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
        return PREFIX + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def read_cursor(text: str) -> ImapCursor | None:
    """Read a cursor from its text; None if it is not ours or is damaged."""
    if not text.startswith(PREFIX) or len(text) > _MAX_TEXT or not text.isascii():
        return None
    packed = text[len(PREFIX) :]
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflater = zlib.decompressobj()
        opened = inflater.decompress(data, _MAX_BYTES)
        if not inflater.eof or inflater.unused_data:
            return None
        owner, epoch, base, target, at, folders = json.loads(opened)
        return ImapCursor(
            owner=_text(owner),
            epoch=_text(epoch),
            base=_number(base),
            target=_number(target),
            at=_number(at),
            folders={_text(name): _marks(marks) for name, marks in folders.items()},
        )
    except (binascii.Error, zlib.error, ValueError, TypeError, AttributeError, RecursionError):
        return None


def fingerprint(host: str, port: int, user: str) -> str:
    """Return a short id for an account on a server that discloses neither."""
    return hashlib.blake2b(
        f"{host.lower()}\0{port}\0{user}".encode("utf-8", "replace"), digest_size=6
    ).hexdigest()


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def _marks(value: list[object]) -> Marks:
    first, second, third = value
    return _number(first), _number(second), _number(third)
