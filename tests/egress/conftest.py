"""A ledger of a test's own, and the certificate of a server on this machine."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gaia_email_registry.egress import flow
from gaia_email_registry.egress.recording import record
from gaia_email_registry.egress.rows import EgressRow, ledger_file, read
from tests.certificates import make_certificate

Rows = Callable[[], list[EgressRow]]


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rows:
    """What the ledger of this process says; it is written from now on, and no more after the test."""
    monkeypatch.setattr("gaia_email_registry.egress.recording._recorded_for", None)
    environ = {"GAIA_HOME": str(tmp_path / "home")}
    record(environ, "test")

    def told() -> list[EgressRow]:
        flow.close_all()
        return read(ledger_file(environ), time.time())

    return told


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The self-made certificate of 127.0.0.1, with its key."""
    return make_certificate(tmp_path_factory.mktemp("tls") / "server.pem")


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    """What a server shows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context
