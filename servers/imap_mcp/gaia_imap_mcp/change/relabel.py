"""Changes the labels of messages, including moves to Trash and back. Entry: `ImapRelabeler`.

The index notes the folders of a message that goes to Trash or Spam, so that it can go back there. A message that
another program trashed goes back to the inbox.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.label_plan import LabelGoal, goal_of
from gaia_imap_mcp.change.writer import Writer
from gaia_imap_mcp.index.store import ORIGINS, MessageCopy
from gaia_imap_mcp.index.views import IndexRow, rows
from gaia_imap_mcp.protocol.labels_from_flags import SHUT
from gaia_mail.files.labels import INBOX, SPAM, TRASH
from gaia_mail_mcp.mailbox import WriteOutcome

_ENOUGH = 1000
"""Number of notes above which those of deleted messages are cleaned up."""

LabelsWanted = Callable[[frozenset[str], Sequence[str]], frozenset[str] | None]
"""Maps current labels and former folders to the wanted labels; None leaves the message unchanged."""


class ImapRelabeler:
    """Changes labels of one account's messages; used in its worker thread."""

    def __init__(self, account: ImapAccount, writer: Writer) -> None:
        self._account, self._writer = account, writer

    def modify(self, ids: Sequence[str], add: frozenset[str], remove: frozenset[str]) -> WriteOutcome:
        """Add and remove existing labels; one in both is added."""
        return self._change(ids, lambda labels, _: (labels - remove) | add, changed=add | remove, home=())

    def trash(self, ids: Sequence[str]) -> WriteOutcome:
        """Move every copy to Trash."""
        return self._change(
            ids,
            lambda labels, _: (labels - {INBOX, SPAM}) | {TRASH},
            changed=frozenset(),
            home=(),
        )

    def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Move messages out of Trash, back to their former folders."""

        def back(labels: frozenset[str], origins: Sequence[str]) -> frozenset[str] | None:
            if TRASH not in labels:
                return None
            labels_again = {SPAM, INBOX} if self._writer.ground().gmail else {SPAM}
            return (labels - {TRASH}) | (labels_again & frozenset(origins))

        return self._change(ids, back, changed=frozenset(), home=(INBOX,))

    def _change(
        self, ids: Sequence[str], wanted: LabelsWanted, *, changed: frozenset[str], home: Sequence[str]
    ) -> WriteOutcome:
        ground = self._writer.ground()
        notes = self._account.index.notes(ORIGINS)
        leaving: dict[str, str] = {}

        def goal(row: IndexRow, copies: Sequence[MessageCopy]) -> LabelGoal | None:
            labels = frozenset(row.labels)
            origins: Sequence[str] = json.loads(notes[row.id]) if row.id in notes else home
            found = wanted(labels, origins)
            if found is None:
                return None
            if found & SHUT and found & SHUT != labels & SHUT:
                left = {copy.label for copy in copies}
                leaving[row.id] = json.dumps(sorted(left | (labels & {INBOX} if ground.gmail else set())))
            return goal_of(found, copies, ground, changed=changed, origins=_if(labels & SHUT, origins))

        applied = self._writer.apply(ids, goal, before=lambda: self._remember(leaving))
        self._forget(applied.ids)
        return applied

    def _remember(self, origins: dict[str, str]) -> None:
        """Note the folders of messages before they leave."""
        index = self._account.index
        if not origins:
            return
        notes = index.notes(ORIGINS)
        gone = notes.keys() - rows(index, notes) if len(notes) > _ENOUGH else set[str]()
        with index.writing():
            for id_, text in origins.items():
                index.note(ORIGINS, id_, text)
            for id_ in gone:
                index.note(ORIGINS, id_, None)

    def _forget(self, ids: Sequence[str]) -> None:
        """Delete the notes of messages that are back."""
        index = self._account.index
        notes = index.notes(ORIGINS)
        back = [
            id_
            for id_, row in rows(index, [id_ for id_ in ids if id_ in notes]).items()
            if not SHUT & frozenset(row.labels)
        ]
        if back:
            with index.writing():
                for id_ in back:
                    index.note(ORIGINS, id_, None)


def _if(condition: object, origins: Sequence[str]) -> Sequence[str]:
    return origins if condition else ()
