"""The ledger: one database per user. Entry points: `open_ledger`, `Ledger`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType

from sqlalchemy import URL, Connection, Engine

from gaia_email.ledger.action_log import ActionLog
from gaia_email.ledger.approvals import approvals_in
from gaia_email.ledger.cache import MailCache
from gaia_email.ledger.documents import DocumentStore, StoredDocument
from gaia_email.ledger.engine import (
    BUSY_S,
    compact,
    connect,
    database_title,
    file_of,
    for_reading,
    reading,
    reads_only,
    writing,
)
from gaia_email.ledger.event_log import EventLog
from gaia_email.ledger.failures import damage_error, sentence, translated_failures
from gaia_email.ledger.keeping import DAY_S, TIDIED, Extent, ForgottenRows, forget_older, purge
from gaia_email.ledger.migrating import has_tables, migrate
from gaia_email.ledger.model_answers import ModelAnswers
from gaia_email.ledger.noticing import LOOK_S, WriteWatch, watch_writes, wrote_here
from gaia_email.ledger.pending_items import PendingStore
from gaia_email.ledger.senders import StoredSenders
from gaia_email.ledger.user_settings import RETENTION_DAYS, read_user_settings
from gaia_email.ledger.verdicts import Corrections, VerdictStore
from gaia_email_registry.approvals import ApprovalStore
from gaia_email_registry.clock import now as clock_now
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.halt import keep_ready
from gaia_email_registry.paths import home


def ledger_file(environ: Mapping[str, str]) -> Path:
    """Return the ledger's file, used unless `GAIA_EMAIL_DATABASE_URL` is set."""
    return home(environ) / "email" / "ledger.db"


