"""A Maildir as a `Mailbox` that can be changed. Entry: `MaildirMailbox`.

`layout.plan_labels` maps labels to folders, flags and keywords. Files change in worker threads, under the same lock as
reading; after each write the folders are listed again, so answers show what is on disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from typing_extensions import override

from gaia_email_registry.contract.wire import Failure, Label
from gaia_email_registry.errors import BadArgument, MailError, NotFound, ProviderError
from gaia_local_mcp.abilities import MAILDIR_CAPABILITIES
from gaia_local_mcp.entry import IndexEntry
from gaia_local_mcp.index import MailIndex
from gaia_local_mcp.layout import plan_labels
from gaia_local_mcp.mailbox import LocalMailbox
from gaia_local_mcp.origin import MaildirOrigin
from gaia_local_mcp.writer import FileGone, MaildirWriter, remove_empty, write_error
from gaia_mail.files import labels, maildir
from gaia_mail.files.location import read_location, short_id
from gaia_mail.files.maildir import MaildirFolder
from gaia_mail_mcp.label_names import check_label_name, label_list, require_known, user_label, visibility_of
from gaia_mail_mcp.mailbox import NO_MESSAGE, SYSTEM_LABELS, Capability, Draft, WriteOutcome

_TRIES = 3
_DRAFT_MARK = re.compile(r"\d{1,20}\.M\d+P\d+Q\d+D([a-z2-7]{12})\.")

LabelsOfEntry = Callable[[IndexEntry], frozenset[str]]
Result = TypeVar("Result")


class MaildirMailbox(LocalMailbox):
    """A Maildir with all its folders, read and written."""

    def __init__(self, root: str, account: str, *, index: Path | None = None) -> None:
        root = os.path.expanduser(root)
        self._maildir = MaildirOrigin(root)
        self._writer = MaildirWriter(root)
        super().__init__(self._maildir, account, index=index)

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        return MAILDIR_CAPABILITIES

    @override
    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        added, removed = frozenset(add), frozenset(remove)

        def change(index: MailIndex) -> WriteOutcome:
            require_known((label["id"] for label in self._labels(index)), added=added, removed=removed)
            return self._apply(index, ids, lambda entry: (frozenset(entry.labels) - removed) | added)

        return await self._with_index(change)

    @override
    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        gone = {labels.INBOX, labels.SPAM}
        return await self._with_index(
            lambda index: self._apply(
                index, ids, lambda entry: (frozenset(entry.labels) - gone) | {labels.TRASH}
            )
        )

    @override
    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Take messages out of Trash; those that another program put there go to the inbox."""

        def change(index: MailIndex) -> WriteOutcome:
            origins = self._writer.origins()

            def back(entry: IndexEntry) -> frozenset[str]:
                if labels.TRASH not in entry.labels:
                    return frozenset(entry.labels)
                origin = origins.get(maildir.parse_name(entry.file)[0], labels.INBOX)
                return (frozenset(entry.labels) | {origin}) - {labels.TRASH, ""}

            return self._apply(index, ids, back)

        return await self._with_index(change)

    @override
    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._with_index(
            lambda index: self._each(index, ids, lambda entry: os.unlink(entry.path), "deleted")
        )

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """Create a label, which is a folder."""

        def change(index: MailIndex) -> Label:
            self._check_new(index, name)
            self._show(name, visibility or None)
            self._write(lambda: self._writer.make_folder(name, self._folders()), f"{name} cannot be made")
            index.refresh()
            return user_label(name, visibility)

        return await self._with_index(change)

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Update a label. Its id is its name, so renaming it changes the id."""

        def change(index: MailIndex) -> Label:
            before = self._find_label(index, label_id)
            shown = {**visibility_of(before), **visibility}
            new = name if name is not None else label_id
            if new.casefold() != label_id.casefold():
                self._check_new(index, new)
            self._show(new, shown or None)
            if new != label_id:
                self._write(lambda: self._rename_label(label_id, new), f"{label_id} cannot be renamed")
                self._show_no_more(label_id)
            index.refresh()
            return user_label(new, shown)

        return await self._with_index(change)

    @override
    async def delete_label(self, label_id: str) -> Label:
        """Delete a label; messages of a folder move to the archive first."""

        def change(index: MailIndex) -> Label:
            before = self._find_label(index, label_id)
            ids = [entry.id for entry in index.entries.values() if label_id in entry.labels]
            applied = self._apply(index, ids, lambda entry: frozenset(entry.labels) - {label_id})
            if applied.failed:
                raise ProviderError(f"{label_id} was not removed: {applied.failed[0]['error']}")
            self._write(lambda: self._remove_label(label_id), f"{label_id} cannot be removed")
            self._show_no_more(label_id)
            index.refresh()
            return before

        return await self._with_index(change)

    @override
    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Store a draft; its headers, not `thread_id`, determine the conversation."""
        return await self._with_index(lambda index: self._store_draft(index, raw, None))

    @override
    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:

        def change(index: MailIndex) -> Draft:
            old = _find_draft(index, draft_id)
            draft = self._store_draft(index, raw, draft_id)
            try:
                self._retry(index, old.id, lambda entry: os.unlink(entry.path))
            except OSError as error:
                with suppress(OSError):  # a draft id must not have two drafts
                    os.unlink(index.entries[draft.message_id].path)
                raise write_error(error, "The draft cannot be replaced") from error
            index.refresh()
            return draft

        return await self._with_index(change)

    @override
    async def drafts(self, *, limit: int) -> list[Draft]:

        def find(index: MailIndex) -> list[Draft]:
            entries = [index.entries[id_] for id_ in index.newest_first()]
            return [
                Draft(id=_draft_id(entry), message_id=entry.id, thread_id=index.thread_id(entry))
                for entry in entries
                if _is_draft(entry)
            ][:limit]

        return await self._with_index(find)

    @override
    async def delete_draft(self, draft_id: str) -> bytes:

        def change(index: MailIndex) -> bytes:
            entry = _find_draft(index, draft_id)
            raw = self._write(lambda: read_location(entry.location), "The draft cannot be read")
            self._write(lambda: os.unlink(entry.path), "The draft cannot be deleted")
            index.refresh()
            return raw

        return await self._with_index(change)

    def _labels(self, index: MailIndex) -> list[Label]:
        own = {folder.label for folder in self._folders()}
        own |= {maildir.keyword_label(keyword) for keyword in self._maildir.all_keywords()}
        return label_list(own - {""}, self._writer.visibilities())

    def _folders(self) -> list[MaildirFolder]:
        return list(self._maildir.folders.values())

    def _apply(self, index: MailIndex, ids: Sequence[str], wanted: LabelsOfEntry) -> WriteOutcome:
        """Give every message the labels that `wanted` returns for it.

        Raises:
            ProviderError: The former folders of trashed messages cannot be noted; nothing was moved.
        """
        self._note_origins(index, ids, wanted)
        left_trash: dict[str, str | None] = {}
        applied = self._each(
            index, ids, lambda entry: self._relabel(entry, wanted(entry), left_trash), "changed"
        )
        if left_trash:
            with suppress(
                OSError
            ):  # a note on a message outside Trash has no effect, and the next note replaces it
                self._writer.remember_origins(left_trash)
        return applied

    def _each(
        self, index: MailIndex, ids: Sequence[str], act: Callable[[IndexEntry], object], what: str
    ) -> WriteOutcome:
        """Call `act` for every message; report failures and continue with the others."""
        done: list[str] = []
        failed: list[Failure] = []
        for id_ in dict.fromkeys(ids):
            try:
                self._retry(index, id_, act)
                done.append(id_)
            except NotFound:
                failed.append(Failure(id=id_, error=NO_MESSAGE))
            except MailError as error:
                failed.append(Failure(id=id_, error=error.message))
            except OSError as error:
                refused = write_error(error, f"The message cannot be {what}")
                failed.append(Failure(id=id_, error=refused.message))
        index.refresh()
        return WriteOutcome(ids=tuple(done), failed=tuple(failed))

    def _note_origins(self, index: MailIndex, ids: Sequence[str], wanted: LabelsOfEntry) -> None:
        """Note the folders of messages that go to Trash before they move, so that `untrash` can bring them back.

        Raises:
            ProviderError: The note cannot be written.
        """
        entries = [index.entries[id_] for id_ in ids if id_ in index.entries]
        origins: dict[str, str | None] = {
            maildir.parse_name(entry.file)[0]: self._maildir.folders[entry.unit].label
            for entry in entries
            if labels.TRASH in wanted(entry) and labels.TRASH not in entry.labels
        }
        if origins:
            self._write(lambda: self._writer.remember_origins(origins), "Nothing can be moved to Trash")

    def _relabel(self, entry: IndexEntry, wanted: frozenset[str], left_trash: dict[str, str | None]) -> None:
        if wanted == frozenset(entry.labels):
            return
        folder = self._maildir.folders[entry.unit]
        own = frozenset(other.label for other in self._folders() if other.label)
        unique, flags = maildir.parse_name(entry.file)
        goal = plan_labels(wanted, folder.label, flags, own - frozenset(SYSTEM_LABELS))
        if goal.folder == folder.label:
            target = folder
        else:
            target = self._writer.folder_for(goal.folder, self._folders())
            self._maildir.folders.setdefault(target.path, target)
        path = self._writer.move(entry.path, folder, target, goal)
        if folder.label == labels.TRASH != goal.folder:
            left_trash[unique] = None
        entry.unit, (entry.directory, entry.file) = target.path, os.path.split(path)

    def _retry(self, index: MailIndex, id_: str, act: Callable[[IndexEntry], object]) -> None:
        """Do something to a message's file, again after another program has renamed it.

        Raises:
            NotFound: The message is gone.
        """
        for _ in range(_TRIES):
            entry = index.entries.get(id_)
            if entry is None:
                break
            try:
                act(entry)
                return
            except (FileGone, FileNotFoundError):
                index.refresh()
        raise NotFound(f"Message {id_} was removed by another program.", argument="ids")

    def _write(self, act: Callable[[], Result], what: str) -> Result:
        try:
            return act()
        except OSError as error:
            raise write_error(error, what) from error

    def _show(self, label: str, visibility: dict[str, str] | None) -> None:
        what = f"The visibility of {label} cannot be saved"
        self._write(lambda: self._writer.remember_visibility(label, visibility), what)

    def _show_no_more(self, label: str) -> None:
        with suppress(OSError):  # the note has no effect once the label is gone
            self._writer.remember_visibility(label, None)

    def _check_new(self, index: MailIndex, name: str) -> None:
        if any(part in ("", ".", "..") for part in name.split("/")) and name.strip():
            raise BadArgument(f"{name[:80]!r} cannot be the name of a folder.", argument="name")
        check_label_name(name, [label["name"] for label in self._labels(index)])

    def _find_label(self, index: MailIndex, label_id: str) -> Label:
        for label in self._labels(index):
            if label["id"] == label_id:
                if label["type"] == "system":
                    raise BadArgument(f"{label_id} belongs to the system and stays as it is.", argument="id")
                return label
        raise NotFound(f"There is no label {label_id[:80]!r}.", argument="id")

    def _rename_label(self, old: str, new: str) -> None:
        folders = self._folders()
        made = [(folder, self._writer.make_folder(new, folders)) for folder in folders if folder.label == old]
        try:
            for folder in folders:
                self._writer.rename_keyword(folder, maildir.keyword_of(old), maildir.keyword_of(new))
            for folder, target in made:
                _move_all(folder, target)
        except (OSError, MailError):
            with suppress(OSError, MailError):
                for folder, target in made:
                    _move_all(target, folder)
                    remove_empty(target.path)
                for folder in folders:
                    self._writer.rename_keyword(folder, maildir.keyword_of(new), maildir.keyword_of(old))
            raise
        for folder, _ in made:
            remove_empty(folder.path)

    def _remove_label(self, label: str) -> None:
        for folder in self._folders():
            self._writer.rename_keyword(folder, maildir.keyword_of(label), None)
        for folder in self._folders():
            if folder.label == label:
                remove_empty(folder.path)

    def _store_draft(self, index: MailIndex, raw: bytes, draft_id: str | None) -> Draft:
        folder = self._write(
            lambda: self._writer.folder_for(labels.DRAFT, self._folders()), "The Drafts folder cannot be made"
        )
        mark = draft_id or short_id(self._writer.unique_name())
        unique = self._write(
            lambda: self._writer.deliver(folder, raw, "DS", mark=f"D{mark}"), "The draft cannot be stored"
        )
        index.refresh()
        entry = index.entries[short_id(unique)]
        return Draft(id=mark, message_id=entry.id, thread_id=index.thread_id(entry))


def _move_all(folder: MaildirFolder, target: MaildirFolder) -> None:
    with suppress(FileNotFoundError):
        os.rename(
            os.path.join(folder.path, maildir.KEYWORDS_FILE), os.path.join(target.path, maildir.KEYWORDS_FILE)
        )
    for part in ("new", "cur"):
        with suppress(FileNotFoundError):
            for file in os.listdir(os.path.join(folder.path, part)):
                os.rename(os.path.join(folder.path, part, file), os.path.join(target.path, part, file))


def _is_draft(entry: IndexEntry) -> bool:
    return labels.DRAFT in entry.labels and labels.TRASH not in entry.labels


def _draft_id(entry: IndexEntry) -> str:
    """Return a draft's id: from the file name if we wrote it, else the id of its message."""
    match = _DRAFT_MARK.match(entry.file)
    return match[1] if match else entry.id


def _find_draft(index: MailIndex, draft_id: str) -> IndexEntry:
    for entry in index.entries.values():
        if _is_draft(entry) and _draft_id(entry) == draft_id:
            return entry
    raise NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")
