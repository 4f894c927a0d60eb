"""The ledger: one database a user, opened by `open_ledger`. Entry points: `open_ledger`, `Ledger`."""

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
from gaia_email.ledger.automations import AutomationStore
from gaia_email.ledger.cache import MailCache
from gaia_email.ledger.control_store import ControlStore
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
from gaia_email.ledger.failures import damaged, sentence, translated_failures
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
    """Where the ledger is kept unless `GAIA_EMAIL_DATABASE_URL` says otherwise."""
    return home(environ) / "email" / "ledger.db"


class Ledger:
    """One open ledger; a context manager. Any number of threads and processes may have it open.

    Attributes:
        events: The hash-chained event log.
        actions: What was done to mailboxes.
        verdicts: The verdict on each message.
        corrections: What the user said instead.
        senders: What is known of senders, and the user's VIPs.
        cache: The local copy of mail, and how far each account is followed.
        documents: Small named JSON documents.
        pending: The Agent Inbox.
        answers: What language models answered about messages.
        automations: What a person saved to be run, and its runs.
        control: Records of the control protocol.
        retention_days: How long events and the like are kept (`keeping.py`); 0 for ever, None for as long as the user
            set.
        environ: Where the home is looked up whose agent writes here.
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
        self.automations = AutomationStore(clock)
        self.control = ControlStore(clock, self.events)

    @property
    def file(self) -> Path | None:
        """The database file; None where it is on a server."""
        return file_of(self._engine)

    @property
    def reads_only(self) -> bool:
        """Whether nothing can be written, since that was asked for or the disk does not allow it."""
        return reads_only(self._engine)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; harmless when called twice."""
        self._engine.dispose()
        if self.file is not None and not self._closed:
            _end_use(self.file)
        self._closed = True

    @contextmanager
    def write(self) -> Generator[Connection, None, None]:
        """One transaction that may write: all of it is kept at the end of the block, or none of it if it raises.

        Nobody else writes meanwhile, so keep it short, call no server in it, and open no second one inside it.

        Raises:
            ProviderError: Disk full, read-only, damaged, or busy for a minute.
        """
        with translated_failures(database_title(self._engine)), writing(self._engine) as connection:
            yield connection
        wrote_here(self._engine)

    @contextmanager
    def read(self) -> Generator[Connection, None, None]:
        """One transaction that sees one state of the ledger, whatever is written meanwhile.

        Raises:
            ProviderError: It cannot be read.
        """
        with translated_failures(database_title(self._engine)), reading(self._engine) as connection:
            yield connection

    def approvals(self, tx: Connection) -> ApprovalStore:
        """The gate's questions before one exact call, in a transaction of `write`, or of `read` to look at them."""
        return approvals_in(tx, self.clock)

    def watch(self, *, look_s: float = LOOK_S) -> WriteWatch:
        """Notice when anything is written, by this program or another; close it before the ledger.

        Args:
            look_s: Seconds between looks at a file; a server needs none.

        Raises:
            ProviderError: It cannot be read.
        """
        return watch_writes(self._engine, look_s=look_s)

    def tidy(self) -> ForgottenRows | None:
        """Forget what is older than the retention; None where that was done less than a day ago, or is never done."""
        now = self.clock()
        with self.read() as tx:
            done, days = self.documents.read(tx, TIDIED), self.kept_days(tx)
        if not _is_due(done, days, now):  # nobody waits for a writer to learn that there is nothing to do
            return None
        with self.write() as tx:
            done, days = self.documents.read(tx, TIDIED), self.kept_days(tx)
            if not _is_due(done, days, now):
                return None
            forgotten = forget_older(tx, self.events, now - days * DAY_S)
            self.documents.write(tx, TIDIED, {}, done.version if done else 0)
        return forgotten

    def kept_days(self, tx: Connection) -> float:
        """How many days events and the like are kept; 0 for ever."""
        if self.retention_days is not None:
            return self.retention_days
        days = read_user_settings(self.documents, tx).retention_days
        return RETENTION_DAYS if days is None else days

    def purge(self, extent: Extent, account_id: str | None = None, *, actor: str = "user") -> dict[str, int]:
        """Delete the copy of mail, or everything, of one account or all; the rows that went, by name.

        The file is written anew afterwards, so that nothing of it stays in free pages, and backups are removed.
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
        """Reads the whole database: what is wrong with it, or None. The event log's chain is `events.verify`."""
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
    """Open the user's ledger, making or upgrading it where needed; cheap when there is nothing to do.

    One that cannot be written, because of its folder or the disk it lies on, is opened to be read.

    Args:
        clock: Epoch seconds for everything that is written.
        url: A SQLAlchemy URL (`sqlite:////path`, `postgresql://…`); None for `GAIA_EMAIL_DATABASE_URL`, else
            `ledger.db` in `GAIA_HOME/email`.
        environ: Where the two are looked up.
        read_only: It is only read; a file that needs no upgrade is then opened so that nothing can be written.
        busy_s: Seconds to wait for another program's transaction.

    Raises:
        BadArgument: The URL cannot be read, or a newer program wrote the database.
        LedgerDamaged: The file is broken; it is left as it is.
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
    """Note that SQLite is about to open the file; `_end_use` follows when every connection is closed.

    It is looked at only while it is not open here: a look opens and closes the file, and whoever closes any descriptor
    of a file gives up all locks that its process holds on it, those of SQLite's connections too. The next program that
    closes the database then takes itself for the last one and deletes the log that others are writing
    (https://sqlite.org/howtocorrupt.html, 2.2): what they write from then on is lost.

    Raises:
        LedgerDamaged: It was cut, or is no database; nothing was begun.
        OSError: It cannot be read; likewise.
    """
    name = os.path.realpath(path)
    with _counting:
        if not _open[name]:
            _check_file(path, place)
        _open[name] += 1


def _end_use(path: Path) -> None:
    """Note that every connection which followed a `_begin_use` is closed."""
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
        raise damaged(place, "it is no SQLite database")
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    wal = path.with_name(path.name + "-wal")
    if size < pages * (65536 if page == 1 else page) and not (wal.exists() and wal.stat().st_size):
        raise damaged(place, "its end is missing")
