"""What goes to a PostgreSQL server is in the egress ledger, to the byte, of the ledger and of the runs."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from gaia_email.ledger import open_ledger
from gaia_email.ledger.engine import connect
from gaia_email.ledger.server_connections import count_bytes, count_connections
from gaia_email.runs.history import runs
from tests.egress.conftest import Rows
from tests.egress.conftest import rows as rows
from tests.egress.recording_proxy import RecordingProxy
from tests.ledger.postgresql_server import started

GOOD_BYE = 5
"""Bytes that libpq sends when it closes, after which nobody can look any more."""


@pytest.fixture
def connected() -> Iterator[tuple[socket.socket, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as near:
        near.connect(server.getsockname())
        far, _ = server.accept()
        with far:
            yield near, far


def test_the_system_counts_what_a_connection_carries(connected: tuple[socket.socket, socket.socket]) -> None:
    near, far = connected
    if count_bytes(near.fileno()) is None:
        pytest.skip("this system does not say")
    assert count_bytes(near.fileno()) == (0, 0)
    near.sendall(b"x" * 10_000)
    far.sendall(b"y" * 77)
    assert near.recv(77, socket.MSG_WAITALL)[:1] == b"y"
    assert count_bytes(near.fileno()) == (10_000, 77)


def test_what_is_no_tcp_connection_has_no_count(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        assert count_bytes(file.fileno()) is None
    one, other = socket.socketpair()
    with one, other:
        assert count_bytes(one.fileno()) is None


def test_a_file_is_no_server(rows: Rows, tmp_path: Path) -> None:
    count_connections()
    count_connections()
    engine = connect(f"sqlite:///{tmp_path / 'some.db'}")
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    engine.dispose()
    assert rows() == []


@pytest.mark.postgresql
@pytest.mark.timeout(120)
def test_the_ledger_and_the_runs_on_a_server_are_written_down(rows: Rows, tmp_path: Path) -> None:
    with started() as url:
        port = create_engine(url.replace("postgresql:", "postgresql+psycopg:")).url.port
        with RecordingProxy(port) as proxy:
            through = url.replace(f":{port}/", f":{proxy.port}/")
            environ = {**os.environ, "GAIA_EMAIL_DATABASE_URL": through, "GAIA_HOME": str(tmp_path)}
            with open_ledger(environ=environ) as ledger, ledger.read() as tx:
                assert ledger.events.since(tx) == []
            environ["GAIA_EMAIL_RUNS_URL"] = through.replace("/ledger", "/runs")
            assert runs(environ) == []
        found = rows()
        assert {(row.host, row.port, row.why, row.open) for row in found} == {
            ("127.0.0.1", proxy.port, "database", False)
        }
        assert sorted((row.sent + GOOD_BYE, row.received) for row in found) == proxy.totals != []