class Ledger:
    """An open ledger; a context manager. Any number of threads and processes may have it open.

    Attributes:
        events: The hash-chained event log.
        actions: Changes made to mailboxes.
        verdicts: The verdict on each message.
        corrections: The user's corrections of verdicts.
        senders: Statistics about senders, and the user's VIPs.
        cache: The local copy of mail, and the sync state of each account.
        documents: Small named JSON documents.
        pending: The Agent Inbox.
        answers: Answers of language models about messages.
        retention_days: Days that events and similar rows are kept (`keeping.py`); 0 forever, None for the user's
            setting.
        environ: Environment that determines the agent's home directory.
        clock: Epoch seconds for everything that is written.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], float],
        *,
        retention_days: float | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._engine = engine
        self.environ = environ
        self._closed = False
        self.clock = clock
        self.retention_days = retention_days
        self.events = EventLog(clock)
        self.actions = ActionLog(clock, self.events)
        self.verdicts = VerdictStore()
        self.corrections = Corrections(clock)
        self.senders = StoredSenders()
        self.cache = MailCache(clock)
        self.documents = DocumentStore(clock)
        self.pending = PendingStore(clock)
        self.answers = ModelAnswers(clock)

    @property
    def file(self) -> Path | None:
        """The database file; None for a database server."""
        return file_of(self._engine)

    @property
    def reads_only(self) -> bool:
        """True if the ledger was opened read-only, by request or because the disk does not allow writing."""
        return reads_only(self._engine)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; safe to call twice."""
        self._engine.dispose()
        if self.file is not None and not self._closed:
            _end_use(self.file)
        self._closed = True

    @contextmanager
    def write(self) -> Generator[Connection, None, None]:
        """Open a transaction that may write, committed at the end of the block or rolled back if it raises.

        All other writers wait, so keep it short, make no server calls inside it, and do not nest a second one.

        Raises:
            ProviderError: Disk full, read-only, damaged, or busy for a minute.
        """
        with translated_failures(database_title(self._engine)), writing(self._engine) as connection:
            yield connection
        wrote_here(self._engine)

    @contextmanager
    def read(self) -> Generator[Connection, None, None]:
        """Open a transaction that sees one state of the ledger, unaffected by concurrent writes.

        Raises:
            ProviderError: The ledger cannot be read.
        """
        with translated_failures(database_title(self._engine)), reading(self._engine) as connection:
            yield connection

    def approvals(self, tx: Connection) -> ApprovalStore:
        """Return the gate's questions, in a transaction of `write`, or of `read` for queries."""
        return approvals_in(tx, self.clock)

    def watch(self, *, look_s: float = LOOK_S) -> WriteWatch:
        """Watch for writes by this program or others; close the watch before the ledger.

        Args:
            look_s: Seconds between checks of a file; unused for a server.

        Raises:
            ProviderError: The ledger cannot be read.
        """
        return watch_writes(self._engine, look_s=look_s)

    def tidy(self) -> ForgottenRows | None:
        """Delete rows older than the retention period; None if this was done within a day or is switched off."""
        now = self.clock()
        with self.read() as tx:
            done, days = self.documents.read(tx, TIDIED), self.kept_days(tx)
        if not _is_due(done, days, now):  # no need to wait for a writer if nothing is due
            return None
        with self.write() as tx:
            done, days = self.documents.read(tx, TIDIED), self.kept_days(tx)
            if not _is_due(done, days, now):
                return None
            forgotten = forget_older(tx, self.events, now - days * DAY_S)
            self.documents.write(tx, TIDIED, {}, done.version if done else 0)
        return forgotten

    def kept_days(self, tx: Connection) -> float:
        """Return the number of days that events and similar rows are kept; 0 forever."""
        if self.retention_days is not None:
            return self.retention_days
        days = read_user_settings(self.documents, tx).retention_days
        return RETENTION_DAYS if days is None else days

    def purge(self, extent: Extent, account_id: str | None = None, *, actor: str = "user") -> dict[str, int]:
        """Delete the copy of mail, or everything, of one account or all. Returns the number of deleted rows by name.

        The file is then rewritten, so that no deleted data stays in free pages, and backups are removed.
        """
        with self.write() as tx:
            counts = purge(tx, self.cache, self.events, extent, account_id, actor=actor)
        with translated_failures(database_title(self._engine)):
            compact(self._engine)
        if self.file is not None:
            for backup in self.file.parent.glob(f"{self.file.name}.before-*"):
                backup.unlink()
        return counts

    def check(self) -> str | None:
        """Check the whole file and return what is wrong, or None. `events.verify` checks the event log's chain."""
        if self.file is None:
            return None
        with self.read() as tx:
            found = str(tx.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
        return None if found == "ok" else found


def open_ledger(
    *,
    clock: Callable[[], float] = clock_now,
    url: str | None = None,
    environ: Mapping[str, str] = os.environ,
    read_only: bool = False,
    busy_s: float = BUSY_S,
) -> Ledger:
    """Open the user's ledger and create or upgrade it if necessary; cheap if nothing is to be done.

    A ledger that cannot be written, because of its folder or disk, is opened read-only.

    Args:
        clock: Epoch seconds for everything that is written.
        url: A SQLAlchemy URL (`sqlite:////path`, `postgresql://…`); None for `GAIA_EMAIL_DATABASE_URL`, else
            `ledger.db` in `GAIA_HOME/email`.
        environ: Environment that contains these two variables.
        read_only: True if the caller only reads; a file that needs no upgrade then opens read-only.
        busy_s: Seconds to wait for another program's transaction.

    Raises:
        BadArgument: The URL is invalid, or a newer program wrote the database.
        LedgerDamaged: The file is broken; it is left unchanged.
        ProviderError: It cannot be opened or written.
    """
    address = url or environ.get("GAIA_EMAIL_DATABASE_URL") or ""
    if not address:
        address = URL.create("sqlite", database=str(ledger_file(environ))).render_as_string()
    retention_days = _retention(environ)
    engine = connect(address, busy_s=busy_s)
    try:
        path = file_of(engine)
        if path is not None:
            _begin_use(path, database_title(engine))
            engine = for_reading(engine, has_tables, busy_s=busy_s, asked=read_only)
        ledger = Ledger(engine, clock, retention_days=retention_days, environ=environ)
        try:
            with translated_failures(database_title(engine)):
                if not reads_only(engine):
                    if url is None:
                        keep_ready(environ)
                    migrate(engine)
                with reading(engine) as connection:
                    ledger.events.check_end(connection, database_title(engine))
        except BaseException:
            ledger.close()
            raise
    except OSError as error:
        raise sentence(str(error.strerror), database_title(engine)) from error
    return ledger


def _is_due(done: StoredDocument | None, days: float, now: float) -> bool:
    return bool(days) and not (done is not None and 0 <= now - done.updated_at < DAY_S)


def _retention(environ: Mapping[str, str]) -> float | None:
    given = environ.get("GAIA_EMAIL_RETENTION_DAYS", "").strip()
    if not given:
        return None
    try:
        days = float(given)
    except ValueError:
        days = -1.0
    if not 0 <= days < 100_000:
        raise BadArgument(
            f"GAIA_EMAIL_RETENTION_DAYS must be a number of days, not {given[:40]!r}; 0 keeps everything.",
            argument="GAIA_EMAIL_RETENTION_DAYS",
        )
    return days


_counting = Lock()
_open: Counter[str] = Counter()


def _begin_use(path: Path, place: str) -> None:
    """Record that SQLite is about to open the file; call `_end_use` after every connection is closed.

    The file is checked only while this process has not opened it. A check opens and closes the file, and closing any
    descriptor of a file releases all locks that the process holds on it, including those of SQLite's connections. The
    next program that closes the database would then consider itself the last one and delete the log that others still
    write (https://sqlite.org/howtocorrupt.html, 2.2), so later writes would be lost.

    Raises:
        LedgerDamaged: The file is truncated or not a database; nothing was recorded.
        OSError: The file cannot be read; nothing was recorded.
    """
    name = os.path.realpath(path)
    with _counting:
        if not _open[name]:
            _check_file(path, place)
        _open[name] += 1


def _end_use(path: Path) -> None:
    """Record that every connection after a `_begin_use` is closed."""
    with _counting:
        _open[os.path.realpath(path)] -= 1


def _check_file(path: Path, place: str) -> None:
    if not path.exists():
        return
    size = path.stat().st_size
    with open(path, "rb") as file:
        head = file.read(32)
    if not size:
        return
    if not head.startswith(b"SQLite format 3\0"):
        raise damage_error(place, "it is no SQLite database")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    wal = path.with_name(path.name + "-wal")
    if size < pages * (65536 if page == 1 else page) and not (wal.exists() and wal.stat().st_size):
        raise damage_error(place, "its end is missing")
