"""Translates label changes for a message, which is in one folder and has marks. Entries: `plan_change`, `back`.

Adding a folder's label moves the message there. Removing it moves the message to the archive, or from Trash and Spam to
its previous folder. All other labels are marks: read, flag, importance, categories.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from gaia_graph_mcp.folders import PREFIX, GraphFolders
from gaia_graph_mcp.rows import ReplicaRow

AWAY = ("TRASH", "SPAM")
"""Labels of folders for which a message's previous folder is remembered."""

MARKS = frozenset({"UNREAD", "STARRED", "IMPORTANT"})
FIXED = frozenset({"SENT", "DRAFT"})

OriginOf = Callable[[str], str | None]
"""Returns the folder a message was in before it moved to Trash or Spam."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLabelPlan:
    """Changes to one message: its folder, marks and categories, and the previous folder to remember or forget."""

    folder: str | None = None
    marks: dict[str, Any] = field(default_factory=dict[str, Any])
    categorize: tuple[str, ...] = ()
    """Categories to add and to remove; all others stay."""
    uncategorize: tuple[str, ...] = ()
    came_from: tuple[str, str] | None = None
    """A location label, and the previous folder to remember for it."""
    forget: tuple[str, ...] = ()
    """Locations whose previous folder can be forgotten."""

    @property
    def marks_something(self) -> bool:
        """True if marks or categories must be written, or categories read first."""
        return bool(self.marks) or self.categorizes

    @property
    def categorizes(self) -> bool:
        """True if the message's current categories must be read first."""
        return bool(self.categorize or self.uncategorize)

    def marks_of(self, categories: Collection[str]) -> dict[str, Any]:
        """Return the properties to write to a message with these categories. Graph replaces them all at once."""
        kept = [name for name in categories if name not in self.uncategorize]
        after = [*kept, *(name for name in self.categorize if name not in kept)]
        return {**self.marks, "categories": after} if after != list(categories) else self.marks


def plan_change(
    row: ReplicaRow, folders: GraphFolders, origin: OriginOf, add: Collection[str], remove: Collection[str]
) -> GraphLabelPlan:
    """Return the plan for one message; a label in both `add` and `remove` is added."""
    taken = [label for label in remove if label not in add]
    here = folders.label(row.folder)
    target = _target(row, folders, add)
    forget: tuple[str, ...] = ()
    if target is None and here and here in taken:
        if here in AWAY:
            target, forget = origin(here), (here,)
        target = _existing(target, folders) or folders.special.get("archive")
    marks = GraphLabelPlan(
        marks=_marks(row, add, taken),
        categorize=tuple(dict.fromkeys(filter(is_category, add))),
        uncategorize=tuple(filter(is_category, taken)),
    )
    if target is None or target == row.folder:
        return marks
    there = folders.label(target)
    came_from = (there, row.folder) if there in AWAY else None
    if here in AWAY and came_from is None:
        forget = AWAY
    return replace(marks, folder=target, came_from=came_from, forget=forget)


def back(row: ReplicaRow, folders: GraphFolders, origin: OriginOf) -> GraphLabelPlan:
    """Return the plan for moving a message out of Trash: to its previous folder, or to the inbox if that is unknown."""
    if folders.label(row.folder) != "TRASH":
        return GraphLabelPlan()
    target = _existing(origin("TRASH"), folders) or folders.special.get("inbox")
    return GraphLabelPlan(folder=target, forget=("TRASH",))


def _target(row: ReplicaRow, folders: GraphFolders, add: Collection[str]) -> str | None:
    """Return the folder for the added labels; Trash wins over Spam, Spam over the user's folders, then the inbox."""
    own = [label for label in add if label.startswith(PREFIX)]
    for label in ("TRASH", "SPAM", *own, "INBOX"):
        if label in add and folders.label(row.folder) != label:
            return folders.folder_of(label)
        if label in add:
            return None
    return None


def _existing(folder: str | None, folders: GraphFolders) -> str | None:
    return folder if folder in folders.by_id else None


def _marks(row: ReplicaRow, add: Collection[str], taken: Collection[str]) -> dict[str, Any]:
    """Return the properties to change, except categories."""
    marks: dict[str, Any] = {}
    wanted = dict.fromkeys(add, True) | dict.fromkeys(taken, False)
    if "UNREAD" in wanted and wanted["UNREAD"] == row.read:
        marks["isRead"] = not wanted["UNREAD"]
    if "STARRED" in wanted and wanted["STARRED"] != row.flagged:
        marks["flag"] = {"flagStatus": "flagged" if wanted["STARRED"] else "notFlagged"}
    if "IMPORTANT" in wanted and wanted["IMPORTANT"] != row.important:
        marks["importance"] = "high" if wanted["IMPORTANT"] else "normal"
    return marks


def is_category(label: str) -> bool:
    """Return True if an existing label is a category, of which a message may have several."""
    return label not in {*MARKS, *FIXED, *AWAY, "INBOX"} and not label.startswith(PREFIX)
