"""Reports events since a cursor, page by page and exactly. Entries: `changes`, `now`, `is_news`.

A caller that knows everything up to `base` gets the events up to `target`, the end of the sequence when the answer
began: each message at the number of its addition or of its last change, and each removal. Later events have larger
numbers and come next. A first listing is reported while the mailbox is read, newest mail first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from gaia_email_registry.contract.wire import Changed, Summary
from gaia_imap_mcp.index.cursor import ImapCursor, read_cursor
from gaia_imap_mcp.index.store import ImapIndex
from gaia_imap_mcp.index.views import COLUMNS, IndexRow
from gaia_mail_mcp.mailbox import Changes

STEP = 2000
"""New messages read before a page is returned, in the first listing of a mailbox."""

_FOREIGN = "the cursor is not one of this mailbox"
_OTHER = "the cursor is one of another account or server"
_FORGOTTEN = "too much was removed since, more than is remembered"


class IndexedAccount(Protocol):
    """The parts of an account that are used here; see `account.ImapAccount`."""

    index: ImapIndex
    fingerprint: str
    is_complete: bool | None
    """True if the last refresh left no message unread; None before the first refresh."""

    def refresh(self, *, limit: int | None = None) -> bool:
        """Bring the index up to date; return False if more than `limit` messages are waiting."""
        ...


@dataclass(frozen=True, slots=True)
class IndexEvent:
    """An event to report; `row` is None if the message was removed."""

    number: int
    id: str
    row: IndexRow | None
    is_new: bool


def changes(account: IndexedAccount, text: str | None, *, limit: int, name: str) -> Changes:
    """Return a page of at most `limit` events since a cursor; `name` is the account's."""
    cursor, reason = _begin(account, text)
    complete = account.is_complete
    while cursor.is_resting or complete is None:
        complete = account.refresh(limit=max(limit, STEP))
        if complete or account.index.seq > cursor.target:
            break
    if cursor.is_resting:
        cursor = replace(cursor, target=account.index.seq)
    limit = max(limit, 1)
    events = _events(account.index, cursor, limit + 1)
    more = len(events) > limit
    events = events[:limit]
    if more:
        following = replace(cursor, at=events[-1].number, folders={})
    else:
        following = _resting(account, cursor.target, bool(complete))
    added: list[Summary] = []
    changed: list[Changed] = []
    for event in events:
        if event.row is not None and event.is_new:
            added.append(event.row.summary(name))
        elif event.row is not None:
            changed.append(event.row.as_change())
    return Changes(
        cursor=str(following),
        added=tuple(added),
        changed=tuple(changed),
        removed=tuple(event.id for event in events if event.row is None),
        reset=bool(reason),
        reason=reason,
        more=more or not complete,
    )


def now(account: IndexedAccount) -> ImapCursor:
    """Refresh the index and return the cursor of a caller that knows everything."""
    account.refresh()
    return _resting(account, account.index.seq, complete=True)


def is_news(account: IndexedAccount, text: str) -> bool:
    """Return True if `changes` would report an event or a reset."""
    cursor, reason = _begin(account, text)
    if reason or not cursor.is_resting:
        return True
    account.refresh()
    return account.index.seq > cursor.target


def _begin(account: IndexedAccount, text: str | None) -> tuple[ImapCursor, str]:
    """Return the cursor to continue from, and the reason if it had to be reset to the beginning."""
    index = account.index
    nothing = ImapCursor(owner=account.fingerprint, epoch=index.epoch, base=0, target=0, at=0)
    if text is None:
        return nothing, ""
    cursor = read_cursor(text)
    if cursor is None:
        return nothing, _FOREIGN
    if cursor.owner != account.fingerprint:
        return nothing, _OTHER
    if cursor.epoch != index.epoch:
        return _after_loss(account, cursor, nothing)
    if not cursor.base <= cursor.at <= cursor.target <= index.seq:
        return nothing, _FOREIGN
    if 0 < cursor.base < index.horizon:
        return nothing, _FORGOTTEN
    return cursor, ""


def _after_loss(account: IndexedAccount, cursor: ImapCursor, nothing: ImapCursor) -> tuple[ImapCursor, str]:
    """Return a cursor to replace one whose index is lost; it remains valid if no folder has changed since."""
    if not cursor.folders:
        return nothing, "the index of this mailbox was lost while it was being listed"
    account.refresh()
    there = _folders(account.index)
    if there == cursor.folders:
        return _resting(account, account.index.seq, complete=True), ""
    for name, (uidvalidity, _, _) in sorted(cursor.folders.items()):
        if name not in there:
            return nothing, f"the index of this mailbox was lost, and the folder {name} is gone or renamed"
        if there[name][0] != uidvalidity:
            return nothing, f"the index of this mailbox was lost, and {name} was renumbered (UIDVALIDITY)"
    return nothing, "the index of this mailbox was lost, and the mailbox has changed since"


def _resting(account: IndexedAccount, at: int, complete: bool) -> ImapCursor:
    index = account.index
    known = _folders(index) if complete and at == index.seq else {}
    return ImapCursor(owner=account.fingerprint, epoch=index.epoch, base=at, target=at, at=at, folders=known)


def _folders(index: ImapIndex) -> dict[str, tuple[int, int, int]]:
    return {state.name: (state.uidvalidity, state.uidnext, state.modseq) for state in index.folders()}


def _events(index: ImapIndex, cursor: ImapCursor, limit: int) -> list[IndexEvent]:
    """Return the next events in order, at most `limit`."""
    base, at, target = cursor.base, cursor.at, cursor.target
    execute = index.database.execute
    events: list[IndexEvent] = []
    added = execute(
        f"SELECT m.created, {COLUMNS}, ? AND EXISTS (SELECT 1 FROM removed r WHERE r.id = m.id "
        "AND r.created <= ? AND r.seq > ?) FROM messages m "
        "WHERE m.visible AND m.created > ? AND m.created <= ? ORDER BY m.created LIMIT ?",
        (base > 0, base, base, at, target, limit),
    )
    for number, *values, is_known in added:
        row = IndexRow(*values)
        events.append(IndexEvent(number, row.id, row, not is_known))
    if base:
        changed = execute(
            f"SELECT m.changed, {COLUMNS} FROM messages m WHERE m.visible AND m.changed > m.created "
            "AND m.created <= ? AND m.changed > ? AND m.changed <= ? ORDER BY m.changed LIMIT ?",
            (base, at, target, limit),
        )
        for number, *values in changed:
            row = IndexRow(*values)
            events.append(IndexEvent(number, row.id, row, False))
        removed = execute(
            "SELECT r.seq, r.id FROM removed r WHERE r.seq > ? AND r.seq <= ? AND r.created <= ? AND NOT EXISTS "
            "(SELECT 1 FROM messages m WHERE m.id = r.id AND m.visible AND m.created <= ?) ORDER BY r.seq LIMIT ?",
            (at, target, base, target, limit),
        )
        events.extend(IndexEvent(number, id_, None, False) for number, id_ in removed)
    events.sort(key=lambda event: event.number)
    return events[:limit]
