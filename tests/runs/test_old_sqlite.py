"""What DBOS asks of SQLite is there on every version of it."""

from __future__ import annotations

from time import time

from sqlalchemy import create_engine, text

from gaia_email.runs.engine import teach_sqlite


def test_sqlite_tells_the_time_in_fractions_of_a_second_whatever_its_version() -> None:
    teach_sqlite()
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        told = connection.execute(text("SELECT unixepoch('subsec')")).scalar_one()
    engine.dispose()
    assert abs(told - time()) < 60
