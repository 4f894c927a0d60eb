"""Changes to messages of a Gmail account: labels, Trash and restoring, permanent deletion. Entry: `Changer`.

Gmail forgets where a message was before it moved to Trash or Spam; `local_state.py` remembers it, so that restoring a
message puts it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gaia_email_registry.errors import BadArgument
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import delete
from gaia_gmail_mcp.labels import GmailLabelStore
from gaia_gmail_mcp.local_state import Origins
from gaia_gmail_mcp.reading import GmailReader
from gaia_gmail_mcp.relabeling import Delta, GmailRelabeler, applied_to
from gaia_gmail_mcp.snoozing import Snoozes
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.label_state import EXCLUSIVE_LABELS, LabelState
from gaia_mail_mcp.mailbox import WriteOutcome

_AWAY = frozenset(EXCLUSIVE_LABELS) - {"INBOX"}
"""Labels that hide a message: Spam and Trash."""
_FIXED = frozenset({"SENT", "DRAFT"})

Move = Callable[[LabelState], LabelState]


class Changer:
    """Implements the capabilities `MODIFY` and `DELETE`."""

    def __init__(
        self,
        account: GmailAccount,
        reader: GmailReader,
        labels: GmailLabelStore,
        relabeler: GmailRelabeler,
        snoozes: Snoozes,
    ) -> None:
        self._account, self._reader, self._labels = account, reader, labels
        self._relabeler, self._snoozes = relabeler, snoozes

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """Add and remove label ids. Idempotent; a label in both lists is added."""
        _check_movable((*add, *remove))
        taken = tuple(label for label in remove if label not in add)
        if _is_plain(add, remove):
            present, failed = await self._reader.existing(ids)
            missed = await self._relabeler.relabel([*present], (frozenset(add), frozenset(taken)))
            applied = applied_to(present, failed, missed)
        else:
            await self._labels.check(added=add, removed=remove)
            applied = await self._move(ids, lambda state: state.relabel(add=add, remove=taken))
        if "INBOX" in (*add, *remove):
            await self._snoozes.end(applied.ids)
        return applied

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        """Move to Trash, and remember where the messages were."""
        return await self._move(ids, lambda state: state.relabel(add=("TRASH",)))

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Take out of Trash. A message that another program put there goes to the inbox: its origin is unknown."""

        def back(state: LabelState) -> LabelState:
            if "TRASH" not in state.labels:
                return state
            add = () if "TRASH" in state.came_from else ("INBOX",)
            return state.relabel(add=add, remove=("TRASH",))

        return await self._move(ids, back)

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """Delete permanently. Gmail does not report which ids existed, so each is looked up first."""
        present, failed = await self._reader.existing(ids)
        missed: dict[str, str] = {}
        if len(present) == 1:
            await self._account.client.call(delete("messages", *present, units=Units.DRAFT))
        elif present:
            missed = await self._relabeler.in_chunks("batchDelete", [*present], {})
        applied = applied_to(present, failed, missed)
        self._account.known.forget(applied.ids)
        notes = await self._account.connect()
        with notes.changing() as content:
            content.forget(applied.ids)
        return applied

    async def _move(self, ids: Sequence[str], move: Move) -> WriteOutcome:
        """Apply `move` to each message's labels; messages with the same change are written together."""
        present, failed = await self._reader.existing(ids)
        notes = await self._account.connect()
        groups: dict[Delta, list[str]] = {}
        origins: dict[str, Origins] = {}
        content = notes.read()
        for message_id, labels in present.items():
            after = move(LabelState(labels=labels, came_from=content.origin(message_id)))
            origins[message_id] = after.came_from
            groups.setdefault((after.labels - labels, labels - after.labels), []).append(message_id)
        missed: dict[str, str] = {}
        for number, (delta, group) in enumerate(groups.items()):
            missed |= await self._relabeler.relabel(group, delta, begun=number > 0)
            with notes.changing() as changing:
                for message_id in group:
                    if message_id not in missed:
                        changing.set_origin(message_id, origins[message_id])
        return applied_to(present, failed, missed)


def _is_plain(add: Iterable[str], remove: Iterable[str]) -> bool:
    """Return True if no message moves anywhere except the archive, so that its origin does not matter."""
    return _AWAY.isdisjoint((*add, *remove)) and "INBOX" not in add


def _check_movable(label_ids: Iterable[str]) -> None:
    """Refuse labels that Gmail never lets anyone change.

    Raises:
        BadArgument: A label is one of these.
    """
    for label in label_ids:
        if label in _FIXED:
            raise BadArgument(f"{label} can be neither added nor removed.", argument="labels")
