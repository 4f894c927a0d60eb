"""The folders of an account, and which labels they and a message's marks stand for. Entry: `GraphFolders`."""

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
"""Well-known folders and their labels; the archive's messages are those that carry no label of a place."""

PREFIX = "folder:"
"""What ids of labels that are folders begin with; the rest is Graph's id, so renaming keeps it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFolder:
    """One folder; `well_known` is Graph's name for it where it has one."""

    id: str
    name: str
    parent: str
    well_known: str = ""


class GraphFolders:
    """All folders by id; what is below Deleted Items is in Trash, whatever its name."""

    def __init__(self, folders: Iterable[GraphFolder]) -> None:
        self.by_id: Mapping[str, GraphFolder] = {folder.id: folder for folder in folders}
        self.special = {folder.well_known: folder.id for folder in self.by_id.values() if folder.well_known}
        self._labels = {id_: self._label(id_) for id_ in self.by_id}

    def label(self, folder_id: str) -> str:
        """The label of a folder; empty for the archive and for folders nobody told of."""
        return self._labels.get(folder_id, "")

    def path(self, folder_id: str) -> str:
        """Its name below those of the folders it is in."""
        names = [folder.name for folder in self._chain(folder_id)]
        return "/".join(reversed(names))

    def own(self) -> dict[str, str]:
        """The user's folders: paths by label ids."""
        return {label: self.path(id_) for id_, label in self._labels.items() if label.startswith(PREFIX)}

    def labels_of(self, row: ReplicaRow) -> list[str]:
        """The labels of a message, sorted."""
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
        """The id of the folder a label stands for; None for marks and categories, and where there is none."""
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
        """The folder and those it is in, without the root of all; safe where folders are in one another."""
        found: list[GraphFolder] = []
        folder = self.by_id.get(folder_id)
        while folder is not None and folder not in found:
            found.append(folder)
            folder = self.by_id.get(folder.parent)
        return found
