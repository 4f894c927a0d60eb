r"""Drafts: messages in the Drafts folder, each with an id that outlives its content. Entry: `DraftStore`.

A draft's id is the id of its first message; the index's notes map it to the current one. Without notes (a new index),
a draft has the id of its message.
"""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.filing import Filer
from gaia_imap_mcp.change.writer import Writer
from gaia_imap_mcp.index.store import MessageCopy
from gaia_imap_mcp.index.views import IndexRow, carrying, message, message_copies, thread
from gaia_mail.files import labels
from gaia_mail_mcp.mailbox import Draft

NOTES = "draft"


class DraftStore:
    """The drafts of one account; used in its worker thread."""

    def __init__(self, account: ImapAccount, writer: Writer, filer: Filer) -> None:
        self._account, self._writer, self._filer = account, writer, filer

    def create(self, raw: bytes, thread_id: str | None) -> Draft:
        """Store a draft in the given conversation, or in the one its headers name."""
        check_thread(self._account, thread_id)
        id_ = self._filer.append(raw, labels.DRAFT, [labels.DRAFT_FLAG, labels.SEEN])
        join_thread(self._account, id_, thread_id)
        return self._draft(self._row(id_))

    def update(self, draft_id: str, raw: bytes) -> Draft:
        """Replace a draft's content, storing the new version before removing the old one."""
        old = self.find(draft_id)
        copies = message_copies(self._account.index, old.id)
        id_ = self._filer.append(raw, labels.DRAFT, [labels.DRAFT_FLAG, labels.SEEN])
        self._note(draft_id, id_)
        self._remove(old, copies)
        if thread(self._account.index, old.thread_id):
            join_thread(self._account, id_, old.thread_id)
        return self._draft(self._row(id_))

    def list(self, limit: int) -> list[Draft]:
        """Return drafts, newest first."""
        found: list[Draft] = []
        for row in carrying(self._account.index, labels.DRAFT):
            if labels.TRASH not in row.labels:
                found.append(self._draft(row))
            if len(found) >= limit:
                break
        return found

    def delete(self, draft_id: str) -> bytes:
        """Remove a draft permanently; return its bytes, so that it can be restored."""
        raw = self.read(draft_id)
        self.remove(draft_id)
        return raw

    def read(self, draft_id: str) -> bytes:
        """Return a draft's bytes.

        Raises:
            NotFound: The draft does not exist.
        """
        row = self.find(draft_id)
        raw = self._account.bodies([row.id]).get(row.id)
        if raw is None:
            raise _no_draft(draft_id)
        return raw

    def to_send(self, draft_id: str) -> bytes:
        """Return the bytes of a draft that has not been sent yet.

        Raises:
            BadArgument: It was sent, but its copy is not in Sent yet.
            NotFound: The draft does not exist.
        """
        if self._filer.was_sent(draft_id):
            raise BadArgument(
                "This draft was sent already; its copy is put into Sent as soon as the server takes it.",
                argument="draft_id",
            )
        return self.read(draft_id)

    def remove(self, draft_id: str) -> None:
        """Remove a draft; a copy of it in another folder, such as Sent, stays."""
        row = self.find(draft_id)
        self._remove(row, [p for p in message_copies(self._account.index, row.id) if p.label != labels.SENT])
        self._note(draft_id, None)

    def _remove(self, row: IndexRow, copies: Sequence[MessageCopy]) -> None:
        """Remove copies of a draft; on Gmail, where expunging only removes a label, by way of Trash."""
        if not self._account.connection().is_gmail:
            self._writer.remove_copies(copies)
        elif labels.SENT not in row.labels:
            failed = self._writer.delete([row.id]).failed
            if failed:
                raise ProviderError(f"The draft could not be removed: {failed[0]['error']}.")

    def find(self, draft_id: str) -> IndexRow:
        """Return the current message of a draft.

        Raises:
            NotFound: The draft does not exist or is in Trash.
        """
        id_ = self._account.index.notes(NOTES).get(draft_id, draft_id)
        row = message(self._account.index, id_)
        if row is None or labels.DRAFT not in row.labels or labels.TRASH in row.labels:
            raise _no_draft(draft_id)
        return row

    def _draft(self, row: IndexRow) -> Draft:
        notes = self._account.index.notes(NOTES)
        id_ = next((draft for draft, message_id in notes.items() if message_id == row.id), row.id)
        return Draft(id=id_, message_id=row.id, thread_id=row.thread_id)

    def _row(self, id_: str) -> IndexRow:
        row = message(self._account.index, id_)
        if row is None:
            raise _no_draft(id_)
        return row

    def _note(self, draft_id: str, message_id: str | None) -> None:
        with self._account.index.writing():
            self._account.index.note(NOTES, draft_id, message_id)


def check_thread(account: ImapAccount, thread_id: str | None) -> None:
    """Check that a conversation exists, if one is given.

    Raises:
        NotFound: It does not exist.
    """
    if thread_id is not None and not thread(account.index, thread_id):
        raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")


def join_thread(account: ImapAccount, message_id: str, thread_id: str | None) -> None:
    """Put a message into a conversation, if one is given."""
    if thread_id is not None:
        with account.index.writing():
            account.index.join_thread(message_id, thread_id)


def _no_draft(draft_id: str) -> NotFound:
    return NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")
