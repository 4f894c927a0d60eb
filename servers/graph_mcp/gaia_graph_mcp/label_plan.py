"""What a change of labels means for a message that is in one folder and has marks. Entries: `planned`, `back`.

A folder's label moves the message there; taken off, it goes to the archive, out of Trash and Spam to where it was.
Everything else is a mark: read, flag, importance, categories.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from gaia_graph_mcp.folders import PREFIX, Folders
from gaia_graph_mcp.rows import Row

AWAY = ("TRASH", "SPAM")
"""Places that remember where a message was."""

MARKS = frozenset({"UNREAD", "STARRED", "IMPORTANT"})
FIXED = frozenset({"SENT", "DRAFT"})

Origin = Callable[[str], str | None]
"""The folder a message was in before it came to such a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to do with one message: move it, change its marks, remember or forget where it was."""

    folder: str | None = None
    marks: dict[str, Any] = field(default_factory=dict[str, Any])
    came_from: tuple[str, str] | None = None
    """A place and the folder to remember for it."""
    forget: tuple[str, ...] = ()
    """Places whose memory is used up."""

    @property
    def does_something(self) -> bool:
        """Whether Microsoft has to be told."""
        return self.folder is not None or bool(self.marks)


def planned(
    row: Row, folders: Folders, origin: Origin, add: Collection[str], remove: Collection[str]
) -> Plan:
    """The plan for one message; a label in both is added."""
    taken = [label for label in remove if label not in add]
    here = folders.label(row.folder)
    target = _target(row, folders, add)
    forget: tuple[str, ...] = ()
    if target is None and here and here in taken:
        if here in AWAY:
            target, forget = origin(here), (here,)
        target = _existing(target, folders) or folders.special.get("archive")
    if target is None or target == row.folder:
        return Plan(marks=_marks(row, add, taken))
    there = folders.label(target)
    came_from = (there, row.folder) if there in AWAY else None
    if here in AWAY and came_from is None:
        forget = AWAY
    return Plan(folder=target, marks=_marks(row, add, taken), came_from=came_from, forget=forget)


def back(row: Row, folders: Folders, origin: Origin) -> Plan:
    """Out of Trash, to where the message was; where nobody knows, to the inbox."""
    if folders.label(row.folder) != "TRASH":
        return Plan()
    target = _existing(origin("TRASH"), folders) or folders.special.get("inbox")
    return Plan(folder=target, forget=("TRASH",))


def _target(row: Row, folders: Folders, add: Collection[str]) -> str | None:
    """The folder that the added labels want: Trash before Spam before the user's before the inbox."""
    own = [label for label in add if label.startswith(PREFIX)]
    for label in ("TRASH", "SPAM", *own, "INBOX"):
        if label in add and folders.label(row.folder) != label:
            return folders.folder_of(label)
        if label in add:
            return None
    return None


def _existing(folder: str | None, folders: Folders) -> str | None:
    return folder if folder in folders.by_id else None


def _marks(row: Row, add: Collection[str], taken: Collection[str]) -> dict[str, Any]:
    """The properties that differ afterwards."""
    marks: dict[str, Any] = {}
    wanted = dict.fromkeys(add, True) | dict.fromkeys(taken, False)
    if "UNREAD" in wanted and wanted["UNREAD"] == row.read:
        marks["isRead"] = not wanted["UNREAD"]
    if "STARRED" in wanted and wanted["STARRED"] != row.flagged:
        marks["flag"] = {"flagStatus": "flagged" if wanted["STARRED"] else "notFlagged"}
    if "IMPORTANT" in wanted and wanted["IMPORTANT"] != row.important:
        marks["importance"] = "high" if wanted["IMPORTANT"] else "normal"
    new = [label for label in add if is_category(label) and label not in row.categories]
    kept = [label for label in row.categories if label not in taken]
    if new or len(kept) != len(row.categories):
        marks["categories"] = [*kept, *new]
    return marks


def is_category(label: str) -> bool:
    """Whether a label that exists is one of which a message may have several."""
    return label not in {*MARKS, *FIXED, *AWAY, "INBOX"} and not label.startswith(PREFIX)
