"""Changes messages reliably, whatever fails on the way. Entry: `Writer`.

Changes are planned from the index, carried out, checked and planned again until nothing is left (`label_plan.py`). So a
connection lost in the middle of a MOVE leads to no second copy and to no lost message, and a change is reported as done
only if the server was seen to have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry.contract.wire import Failure
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.folder_ops import existing_folder, make_folder
from gaia_imap_mcp.change.label_plan import ImapLabelPlan, LabelGoal, LabelSupport, StoreCommand, plan
from gaia_imap_mcp.change.plan_executor import FolderChanged, Mover, Reasons
from gaia_imap_mcp.index.store import MessageCopy
from gaia_imap_mcp.index.views import IndexRow, message_copies, rows
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import CommandRefused, ConnectionDropped, ExcessiveResponse
from gaia_imap_mcp.protocol.folders import INBOX
from gaia_imap_mcp.protocol.labels_from_flags import has_deleted_flag, join
from gaia_mail.files import labels
from gaia_mail_mcp.mailbox import NO_MESSAGE, SYSTEM_LABELS, WriteOutcome

ROUNDS = 4
"""Maximum number of rounds that check and continue a change. If these do not suffice, the server keeps undoing it."""


GoalFor = Callable[[IndexRow, Sequence[MessageCopy]], LabelGoal | None]
"""Returns the goal of a message; None leaves it unchanged."""

Holds = Callable[[Sequence[MessageCopy]], bool]
"""Returns True if a message with these copies should still be brought to its goal."""


def _always(_: Sequence[MessageCopy]) -> bool:
    return True


@dataclass(slots=True)
class _Work:
    """Messages that have not reached their goals yet, and why some will not."""

    goals: dict[str, LabelGoal]
    reasons: dict[str, str]
    only_while: Holds


class Writer:
    """Changes messages of one account; used in its worker thread."""

    def __init__(self, account: ImapAccount) -> None:
        self._account = account
        self._keywords: bool | None = None
        self._doomed: dict[tuple[str, int], MessageCopy] = {}
        self._kept: Reasons = {}

    def ground(self) -> LabelSupport:
        """Return the ways in which this server can store labels.

        Raises:
            ProviderError: The server cannot be reached.
        """
        folders = {folder.label for folder in self._account.index.folders()}
        keywords = self._has_keywords()
        connection = self._account.connection()
        return LabelSupport(
            folders=frozenset(folders - {labels.ARCHIVE, *SYSTEM_LABELS}),
            keywords=keywords,
            moves=connection.has("MOVE"),
            gmail=connection.is_gmail,
        )

    def apply(
        self,
        ids: Sequence[str],
        goal_for: GoalFor,
        *,
        before: Callable[[], None] | None = None,
        only_while: Holds = _always,
    ) -> WriteOutcome:
        """Bring messages to their goals; unknown ones are reported as failed.

        Args:
            ids: Messages.
            goal_for: Called once for each message that exists.
            before: Called when all goals are known, before the first change.
            only_while: Called with a message's copies before each step; False leaves the message as it is then.

        Raises:
            NeedsAuth, ProviderError: The server cannot be reached; the work may be partly done.
        """
        wanted = list(dict.fromkeys(ids))
        known = rows(self._account.index, wanted)
        goals = {id_: goal_for(row, self._message_copies(id_)) for id_, row in known.items()}
        wanted_goals = {id_: goal for id_, goal in goals.items() if goal is not None}
        work = _Work(goals=wanted_goals, reasons={}, only_while=only_while)
        if before is not None:
            before()
        self._work(work)
        failed = tuple(
            Failure(id=id_, error=work.reasons.get(id_, NO_MESSAGE))
            for id_ in wanted
            if id_ not in known or id_ in work.reasons
        )
        return WriteOutcome(
            ids=tuple(id_ for id_ in wanted if id_ in known and id_ not in work.reasons), failed=failed
        )

    def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """Delete messages with all their copies; one that the server only marks as deleted is reported as failed."""
        wanted = list(dict.fromkeys(ids))
        known = rows(self._account.index, wanted)
        reasons: dict[str, str] = {}
        removed: dict[str, set[tuple[str, int]]] = {}
        if self._account.connection().is_gmail:
            # Outside Trash, an expunged Gmail message only loses a label.
            moved = self.apply([*known], lambda row, copies: LabelGoal(folders=(labels.TRASH,)))
            reasons = {failure["id"]: failure["error"] for failure in moved.failed}
        self._kept.clear()
        for _ in range(ROUNDS):
            left = {id_: self._message_copies(id_) for id_ in known if id_ not in reasons}
            removed.update(
                {id_: {*removed.get(id_, ()), *map(_place, copies)} for id_, copies in left.items()}
            )
            steps = ImapLabelPlan(removals=_by_folder(copy for copies in left.values() for copy in copies))
            steps.include(self._plan_unfinished_removals())
            if steps.is_empty:
                break
            self._note_refusals(reasons, self._carry_out(steps), left)
        for id_ in known:
            kept = next((self._kept[place] for place in removed.get(id_, ()) if place in self._kept), "")
            if id_ not in reasons and kept:
                reasons[id_] = f"it is marked as deleted, but the server did not remove it ({kept})"
            elif id_ not in reasons and self._message_copies(id_):
                reasons[id_] = "the server keeps it"
        return WriteOutcome(
            ids=tuple(id_ for id_ in wanted if id_ in known and id_ not in reasons),
            failed=tuple(
                Failure(id=id_, error=reasons.get(id_, NO_MESSAGE))
                for id_ in wanted
                if id_ not in known or id_ in reasons
            ),
        )

    def remove_copies(self, copies: Sequence[MessageCopy]) -> None:
        """Remove these copies permanently, even if the connection breaks meanwhile.

        Raises:
            CommandRefused: The server does not allow it.
        """
        for _ in range(ROUNDS):
            steps = ImapLabelPlan(removals=_by_folder(copy for copy in copies if self._is_there(copy)))
            steps.include(self._plan_unfinished_removals())
            if steps.is_empty:
                return
            reasons = self._carry_out(steps)
            if reasons:
                raise CommandRefused(next(iter(reasons.values())))

    def strip(self, ids: Sequence[str], unwanted: Callable[[str], bool]) -> tuple[Failure, ...]:
        """Remove flags and keywords from every copy of messages; return the messages for which that was refused."""
        reasons: dict[str, str] = {}
        for _ in range(ROUNDS):
            steps = ImapLabelPlan()
            left = {id_: self._message_copies(id_) for id_ in ids if id_ not in reasons}
            for copy in (copy for copies in left.values() for copy in copies):
                marks = tuple(sorted(filter(unwanted, copy.marks)))
                if marks:
                    steps.stores.setdefault(StoreCommand(copy.folder, (), marks), []).append(copy)
            if steps.is_empty:
                break
            self._note_refusals(reasons, self._carry_out(steps), left)
        return tuple(Failure(id=id_, error=error) for id_, error in reasons.items())

    def folder_for(self, label: str) -> str:
        """Return the name of the folder that represents a label, creating the folder if necessary.

        Raises:
            CommandRefused, ConnectionDropped, BadArgument: It cannot be created.
        """
        found = self._account.folder_of(label) or self._account.labels_beside().get(label)
        if found is not None:
            return found
        connection = self._account.connection()
        system = label in labels.FOLDER_NAMES
        name = existing_folder(connection, label) if system else make_folder(connection, label)
        self._account.refresh()
        return self._account.folder_of(label) or self._account.labels_beside().get(label) or name

    def _work(self, work: _Work) -> None:
        ground = self.ground()
        leaving: list[MessageCopy] = []
        for number in range(ROUNDS + 1):
            left: dict[str, list[MessageCopy]] = {}
            steps = ImapLabelPlan()
            for id_, goal in work.goals.items():
                copies = self._message_copies(id_) if id_ not in work.reasons else []
                if not work.only_while(copies):
                    continue
                own = plan(copies, goal, ground, leaving)
                leaving += [copy for moved in own.moves.values() for copy in moved]
                if not own.is_empty:
                    steps.include(own)
                    left[id_] = copies
            steps.include(self._plan_unfinished_removals())
            if steps.is_empty:
                return
            if number == ROUNDS:
                work.reasons.update(dict.fromkeys(left, "the server does not keep the change"))
                return
            self._note_refusals(work.reasons, self._carry_out(steps), left)

    def _carry_out(self, steps: ImapLabelPlan) -> Reasons:
        """Carry out the plan and refresh the index; a connection that breaks meanwhile is reopened for that."""
        reasons: Reasons = {}
        try:
            mover = Mover(
                self._account.connection(), self._account.index, self.folder_for, self._doomed, self._kept
            )
            reasons = mover.carry_out(steps)
        except (ConnectionDropped, ExcessiveResponse, FolderChanged):
            pass
        self._account.refresh()
        return reasons

    def _plan_unfinished_removals(self) -> ImapLabelPlan:
        """Return the rest of interrupted removals: copies that we marked as deleted and that are hidden now."""
        left = {
            key: copy
            for key, copy in self._doomed.items()
            if (state := self._account.index.folder(copy.folder)) is not None
            and state.uidvalidity == copy.uidvalidity
            and (held := self._account.index.find_copy(state, copy.uid)) is not None
            and has_deleted_flag(held[1])
        }
        self._doomed.clear()
        self._doomed.update(left)
        return ImapLabelPlan(removals=_by_folder(left.values()))

    def _note_refusals(
        self, reasons: dict[str, str], refused: Reasons, messages: Mapping[str, Sequence[MessageCopy]]
    ) -> None:
        """Record for messages why one of their copies could not be changed."""
        for id_, copies in messages.items():
            for copy in copies:
                if (copy.folder, copy.uid) in refused:
                    reasons[id_] = refused[copy.folder, copy.uid]

    def _message_copies(self, id_: str) -> list[MessageCopy]:
        return [
            copy
            for copy in message_copies(self._account.index, id_)
            if not has_deleted_flag(join(copy.marks))
        ]

    def _is_there(self, copy: MessageCopy) -> bool:
        folder = self._account.index.folder(copy.folder)
        if folder is None or folder.uidvalidity != copy.uidvalidity:
            return False
        held = self._account.index.find_copy(folder, copy.uid)
        return held is not None and not has_deleted_flag(held[1])

    def _has_keywords(self) -> bool:
        """Return True if the inbox accepts new keywords; the server is asked once."""
        if self._keywords is None:
            selected = self._account.attempt(_select_inbox)
            self._keywords = "\\*" in selected
        return self._keywords


def _select_inbox(connection: Connection) -> frozenset[str]:
    return connection.select(INBOX).permanent_flags


def _place(copy: MessageCopy) -> tuple[str, int]:
    return copy.folder, copy.uid


def _by_folder(copies: Iterable[MessageCopy]) -> dict[str, list[MessageCopy]]:
    found: dict[str, list[MessageCopy]] = {}
    for copy in copies:
        found.setdefault(copy.folder, []).append(copy)
    return found
