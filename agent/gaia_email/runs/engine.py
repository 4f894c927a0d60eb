"""DBOS with the user's runs database, as executor of runs or as client. Entries: `launch_engine`, `client`.

Only one program per machine executes the runs of a database. It holds a lock that is released when it ends.
Otherwise, a second program with the same name would resume the first one's current runs as if it had died.
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

from gaia_email.ledger.failures import explain_failure
from gaia_email.ledger.server_connections import count_connections
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.runs import kinds
from gaia_email.runs.files import URL_SETTING, runs_file
from gaia_email.runs.queues import SHARED, queue_of
from gaia_email_registry.errors import BY_KIND, InternalError, MailError, ProviderError
from gaia_email_registry.paths import home
from gaia_email_registry.private_file import make_private, try_lock_file

NAME = "gaia-email"

VERSION = "1"
"""Version of our workflows' steps, changed only when the steps change; runs of another version are not resumed."""

POLLING_S, STAYING_POLLING_S = 0.2, 2.0
"""Seconds between polls of the queue: while a run is awaited, and in a program that stays for days."""

REBUILT = "runs.db holds no mail and can be rebuilt: move it away, and the ledger settles what was left."


def _url(environ: Mapping[str, str]) -> str:
    """Return the database's URL; a database file is created for the user only."""
    given = environ.get(URL_SETTING)
    if given:
        count_connections()
        return given
    teach_sqlite()
    path = runs_file(environ)
    make_private(path)
    return URL.create("sqlite", database=str(path)).render_as_string()


class NoEngine(ProviderError):
    """DBOS cannot be used here; it has started nothing."""


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
        said = explain_failure(str(reason), f"The database of runs {path}")
        if said is not None:
            raise NoEngine(said) from problem
        raise NoEngine(f"{path} cannot be used ({kind}).", hint=REBUILT) from problem


@contextmanager
def executing(environ: Mapping[str, str]) -> Generator[bool, None, None]:
    """Yield True if this program may execute runs; no other program can meanwhile."""
    folder = home(environ) / "email" / "locks"
    name = hashlib.sha256(environ.get(URL_SETTING, "").encode()).hexdigest()[:16]
    with ExitStack() as stack:
        with _translated_failures(environ):
            other = stack.enter_context(try_lock_file(folder / f"runs-{name}.lock"))
        yield other is None


@contextmanager
def launch_engine(
    environ: Mapping[str, str], *, tell: Callable[[str], None] | None = None
) -> Generator[None, None, None]:
    """Run DBOS in this program and resume unfinished runs; the caller must hold `executing`.

    Args:
        environ: Environment with the database's URL.
        tell: Shows a sentence to the user, in a program that stays and watches; None if it ends with a run.

    Raises:
        NoEngine: The database cannot be used.
    """
    from gaia_email.runs import workflows

    for kind in kinds.JOB_KINDS:  # registers the workflows with DBOS
        kind.load()
    workflows.environ, workflows.tell = environ, tell
    polling_s = POLLING_S if tell is None else STAYING_POLLING_S
    log = logging.getLogger("dbos")
    if not log.handlers:  # otherwise it logs to the terminal, possibly with text from mail
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
    """Return the executor whose unfinished runs this program resumes: this machine's, on a shared database."""
    return f"host-{socket.gethostname()}"[:60] if environ.get(URL_SETTING) else "local"


@contextmanager
def client(environ: Mapping[str, str]) -> Generator[DBOSClient, None, None]:
    """Open the runs database as a client: to request, list, cancel and schedule runs.

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
    """Create the account's queue, which runs one job at a time in order, unless it exists."""
    for name, at_once in ((SHARED, None), (queue_of(place), 1)):
        if using.retrieve_queue(name) is None:
            using.register_queue(name, global_concurrency=at_once, polling_interval_sec=POLLING_S)


_KNOWS_SUBSECONDS = (3, 42)


@cache
def teach_sqlite() -> None:
    """Add `unixepoch('subsec')` to every new SQLite connection if SQLite lacks it.

    DBOS assumes from Python 3.12 on that it exists. Debian 12 and the Python images based on it have SQLite 3.40,
    which returns NULL, so that no row with a time could be written.
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

    Our own errors keep their kind and sentence; of others, only the type is stored.
    """

    def name(self) -> str:
        """Return the name that DBOS stores with each value."""
        return "gaia_json"

    def serialize(self, data: object) -> str:
        """Serialize a value.

        Raises:
            TypeError: Values of this type are not stored.
        """
        return json.dumps(data, default=_plain, separators=(",", ":"))

    def deserialize(self, serialized_data: str) -> object:
        """Deserialize the text that `serialize` wrote."""
        return json.loads(serialized_data, object_hook=_object)


def _plain(value: object) -> dict[str, object]:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    if isinstance(value, MailError):
        return {_ERROR: value.kind, "message": value.message, "hint": value.hint}
    if isinstance(value, BaseException):
        # Its message may contain text from mail that a rule failed on.
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
