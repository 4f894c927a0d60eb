"""Messages that leave the inbox for a while. Entry: `Snoozes`.

Gmail's API cannot snooze. A snoozed message therefore leaves the inbox under a label of ours, and returns when a server
for that account next checks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import post
from gaia_gmail_mcp.labels import GmailLabelStore
from gaia_gmail_mcp.local_state import Notes
from gaia_gmail_mcp.reading import GmailReader
from gaia_gmail_mcp.relabeling import GmailRelabeler, applied_to
from gaia_gmail_mcp.units import Units
from gaia_mail.snoozing import time_to_come
from gaia_mail_mcp.mailbox import WriteOutcome

SNOOZED = "Snoozed by gaia"
"""Label of messages snoozed by this program."""


class Snoozes:
    """Messages snoozed by this program, in any of its processes.

    Attributes:
        wakes: True to bring messages back; False for a server that must not write.
    """

    def __init__(
        self, account: GmailAccount, reader: GmailReader, labels: GmailLabelStore, relabeler: GmailRelabeler
    ) -> None:
        self._account, self._reader, self._labels, self._relabeler = account, reader, labels, relabeler
        self.wakes = True
        self._label_id = ""

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """Take messages out of the inbox until `until` (RFC 3339)."""
        instant = time_to_come(until, dt.datetime.now(dt.UTC))
        present, failed = await self._reader.existing(ids)
        notes = await self._account.connect()
        missed: dict[str, str] = {}
        if present:
            label = await self._own_label()
            missed = await self._relabeler.relabel([*present], (frozenset({label}), frozenset({"INBOX"})))
        applied = applied_to(present, failed, missed)
        with notes.changing() as content:
            content.snoozed.update(dict.fromkeys(applied.ids, instant.isoformat()))
        return applied

    async def _own_label(self) -> str:
        """Return the id of the label for snoozed messages; create the label if needed."""
        if not self._label_id:
            for label in await self._labels.all():
                if label["name"] == SNOOZED:
                    self._label_id = label["id"]
                    break
            else:
                self._label_id = await self._made_label()
        return self._label_id

    async def _made_label(self) -> str:
        shown = {"messageListVisibility": "show", "labelListVisibility": "labelShowIfUnread"}
        call = post("labels", units=Units.MESSAGE, body={"name": SNOOZED, **shown}, repeatable=False)
        made: str = (await self._account.client.call(call))["id"]
        return made

    def label_name(self, notes: Notes) -> str | None:
        """Return the name of the label for snoozed messages; None if this program has snoozed none."""
        return SNOOZED if self._label_id or notes.read().snoozed else None

    async def end(self, ids: Sequence[str]) -> None:
        """End the snoozing of messages that the user moved; they will not return on their own."""
        notes = await self._account.connect()
        ending = [message_id for message_id in ids if message_id in notes.read().snoozed]
        if not ending:
            return
        with notes.changing() as content:
            for message_id in ending:
                content.snoozed.pop(message_id, None)
        await self._relabeler.relabel(ending, (frozenset(), frozenset({await self._own_label()})))

    async def wake(self) -> None:
        """Bring back the messages that are due; those meanwhile in Trash or Spam stay there."""
        notes = await self._account.connect()
        now = dt.datetime.now(dt.UTC)
        due = [item for item, until in notes.read().snoozed.items() if _is_due(until, now)]
        if not due or not self.wakes:
            return
        found = await self._reader.summaries(due)
        away = {item for item in due if item in found and {"TRASH", "SPAM"} & set(found[item]["labels"])}
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
            missed = await self._relabeler.relabel(back, (frozenset({"INBOX", "UNREAD"}), frozenset({label})))
        finally:
            if missed:  # they are still due
                with notes.changing() as content:
                    content.snoozed.update(dict.fromkeys(missed, now.isoformat()))


def _is_due(until: str, now: dt.datetime) -> bool:
    """Return True if the time has passed or cannot be read: otherwise the message would never come back."""
    try:
        return dt.datetime.fromisoformat(until) <= now
    except (ValueError, TypeError):
        return True
