"""Accounts of every kind for these tests, and a watch over every connection and name that is looked up."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.contract.suite.seed import Seed
from tests.imap.conftest import dovecot as dovecot
from tests.imap.conftest import dovecot_with as dovecot_with
from tests.imap.conftest import servers_of_shapes as servers_of_shapes
from tests.imap.conftest import smtp as smtp
from tests.imap.conftest import user as user
from tests.obedient.accounts import Account, ImapServers, Kind, open_account
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.smtp_sink import SmtpSink


class Open(Protocol):
    """Opens an account of some kind that holds those messages, in a folder of its own where one is given."""

    def __call__(
        self, kind: Kind, seeds: Sequence[Seed], folder: Path | None = None
    ) -> AbstractAsyncContextManager[Account]: ...


@pytest.fixture
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens accounts; see `Open`."""

    def of(
        kind: Kind, seeds: Sequence[Seed], folder: Path | None = None
    ) -> AbstractAsyncContextManager[Account]:
        servers = None
        if kind == "imap":
            server: Dovecot = request.getfixturevalue("dovecot")
            sink: SmtpSink = request.getfixturevalue("smtp")
            servers = ImapServers(port=server.port, user=request.getfixturevalue("user"), sink=sink)
        return open_account(kind, folder or tmp_path, seeds, servers)

    return of


@dataclass(kw_only=True)
class Reached:
    """Where this process has connected to, and which names it has looked up."""

    ports: set[int] = field(default_factory=set[int])
    names: set[str] = field(default_factory=set[str])

    def forget(self) -> None:
        """Begin anew."""
        self.ports.clear()
        self.names.clear()


_LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))


@pytest.fixture
def reached(no_network: None, monkeypatch: pytest.MonkeyPatch) -> Reached:
    """Every connection from now on; those beyond this machine fail besides."""
    seen = Reached()
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def noting(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            seen.ports.add(int(address[1]))
        connect(self, address)

    def looking(host: Any, *args: Any, **more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name not in _LOOPBACK:
            seen.names.add(name)
            raise socket.gaierror("no names are looked up in these tests")
        return look_up(host, *args, **more)

    monkeypatch.setattr(socket.socket, "connect", noting)
    monkeypatch.setattr(socket, "getaddrinfo", looking)
    return seen
