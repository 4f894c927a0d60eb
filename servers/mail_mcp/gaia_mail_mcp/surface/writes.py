"""What every write has in common: the labels before it, the result, and the call that takes it back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry.contract.wire import Failure, Undo, WriteResult
from gaia_email_registry.errors import NotFound
from gaia_mail_mcp.mailbox import Applied
from gaia_mail_mcp.surface.call import Surface, undo


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Label ids to add and remove, or those that really were added and removed."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    def effect_on(self, labels: Collection[str]) -> Change:
        """What this changes on a message that has `labels`."""
        return Change(
            add=tuple(label for label in self.add if label not in labels),
            remove=tuple(label for label in self.remove if label in labels and label not in self.add),
        )

    def reversed(self) -> Change:
        """What takes this back."""
        return Change(add=self.remove, remove=self.add)


async def labels_before(surface: Surface, ids: Sequence[str]) -> dict[str, list[str]]:
    """The labels of those of `ids` that exist."""
    found = await surface.mailbox.read(ids, raw=False)
    return {item.summary["id"]: item.summary["labels"] for item in found}


async def change_labels(surface: Surface, ids: Sequence[str], change: Change) -> WriteResult:
    """Add and remove labels; `undo` restores each message to what it was, not more."""
    before = await labels_before(surface, ids)
    applied = await surface.mailbox.modify(ids, add=change.add, remove=change.remove)
    effects = {
        message_id: effect
        for message_id in applied.ids
        if (effect := change.effect_on(before.get(message_id, ()))) != Change()
    }
    return written(applied.ids, applied.failed, undo_of(effects))


def undo_of(effects: Mapping[str, Change]) -> Undo | None:
    """The one call that reverses what was done to each message; None when nothing was."""
    if not effects:
        return None
    distinct = {effect.reversed() for effect in effects.values()}
    ids = list(effects)
    if len(distinct) == 1:
        back = distinct.pop()
        return undo(
            "batch_modify_emails",
            messageIds=ids,
            addLabelIds=list(back.add),
            removeLabelIds=list(back.remove),
        )
    per_message = {
        message_id: {"add": list(effect.remove), "remove": list(effect.add)}
        for message_id, effect in effects.items()
    }
    return undo("batch_modify_emails", messageIds=ids, perMessage=per_message)


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
