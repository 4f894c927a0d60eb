"""Snoozes messages and brings them back when they are due. Entry: `Snoozer`.

IMAP has no timer, so the first program that checks at or after the time brings them back: every call checks, and a
caller that waits for changes checks at that time. The server's state at that moment decides, so a message that was
moved meanwhile stays where it is. MOVE is not exclusive everywhere (Dovecot lets two sessions move the same message,
and each leaves a copy), so of programs that bring a message back at once, each checks again and all but the first
remove their copy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from gaia_email_registry.contract.wire import Failure
from gaia_email_registry.errors import BadArgument, MailError
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.folder_ops import make_folder
from gaia_imap_mcp.change.label_plan import LabelGoal, LabelSupport, goal_of
from gaia_imap_mcp.change.label_store import MADE
from gaia_imap_mcp.change.writer import Writer
from gaia_imap_mcp.index.snoozed import FOLDERS, is_snooze_folder, marks_of, sleepers, strays, times_of
from gaia_imap_mcp.index.store import ORIGINS, UNTIL, MessageCopy
from gaia_imap_mcp.index.views import IndexRow, message_copies, rows, used_labels
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.labels_from_flags import LABEL, SHUT
from gaia_imap_mcp.sync.index_lock import Turns
from gaia_mail.files.labels import DRAFT, INBOX, UNREAD
from gaia_mail.files.maildir import keyword_label
from gaia_mail.snoozing import snooze_label, snoozed_until
from gaia_mail_mcp.mailbox import WriteOutcome

AGAIN_S = 30.0
"""Time after which messages that could not be brought back are tried again."""

NO_DRAFT = "a draft cannot be snoozed"


class Snoozer:
    """The snoozed messages of one account; used in its worker thread.

    Attributes:
        next_at: When the next one is due, as far as is known (epoch seconds); infinite if none is snoozed.
        problem: A sentence that explains why some could not be brought back; else empty.
    """

    def __init__(self, account: ImapAccount, writer: Writer) -> None:
        self._account, self._writer = account, writer
        cache = account.settings.cache
        self._turns = Turns(None if cache is None else cache.with_name(f"{cache.name}-wake"))
        self._seen = -1
        self._not_before = -math.inf
        self.next_at = math.inf
        self.problem = ""

    def snooze(self, ids: Sequence[str], until: datetime) -> WriteOutcome:
        """Move messages from any folder to the snooze folder until then; those in Trash or Spam stay there.

        Raises:
            BadArgument: Neither server nor index can store when they are due.
            ProviderError: The server cannot be reached, or the folder cannot be created.
        """
        index, ground = self._account.index, self._writer.ground()
        found = rows(index, ids)
        drafts = {id_ for id_, row in found.items() if DRAFT in row.labels}
        sleeping = found.keys() - drafts
        instant = float(math.ceil(until.timestamp()))
        by_label = self._by_label(ground)
        folder = self._folder(ground) if sleeping else ""
        note = snooze_label(instant) if by_label else datetime.fromtimestamp(instant, UTC).isoformat()
        mark = frozenset({note} if by_label else ())

        def goal(row: IndexRow, copies: Sequence[MessageCopy]) -> LabelGoal:
            return _asleep(_awake(row) | mark, copies, ground, folder)

        def remember() -> None:
            with index.writing():
                for id_ in sleeping:
                    index.note(UNTIL, id_, note)
                    if not ground.gmail and SHUT & frozenset(found[id_].labels):
                        index.note(ORIGINS, id_, json.dumps([folder]))

        applied = self._writer.apply([id_ for id_ in ids if id_ not in drafts], goal, before=remember)
        self._seen = -1
        refused = tuple(Failure(id=id_, error=NO_DRAFT) for id_ in sorted(drafts))
        return WriteOutcome(ids=applied.ids, failed=(*applied.failed, *refused))

    def ended_by(
        self, ids: Sequence[str], added: Collection[str], removed: Collection[str]
    ) -> frozenset[str]:
        """Return labels to remove as well if these are changed: bringing a message back ends its snooze."""
        if not _ends(added, removed) or any(map(is_snooze_folder, added)):
            return frozenset()
        found = rows(self._account.index, ids)
        return frozenset(
            label
            for id_ in times_of(self._account.index, found.values())
            for label in frozenset(found[id_].labels) - _awake(found[id_])
            if label not in added
        )

    def end(self, ids: Iterable[str], added: Collection[str], removed: Collection[str]) -> None:
        """Delete the notes of messages whose snooze ended because these labels were changed."""
        if _ends(added, removed):
            self._forget(ids)

    def wake_due(self, now: float) -> None:
        """Bring back messages that are due, unless that failed a moment ago; `problem` explains failures.

        Raises:
            MailError: The server cannot be reached; they are still due.
        """
        index = self._account.index
        if index.seq != self._seen:
            self._look()
        if now < max(self.next_at, self._not_before):
            return
        self._not_before = now + AGAIN_S
        try:
            with self._turns.turn():
                self._account.refresh()
                applied = self._wake(now)
        except MailError as error:
            self.problem = _not_woken(error.message)
            raise
        self.problem = _not_woken(applied.failed[0]["error"]) if applied.failed else ""
        if not applied.failed:
            self._not_before = -math.inf
        self._look()

    def wake_at(self) -> float:
        """Return the time at which `wake_due` has something to do next (epoch seconds)."""
        return max(self.next_at, self._not_before)

    def _by_label(self, ground: LabelSupport) -> bool:
        """Return True if a label stores the time, False if a note does.

        Raises:
            BadArgument: Neither is possible.
        """
        if ground.keywords and not ground.gmail:
            return True
        if not self._account.index.is_kept:
            raise BadArgument(
                "This mail server keeps no keywords, and this machine keeps no index (GAIA_IMAP_NO_INDEX, or a disk "
                "that cannot be written), so the time to bring the message back cannot be stored."
            )
        return False

    def _look(self) -> None:
        index = self._account.index
        self._seen = index.seq
        times = [sleeper.until for sleeper in sleepers(index)]
        self.next_at = min((*times, *strays(index).values()), default=math.inf)

    def _wake(self, now: float) -> WriteOutcome:
        """Bring back messages, removing the label last, so that the next program can finish after a crash."""
        index, ground = self._account.index, self._writer.ground()
        due = [sleeper.row.id for sleeper in sleepers(index) if sleeper.until <= now]
        copies_before = {id_: len(message_copies(index, id_)) for id_ in due}

        def goal(row: IndexRow, copies: Sequence[MessageCopy]) -> LabelGoal:
            wanted = _awake(row) | marks_of(row) | {INBOX, UNREAD}
            return goal_of(wanted, copies, ground, changed=frozenset({INBOX, UNREAD}))

        applied = self._writer.apply(due, goal, only_while=_is_asleep)
        if not ground.gmail:
            self._take_back_surplus({id_: copies_before[id_] for id_ in applied.ids})
        awake = {id_ for id_, time in strays(index).items() if time <= now}
        moved = {*applied.ids}.difference(sleeper.row.id for sleeper in sleepers(index))
        refused = self._writer.strip(sorted(awake | moved), lambda mark: _is_past(mark, now))
        self._forget(awake.difference(failure["id"] for failure in refused))
        return WriteOutcome(ids=applied.ids, failed=(*applied.failed, *refused))

    def _take_back_surplus(self, copies_before: Mapping[str, int]) -> None:
        """Remove duplicates that several programs brought back: each keeps the oldest copy, with the lowest UID."""
        for id_, before in copies_before.items():
            now = message_copies(self._account.index, id_)
            here = sorted(
                (copy for copy in now if copy.label == INBOX),
                key=lambda copy: copy.uid,
            )
            surplus = min(len(now) - before, len(here) - 1)
            if surplus > 0:
                self._writer.remove_copies(here[-surplus:])

    def _forget(self, ids: Iterable[str]) -> None:
        index = self._account.index
        noted = index.notes(UNTIL)
        gone = [id_ for id_ in ids if id_ in noted]
        if gone:
            with index.writing():
                for id_ in gone:
                    index.note(UNTIL, id_, None)

    def _folder(self, ground: LabelSupport) -> str:
        """Return the label of the snooze folder, creating the folder if necessary.

        Raises:
            ProviderError: It cannot be created.
        """
        usual = FOLDERS[1:] if ground.gmail else FOLDERS
        if there := self._there(usual):
            return there
        index = self._account.index
        taken = {label.lower() for label in (*used_labels(index), *index.notes(MADE))}
        refused = CommandRefused("There is no room for a folder of snoozed messages.")
        for name in usual:
            if name.lower() in taken:
                continue
            try:
                self._account.attempt(lambda connection, label=name: make_folder(connection, label))  # type: ignore[misc]
            except CommandRefused as error:
                refused = error
                continue
            self._account.refresh()
            if there := self._there((name,)):
                return there
        raise refused

    def _there(self, wanted: Sequence[str]) -> str:
        """Return the first of these labels that is a folder, as the server spells it; else an empty string."""
        labels = [state.label for state in self._account.index.folders()]
        known = {label.lower(): label for label in (*labels, *self._account.labels_beside())}
        return next((known[name.lower()] for name in wanted if name.lower() in known), "")


def _awake(row: IndexRow) -> frozenset[str]:
    """Return the labels of a message without those that mark it as snoozed."""
    return frozenset(label for label in row.labels if not is_snooze_folder(label)) - marks_of(row)


def _is_asleep(copies: Sequence[MessageCopy]) -> bool:
    """Return True if one of the copies is still in the snooze folder or, on Gmail, has its label."""
    return any(
        is_snooze_folder(copy.label)
        or any(mark.startswith(LABEL) and is_snooze_folder(mark[1:]) for mark in copy.marks)
        for copy in copies
    )


def _asleep(
    labels: frozenset[str], copies: Sequence[MessageCopy], ground: LabelSupport, folder: str
) -> LabelGoal:
    """Return the wanted state of a snoozed message with these labels."""
    if ground.gmail:
        return goal_of(labels - {INBOX} | {folder}, copies, ground, changed=frozenset())
    if SHUT & labels:
        return goal_of(labels - {INBOX}, copies, ground, changed=frozenset())
    # As in the inbox, but in the snooze folder: its other labels must not become folders.
    lying = goal_of(labels | {INBOX}, copies, ground, changed=frozenset())
    folders = tuple(folder if label == INBOX else label for label in lying.folders)
    return replace(lying, folders=folders)


def _ends(added: Collection[str], removed: Collection[str]) -> bool:
    return INBOX in added or INBOX in removed or any(map(is_snooze_folder, removed))


def _is_past(mark: str, now: float) -> bool:
    """Return True if a keyword is a snooze label whose time has come."""
    until = snoozed_until(keyword_label(mark))
    return until is not None and until <= now


def _not_woken(why: str) -> str:
    return f"Snoozed messages could not be brought back: {why}"
