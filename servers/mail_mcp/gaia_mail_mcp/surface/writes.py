"""Shared parts of all writes: the labels before, the result, and the undo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry.clock import utc_now
from gaia_email_registry.contract.wire import Failure, Undo, WriteResult
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_mail_mcp.mailbox import NO_MESSAGE, WriteOutcome
from gaia_mail_mcp.surface.call import Surface, undo
from gaia_mail_mcp.surface.fixed_labels import FIXED_LABELS, check_way_back

_PLACES = frozenset({"INBOX", "SPAM", "TRASH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WritableState:
    """Properties of a message that a write can change."""

    labels: tuple[str, ...]
    sender: str = ""
    snoozed_until: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageChange:
    """Label ids to add and remove; `snooze_until` then snoozes the message."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    snooze_until: str | None = None

    def effect_on(self, labels: Collection[str]) -> MessageChange:
        """Return the change that this makes to a message with `labels`."""
        return MessageChange(
            add=tuple(label for label in self.add if label not in labels),
            remove=tuple(label for label in self.remove if label in labels and label not in self.add),
        )

    @property
    def moves(self) -> bool:
        """True if the provider may change other labels too: a message is in only one of Inbox, Spam and Trash."""
        return not _PLACES.isdisjoint((*self.add, *self.remove)) or self.snooze_until is not None


async def states(surface: Surface, ids: Sequence[str]) -> dict[str, WritableState]:
    """Return the current state of the messages in `ids` that exist."""
    found = await surface.mailbox.read(ids, raw=False)
    return {
        item.summary["id"]: WritableState(
            labels=tuple(item.summary["labels"]),
            sender=item.summary["from"]["address"],
            snoozed_until=item.snoozed_until,
        )
        for item in found
    }


async def change_labels(surface: Surface, ids: Sequence[str], change: MessageChange) -> WriteResult:
    """Add and remove labels; `undo` restores each message to its state before, and nothing more."""
    return await change_each(surface, {change: ids})


async def change_each(surface: Surface, groups: Mapping[MessageChange, Sequence[str]]) -> WriteResult:
    """Change the labels of several groups of messages, each group in its own way (see `change_labels`)."""
    before = await states(surface, [message_id for ids in groups.values() for message_id in ids])
    for change, ids in groups.items():
        for known in (before[message_id] for message_id in ids if message_id in before):
            check_way_back(change.add, known.labels, known.sender, surface.source.account)
    done: list[str] = []
    failed: list[Failure] = []
    backs: dict[str, MessageChange] = {}
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
                backs[message_id] = MessageChange(add=effect.remove, remove=effect.add)
    backs.update(await ways_back(surface, before, moved))
    return write_result(done, failed, undo_of(backs))


async def ways_back(
    surface: Surface, before: Mapping[str, WritableState], ids: Sequence[str]
) -> dict[str, MessageChange]:
    """Return the change that restores each message to its state before."""
    now = await states(surface, ids) if ids else {}
    return {
        message_id: _way_back(before[message_id], now[message_id])
        for message_id in ids
        if message_id in before and message_id in now
    }


def _way_back(before: WritableState, now: WritableState) -> MessageChange:
    add = tuple(label for label in before.labels if label not in now.labels)
    gone = (label for label in now.labels if label not in before.labels)
    # The mailbox sets and removes fixed labels by location.
    remove = tuple(label for label in gone if label not in FIXED_LABELS)
    if before.snoozed_until == now.snoozed_until:
        return MessageChange(add=add, remove=remove)
    if before.snoozed_until is None and "INBOX" not in add:
        remove = tuple(dict.fromkeys((*remove, "INBOX")))  # ends the snooze, see `Mailbox.snooze`
    return MessageChange(add=add, remove=remove, snooze_until=before.snoozed_until)


async def _apply(surface: Surface, ids: Sequence[str], change: MessageChange) -> WriteOutcome:
    applied = await surface.mailbox.modify(ids, add=change.add, remove=change.remove)
    if change.snooze_until is None or not applied.ids:
        return applied
    try:
        snoozed = await surface.mailbox.snooze(applied.ids, change.snooze_until)
    except BadArgument:
        if not _is_past(change.snooze_until):
            raise
        snoozed = await surface.mailbox.modify(applied.ids, add=("INBOX", "UNREAD"), remove=())
    return WriteOutcome(ids=snoozed.ids, failed=(*applied.failed, *snoozed.failed))


def undo_of(backs: Mapping[str, MessageChange]) -> Undo | None:
    """Return the one call that makes these changes; None if there are none."""
    backs = {message_id: back for message_id, back in backs.items() if back != MessageChange()}
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


def _own_change(back: MessageChange) -> dict[str, object]:
    change: dict[str, object] = {"add": list(back.add), "remove": list(back.remove)}
    if back.snooze_until is not None:
        change["snooze_until"] = back.snooze_until
    return change


def _is_past(instant: str) -> bool:
    from datetime import datetime

    try:
        return datetime.fromisoformat(instant) <= utc_now()
    except (ValueError, TypeError):
        return False


def write_result(ids: Sequence[str], failed: Sequence[Failure] = (), back: Undo | None = None) -> WriteResult:
    """Return the result of a write; `ok` unless everything failed."""
    answer: WriteResult = {"ok": bool(ids) or not failed, "ids": list(ids), "failed": list(failed)}
    if back is not None:
        answer["undo"] = back
    return answer


def require_all(applied: WriteOutcome, argument: str) -> None:
    """Raise an error if the one message of a tool could not be changed.

    Raises:
        NotFound: There is no such message.
        ProviderError: The message could not be changed.
    """
    if applied.failed:
        first = applied.failed[0]
        if first["error"] == NO_MESSAGE:
            raise NotFound(f"Message {first['id']}: {NO_MESSAGE}", argument=argument)
        raise ProviderError(f"Message {first['id']}: {first['error']}", argument=argument)
