"""SQLite before 3.42 taught the one function of newer ones that DBOS asks for. Entry point: `teach_sqlite`."""

from __future__ import annotations

import sqlite3
import time
from functools import cache

from sqlalchemy import Engine, event

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
        connection.create_function("unixepoch", 1, lambda _: time.time())
