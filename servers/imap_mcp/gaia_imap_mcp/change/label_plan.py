r"""Plans the commands that give a message certain labels. Entries: `goal_of`, `plan`.

Pure functions, from existing copies and wanted labels to commands. If only a part of a plan was carried out, the plan
for the new state has the rest. This is how to recover from a broken connection: look, plan again, go on.

A folder gives one label. A label that is a folder becomes the folder of a message that has no other, else a keyword, so
that mail is not stored twice; copies made by other programs stay. Without keywords it becomes a copy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from gaia_imap_mcp.index.store import MessageCopy
from gaia_imap_mcp.protocol.labels_from_flags import DELETED, LABEL
from gaia_mail.files.labels import (
    ARCHIVE,
    DRAFT,
    DRAFT_FLAG,
    FLAGGED,
    IMPORTANT,
    INBOX,
    SEEN,
    SENT,
    SPAM,
    STARRED,
    TRASH,
    UNREAD,
)
from gaia_mail.files.maildir import keyword_label, keyword_of

_PLACES = (INBOX, DRAFT, SENT)
_SHUT = (TRASH, SPAM)
"""A message in one of these is in no other folder."""

GMAIL_LABELS = {
    INBOX: "\\Inbox",
    SENT: "\\Sent",
    STARRED: "\\Starred",
    IMPORTANT: "\\Important",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSupport:
    """The ways in which this server can store labels.

    Attributes:
        folders: Labels that are the user's folders.
        keywords: True if new keywords can be created.
        moves: True if the server has MOVE, so that a message in two folders is not an interrupted move.
        gmail: True if labels are Gmail's own and there are few folders.
    """

    folders: frozenset[str]
    keywords: bool
    moves: bool = True
    gmail: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelGoal:
    r"""The wanted state of a message.

    Attributes:
        folders: Labels of its folders; `ARCHIVE` for the archive.
        words: Keywords of its copies; on Gmail, labels.
        flags: Values of `\Seen`, `\Flagged` and `\Draft`; a flag that is not named stays unchanged.
    """

    folders: tuple[str, ...]
    words: frozenset[str] = frozenset()
    flags: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class StoreCommand:
    """Flags and keywords (on Gmail also labels, prefixed with `+`) to add and remove in a folder."""

    folder: str
    add: tuple[str, ...]
    remove: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Transfer:
    """A transfer from a folder to the folder that represents a label."""

    folder: str
    label: str


@dataclass(slots=True)
class ImapLabelPlan:
    """Commands for copies, to be carried out in this order; copies are identified by folder and UID."""

    stores: dict[StoreCommand, list[MessageCopy]] = field(
        default_factory=dict[StoreCommand, list[MessageCopy]]
    )
    copies: dict[Transfer, list[MessageCopy]] = field(default_factory=dict[Transfer, list[MessageCopy]])
    moves: dict[Transfer, list[MessageCopy]] = field(default_factory=dict[Transfer, list[MessageCopy]])
    removals: dict[str, list[MessageCopy]] = field(default_factory=dict[str, list[MessageCopy]])

    @property
    def is_empty(self) -> bool:
        """True if nothing is left to do."""
        return not (self.stores or self.copies or self.moves or self.removals)

    def include(self, other: ImapLabelPlan) -> None:
        """Add the plan of another message, so that one command serves many."""
        for store, message_copies in other.stores.items():
            self.stores.setdefault(store, []).extend(message_copies)
        for mine, theirs in ((self.copies, other.copies), (self.moves, other.moves)):
            for transfer, message_copies in theirs.items():
                mine.setdefault(transfer, []).extend(message_copies)
        for folder, message_copies in other.removals.items():
            self.removals.setdefault(folder, []).extend(message_copies)


def goal_of(
    wanted: frozenset[str],
    message_copies: Sequence[MessageCopy],
    ground: LabelSupport,
    *,
    changed: frozenset[str],
    origins: Sequence[str] = (),
) -> LabelGoal:
    """Return the state in which a message has the wanted labels.

    Args:
        wanted: The label ids.
        message_copies: The message's copies.
        ground: How labels can be stored.
        changed: Labels that the caller named; flags of the others stay unchanged.
        origins: Labels of the folders it was trashed from, used if no wanted label gives it a folder.
    """
    flags = tuple(
        (flag, (label in wanted) is positive)
        for flag, label, positive in (
            (SEEN, UNREAD, False),
            (FLAGGED, STARRED, True),
            (DRAFT_FLAG, DRAFT, True),
        )
        if label in changed
    )
    own = wanted - {UNREAD, STARRED, *_SHUT}
    if ground.gmail:
        copy = next((label for label in _SHUT if label in wanted), ARCHIVE)
        words = frozenset(GMAIL_LABELS.get(label, label) for label in own - {DRAFT})
        return LabelGoal(folders=(copy,), words=words, flags=flags)
    shut = next((label for label in _SHUT if label in wanted), None)
    marked = own - {*_PLACES} - ground.folders
    if shut is not None:
        carried = {keyword_label(mark) for copy in message_copies for mark in copy.marks}
        return LabelGoal(
            folders=(shut,), words=_keywords(marked | (own & ground.folders & carried)), flags=flags
        )
    found, spare = _own_copies(own, message_copies, ground, origins)
    if spare and not ground.keywords:
        found.extend(spare)
        spare = []
    return LabelGoal(folders=tuple(found), words=_keywords(marked | {*spare}), flags=flags)


def _own_copies(
    own: frozenset[str], message_copies: Sequence[MessageCopy], ground: LabelSupport, origins: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return the folders that a message must be in, and labels whose folders it need not be in."""
    there = {copy.label for copy in message_copies}
    flagged_draft = any(
        copy.label in (INBOX, ARCHIVE) and DRAFT_FLAG in copy.marks for copy in message_copies
    )
    found = [
        label
        for label in _PLACES
        if label in own and not (label == DRAFT and flagged_draft and label not in there)
    ]
    folders = sorted(own & ground.folders)
    found += [label for label in folders if label in there]
    spare = [label for label in folders if label not in there]
    if not found and origins:
        found = [label for label in dict.fromkeys(origins) if label not in _SHUT]
        spare = [label for label in spare if label not in found]
    if not found and spare:
        found.append(spare.pop(0))
    return found or [ARCHIVE], spare


