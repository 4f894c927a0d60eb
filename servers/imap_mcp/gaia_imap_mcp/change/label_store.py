r"""Creates, renames and removes the user's labels on the server. Entry: `ImapLabelStore`.

A new label is a keyword if the server accepts new ones (`\*` in PERMANENTFLAGS), else a folder. A keyword that no
message has yet is known only from the index's notes, as is the visibility of a label.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.folder_ops import exists, make_folder, remove_folder, rename_folder, wire_name
from gaia_imap_mcp.change.relabel import ImapRelabeler
from gaia_imap_mcp.change.writer import ROUNDS, Writer
from gaia_imap_mcp.index.views import carrying
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.fetch import search_uids
from gaia_imap_mcp.protocol.labels_from_flags import LABEL
from gaia_mail.files.maildir import keyword_label, keyword_of
from gaia_mail_mcp.label_names import check_label_name, user_label, visibility_of
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

MADE, SHOWN = "label", "visibility"
"""Kinds of notes: labels that exist although no message has them, and the visibility of labels."""

MAX_KEYWORD = 50
"""Dovecot's limit; a longer name becomes a folder."""


class ImapLabelStore:
    """Changes the labels of one account; used in its worker thread."""

    def __init__(self, account: ImapAccount, writer: Writer, relabeler: ImapRelabeler) -> None:
        self._account, self._writer, self._relabeler = account, writer, relabeler

    def labels(self, used: Sequence[Label]) -> list[Label]:
        """Return the labels in use and those created for later, each with its visibility."""
        shown = self._account.index.notes(SHOWN)
        own = {label["id"] for label in used if label["type"] == "user"}
        own |= self._account.index.notes(MADE).keys()
        own |= self._account.labels_beside().keys() - SYSTEM_LABELS
        return [
            *(label for label in used if label["type"] == "system"),
            *(user_label(name, json.loads(shown.get(name, "{}"))) for name in sorted(own)),
        ]

    def create(self, name: str, visibility: dict[str, str], known: Sequence[Label]) -> Label:
        """Create a label; `known` are the existing labels."""
        check_label_name(name, [label["name"] for label in known])
        ground = self._writer.ground()
        if ground.keywords and not ground.gmail and _fits(name):
            label = name
            self._note(MADE, name, "keyword")
        else:
            folder = self._account.attempt(lambda connection: make_folder(connection, name))
            self._account.refresh()
            state = self._account.index.folder(folder)
            label = state.label if state is not None else name
        self._show(label, visibility)
        return user_label(label, visibility)

    def update(
        self, label_id: str, name: str | None, visibility: dict[str, str], known: Sequence[Label]
    ) -> Label:
        """Rename a label or change its visibility. Its id is its name, so renaming it changes the id."""
        before = find(label_id, known)
        shown = {**visibility_of(before), **visibility}
        new = label_id if name is None else name
        if new != label_id:
            taken = [label["name"] for label in known if label["id"] != label_id]
            check_label_name(new, taken)
            new = self._rename(label_id, new)
        self._show(new, shown)
        return user_label(new, shown)

    def delete(self, label_id: str, known: Sequence[Label]) -> Label:
        """Remove a label; messages of a folder move to the archive first."""
        before = find(label_id, known)
        folder = self._folder_of(label_id)
        for _ in range(ROUNDS):
            self._take_off(label_id)
            if folder is None:
                break
            if not self._account.attempt(lambda connection: _is_full(connection, folder)):
                self._account.attempt(lambda connection: remove_folder(connection, folder))
                break
            self._account.refresh()
        else:
            raise ProviderError(f"New mail keeps arriving in {label_id[:80]}, so it was not removed.")
        self._note(MADE, label_id, None)
        self._show(label_id, {})
        self._account.refresh()
        return before

    def _rename(self, old: str, new: str) -> str:
        """Rename folder and keyword; return the label's new id."""
        folder = self._account.folder_of(old)
        if folder is not None:
            target = self._account.attempt(lambda connection: wire_name(connection, new))
            self._account.attempt(lambda connection: self._rename_folder(connection, folder, target))
            self._account.refresh()
            state = self._account.index.folder(target)
            new = state.label if state is not None else new
        view = self._account.labels_beside().get(old)
        carrying = self._carrying(old)
        if (carrying or view is not None) and old.casefold() == new.casefold():
            raise BadArgument(
                f"{old[:80]} is on {len(carrying)} messages, and this server does not tell the case of labels apart.",
                argument="name",
            )
        if view is not None:
            self._account.attempt(lambda connection: make_folder(connection, new))
        if carrying:
            applied = self._relabeler.modify(carrying, frozenset({new}), frozenset({old}))
            if applied.failed:
                raise ProviderError(f"Not every message could be relabelled: {applied.failed[0]['error']}")
        if view is not None:
            self._account.attempt(lambda connection: remove_folder(connection, view))
            self._account.refresh()
        made = self._account.index.notes(MADE)
        if old in made:
            self._note(MADE, new, made[old])
            self._note(MADE, old, None)
        elif folder is None and view is None:
            self._note(MADE, new, "keyword")
        self._show(old, {})
        return new

    def _folder_of(self, label: str) -> str | None:
        return self._account.folder_of(label) or self._account.labels_beside().get(label)

    def _rename_folder(self, connection: Connection, folder: str, target: str) -> None:
        """Rename a folder; a refusal is ignored if a previous attempt, before a lost connection, succeeded."""
        try:
            rename_folder(connection, folder, target)
        except CommandRefused:
            if exists(connection, folder) or not exists(connection, target):
                raise

    def _take_off(self, label: str) -> None:
        applied = self._relabeler.modify(self._carrying(label), frozenset(), frozenset({label}))
        if applied.failed:
            raise ProviderError(f"{label[:80]} was not removed: {applied.failed[0]['error']}")

    def _carrying(self, label: str) -> list[str]:
        """Return the ids of messages with a label."""
        return [row.id for row in carrying(self._account.index, label)]

    def _show(self, label: str, visibility: dict[str, str]) -> None:
        self._note(SHOWN, label, json.dumps(visibility) if visibility else None)

    def _note(self, kind: str, key: str, value: str | None) -> None:
        with self._account.index.writing():
            self._account.index.note(kind, key, value)


def find(label_id: str, known: Sequence[Label]) -> Label:
    """Return the user's label with this id.

    Raises:
        BadArgument: It is a system label.
        NotFound: It does not exist.
    """
    for label in known:
        if label["id"] == label_id:
            if label["type"] == "system":
                raise BadArgument(f"{label_id} belongs to the system and stays as it is.", argument="id")
            return label
    raise NotFound(f"There is no label {label_id[:80]!r}.", argument="id")


def _fits(name: str) -> bool:
    """Return True if a name can be stored as a keyword and read back from it."""
    keyword = keyword_of(name)
    return len(keyword) <= MAX_KEYWORD and keyword_label(keyword) == name and not keyword.startswith(LABEL)


def _is_full(connection: Connection, folder: str) -> bool:
    """Return True if a folder may contain messages; False if it has been removed meanwhile."""
    try:
        connection.examine(folder)
    except CommandRefused:
        return exists(connection, folder)  # if so, the caller tries again
    return bool(search_uids(connection, b"UNDELETED"))
