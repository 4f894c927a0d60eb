"""Every test runs with a home of its own and cannot reach beyond this machine."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # no verdict hangs on how fast this machine is just now

REAL_CONNECT = socket.socket.connect


def _is_local(address: object) -> bool:
    if isinstance(address, (str, bytes)):
        return True
    if not isinstance(address, tuple):
        return False
    host = str(address[0])  # pyright: ignore[reportUnknownArgumentType]
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: object) -> None:
        if not _is_local(address):
            raise AssertionError(f"a test tried to connect to {address!r}")
        REAL_CONNECT(self, address)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("GAIA_", "GMAIL_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GAIA_HOME", str(home / ".gaia"))
    return home


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of development data, where this checkout has one beside it."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("the development data is not here")
    return folder


@pytest.fixture
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "110")
    yield
