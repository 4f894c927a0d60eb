"""DBOS over the user's runs database: as the program that executes runs, or as a client. Entries: `launched`, `client`.

One program at a time executes the runs of a database on a machine, held by a lock that goes with the program. Were
there two under one name, the second would take up what the first is doing as if it had died.
"""

from __future__ import annotations

import hashlib
import json
import logging
import socket
import sqlite3
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cache

from dbos import DBOS, DBOSClient, DBOSConfig, Serializer, error
from sqlalchemy import URL, Engine, event
from sqlalchemy.exc import SQLAlchemyError

from gaia_email.ledger.failures import known
from gaia_email.ledger.server_connections import count_connections
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.runs import kinds
from gaia_email.runs.files import URL_SETTING, runs_file
from gaia_email.runs.queues import SHARED, queue_of
from gaia_email_registry.errors import BY_KIND, InternalError, MailError, ProviderError
from gaia_email_registry.paths import home
from gaia_email_registry.private_file import held, make_private

NAME = "gaia-email"

VERSION = "1"
"""Of the steps of our workflows; runs of another version are not resumed. Changed only when steps are."""

POLLING_S, STAYING_POLLING_S = 0.2, 2.0
"""Seconds between looks at what is queued: while somebody waits for a run, and in a program that stays for days."""

REBUILT = "runs.db holds no mail and can be rebuilt: move it away, and the ledger settles what was left."


def _url(environ: Mapping[str, str]) -> str:
    """The database's URL; its file, where it is one, is made for the user alone."""
    given = environ.get(URL_SETTING)
    if given:
        count_connections()
        return given
    teach_sqlite()
    path = runs_file(environ)
    make_private(path)
    return URL.create("sqlite", database=str(path)).render_as_string()


class NoEngine(ProviderError):
    """DBOS cannot be used here; nothing was begun by it."""


@contextmanager
def _translated_failures(environ: Mapping[str, str]) -> Generator[None, None, None]:
    try:
        yield
    except (OSError, SQLAlchemyError, error.DBOSException) as problem:
        kind = type(problem).__name__
        if environ.get(URL_SETTING):
            raise NoEngine(
                f"The database of runs cannot be used ({kind}).",
                hint=f"start its server, or see to {URL_SETTING}.",
            ) from problem
        path = runs_file(environ)
        reason = getattr(problem, "orig", None) or getattr(problem, "strerror", None)
        said = known(str(reason), f"The database of runs {path}")
        if said is not None:
            raise NoEngine(said) from problem
        raise NoEngine(f"{path} cannot be used ({kind}).", hint=REBUILT) from problem


@contextmanager
def executing(environ: Mapping[str, str]) -> Generator[bool, None, None]:
    """Whether this program may execute runs now; while it may, nobody else does."""
    folder = home(environ) / "email" / "locks"
    name = hashlib.sha256(environ.get(URL_SETTING, "").encode()).hexdigest()[:16]
    with ExitStack() as stack:
        with _translated_failures(environ):
            other = stack.enter_context(held(folder / f"runs-{name}.lock"))
        yield other is None


@contextmanager
def launched(
    environ: Mapping[str, str], *, tell: Callable[[str], None] | None = None
) -> Generator[None, None, None]:
    """DBOS in this program, taking up what was left; for who holds `executing`.

    Args:
        environ: Where the database is looked up.
        tell: Takes a sentence for the user, in a program that stays and watches; None where it ends with a run.

    Raises:
        NoEngine: The database cannot be used.
    """
    from gaia_email.runs import workflows

    for kind in kinds.JOB_KINDS:  # so that DBOS knows them
        kind.load()
    workflows.environ, workflows.tell = environ, tell
    polling_s = POLLING_S if tell is None else STAYING_POLLING_S
    log = logging.getLogger("dbos")
    if not log.handlers:  # else it writes to the terminal, and what it writes may be of a mail
        log.addHandler(logging.NullHandler())
    with _translated_failures(environ):
        config: DBOSConfig = {
            "name": NAME,
            "system_database_url": _url(environ),
            "serializer": RunsJson(),
            "executor_id": _executor(environ),
            "application_version": VERSION,
            "log_level": "CRITICAL",
            "enable_otlp": False,
            "notification_listener_polling_interval_sec": polling_s,
            "scheduler_polling_interval_sec": 5.0,
        }
        DBOS(config=config)
    try:
        with _translated_failures(environ):
            DBOS.launch()
            DBOS.register_queue(SHARED, polling_interval_sec=polling_s, on_conflict="always_update")
            for queue in DBOS.list_queues():
                queue.set_polling_interval_sec(polling_s)
        yield
    finally:
        workflows.tell = None
        DBOS.destroy()


