"""Puts messages to sleep and wakes them when their time has come. Entry: `Snoozer`.

IMAP has no clock, so whoever looks first at or after the time wakes them: every call looks, and who waits for changes
looks at that time. What is woken is decided on what the server holds then, so a message that somebody has moved
meanwhile is left where it is. A MOVE is not exclusive everywhere (Dovecot lets two sessions move the same message, and
each leaves a copy), so of programs that wake a message at once each looks again and all but the first take their copy
back.
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
"""After this messages that could not be woken are tried again."""

NO_DRAFT = "a draft cannot be snoozed"


class Snoozer:
    """The sleepers of one account; used in its worker thread.

    Attributes:
        next_at: When the next one is due, as far as is known (epoch seconds); infinite where none sleeps.
        problem: Why some could not be woken, in a sentence; else empty.
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
        """Out of the inbox until then, from wherever they are; what is in Trash or Spam sleeps there.

        Raises:
            BadArgument: Nobody would remember when they are to come back.
            ProviderError: The server cannot be reached, or has no room for the folder.
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
        """Labels to take off as well when these are changed: what brings a message back ends its sleep."""
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
        """After these labels were changed: no note says any more when those come back whose sleep it ended."""
        if _ends(added, removed):
            self._forget(ids)

    def wake_due(self, now: float) -> None:
        """Wake what is due, unless that failed a moment ago; what could not be woken is told by `problem`.

        Raises:
            MailError: The server cannot be reached; they are due still.
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
        """When `wake_due` has something to do next (epoch seconds)."""
        return max(self.next_at, self._not_before)

    def _by_label(self, ground: LabelSupport) -> bool:
        """Whether a label says until when; else a note does.

        Raises:
            BadArgument: Neither is possible.
        """
        if ground.keywords and not ground.gmail:
            return True
        if not self._account.index.is_kept:
            raise BadArgument(
                "This mail server keeps no keywords, and nothing is kept on this machine (GAIA_IMAP_NO_INDEX, or a "
                "disk that cannot be written), so nobody would know when to bring the message back."
            )
        return False

    def _look(self) -> None:
        index = self._account.index
        self._seen = index.seq
        times = [sleeper.until for sleeper in sleepers(index)]
        self.next_at = min((*times, *strays(index).values()), default=math.inf)

    def _wake(self, now: float) -> WriteOutcome:
        """Move first and take the label off last, so that who dies between leaves what the next one can go on with."""
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
        """Remove from the inbox what several programs brought back twice: all keep the oldest copy, the lowest UID."""
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
        """The label of the folder of snoozed messages; made when there is none.

        Raises:
            ProviderError: It cannot be made.
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
        """The first of those labels that is a folder, as it is written there; else empty."""
        labels = [state.label for state in self._account.index.folders()]
        known = {label.lower(): label for label in (*labels, *self._account.labels_beside())}
        return next((known[name.lower()] for name in wanted if name.lower() in known), "")


def _awake(row: IndexRow) -> frozenset[str]:
    """The labels of a message without those that say that it sleeps."""
    return frozenset(label for label in row.labels if not is_snooze_folder(label)) - marks_of(row)


def _is_asleep(copies: Sequence[MessageCopy]) -> bool:
    """Whether one of the copies lies with the snoozed messages still; on Gmail, carries their label."""
    return any(
        is_snooze_folder(copy.label)
        or any(mark.startswith(LABEL) and is_snooze_folder(mark[1:]) for mark in copy.marks)
        for copy in copies
    )


def _asleep(
    labels: frozenset[str], copies: Sequence[MessageCopy], ground: LabelSupport, folder: str
) -> LabelGoal:
    """How a message with these labels shall lie that sleeps."""
    if ground.gmail:
        return goal_of(labels - {INBOX} | {folder}, copies, ground, changed=frozenset())
    if SHUT & labels:
        return goal_of(labels - {INBOX}, copies, ground, changed=frozenset())
    # It lies as it would in the inbox, only in another folder: its other labels are not to become places.
    lying = goal_of(labels | {INBOX}, copies, ground, changed=frozenset())
    folders = tuple(folder if label == INBOX else label for label in lying.folders)
    return replace(lying, folders=folders)


def _ends(added: Collection[str], removed: Collection[str]) -> bool:
    return INBOX in added or INBOX in removed or any(map(is_snooze_folder, removed))


def _is_past(mark: str, now: float) -> bool:
    """Whether a keyword is a label of ours whose time has come."""
    until = snoozed_until(keyword_label(mark))
    return until is not None and until <= now


def _not_woken(why: str) -> str:
    return f"Snoozed messages could not be brought back: {why}"
