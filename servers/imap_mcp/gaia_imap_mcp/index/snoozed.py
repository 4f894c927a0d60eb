"""Which messages sleep, and until when. Entries: `sleepers`, `times_of`.

A snoozed message lies in a folder of its own, and a label says until when, which any machine can read. Where labels
cannot be keywords (and on Gmail, where each would stand in the user's list) a note of the index says it. Beside a label
the note only reminds this machine to look then: whoever takes the label off has called it off. A message that somebody
moved out of the folder sleeps no more; one in Trash or Spam sleeps on there.
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
"""What the folder is called, and what where the user has a label of that name. On Gmail it is always the second one:
the first is taken by Gmail's own snoozing."""

_FOLDERS = frozenset(name.lower() for name in FOLDERS)
_IN_FOLDER = (
    f"SELECT DISTINCT {COLUMNS} FROM folders f JOIN places p ON p.folder = f.id JOIN messages m ON m.key = p.message "
    "WHERE lower(f.label) IN (?, ?) AND m.visible"
)


class Sleeper(NamedTuple):
    """A message that sleeps, and until when (epoch seconds)."""

    row: IndexRow
    until: float


def is_snooze_folder(label: str) -> bool:
    """Whether a label is the folder of snoozed messages."""
    return label.lower() in _FOLDERS


def sleepers(index: ImapIndex) -> list[Sleeper]:
    """Every message that sleeps in its folder; not those in Trash or Spam."""
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
    """Messages that are noted and sleep no more, each with its time: gone, moved by somebody, or awake."""
    noted = index.notes(UNTIL)
    still = times_of(index, rows(index, noted).values())
    return {id_: _time(text) for id_, text in noted.items() if id_ not in still}


def times_of(index: ImapIndex, found: Iterable[IndexRow]) -> dict[str, str]:
    """Until when those of `found` sleep that do, RFC 3339; also those in Trash or Spam."""
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
    """Labels of a message that say until when it sleeps."""
    return frozenset(label for label in row.labels if snoozed_until(label) is not None)


def _until(row: IndexRow, noted: Mapping[str, str]) -> float | None:
    times = [time for label in row.labels if (time := snoozed_until(label)) is not None]
    if times:
        return max(times)
    text = noted.get(row.id)
    return _time(text) if text is not None and snoozed_until(text) is None else None


def _time(note: str) -> float:
    """Of a note: a label, or RFC 3339 where no label says it."""
    by_label = snoozed_until(note)
    return datetime.fromisoformat(note).timestamp() if by_label is None else by_label


def _left(row: IndexRow, origins: Mapping[str, str]) -> list[str]:
    """The folders from which a message went to Trash or Spam."""
    if row.id not in origins or not SHUT & frozenset(row.labels):
        return []
    left: list[str] = json.loads(origins[row.id])
    return left
