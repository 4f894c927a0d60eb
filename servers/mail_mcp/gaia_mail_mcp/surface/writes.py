"""What every write has in common: the labels before it, the result, and the call that takes it back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry.contract.wire import Failure, Undo, WriteResult
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import Applied, Effects, EffectTeller
from gaia_mail_mcp.surface.call import Surface, undo

_PLACES = frozenset({"INBOX", "SPAM", "TRASH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a write can change on one message."""

    labels: tuple[str, ...]
    snoozed_until: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Label ids to add and remove; `snooze_until` snoozes the message after that."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    snooze_until: str | None = None

    def effect_on(self, labels: Collection[str]) -> Change:
        """What this changes on a message that has `labels`."""
        return Change(
            add=tuple(label for label in self.add if label not in labels),
            remove=tuple(label for label in self.remove if label in labels and label not in self.add),
        )

    @property
    def moves(self) -> bool:
        """Whether a provider may do more than it says: a message is in Inbox, Spam or Trash, not in two."""
        return not _PLACES.isdisjoint((*self.add, *self.remove)) or self.snooze_until is not None


async def states(surface: Surface, ids: Sequence[str]) -> dict[str, State]:
    """How those of `ids` that exist are now."""
    found = await surface.mailbox.read(ids, raw=False)
    return {
        item.summary["id"]: State(labels=tuple(item.summary["labels"]), snoozed_until=item.snoozed_until)
        for item in found
    }


async def change_labels(surface: Surface, ids: Sequence[str], change: Change) -> WriteResult:
    """Add and remove labels; `undo` restores each message to what it was, not more."""
    return await change_each(surface, {change: ids})


async def change_each(surface: Surface, groups: Mapping[Change, Sequence[str]]) -> WriteResult:
    """As `change_labels`, for groups of messages to which different things happen."""
    if len(groups) == 1:
        ((change, ids),) = groups.items()
        told = await _told_afterwards(surface, ids, change)
        if told is not None:
            return told
    before = await states(surface, [message_id for ids in groups.values() for message_id in ids])
    done: list[str] = []
    failed: list[Failure] = []
    backs: dict[str, Change] = {}
    moved: list[str] = []
    for change, ids in groups.items():
        applied = await _apply(surface, ids, change)
        done.extend(applied.ids)
        failed.extend(applied.failed)
        if change.moves:
            moved.extend(applied.ids)
            continue
        for message_id in applied.ids:
            if message_id in before:
                effect = change.effect_on(before[message_id].labels)
                backs[message_id] = Change(add=effect.remove, remove=effect.add)
    backs.update(await ways_back(surface, before, moved))
    return written(done, failed, undo_of(backs))


async def _told_afterwards(surface: Surface, ids: Sequence[str], change: Change) -> WriteResult | None:
    """The change made and its undo, by a mailbox that tells effects; None when it was not made yet."""
    if change.snooze_until is not None or not isinstance(surface.mailbox, EffectTeller):
        return None
    told = await surface.mailbox.modify_with_effects(ids, add=change.add, remove=change.remove)
    if told is None:
        return None
    if told.since and told.applied.ids:
        taken = [label for label in change.remove if label not in change.add]
        taken += [place for place in ("SPAM", "TRASH") if "INBOX" in change.add]
        back = undo(
            "batch_modify_emails",
            messageIds=list(told.applied.ids),
            addLabelIds=taken,
            removeLabelIds=list(change.add),
            since=told.since,
        )
        return written(told.applied.ids, told.applied.failed, back)
    return _effected(told)


async def take_back(surface: Surface, ids: Sequence[str], change: Change, since: str) -> WriteResult:
    """Of the change, what leads each message back to how it was at that mark of an `undo`.

    Raises:
        BadArgument: The mailbox gives no such marks, or nobody knows any more how it was.
    """
    mailbox = surface.mailbox
    told = None
    if isinstance(mailbox, EffectTeller):
        told = await mailbox.modify_with_effects(ids, add=change.add, remove=change.remove, since=since)
    if told is None:
        raise BadArgument("This mailbox knows no such mark; leave since out.", argument="since")
    return _effected(told)


