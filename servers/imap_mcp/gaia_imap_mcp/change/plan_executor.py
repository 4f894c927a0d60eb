r"""Carries out an `ImapLabelPlan` over one connection, with one command for many messages. Entry: `Mover`.

Commands that a server lacks are replaced by others: MOVE by COPY and removal; removal is `\Deleted` and UID EXPUNGE,
else EXPUNGE if that removes no other messages, else the messages stay marked and count as gone. Commands that a server
announces and then refuses are replaced in the same way.
Nothing is repeated here: after a lost connection the caller checks the state and plans again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gaia_email_registry.errors import ProviderError
from gaia_imap_mcp.change.label_plan import ImapLabelPlan, StoreCommand
from gaia_imap_mcp.index.store import ImapIndex, MessageCopy
from gaia_imap_mcp.protocol.arguments import CommandArgument, flag_list, uid_sets
from gaia_imap_mcp.protocol.connection import Connection, Selected
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.fetch import search_uids
from gaia_imap_mcp.protocol.labels_from_flags import DELETED, LABEL, join, split
from gaia_imap_mcp.protocol.numbers import number, read_ranges, read_uid_set
from gaia_imap_mcp.protocol.wire import CommandReply, response_code
from gaia_mail.files.maildir import encode_folder

Reasons = dict[tuple[str, int], str]
"""Error texts by folder and UID of a copy that could not be changed."""


_NOT_POSSIBLE = frozenset({"", "CANNOT", "CLIENTBUG", "SERVERBUG"})
"""Response codes of a refused MOVE that do not mean that COPY would be refused, too."""


class FolderChanged(Exception):
    """A folder was replaced after the plan was made: check the state again."""


class Mover:
    """Carries out plans on one connection.

    Args:
        connection: The connection.
        index: It records the new UIDs of moved messages, so that they need not be read again.
        folder_for: Returns the name of the folder that represents a label, creating it if necessary.
        doomed: Copies marked as deleted but not expunged yet; updated here, for use after a lost connection.
        kept: Copies that the server marked as deleted but refused to remove, and why; updated here.
    """

    def __init__(
        self,
        connection: Connection,
        index: ImapIndex,
        folder_for: Callable[[str], str],
        doomed: dict[tuple[str, int], MessageCopy],
        kept: Reasons,
    ) -> None:
        self._connection, self._index, self._folder_for = connection, index, folder_for
        self._doomed, self._kept = doomed, kept

    def carry_out(self, plan: ImapLabelPlan) -> Reasons:
        """Carry out all that the server allows; return what it refused, and why.

        Raises:
            ConnectionDropped: The connection is gone; the plan is partly carried out.
            FolderChanged: A folder was recreated meanwhile; the plan may be partly carried out.
        """
        reasons: Reasons = {}
        for store, copies in plan.stores.items():
            self._try(reasons, copies, lambda some, what=store: self._store(what, some))  # type: ignore[misc]
        for transfer, copies in plan.copies.items():
            self._try(reasons, copies, lambda some, what=transfer: self._copy(some, what.label))  # type: ignore[misc]
        for transfer, copies in plan.moves.items():
            self._try(reasons, copies, lambda some, what=transfer: self._move(some, what.label))  # type: ignore[misc]
        for copies in plan.removals.values():
            self._try(reasons, copies, self.remove)
        return reasons

    def _try(
        self,
        reasons: Reasons,
        copies: Sequence[MessageCopy],
        act: Callable[[Sequence[MessageCopy]], None],
    ) -> None:
        """Apply `act` to copies of one folder, except those that failed before."""
        left = [copy for copy in copies if (copy.folder, copy.uid) not in reasons]
        if not left:
            return
        try:
            act(left)
        except CommandRefused as error:
            for copy in left:
                reasons[copy.folder, copy.uid] = error.message

    def _store(self, what: StoreCommand, copies: Sequence[MessageCopy]) -> None:
        selected = self._select(copies)
        labels = [mark[1:] for mark in what.add if mark.startswith(LABEL)]
        unlabels = [mark[1:] for mark in what.remove if mark.startswith(LABEL)]
        add = [mark for mark in what.add if not mark.startswith(LABEL)]
        remove = [mark for mark in what.remove if not mark.startswith(LABEL)]
        _check_keywords(selected, add)
        for uids in uid_sets(copy.uid for copy in copies):
            for sign, flags in ((b"+", add), (b"-", remove)):
                if flags:
                    self._connection.command(b"UID STORE", uids, sign + b"FLAGS.SILENT", flag_list(flags))
            for sign, names in ((b"+", labels), (b"-", unlabels)):
                if names:
                    item = sign + b"X-GM-LABELS.SILENT"
                    self._connection.command(b"UID STORE", uids, item, _gmail_labels(names))
        self._note_marks(copies, what.add, what.remove)

    def _copy(self, copies: Sequence[MessageCopy], label: str) -> None:
        target = self._folder_for(label)
        self._select(copies)
        for uids in uid_sets(copy.uid for copy in copies):
            self._note(copies, target, self._into(b"UID COPY", uids, target), moved=False)

    def _move(self, copies: Sequence[MessageCopy], label: str) -> None:
        target = self._folder_for(label)
        self._select(copies)
        for uids in uid_sets(copy.uid for copy in copies):
            if self._connection.has("MOVE"):
                try:
                    self._note(copies, target, self._into(b"UID MOVE", uids, target), moved=True)
                    continue
                except CommandRefused as error:
                    if error.code not in _NOT_POSSIBLE:
                        raise
            self._note(copies, target, self._into(b"UID COPY", uids, target), moved=False)
            moved = {uid for first, last in read_ranges(uids) for uid in range(first, last + 1)}
            self.remove([copy for copy in copies if copy.uid in moved])

    def _into(self, verb: bytes, uids: bytes, target: str) -> CommandReply:
        return self._connection.command(verb, uids, self._connection.mailbox(target))

    def remove(self, copies: Sequence[MessageCopy]) -> None:
        """Remove copies of one folder permanently; one that is marked but not removed counts as gone.

        Raises:
            CommandRefused: The server does not even mark them as deleted.
            ConnectionDropped, FolderChanged: As `carry_out`.
        """
        self._select(copies)
        connection = self._connection
        own = {copy.uid for copy in copies}
        self._doomed.update({(copy.folder, copy.uid): copy for copy in copies})
        for uids in uid_sets(own):
            connection.command(b"UID STORE", uids, b"+FLAGS.SILENT", flag_list([DELETED]))
        self._note_marks(copies, [DELETED], [])
        refused = self._expunge(own)
        for copy in copies:
            del self._doomed[copy.folder, copy.uid]
            if refused:
                self._kept[copy.folder, copy.uid] = refused

    def _expunge(self, own: set[int]) -> str:
        """Expunge messages of the selected folder; return the reason for a refusal, else an empty string."""
        connection = self._connection
        refused = ""
        if connection.has("UIDPLUS"):
            try:
                for uids in uid_sets(own):
                    connection.command(b"UID EXPUNGE", uids)
            except CommandRefused as error:
                refused = error.message
            else:
                return ""
        try:
            if set(search_uids(connection, b"DELETED")) - own:
                return refused
            connection.command(b"EXPUNGE")
        except CommandRefused as error:
            return refused or error.message
        return ""

    def _select(self, copies: Sequence[MessageCopy]) -> Selected:
        """Select the folder of these copies for writing."""
        selected = self._connection.select(copies[0].folder)
        if selected.uidvalidity != copies[0].uidvalidity:
            raise FolderChanged
        if selected.read_only:
            raise CommandRefused(f"The folder {copies[0].folder} is read-only for you.", code="NOPERM")
        return selected

    def _note(self, copies: Sequence[MessageCopy], target: str, reply: CommandReply, *, moved: bool) -> None:
        """Record the new UIDs of copies (COPYUID, RFC 4315) in the index; without COPYUID they are read again."""
        found = _copy_uids(reply)
        folder = self._index.folder(target)
        source = self._index.folder(copies[0].folder)
        if found is None or folder is None or source is None or found[0] != folder.uidvalidity:
            return
        with self._index.writing():
            for uid, new in found[1].items():
                held = self._index.find_copy(source, uid)
                if held is not None:
                    self._index.add_copies_of_known(folder, new, held[1], held[0])
                if moved:
                    self._index.remove_copies(source, [uid])

    def _note_marks(self, copies: Sequence[MessageCopy], add: Iterable[str], remove: Iterable[str]) -> None:
        """Record the new marks of copies in the index; a server without MODSEQ would not report them."""
        folder = self._index.folder(copies[0].folder)
        gone = {mark.lower() for mark in remove}
        if folder is not None:
            with self._index.writing():
                for copy in copies:
                    held = self._index.find_copy(folder, copy.uid)
                    if held is not None:
                        kept = [mark for mark in split(held[1]) if mark.lower() not in gone]
                        self._index.mark(folder, copy.uid, join([*kept, *add]))


def _check_keywords(selected: Selected, flags: Iterable[str]) -> None:
    """Raise if the folder does not keep these flags; some servers accept and then forget them."""
    known = {flag.lower() for flag in selected.permanent_flags}
    if not known or "\\*" in known:
        return
    for flag in flags:
        if flag.lower() not in known:
            raise CommandRefused(
                f"The folder {selected.name} keeps no labels on its messages ({flag}).", code="CANNOT"
            )


def _copy_uids(reply: CommandReply) -> tuple[int, dict[int, int]] | None:
    """Return UIDVALIDITY and the new UID of each old one; None if the server does not report them reliably."""
    code, arguments = reply.code, reply.arguments
    for line in reply.lines:  # MOVE reports it before it expunges (RFC 6851 §4.3)
        words = line.start.split(b" ", 2)
        if len(words) == 3 and words[1].upper() == b"OK" and code != "COPYUID":
            code, arguments, _ = response_code(words[2])
    words = arguments.split()
    if code != "COPYUID" or len(words) != 3 or not number(words[0]):
        return None
    old, new = _ascending(words[1]), _ascending(words[2])
    return (number(words[0]), dict(zip(old, new, strict=True))) if len(old) == len(new) else None


def _ascending(text: bytes) -> Sequence[int]:
    """Return the numbers of a set written in ascending order, so that two sets can be paired; else none."""
    firsts = [number(run.partition(b":")[0]) for run in text.split(b",")]
    if firsts != sorted(firsts):
        return ()
    try:
        return read_uid_set(text)
    except ValueError:
        return ()


def _gmail_labels(labels: Iterable[str]) -> CommandArgument:
    r"""Return a list such as `(\Inbox "My label")`, with names in modified UTF-7."""
    found = [label if label.startswith("\\") else _quote(label) for label in labels]
    return b"(" + " ".join(found).encode("ascii") + b")"


def _quote(label: str) -> str:
    coded = encode_folder(label).replace("\\", "\\\\").replace('"', '\\"')
    if any(character in coded for character in "\r\n\0"):
        raise ProviderError("A label cannot hold line breaks.")
    return f'"{coded}"'
