"""The index entry of a message, about 600 bytes in memory. Entry points: `IndexEntry.facts`, `sort_time`.

Fifty thousand entries have to fit into memory next to a mail client, so header facts are one packed byte string, and
messages share label, flag and directory values.
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
    """A message in the index. `unit` is the part of the source that listed it: a folder, or the whole source."""

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
    """The sort key: the `Date` header, else the time of arrival, in epoch seconds."""
    ordinal: int
    """Its number in the thread index."""
    packed: bytes

    @property
    def path(self) -> str:
        """The path of the message's file."""
        return os.path.join(self.directory, self.file)

    @property
    def location(self) -> FileLocation:
        """The location of the message's bytes."""
        return FileLocation(self.path, self.start, self.length, self.length >= 0)

    def facts(self) -> HeaderFacts:
        """Return the unpacked header facts."""
        return unpack(self.packed)

    def as_change(self) -> Changed:
        """Return the labels and flags as `sync_emails` reports them."""
        return Changed(id=self.id, labels=list(self.labels), flags=list(self.flags))

    def state(self) -> int:
        """Return a hash of id, labels and flags."""
        return state_of(self.id, self.labels, self.flags)


def state_of(id_: str, labels: tuple[str, ...], flags: tuple[str, ...]) -> int:
    """Return the state of a message (`IndexEntry.state`), which a listing provides without reading the message."""
    text = id_ + _FIELD + _marks(labels, flags)
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())


@lru_cache(maxsize=4096)
def _marks(labels: tuple[str, ...], flags: tuple[str, ...]) -> str:
    return _FIELD.join((*sorted(labels), _ITEM, *sorted(flags)))


def sort_time(date: datetime | None, modified: float) -> float:
    """Return the time by which a message is sorted: its date, else its arrival, else 0 if that is not finite."""
    instant = date.timestamp() if date is not None else modified
    return instant if math.isfinite(instant) else 0.0
