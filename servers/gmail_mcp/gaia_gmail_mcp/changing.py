"""Changing messages of a Gmail account: labels, Trash and back, deletion, snoozing. Entry: `GmailChanging`.

Gmail forgets where a message was before it went to Trash or Spam; here it is remembered (`local_state.py`), so that
taking it out brings it back. Gmail's API cannot snooze: a snoozed message leaves the inbox under a label of
ours and comes back when a server of that account next looks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gaia_email_registry.contract.wire import Failure
from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_gmail_mcp.calls import Call, delete, post
from gaia_gmail_mcp.local_state import Origins
from gaia_gmail_mcp.reading import is_message_id
from gaia_gmail_mcp.units import Units
from gaia_gmail_mcp.watching import GmailWatching
from gaia_mail.query.grammar import Query
from gaia_mail.snoozing import time_to_come
from gaia_mail_mcp.label_names import require_known
from gaia_mail_mcp.mailbox import SYSTEM_LABELS, Applied, Changes, Page, StoredMessage
from gaia_mail_mcp.standing import PLACES, Standing

MOST_AT_ONCE = 1000
"""Ids that batchModify and batchDelete take."""

FEW = 9
"""So many single changes (5 units each) are cheaper than one batchModify (50), and each says how it went."""

SNOOZED = "Snoozed by gaia"
"""The label of what this program snoozed."""

_NO_MESSAGE = "there is no such message"

_AWAY = frozenset(PLACES) - {"INBOX"}
"""Where Gmail hides messages: Spam and Trash."""
_FIXED = frozenset({"SENT", "DRAFT"})

Delta = tuple[frozenset[str], frozenset[str]]
"""Label ids to add, and to remove."""

Move = Callable[[Standing], Standing]


class GmailChanging(GmailWatching):
    """Adds what `Capability.MODIFY`, `DELETE` and `SNOOZE` stand for."""

    wakes = True
    """Whether snoozed messages are brought back; off for a server that must not write."""

    _snoozed_id = ""

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> Applied:
        """See `Mailbox`."""
        _check_movable((*add, *remove))
        taken = tuple(label for label in remove if label not in add)
        if _is_plain(add, remove):
            present, failed = await self._present(ids)
            missed = await self._relabel(present, (frozenset(add), frozenset(taken)))
            applied = _applied_to(present, failed, missed)
        else:
            await self._check_labels(added=add, removed=remove)
            applied = await self._move(ids, lambda standing: standing.changed(add=add, remove=taken))
        if "INBOX" in (*add, *remove):
            await self._end_snooze(applied.ids)
        return applied

    async def trash(self, ids: Sequence[str]) -> Applied:
        """See `Mailbox`."""
        return await self._move(ids, lambda standing: standing.changed(add=("TRASH",)))

    async def untrash(self, ids: Sequence[str]) -> Applied:
        """See `Mailbox`; what went to Trash by other means, so that nobody knows from where, goes to the inbox."""

        def back(standing: Standing) -> Standing:
            if "TRASH" not in standing.labels:
                return standing
            add = () if "TRASH" in standing.came_from else ("INBOX",)
            return standing.changed(add=add, remove=("TRASH",))

        return await self._move(ids, back)

    async def delete(self, ids: Sequence[str]) -> Applied:
        """See `Mailbox`. Gmail does not say which of many existed, so each is looked at first."""
        present, failed = await self._present(ids)
        missed: dict[str, str] = {}
        if len(present) == 1:
            await self.client.call(delete("messages", present[0], units=Units.DRAFT))
        elif present:
            missed = await self._in_chunks("batchDelete", present, {})
        applied = _applied_to(present, failed, missed)
        self.known.forget(applied.ids)
        notes = await self.connect()
        with notes.changing() as content:
            content.forget(applied.ids)
        return applied

    async def snooze(self, ids: Sequence[str], until: str) -> Applied:
        """See `Mailbox`."""
        moment = time_to_come(until, dt.datetime.now(dt.UTC))
        present, failed = await self._present(ids)
        notes = await self.connect()
        missed: dict[str, str] = {}
        if present:
            label = await self._own_label()
            missed = await self._relabel(present, (frozenset({label}), frozenset({"INBOX"})))
        applied = _applied_to(present, failed, missed)
        with notes.changing() as content:
            content.snoozed.update(dict.fromkeys(applied.ids, moment.isoformat()))
        return applied

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """See `Mailbox`."""
        await self._wake()
        return await super().search(query, limit=limit, cursor=cursor)

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """See `Mailbox`."""
        await self._wake()
        return await super().read(ids, raw=raw, most=most)

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """See `Mailbox`."""
        await self._wake()
        return await super().changes(cursor, limit=limit)

    async def _move(self, ids: Sequence[str], move: Move) -> Applied:
        """Change each message from how it stands; those to which the same happens go together."""
        present, failed = await self._present(ids)
        notes = await self.connect()
        groups: dict[Delta, list[str]] = {}
        origins: dict[str, Origins] = {}
        content = notes.read()
        for message_id in present:
            labels = self.known.labels(message_id) or frozenset()
            after = move(Standing(labels=labels, came_from=content.origin(message_id)))
            origins[message_id] = after.came_from
            groups.setdefault((after.labels - labels, labels - after.labels), []).append(message_id)
        missed: dict[str, str] = {}
        for number, (delta, group) in enumerate(groups.items()):
            missed |= await self._relabel(group, delta, begun=number > 0)
            with notes.changing() as changing:
                for message_id in group:
                    if message_id not in missed:
                        changing.set_origin(message_id, origins[message_id])
        return _applied_to(present, failed, missed)

    async def _present(self, ids: Sequence[str]) -> tuple[list[str], list[Failure]]:
        """Which of them exist, each once; looks only at those not seen yet."""
        await self.connect()
        unique = list(dict.fromkeys(ids))
        possible = [message_id for message_id in unique if is_message_id(message_id)]
        found = await self._read_summaries(possible)
        present = [message_id for message_id in possible if message_id in found]
        failed = [
            Failure(id=message_id, error=_NO_MESSAGE) for message_id in unique if message_id not in found
        ]
        return present, failed

    async def _relabel(self, ids: Sequence[str], delta: Delta, *, begun: bool = False) -> dict[str, str]:
        """Change them; why some could not be, by id.

        Raises:
            MailError: None could, and nothing that belongs to it was `begun` before.
        """
        add, remove = delta
        if not ids or not (add or remove):
            return {}
        body = {"addLabelIds": sorted(add), "removeLabelIds": sorted(remove)}
        try:
            if len(ids) <= FEW:
                missed = await self._each(ids, body)
            else:
                missed = await self._in_chunks("batchModify", ids, body)
        except MailError as error:
            if not begun:
                if isinstance(error, BadArgument):
                    raise BadArgument(error.message, argument="labels") from None
                raise
            missed = dict.fromkeys(ids, error.message)
        finally:
            self.known.distrust()
        for message_id in ids:
            if message_id not in missed:
                self.known.relabel(message_id, add=add, remove=remove)
        return missed

    async def _each(self, ids: Sequence[str], body: dict[str, list[str]]) -> dict[str, str]:
        """One by one; a message that vanished meanwhile does not matter."""
        outcomes = await self.client.many([_modify(message_id, body) for message_id in ids])
        refused = {
            message_id: outcome
            for message_id, outcome in zip(ids, outcomes, strict=True)
            if isinstance(outcome, MailError) and not isinstance(outcome, NotFound)
        }
        if len(refused) == len(ids):
            raise refused[ids[0]]
        return {message_id: error.message for message_id, error in refused.items()}

    async def _in_chunks(self, verb: str, ids: Sequence[str], body: dict[str, list[str]]) -> dict[str, str]:
        """As many at once as Gmail takes; what comes after a failure is left as it is."""
        for number, chunk in enumerate(_chunks(ids)):
            try:
                call = post("messages", verb, units=Units.MANY, body={"ids": chunk, **body})
                await self.client.call(call)
            except MailError as error:
                if not number:
                    raise
                return dict.fromkeys(ids[number * MOST_AT_ONCE :], error.message)
        return {}

    async def _check_labels(self, *, added: Iterable[str], removed: Iterable[str]) -> None:
        if {*added, *removed} <= set(SYSTEM_LABELS):
            return
        known = (*SYSTEM_LABELS, *(label["id"] for label in await self.labels()))
        require_known(known, added=added, removed=removed)

    async def _own_label(self) -> str:
        """The id of the label of snoozed messages, made when there is none."""
        if not self._snoozed_id:
            for label in await self.labels():
                if label["name"] == SNOOZED:
                    self._snoozed_id = label["id"]
                    break
            else:
                self._snoozed_id = await self._made_label()
        return self._snoozed_id

    async def _made_label(self) -> str:
        shown = {"messageListVisibility": "show", "labelListVisibility": "labelShowIfUnread"}
        call = post("labels", units=Units.MESSAGE, body={"name": SNOOZED, **shown}, repeatable=False)
        made: str = (await self.client.call(call))["id"]
        return made

    async def _snoozed_label(self) -> str | None:
        notes = await self.connect()
        return SNOOZED if self._snoozed_id or notes.read().snoozed else None

    async def _end_snooze(self, ids: Sequence[str]) -> None:
        notes = await self.connect()
        ending = [message_id for message_id in ids if message_id in notes.read().snoozed]
        if not ending:
            return
        with notes.changing() as content:
            for message_id in ending:
                content.snoozed.pop(message_id, None)
        await self._relabel(ending, (frozenset(), frozenset({await self._own_label()})))

    async def _wake(self) -> None:
        """Bring back what was snoozed until now; what is in Trash or Spam meanwhile stays there."""
        notes = await self.connect()
        now = dt.datetime.now(dt.UTC)
        due = [item for item, until in notes.read().snoozed.items() if _is_due(until, now)]
        if not due or not self.wakes:
            return
        found = await self._read_summaries(due)
        away = {item for item in due if item in found and {"TRASH", "SPAM"} & set(found[item][0]["labels"])}
        with notes.changing() as content:
            for message_id in due:
                if message_id not in away:
                    content.snoozed.pop(message_id, None)
        back = [message_id for message_id in due if message_id in found and message_id not in away]
        if not back:
            return
        missed: Collection[str] = back
        try:
            label = await self._own_label()
            missed = await self._relabel(back, (frozenset({"INBOX", "UNREAD"}), frozenset({label})))
        finally:
            if missed:  # they are due still
                with notes.changing() as content:
                    content.snoozed.update(dict.fromkeys(missed, now.isoformat()))


def _applied_to(present: Sequence[str], failed: Iterable[Failure], missed: Mapping[str, str]) -> Applied:
    """What came of a write on `present`, of which some were missed, beside those that do not exist."""
    unreached = (Failure(id=message_id, error=error) for message_id, error in missed.items())
    return Applied(
        ids=tuple(message_id for message_id in present if message_id not in missed),
        failed=(*failed, *unreached),
    )


def _is_plain(add: Iterable[str], remove: Iterable[str]) -> bool:
    """Whether no message comes to another place but the archive: then where it was does not matter."""
    return _AWAY.isdisjoint((*add, *remove)) and "INBOX" not in add


def _check_movable(label_ids: Iterable[str]) -> None:
    """Refuse what Gmail never lets anybody change.

    Raises:
        BadArgument: One is such a label.
    """
    for label in label_ids:
        if label in _FIXED:
            raise BadArgument(f"{label} can be neither added nor removed.", argument="labels")


def _modify(message_id: str, body: dict[str, list[str]]) -> Call:
    return post("messages", message_id, "modify", units=Units.MESSAGE, body=body, fields="id,labelIds")


def _chunks(ids: Sequence[str]) -> list[list[str]]:
    return [list(ids[start : start + MOST_AT_ONCE]) for start in range(0, len(ids), MOST_AT_ONCE)]


def _is_due(until: str, now: dt.datetime) -> bool:
    """What is no time with an offset is due: nobody could ever bring it back otherwise."""
    try:
        return dt.datetime.fromisoformat(until) <= now
    except (ValueError, TypeError):
        return True
