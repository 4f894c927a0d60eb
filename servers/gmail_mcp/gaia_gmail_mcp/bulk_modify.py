"""Changing labels of many messages by one request, and taking exactly that back later. Entry: `GmailTelling`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email_registry.contract.wire import Failure
from gaia_email_registry.errors import BadArgument
from gaia_gmail_mcp.changing import AWAY, NO_MESSAGE, GmailChanging, applied_to, check_movable, is_plain
from gaia_gmail_mcp.history import place_in
from gaia_gmail_mcp.history_checkpoint import Delta
from gaia_gmail_mcp.history_diff import Changed, changed_since
from gaia_gmail_mcp.reading import TRUSTED_S, is_message_id, loop_time
from gaia_mail_mcp.mailbox import Applied, Effects

MANY = 100
"""So many messages are read in one batch before they are changed; what is done to more is asked for afterwards."""

_NOTHING: Delta = (frozenset(), frozenset())

MOVED_SINCE = "it went to Trash or Spam since, and stays there"


class GmailTelling(GmailChanging):
    """Adds `EffectTeller`: what a change really did stands in Gmail's history from where it was before it."""

    async def modify_with_effects(
        self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str], since: str = ""
    ) -> Effects | None:
        """See `EffectTeller`: one request, for many messages whose labels were not read just now."""
        notes = await self.connect()
        unique = [message_id for message_id in dict.fromkeys(ids) if is_message_id(message_id)]
        strange = [message_id for message_id in dict.fromkeys(ids) if not is_message_id(message_id)]
        failed = [Failure(id=message_id, error=NO_MESSAGE) for message_id in strange]
        check_movable((*add, *remove))
        delta = (frozenset(add), frozenset(remove).difference(add))
        if since:
            return await self._taken_back(unique, failed, delta, since)
        if "INBOX" in (*add, *remove) and not notes.read().snoozed.keys().isdisjoint(unique):
            return None
        if not is_plain(add, remove):
            if "INBOX" not in add or not is_plain((), (*add, *remove)) or len(unique) <= MANY:
                return None
            delta = (delta[0], delta[1].union(AWAY))
        effects = self._foreseen(unique, delta) or self.moment.effects(unique, delta, loop_time())
        if effects is None and len(unique) <= MANY:
            return None
        return await self._changed(unique, failed, delta, effects)

    async def _changed(
        self, ids: Sequence[str], failed: Sequence[Failure], delta: Delta, effects: Mapping[str, Delta] | None
    ) -> Effects | None:
        """Change them without a look; None when Gmail takes one of the ids for none, and nothing was changed."""
        if effects is None and not self.moment.serves(ids, delta, loop_time()):
            await self._profile()
        start = self.moment.history
        try:
            missed = await self._relabel(ids, delta)
        except BadArgument:
            await self._check_labels(added=delta[0], removed=delta[1])
            return None
        applied = applied_to(ids, failed, missed)
        if "INBOX" in delta[0]:
            await self._forget_origins(applied.ids)
        if effects is None:
            return Effects(applied=applied, added={}, removed={}, since=self._cursor(start))
        done = {message_id: effects[message_id] for message_id in applied.ids}
        return _effects(applied, done)

    async def _taken_back(
        self, ids: Sequence[str], failed: Sequence[Failure], wanted: Delta, since: str
    ) -> Effects:
        """Of `wanted`, what leads each message back to how it was then."""
        start = place_in(since, self._mark())
        if start is None:
            raise BadArgument(
                "That is no place in this account's history: give back what the undo has as since.",
                argument="since",
            )
        changed = await changed_since(self.client, start, frozenset(ids))
        if changed is None:
            raise BadArgument(_forgotten(wanted), argument="since", hint=_anyway(wanted))
        groups: dict[Delta, list[str]] = {}
        left: dict[str, str] = {}
        for message_id in ids:
            item = changed.get(message_id, Changed())
            if item.deleted:
                left[message_id] = NO_MESSAGE
            elif "INBOX" in item.way_back(wanted)[0] and item.came(AWAY):
                left[message_id] = MOVED_SINCE
            else:
                groups.setdefault(item.way_back(wanted), []).append(message_id)
        begun = False
        for delta, group in groups.items():
            left |= await self._relabel(group, delta, begun=begun)
            begun = begun or delta != _NOTHING
        done = {item: delta for delta, group in groups.items() for item in group if item not in left}
        if "INBOX" in wanted[0]:
            await self._end_snooze(list(done))
        return _effects(applied_to(ids, failed, left), done)

    async def _forget_origins(self, ids: Sequence[str]) -> None:
        """They are in the inbox, so it does not matter any more from where they went to Trash or Spam."""
        notes = await self.connect()
        if notes.read().origins.keys().isdisjoint(ids):
            return
        with notes.changing() as content:
            for message_id in ids:
                content.set_origin(message_id, {})

    def _foreseen(self, ids: Sequence[str], delta: Delta) -> dict[str, Delta] | None:
        """What it does to messages that were read just now; None where one was not."""
        found: dict[str, Delta] = {}
        for message_id in ids:
            labels = self.known.labels(message_id)
            if labels is None:
                return None
            found[message_id] = (delta[0] - labels, delta[1] & labels)
        return found if self.known.fresh(ids, loop_time() - TRUSTED_S) else None


def _effects(applied: Applied, done: Mapping[str, Delta]) -> Effects:
    return Effects(
        applied=applied,
        added={message_id: delta[0] for message_id, delta in done.items()},
        removed={message_id: delta[1] for message_id, delta in done.items()},
    )


def _forgotten(wanted: Delta) -> str:
    add, remove = (", ".join(sorted(labels)) for labels in wanted)
    names = " and ".join([f"which had {add}"] * bool(add) + [f"which had no {remove}"] * bool(remove))
    return (
        "Gmail's history does not reach back to before that change any more, so nobody can say "
        f"{names} then. Nothing was changed."
    )


def _anyway(wanted: Delta) -> str:
    add, remove = (", ".join(sorted(labels)) for labels in wanted)
    what = " and ".join([f"gives {add} to all"] * bool(add) + [f"takes {remove} off all"] * bool(remove))
    return f"The same call without since {what} of them."
