"""The inbox as one row per thread, read by SELECT, based on one verdict per message. Entry: `InboxRows`.

Every change of the copy of mail marks the threads whose rows it may affect, in its own transaction; listing the inbox
first updates those. So an unmarked row is correct, even after a crash.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Integer,
    and_,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
)

from gaia_email.ledger.statements import chunks, first_of, from_lines, to_lines, upsert
from gaia_email.ledger.tables import (
    INBOX_MARKS,
    INBOX_SHOWN,
    INBOX_STATE,
    INBOX_THREADS,
    INBOX_VERDICTS,
    MESSAGES,
    RECIPIENTS,
)
from gaia_email.ledger.text import from_json, storable, to_json
from gaia_email.policy.inbox_row import InboxState, InboxThreadRow, InboxVerdict, NewInboxThread

_PLACES = frozenset(("INBOX", "SENT", "DRAFT", "SPAM", "TRASH"))
"""Labels that affect how other mail is judged, in addition to how their own message is listed."""

_LISTED = tuple(INBOX_THREADS.c[name] for name in InboxThreadRow._fields if name != "threads")
_VERDICT_NAMES = ("version", "basis", "age", "after", "until", "look", "value")
_VERDICT = tuple(INBOX_VERDICTS.c[name] for name in _VERDICT_NAMES)
_KIND = tuple(INBOX_THREADS.c[name] for name in ("section", "category", "mode", "action"))


class InboxRows:
    """Store of inbox rows. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def state(self, tx: Connection, account_id: str) -> InboxState | None:
        """Return the state that an account's rows are based on; None if there are no rows."""
        found = first_of(tx, select(INBOX_STATE).where(INBOX_STATE.c.account_id == account_id))
        if found is None:
            return None
        return InboxState(
            version=found["version"], owner=from_lines(found["owner"]), value=from_json(found["value"])
        )

    def touch(self, tx: Connection, account_id: str, ids: Collection[str]) -> None:
        """Mark the threads affected by a change of these messages, including later mail from the people concerned.

        A message is judged by its thread, by earlier mail of its sender, and by mail from the owner.
        """
        state = self.state(tx, account_id) if ids else None
        if state is None:
            return
        message, later = MESSAGES, MESSAGES.alias()
        after = or_(message.c.date.is_(None), later.c.date > message.c.date)
        theirs = and_(later.c.account_id == account_id, later.c.sender == message.c.sender, after)
        named = and_(later.c.account_id == account_id, later.c.sender == RECIPIENTS.c.address, after)
        of_sender = select(later.c.thread_id).join_from(message, later, theirs)
        of_recipients = (
            select(later.c.thread_id)
            .join_from(message, RECIPIENTS, RECIPIENTS.c.row == message.c.row)
            .join(later, named)
            .where(message.c.sender.in_(state.owner))
        )
        for some in chunks(ids):
            these = and_(message.c.account_id == account_id, message.c.message_id.in_(some))
            for query in (select(message.c.thread_id), of_sender, of_recipients):
                _mark(tx, account_id, query.where(these).distinct().subquery().c.thread_id)

    def before(
        self, tx: Connection, account_id: str, listed: Mapping[str, tuple[str, str, str | None]]
    ) -> list[str]:
        """Mark threads before messages change. Returns the IDs to `touch` after the change.

        `listed` contains the new labels and flags of each message, as lines, and its thread (None if unchanged).
        """
        if self.state(tx, account_id) is None:
            return []
        table = MESSAGES.c
        seen: list[str] = []
        changed = set(listed)
        for some in chunks(listed):
            query = select(table.message_id, table.labels, table.flags, table.thread_id)
            for id_, *was in tx.execute(
                query.where(table.account_id == account_id, table.message_id.in_(some))
            ):
                labels, flags, thread_id = listed[id_]
                is_there = thread_id is None or thread_id == was[2]
                if is_there and _PLACES.isdisjoint(set(from_lines(labels)) ^ set(from_lines(was[0]))):
                    changed.discard(id_)
                    if was[:2] != [labels, flags]:
                        seen.append(id_)
        ids = sorted(changed)
        self.touch(tx, account_id, ids)
        for some in chunks(seen):
            these = (table.account_id == account_id, table.message_id.in_(some))
            _mark(tx, account_id, select(table.thread_id).where(*these).distinct().subquery().c.thread_id)
        return ids

    def read_marks(self, tx: Connection, account_id: str) -> tuple[int, set[str]]:
        """Return the last mark, and all marked threads."""
        mark = INBOX_MARKS.c
        rows = tx.execute(select(mark.seq, mark.thread_id).where(mark.account_id == account_id)).all()
        return max((seq for seq, _ in rows), default=0), {thread_id for _, thread_id in rows}

    def find_expired(self, tx: Connection, account_id: str, newest: float) -> set[str]:
        """Return threads whose rows have expired if the newest message has this date (epoch seconds)."""
        table = INBOX_THREADS.c
        holds = and_(table.holds_after < newest, table.holds_until > newest)
        query = select(table.thread_id).where(
            table.account_id == account_id, table.judged_at != newest, ~holds
        )
        return set(tx.execute(query).scalars())

    def find_taught(self, tx: Connection, account_id: str) -> set[str]:
        """Return the threads that lessons moved."""
        table = INBOX_THREADS.c
        query = select(table.thread_id).where(table.account_id == account_id, table.is_taught.is_(True))
        return set(tx.execute(query).scalars())

    def looks(self, tx: Connection, account_id: str) -> list[tuple[str, bytes]]:
        """Return thread and packed features of each message whose verdict lessons may change."""
        look = INBOX_VERDICTS.c.look
        query = select(MESSAGES.c.thread_id, look).join_from(
            MESSAGES, INBOX_VERDICTS, MESSAGES.c.row == INBOX_VERDICTS.c.row
        )
        return _fetched(tx, query.where(MESSAGES.c.account_id == account_id, look.is_not(None)))

    def verdicts(self, tx: Connection, account_id: str, ids: Iterable[str]) -> dict[str, InboxVerdict]:
        """Return the verdicts on the cached messages, by ID."""
        table = MESSAGES.c
        query = (
            select(table.message_id, *_VERDICT)
            .join_from(MESSAGES, INBOX_VERDICTS, table.row == INBOX_VERDICTS.c.row)
            .where(table.account_id == account_id)
        )
        return {
            id_: InboxVerdict(message_id=id_, **dict(zip(_VERDICT_NAMES, values, strict=True)))
            for some in chunks(ids)
            for id_, *values in _fetched(tx, query.where(table.message_id.in_(some)))
        }

    def store_verdicts(self, tx: Connection, account_id: str, verdicts: Sequence[InboxVerdict]) -> None:
        """Store verdicts on cached messages; each replaces the previous one."""
        table = MESSAGES.c
        by_id = {one.message_id: one for one in verdicts}
        for some in chunks(by_id):
            these = (table.account_id == account_id, table.message_id.in_(some))
            found = tx.execute(select(table.row, table.message_id).where(*these))
            rows = [
                {"row": number, **{name: getattr(by_id[id_], name) for name in _VERDICT_NAMES}}
                for number, id_ in found
            ]
            upsert(tx, INBOX_VERDICTS, rows)

    def threads_of(
        self, tx: Connection, account_id: str, *, ids: Iterable[str] = (), senders: Iterable[str] = ()
    ) -> set[str]:
        """Return the threads of these messages, and of mail from these senders."""
        table = MESSAGES.c
        found: set[str] = set()
        for column, values in ((table.message_id, ids), (table.sender, map(storable, senders))):
            for some in chunks(values):
                query = select(table.thread_id).where(table.account_id == account_id, column.in_(some))
                found.update(tx.execute(query).scalars())
        return found

    def rows(self, tx: Connection, account_id: str) -> list[InboxThreadRow]:
        """Return every thread of an account's inbox, unordered."""
        query = select(*_LISTED).where(INBOX_THREADS.c.account_id == account_id)
        return [InboxThreadRow(*row) for row in _fetched(tx, query)]

    def counts(self, tx: Connection, account_id: str) -> dict[str, tuple[int, int]]:
        """Return the number of threads and of unread threads by section."""
        table = INBOX_THREADS.c
        query = select(table.section, func.count(), func.sum(cast(table.unread, Integer)))
        these = query.where(table.account_id == account_id, table.bucket.is_not(None)).group_by(table.section)
        return {section: (threads, unread) for section, threads, unread in tx.execute(these)}

    def recent(self, tx: Connection, account_id: str, now: float, seconds: float) -> list[InboxThreadRow]:
        """Return rows within `seconds` of the newest one or `now`; older ones are combined into one row per kind.

        This spares a card, which only counts them, from reading tens of thousands of rows.
        """
        table = INBOX_THREADS.c
        newest = tx.execute(select(func.max(table.date)).where(table.account_id == account_id)).scalar()
        since = min(now if newest is None else newest, now) - seconds
        is_old = and_(table.account_id == account_id, table.bucket.is_not(None), table.date < since)
        sums = [
            func.sum(cast(table[name], Integer))
            for name in ("unsure", "unread", "taken_back", "listed", "judged")
        ]
        kinds = select(*_KIND, *sums, func.max(table.date), func.count()).where(is_old).group_by(*_KIND)
        counted = [_counted(account_id, *row) for row in _fetched(tx, kinds)]
        others = or_(table.bucket.is_(None), table.date.is_(None), table.date >= since)
        query = select(*_LISTED).where(table.account_id == account_id, others)
        return [*counted, *(InboxThreadRow(*row) for row in _fetched(tx, query))]

    def documents(self, tx: Connection, numbers: Iterable[int]) -> dict[int, str]:
        """Return the listed content of these rows as JSON, by number."""
        number, text = INBOX_SHOWN.c.number, INBOX_SHOWN.c.row
        found: dict[int, str] = {}
        for some in chunks(numbers):
            found.update(_fetched(tx, select(number, text).where(number.in_(some))))
        return found

    def keep(
        self,
        tx: Connection,
        account_id: str,
        looked_at: Collection[str] | None,
        threads: Sequence[NewInboxThread],
        *,
        state: InboxState,
        newest: float,
        last_mark: int,
        again: Iterable[str],
    ) -> None:
        """Replace the rows of the threads that were examined.

        Args:
            tx: The connection.
            account_id: The account.
            looked_at: The examined threads; None for all.
            threads: The new rows; a thread without messages in the inbox has none.
            state: The new state that all rows are based on, with the version that was read.
            newest: Date of the mailbox's newest message.
            last_mark: The last mark before the threads were examined.
            again: Threads to examine again next time.
        """
        of_account = INBOX_THREADS.c.account_id == account_id
        if looked_at is None:
            _remove(tx, of_account)
        else:
            for some in chunks(looked_at):
                _remove(tx, and_(of_account, INBOX_THREADS.c.thread_id.in_(some)))
        first = (tx.execute(select(func.max(INBOX_THREADS.c.number))).scalar() or 0) + 1
        for numbered in chunks(list(enumerate(threads, first))):
            tx.execute(insert(INBOX_THREADS), [_row(number, one, newest) for number, one in numbered])
            shown = [
                {"number": number, "row": one.document}
                for number, one in numbered
                if one.row.bucket is not None
            ]
            if shown:
                tx.execute(insert(INBOX_SHOWN), shown)
        value = {
            "account_id": account_id,
            "version": state.version + 1,
            "owner": to_lines(map(storable, state.owner)),
            "value": to_json(state.value),
        }
        upsert(tx, INBOX_STATE, [value])
        mark = INBOX_MARKS.c
        tx.execute(delete(INBOX_MARKS).where(mark.account_id == account_id, mark.seq <= last_mark))
        for some in chunks(again):
            tx.execute(insert(INBOX_MARKS), [{"account_id": account_id, "thread_id": one} for one in some])

    def clear(self, tx: Connection, account_id: str | None) -> None:
        """Delete all rows (of an account)."""
        if account_id is not None:
            _remove(tx, INBOX_THREADS.c.account_id == account_id)
            for table in (INBOX_MARKS, INBOX_STATE):
                tx.execute(delete(table).where(table.c.account_id == account_id))
            return
        for table in (INBOX_THREADS, INBOX_SHOWN, INBOX_MARKS, INBOX_STATE):
            tx.execute(delete(table))


