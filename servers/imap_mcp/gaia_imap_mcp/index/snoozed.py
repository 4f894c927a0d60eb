"""Finds snoozed messages and the times of their return. Entries: `sleepers`, `times_of`.

Snoozed messages are in a folder of their own, and a label that any machine can read has the time of their return. If
labels cannot be keywords (and on Gmail, where each would clutter the user's list), a note in the index has the time.
If there is a label, the note only reminds this machine to check: removing the label cancels the snooze. A message that
was moved out of the folder is no longer snoozed; one in Trash or Spam stays snoozed there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from gaia_imap_mcp.index.store import ORIGINS, UNTIL, ImapIndex
from gaia_imap_mcp.index.views import COLUMNS, IndexRow, rows
from gaia_imap_mcp.protocol.labels_from_flags import SHUT
from gaia_mail.snoozing import snoozed_until

FOLDERS = ("Snoozed", "Snoozed by gaia")
"""The name of the folder, and its name if the user already has a label with the first one. On Gmail it is always the
second: Gmail's own snoozing uses the first."""

_FOLDERS = frozenset(name.lower() for name in FOLDERS)
_IN_FOLDER = (
    f"SELECT DISTINCT {COLUMNS} FROM folders f JOIN places p ON p.folder = f.id JOIN messages m ON m.key = p.message "
    "WHERE lower(f.label) IN (?, ?) AND m.visible"
)


class Sleeper(NamedTuple):
    """A snoozed message and the time of its return (epoch seconds)."""

    row: IndexRow
    until: float


def is_snooze_folder(label: str) -> bool:
    """Return True if a label is that of the snooze folder."""
    return label.lower() in _FOLDERS


def sleepers(index: ImapIndex) -> list[Sleeper]:
    """Return every message in the snooze folder with the time of its return; not those in Trash or Spam."""
    noted = index.notes(UNTIL)
    found = [IndexRow(*values) for values in index.database.execute(_IN_FOLDER, sorted(_FOLDERS))]
    known = {row.id: row for row in found} | rows(index, noted)
    return [
        Sleeper(row, until)
        for row in known.values()
        if not SHUT & frozenset(row.labels)
        and any(map(is_snooze_folder, row.labels))
        and (until := _until(row, noted)) is not None
    ]


def strays(index: ImapIndex) -> dict[str, float]:
    """Return noted messages that are no longer snoozed (gone, moved or back), each with its time."""
    noted = index.notes(UNTIL)
    still = times_of(index, rows(index, noted).values())
    return {id_: _time(text) for id_, text in noted.items() if id_ not in still}


def times_of(index: ImapIndex, found: Iterable[IndexRow]) -> dict[str, str]:
    """Return when the snoozed messages among `found` return (RFC 3339), also those in Trash or Spam."""
    noted = index.notes(UNTIL)
    times = {row.id: until for row in found if (until := _until(row, noted)) is not None}
    if not times:
        return {}
    origins = index.notes(ORIGINS)
    return {
        row.id: datetime.fromtimestamp(times[row.id], UTC).isoformat()
        for row in found
        if row.id in times and any(map(is_snooze_folder, (*row.labels, *_left(row, origins))))
    }


def marks_of(row: IndexRow) -> frozenset[str]:
    """Return the labels of a message that contain the time of its return."""
    return frozenset(label for label in row.labels if snoozed_until(label) is not None)


def _until(row: IndexRow, noted: Mapping[str, str]) -> float | None:
    times = [time for label in row.labels if (time := snoozed_until(label)) is not None]
    if times:
        return max(times)
    text = noted.get(row.id)
    return _time(text) if text is not None and snoozed_until(text) is None else None


def _time(note: str) -> float:
    """Return the time in a note, which is a label or, without labels, RFC 3339."""
    by_label = snoozed_until(note)
    return datetime.fromisoformat(note).timestamp() if by_label is None else by_label


def _left(row: IndexRow, origins: Mapping[str, str]) -> list[str]:
    """Return the folders from which a message went to Trash or Spam."""
    if row.id not in origins or not SHUT & frozenset(row.labels):
        return []
    left: list[str] = json.loads(origins[row.id])
    return left