def _effected(told: Effects) -> WriteResult:
    """The result of a change whose effects are known."""
    nothing = frozenset[str]()
    backs = {
        message_id: Change(
            add=tuple(sorted(told.removed.get(message_id, nothing))),
            remove=tuple(sorted(told.added.get(message_id, nothing))),
        )
        for message_id in told.applied.ids
    }
    return written(told.applied.ids, told.applied.failed, undo_of(backs))


async def ways_back(surface: Surface, before: Mapping[str, State], ids: Sequence[str]) -> dict[str, Change]:
    """What leads each of `ids` from how it is now to how it was."""
    now = await states(surface, ids) if ids else {}
    return {
        message_id: _way_back(before[message_id], now[message_id])
        for message_id in ids
        if message_id in before and message_id in now
    }


def _way_back(before: State, now: State) -> Change:
    add = tuple(label for label in before.labels if label not in now.labels)
    remove = tuple(label for label in now.labels if label not in before.labels)
    if before.snoozed_until == now.snoozed_until:
        return Change(add=add, remove=remove)
    if before.snoozed_until is None and "INBOX" not in add:
        remove = tuple(dict.fromkeys((*remove, "INBOX")))  # ends the snooze, see `Mailbox.snooze`
    return Change(add=add, remove=remove, snooze_until=before.snoozed_until)


async def _apply(surface: Surface, ids: Sequence[str], change: Change) -> Applied:
    applied = await surface.mailbox.modify(ids, add=change.add, remove=change.remove)
    if change.snooze_until is None or not applied.ids:
        return applied
    try:
        snoozed = await surface.mailbox.snooze(applied.ids, change.snooze_until)
    except BadArgument:
        if not _is_past(change.snooze_until):
            raise
        snoozed = await surface.mailbox.modify(applied.ids, add=("INBOX", "UNREAD"), remove=())
    return Applied(ids=snoozed.ids, failed=(*applied.failed, *snoozed.failed))


def undo_of(backs: Mapping[str, Change]) -> Undo | None:
    """The one call that does those changes; None when there are none."""
    backs = {message_id: back for message_id, back in backs.items() if back != Change()}
    if not backs:
        return None
    distinct = set(backs.values())
    ids = list(backs)
    if len(distinct) == 1:
        back = distinct.pop()
        if back.snooze_until is None:
            return undo(
                "batch_modify_emails",
                messageIds=ids,
                addLabelIds=list(back.add),
                removeLabelIds=list(back.remove),
            )
    per_message = {message_id: _own_change(back) for message_id, back in backs.items()}
    return undo("batch_modify_emails", messageIds=ids, perMessage=per_message)


def _own_change(back: Change) -> dict[str, object]:
    change: dict[str, object] = {"add": list(back.add), "remove": list(back.remove)}
    if back.snooze_until is not None:
        change["snooze_until"] = back.snooze_until
    return change


def _is_past(moment: str) -> bool:
    from datetime import UTC, datetime

    try:
        return datetime.fromisoformat(moment) <= datetime.now(UTC)
    except (ValueError, TypeError):
        return False


def written(ids: Sequence[str], failed: Sequence[Failure] = (), back: Undo | None = None) -> WriteResult:
    """The result of a write; `ok` unless everything failed."""
    answer: WriteResult = {"ok": bool(ids) or not failed, "ids": list(ids), "failed": list(failed)}
    if back is not None:
        answer["undo"] = back
    return answer


def require_all(applied: Applied, argument: str) -> None:
    """For a tool about one message: not reaching it is an error, not a result.

    Raises:
        NotFound: The message could not be reached.
    """
    if applied.failed:
        first = applied.failed[0]
        raise NotFound(f"Message {first['id']}: {first['error']}", argument=argument)
