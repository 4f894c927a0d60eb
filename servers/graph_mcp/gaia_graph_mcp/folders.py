"""Folders of an account, and the labels that folders and marks stand for. Entry: `GraphFolders`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gaia_graph_mcp.rows import ReplicaRow

SYSTEM = {
    "inbox": "INBOX",
    "sentitems": "SENT",
    "drafts": "DRAFT",
    "deleteditems": "TRASH",
    "junkemail": "SPAM",
    "archive": "",
}
"""Well-known folders and their labels; messages in the archive have no location label."""

PREFIX = "folder:"
"""Prefix of a folder's label id. The rest is Graph's folder id, so that renaming a folder keeps its label id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFolder:
    """A folder; `well_known` is Graph's fixed name for it, if it has one."""

    id: str
    name: str
    parent: str
    well_known: str = ""


class GraphFolders:
    """All folders by id; every folder below Deleted Items counts as Trash."""

    def __init__(self, folders: Iterable[GraphFolder]) -> None:
        self.by_id: Mapping[str, GraphFolder] = {folder.id: folder for folder in folders}
        self.special = {folder.well_known: folder.id for folder in self.by_id.values() if folder.well_known}
        self._labels = {id_: self._label(id_) for id_ in self.by_id}

    def label(self, folder_id: str) -> str:
        """Return the label of a folder; empty for the archive and for unknown folders."""
        return self._labels.get(folder_id, "")

    def path(self, folder_id: str) -> str:
        """Return the folder's name preceded by those of its parents, separated by slashes."""
        names = [folder.name for folder in self._chain(folder_id)]
        return "/".join(reversed(names))

    def own(self) -> dict[str, str]:
        """Return the paths of the user's folders by label id."""
        return {label: self.path(id_) for id_, label in self._labels.items() if label.startswith(PREFIX)}

    def labels_of(self, row: ReplicaRow) -> list[str]:
        """Return the labels of a message, sorted."""
        location = self.label(row.folder)
        found = set(row.categories)
        if location:
            found.add(location)
        if row.draft and location != "TRASH":
            found.add("DRAFT")
        found |= {
            label
            for label, on in (
                ("UNREAD", not row.read),
                ("STARRED", row.flagged),
                ("IMPORTANT", row.important),
            )
            if on
        }
        return sorted(found)

    def folder_of(self, label: str) -> str | None:
        """Return the id of a label's folder; None for marks, categories and missing folders."""
        if label.startswith(PREFIX):
            id_ = label.removeprefix(PREFIX)
            return id_ if id_ in self.by_id else None
        name = next((name for name, held in SYSTEM.items() if held == label and held), "")
        return self.special.get(name)

    def _label(self, folder_id: str) -> str:
        for folder in self._chain(folder_id):
            if folder.well_known == "deleteditems":
                return "TRASH"
        own = self.by_id[folder_id].well_known
        return SYSTEM.get(own, "") if own else PREFIX + folder_id

    def _chain(self, folder_id: str) -> list[GraphFolder]:
        """Return the folder and its parents without the root folder; tolerates a cycle."""
        found: list[GraphFolder] = []
        folder = self.by_id.get(folder_id)
        while folder is not None and folder not in found:
            found.append(folder)
            folder = self.by_id.get(folder.parent)
        return found
