"""Which database files this process has open; each is looked at before it is the first time. Entries: `begin`, `end`.

A look opens and closes the file, and whoever closes any descriptor of a file gives up all locks that its process
holds on it, those of SQLite's connections too. The next program that closes the database then takes itself for the
last one and deletes the log that others are writing (https://sqlite.org/howtocorrupt.html, 2.2): what they write from
then on is lost. So no file is looked at while it is open here.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from threading import Lock

from gaia_email.ledger.failures import damaged

_counting = Lock()
_open: Counter[str] = Counter()


def begin(path: Path, place: str) -> None:
    """The file is about to be opened by SQLite; `end` is to follow when every connection is closed.

    Raises:
        LedgerDamaged: It was cut, or is no database; there is nothing to `end`.
        OSError: It cannot be read; likewise.
    """
    name = os.path.realpath(path)
    with _counting:
        if not _open[name]:
            _look_at(path, place)
        _open[name] += 1


def end(path: Path) -> None:
    """What `begin` began is over."""
    with _counting:
        _open[os.path.realpath(path)] -= 1


def _look_at(path: Path, place: str) -> None:
    if not path.exists():
        return
    size = path.stat().st_size
    with open(path, "rb") as file:
        head = file.read(32)
    if not size:
        return
    if not head.startswith(b"SQLite format 3\0"):
        raise damaged(place, "it is no SQLite database")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    wal = path.with_name(path.name + "-wal")
    if size < pages * (65536 if page == 1 else page) and not (wal.exists() and wal.stat().st_size):
        raise damaged(place, "its end is missing")
