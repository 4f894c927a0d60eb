"""What is kept in memory of each message: `IndexEntry`, some 600 bytes. Entry points: `IndexEntry.facts`, `sort_time`.

Fifty thousand of them have to fit beside a mail client, so header facts are one packed byte string, and
label, flag and directory values are shared between messages.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b

from gaia_email_registry.contract.wire import Changed
from gaia_mail.files.location import FileLocation
from gaia_mail.header_facts import HeaderFacts, unpack

_FIELD, _ITEM = "\x1f", "\x1e"


@dataclass(slots=True)
class IndexEntry:
    """One message of the index. `unit` names what it was listed from (a folder, or the whole source)."""

    id: str
    unit: str
    directory: str
    file: str
    start: int
    length: int
    labels: tuple[str, ...]
    flags: tuple[str, ...]
    size: int
    when: float
    """The `Date` header, else the time of arrival, in seconds since the epoch: what messages are sorted by."""
    ordinal: int
    """Its number in the thread index."""
    packed: bytes

    @property
    def path(self) -> str:
        """The file that holds it."""
        return os.path.join(self.directory, self.file)

    @property
    def location(self) -> FileLocation:
        """Where its bytes are."""
        return FileLocation(self.path, self.start, self.length, self.length >= 0)

    def facts(self) -> HeaderFacts:
        """The header facts, unpacked."""
        return unpack(self.packed)

    def changed(self) -> Changed:
        """Labels and flags as `sync_emails` tells them."""
        return Changed(id=self.id, labels=list(self.labels), flags=list(self.flags))

    def state(self) -> int:
        """A number that differs when id, labels or flags differ."""
        return state_of(self.id, self.labels, self.flags)


def state_of(id_: str, labels: tuple[str, ...], flags: tuple[str, ...]) -> int:
    """The state of a message (`IndexEntry.state`), which a listing alone tells without reading the message."""
    text = id_ + _FIELD + _marks(labels, flags)
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())


@lru_cache(maxsize=4096)
def _marks(labels: tuple[str, ...], flags: tuple[str, ...]) -> str:
    return _FIELD.join((*sorted(labels), _ITEM, *sorted(flags)))


def sort_time(date: datetime | None, modified: float) -> float:
    """When a message is placed in time; dates no clock has fall back to its arrival."""
    instant = date.timestamp() if date is not None else modified
    return instant if math.isfinite(instant) else 0.0