def plan(
    message_copies: Sequence[MessageCopy],
    goal: LabelGoal,
    ground: LabelSupport,
    leaving: Collection[MessageCopy] = (),
) -> ImapLabelPlan:
    """Return the commands left for one message; `leaving` are copies that an interrupted plan was moving."""
    made = ImapLabelPlan()
    copies = [copy for copy in message_copies if not _has_deleted_flag(copy)]
    if not copies:
        return made
    kept = [copy for copy in copies if copy.label in goal.folders]
    spare = [copy for copy in copies if copy.label not in goal.folders]
    missing = [label for label in goal.folders if all(copy.label != label for copy in kept)]
    shut = goal.folders[0] if goal.folders[0] in _SHUT else None
    under_way = {(copy.folder, copy.uid) for copy in leaving}
    stays = [
        copy
        for copy in spare
        if shut is None and copy.label == ARCHIVE and (copy.folder, copy.uid) not in under_way
    ]
    moved = _distribute(made, spare, missing, kept, shut if ground.moves else None, stays)
    for copy in copies:
        if copy in kept or copy in moved:
            _store(made, copy, goal, ground)
    return made


def _distribute(
    made: ImapLabelPlan,
    spare: list[MessageCopy],
    missing: list[str],
    kept: list[MessageCopy],
    gather: str | None,
    stays: list[MessageCopy],
) -> list[MessageCopy]:
    """Move copies from wrong folders to those where one is missing; return copies that move or stay.

    A surplus copy goes to `gather`, or wherever another copy from its folder goes. Otherwise it is removed, unless it
    is in `stays`.
    """
    moved: list[MessageCopy] = []
    targets: dict[str, str] = {}
    rest = list(spare)
    for label in missing:
        if rest:
            copy = rest.pop(0)
            targets.setdefault(copy.folder, label)
            made.moves.setdefault(Transfer(copy.folder, label), []).append(copy)
            moved.append(copy)
        else:
            source = (kept or moved)[0]
            made.copies.setdefault(Transfer(source.folder, label), []).append(source)
    for copy in rest:
        target = gather if gather is not None else targets.get(copy.folder)
        if target is not None:
            made.moves.setdefault(Transfer(copy.folder, target), []).append(copy)
            moved.append(copy)
        elif copy in stays:
            moved.append(copy)
        else:
            made.removals.setdefault(copy.folder, []).append(copy)
    return moved


def _store(made: ImapLabelPlan, copy: MessageCopy, goal: LabelGoal, ground: LabelSupport) -> None:
    marks = {mark.lower() for mark in copy.marks}
    add = [flag for flag, on in goal.flags if on and flag.lower() not in marks and flag != DRAFT_FLAG]
    remove = [flag for flag, on in goal.flags if not on and flag.lower() in marks]
    if ground.gmail:
        if copy.label == ARCHIVE or goal.folders != (ARCHIVE,):
            labels = [mark for mark in copy.marks if mark.startswith(LABEL)]
            here = {label[1:].lower() for label in labels}
            wanted = {word.lower() for word in goal.words}
            add += [LABEL + word for word in goal.words if word.lower() not in here]
            remove += [
                label for label in labels if label[1:].lower() not in wanted | {"\\draft", "\\starred"}
            ]
    else:
        wanted = {word.lower() for word in goal.words}
        add += [word for word in goal.words if word.lower() not in marks]
        remove += [mark for mark in copy.marks if _is_label(mark) and mark.lower() not in wanted]
    if add or remove:
        store = StoreCommand(copy.folder, tuple(sorted(add)), tuple(sorted(remove)))
        made.stores.setdefault(store, []).append(copy)


def _is_label(mark: str) -> bool:
    """Return True if a keyword represents a label and is not internal to mail programs."""
    return not mark.startswith("\\") and keyword_label(mark) != ""


def _has_deleted_flag(copy: MessageCopy) -> bool:
    return any(mark.lower() == DELETED.lower() for mark in copy.marks)


def _keywords(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(keyword_of(label) for label in labels)
