"""Changes found in one pass over all folders, before they are stored. Entry: `SyncPass`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from gaia_email_registry.errors import MailError
from gaia_graph_mcp.calls import Resource
from gaia_graph_mcp.replica import Replica
from gaia_graph_mcp.rows import ReplicaRow, is_whole, rewrites, row_of


@dataclass(slots=True)
class SyncPass:
    """Changes found in one pass, before they are stored."""

    rows: dict[str, ReplicaRow] = field(default_factory=dict[str, ReplicaRow])
    changes: dict[str, Resource] = field(default_factory=dict[str, Resource])
    """Partial items of messages that no item in this pass describes completely."""
    twice: set[str] = field(default_factory=set[str])
    """Messages that moved during the pass, so that two folders list them."""
    removed: dict[str, str] = field(default_factory=dict[str, str])
    """Messages that left a folder, with the last folder that reported it."""
    lost: set[str] = field(default_factory=set[str])
    """Messages that the mailbox no longer has."""
    links: dict[str, str] = field(default_factory=dict[str, str])
    relisted: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Folders that are being listed again from the start, with the ids found in them."""
    done: set[str] = field(default_factory=set[str])
    """Folders that were read to the end."""
    missing: dict[str, MailError] = field(default_factory=dict[str, MailError])
    """Folders whose messages return "not found", though the list of folders may still include them."""
    errors: dict[str, MailError] = field(default_factory=dict[str, MailError])
    """Errors by folder; an empty id is the list of folders."""
    held: set[str] = field(default_factory=set[str])
    """Folders whose link is kept, so that they report the same changes again."""
    pages: int = 0

    def folder_of(self, id_: str) -> str:
        """Return the folder in which this pass found a message; empty if it found none."""
        if id_ in self.rows:
            return self.rows[id_].folder
        return str(self.changes[id_]["parentFolderId"]) if id_ in self.changes else ""

    def take(self, id_: str, resource: Resource) -> None:
        """Add an item that describes a whole message or a change to one."""
        if self.folder_of(id_) not in ("", resource["parentFolderId"]):
            self.twice.add(id_)
        if is_whole(resource):
            self.rows[id_] = row_of(resource)
            self.changes.pop(id_, None)
        elif id_ in self.rows and not rewrites(resource):
            self.rows[id_] = self.rows[id_].merge(resource)
        else:
            self.rows.pop(id_, None)
            self.changes[id_] = {**self.changes.get(id_, {}), **resource}

    def drop(self, id_: str) -> None:
        """Forget a message."""
        self.rows.pop(id_, None)
        self.changes.pop(id_, None)

    def remove(self, folder: str, id_: str) -> None:
        """Record that a message left a folder."""
        self.removed[id_] = folder
        if self.folder_of(id_) == folder:
            self.drop(id_)

    def fail(self, folder: str, error: MailError) -> None:
        """Leave a folder in its known state; one that was being listed again starts over in the next pass."""
        self.errors.setdefault(folder, error)
        if self.relisted.pop(folder, None) is not None:
            self.links[folder] = ""

    def hold(self, folder: str, error: MailError) -> None:
        """Make a folder report its changes again in the next pass, because one of its messages could not be read."""
        self.errors.setdefault(folder, error)
        self.held.add(folder)

    def doubtful(self, replica: Replica, gone: Collection[str]) -> dict[str, str]:
        """Return the messages that may be gone, with the folder they were in.

        A folder reports a message as removed even if it came back in the meantime, whether it was known or new since
        the last pass, and the folder it moved to may have been read too early or not at all. Only a lookup of the
        message itself decides.
        """
        found = dict(self.removed)
        for folder in gone:
            found |= dict.fromkeys(replica.ids_in(folder), folder)
        for folder in self.relisted.keys() & self.done:
            there = self.relisted[folder]
            found |= {id_: folder for id_ in replica.ids_in(folder) if id_ not in there}
        return {id_: folder for id_, folder in found.items() if not self.folder_of(id_)}