def _row(number: int, one: NewInboxThread, newest: float) -> dict[str, object]:
    row = one.row._asdict()
    del row["threads"]
    return {
        **row,
        "number": number,
        "header_message_id": storable(one.row.header_message_id),
        "is_taught": one.is_taught,
        "judged_at": newest,
        "holds_after": one.holds_after,
        "holds_until": one.holds_until,
    }


def _counted(
    account_id: str,
    section: str,
    category: str,
    mode: str,
    action: str,
    unsure: int,
    unread: int,
    taken_back: int,
    listed: int,
    judged: int,
    date: float,
    threads: int,
) -> InboxThreadRow:
    """Return a row that combines several threads of a kind."""
    return InboxThreadRow(
        number=0,
        account_id=account_id,
        thread_id="",
        bucket=0,
        section=section,
        score=0.0,
        date=date,
        message_id="",
        header_message_id="",
        category=category,
        mode=mode,
        action=action,
        unsure=unsure,
        unread=unread,
        taken_back=taken_back,
        listed=listed,
        judged=judged,
        oldest=0.0,
        newest=date,
        threads=threads,
    )


def _fetched(tx: Connection, query: Executable) -> list[Any]:
    """Fetch from the driver's cursor: for tens of thousands of rows, SQLAlchemy's row objects cost too much."""
    cursor = tx.execute(query).cursor
    return [] if cursor is None else list(cursor.fetchall())


def _mark(tx: Connection, account_id: str, threads: ColumnElement[str]) -> None:
    query = select(literal(account_id), threads)
    tx.execute(insert(INBOX_MARKS).from_select(["account_id", "thread_id"], query))


def _remove(tx: Connection, condition: ColumnElement[bool]) -> None:
    numbers = select(INBOX_THREADS.c.number).where(condition)
    tx.execute(delete(INBOX_SHOWN).where(INBOX_SHOWN.c.number.in_(numbers)))
    tx.execute(delete(INBOX_THREADS).where(condition))