def _executor(environ: Mapping[str, str]) -> str:
    """Whose unfinished runs this program takes up: on a shared database, those of this machine."""
    return f"host-{socket.gethostname()}"[:60] if environ.get(URL_SETTING) else "local"


@contextmanager
def client(environ: Mapping[str, str]) -> Generator[DBOSClient, None, None]:
    """The runs from outside: to ask for one, look, cancel, schedule.

    Raises:
        NoEngine: The database cannot be used.
    """
    with _translated_failures(environ):
        url = _url(environ)
        DBOS.migrate(url)
        opened = DBOSClient(
            system_database_url=url,
            serializer=RunsJson(),
            application_name=NAME,
            retry_connection_errors=False,
        )
    try:
        with _translated_failures(environ):
            yield opened
    finally:
        opened.destroy()


def register(using: DBOSClient, place: MailboxRef) -> None:
    """Make the account's queue, if it is not there: one run at a time, in their order."""
    for name, at_once in ((SHARED, None), (queue_of(place), 1)):
        if using.retrieve_queue(name) is None:
            using.register_queue(name, global_concurrency=at_once, polling_interval_sec=POLLING_S)


_KNOWS_SUBSECONDS = (3, 42)


@cache
def teach_sqlite() -> None:
    """Give every SQLite connection that is opened from now on `unixepoch('subsec')`, where SQLite lacks it.

    DBOS goes by the version of Python and takes it for granted from 3.12 on. Debian 12, and the Python images built
    on it, have SQLite 3.40, which answers NULL, and no row with a time can be written.
    """
    if sqlite3.sqlite_version_info < _KNOWS_SUBSECONDS:
        event.listen(Engine, "connect", _teach)


def _teach(connection: object, _: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.create_function("unixepoch", 1, _now)


def _now(_: object) -> float:
    return time.time()


_TIME, _ERROR = "$time", "$error"


class RunsJson(Serializer):
    """JSON with times and errors, never pickled objects.

    An error keeps its kind and sentence; of one that is none of ours, only its type is kept.
    """

    def name(self) -> str:
        """As DBOS notes it beside each value."""
        return "gaia_json"

    def serialize(self, data: object) -> str:
        """As text.

        Raises:
            TypeError: It is nothing that may be kept.
        """
        return json.dumps(data, default=_plain, separators=(",", ":"))

    def deserialize(self, serialized_data: str) -> object:
        """From what `serialize` wrote."""
        return json.loads(serialized_data, object_hook=_object)


def _plain(value: object) -> dict[str, object]:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    if isinstance(value, MailError):
        return {_ERROR: value.kind, "message": value.message, "hint": value.hint}
    if isinstance(value, BaseException):
        # Its words may be those of a message that some rule stumbled over.
        return {
            _ERROR: "internal",
            "message": f"Something went wrong inside ({type(value).__name__}).",
            "hint": None,
        }
    raise TypeError(f"{type(value).__name__} is not kept")


def _object(value: dict[str, object]) -> object:
    if _TIME in value:
        return datetime.fromisoformat(str(value[_TIME]))
    if _ERROR in value:
        hint = value.get("hint")
        known = BY_KIND.get(str(value[_ERROR]), InternalError)
        return known(str(value.get("message")), hint=None if hint is None else str(hint))
    return value
