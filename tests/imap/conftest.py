"""Servers for the IMAP tests: Dovecot in several shapes, a proxy before it, a scripted server, an SMTP sink.

Use `dovecot` (a shared ordinary server) with `user` (a name of its own for every test). A test that kills or
restarts its server takes `own_dovecot`; one that needs another shape calls `dovecot_with(Options(…))`. Entry
points of the helpers are in `tools/mail_servers/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from tests.imap.truth import FIRST_PAUSE_S
from tools.mail_servers.dovecot import Dovecot, problem
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.scripted_imap import Script, ScriptedImap
from tools.mail_servers.smtp_sink import SmtpSink

DovecotWith = Callable[[Options], Dovecot]

_logs = pytest.StashKey[list[tuple[Dovecot, int]]]()
_users = count(1)


def _require_dovecot() -> None:
    if why := problem():
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)


@pytest.fixture(scope="session")
def servers_of_shapes() -> Iterator[DovecotWith]:
    running: dict[Options, Dovecot] = {}
    with ExitStack() as stack:

        def server(options: Options) -> Dovecot:
            _require_dovecot()
            if options not in running:
                running[options] = stack.enter_context(Dovecot(options))
            return running[options]

        yield server


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure our own connections are made again soon: a test need not wait as a server deserves."""
    monkeypatch.setattr("gaia_imap_mcp.protocol.link.FIRST_PAUSE_S", FIRST_PAUSE_S)
    monkeypatch.setattr("gaia_imap_mcp.sync.idle.FIRST_PAUSE_S", FIRST_PAUSE_S)


@pytest.fixture
def patient(hurried: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure no second try within the time of a test."""
    monkeypatch.setattr("gaia_imap_mcp.protocol.link.FIRST_PAUSE_S", 100.0)


@pytest.fixture
def dovecot_with(request: pytest.FixtureRequest, servers_of_shapes: DovecotWith) -> DovecotWith:
    """A server of a certain shape, started once for all tests that want that shape."""

    def server(options: Options) -> Dovecot:
        found = servers_of_shapes(options)
        request.node.stash.setdefault(_logs, []).append((found, found.log_size()))
        return found

    return server


@pytest.fixture
def dovecot(dovecot_with: DovecotWith) -> Dovecot:
    """The ordinary server; shared, so do not stop it."""
    return dovecot_with(Options())


@pytest.fixture
def own_dovecot(request: pytest.FixtureRequest) -> Iterator[Dovecot]:
    """An ordinary server that only this test uses, to kill and restart."""
    _require_dovecot()
    with Dovecot() as server:
        request.node.stash.setdefault(_logs, []).append((server, 0))
        yield server


@pytest.fixture
def user() -> str:
    """An account that no other test has used; its password is `PASSWORD`."""
    return f"user{next(_users)}"


@pytest.fixture
def other(dovecot: Dovecot, user: str) -> Iterator[OtherClient]:
    """Another mail program on the same account of the ordinary server."""
    with OtherClient(dovecot.port, user) as client:
        yield client


@pytest.fixture
def proxy(dovecot: Dovecot) -> Iterator[Proxy]:
    """A proxy before the ordinary server."""
    with Proxy(dovecot.port) as running:
        yield running


@pytest.fixture
def scripted() -> Iterator[Callable[[Script], ScriptedImap]]:
    """Starts a scripted server with that script."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(ScriptedImap(script))


@pytest.fixture
def smtp() -> Iterator[SmtpSink]:
    """A submission server without TLS."""
    with SmtpSink() as sink:
        yield sink


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failing test shows what its servers logged meanwhile."""
    report = yield
    if report.failed:
        none: list[tuple[Dovecot, int]] = []
        for server, since in item.stash.get(_logs, none):
            report.sections.append((f"Dovecot log (port {server.port})", server.log(since)[-8000:]))
    return report
