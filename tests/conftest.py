"""Every test runs with a home of its own and cannot reach beyond this machine."""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo
from functools import cache
from itertools import count
from pathlib import Path

import httpcore2
import pytest
from hypothesis import HealthCheck, settings

from gaia_email.app.sample import mailbox
from gaia_email.app.sample.render import Rendered

pytest.register_assert_rewrite("tests.contract.suite")  # the contract suite tells as much as a test file

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # no verdict hangs on how fast this machine is just now

gc.set_threshold(50_000, 20, 20)  # hundreds of thousands of objects of collected tests are walked less often

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


SLOW = Path(__file__).with_name("slow.txt")
"""Tests that `make test` leaves to `make test-all`: one function a line (`tools/slow_tests.py` adds to the list).

Of a function with several cases the first runs in `make test` all the same, unless a star ends its line.
"""

OPTED_IN = {"huge", "soak", "bench", "install", "emulate", "postgresql", "weights", "served", "fuzz"}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run one worker more than there are cores: a quarter of their time, tests wait for programs and timers."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow the tests that `SLOW` lists, and put long files first.

    Whoever names a file or a test wants it run, so nothing is marked then.
    """
    if any(not os.path.isdir(argument) for argument in config.args):
        return
    listed = set(SLOW.read_text(encoding="utf-8").split())
    usual = [item for item in items if not any(mark.name in OPTED_IN for mark in item.iter_markers())]
    cases = Counter(map(function_of, usual))
    seen: set[str] = set()
    for item in usual:
        function = function_of(item)
        is_left_out = function in listed and (cases[function] == 1 or function in seen)
        if is_left_out or f"{function}*" in listed:
            item.add_marker(pytest.mark.slow)
        seen.add(function)
    # What takes long begins first, so that at the end no worker waits for a last long file.
    long = {item.path for item in items if {"slow", "install"} & {mark.name for mark in item.iter_markers()}}
    items.sort(key=lambda item: item.path not in long)


def function_of(item: pytest.Item) -> str:
    """The node id without the case."""
    return item.nodeid.partition("[")[0]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: object) -> None:
        if not _is_local(address):
            raise AssertionError(f"a test tried to connect to {address!r}")
        REAL_CONNECT(self, address)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def umask_of_its_own() -> Iterator[None]:
    """A program that a test runs in this process keeps its files private, and not those of the tests after it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Gives an empty folder: the one before as long as nothing was left in it, for few tests touch it.

    They lie in a folder of their own: `mktemp` lists the folder above at every call, which takes long among thousands.
    """
    above, number = tmp_path_factory.mktemp("homes"), count()
    made: list[Path] = []

    def give() -> Path:
        if not made or not made[-1].is_dir() or any(made[-1].iterdir()):
            made.append(above / f"home{next(number)}")
            made[-1].mkdir()
        return made[-1]

    return give


@pytest.fixture(autouse=True)
def home_of_its_own(empty_home: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    home = empty_home()
    for name in [name for name in os.environ if name.startswith(("GAIA_", "GMAIL_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GAIA_HOME", str(home / ".gaia"))
    return home


@pytest.fixture(scope="session", autouse=True)
def sample_rendered_once() -> Iterator[None]:
    """Render the sample mailbox once for each minute in which it is set: 0.3 s that hundreds of tests would take."""
    render = mailbox.sample_messages

    @cache
    def rendered(instant: datetime, zone: tzinfo | None) -> tuple[Rendered, ...]:
        return tuple(render(instant))

    def sample_messages(now: datetime) -> list[Rendered]:
        return list(rendered(now.replace(second=0, microsecond=0), now.tzinfo))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mailbox, "sample_messages", sample_messages)
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Read the certificates that this machine trusts once, and not for each HTTP client (20 ms)."""
    read = httpcore2.default_ssl_context

    @cache
    def context(file: str | None, folder: str | None, trusts_environment: bool) -> ssl.SSLContext:
        return read(_trust_env=trusts_environment)

    def default_ssl_context(*, _trust_env: bool = True) -> ssl.SSLContext:
        return context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"), _trust_env)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", default_ssl_context)
        yield


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
