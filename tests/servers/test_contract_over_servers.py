"""The mailbox contract holds through `--server`: the local server in another process, over stdio and over HTTP.

Drafts and sending take bytes, which no tool does; they are held on each server's own mailbox.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from gaia_email_registry.capabilities import ToolForm
from gaia_email_registry.servers import HttpServer, StdioServer
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite import Seed, look, many
from tests.contract.suite.labels import LabelsContract
from tests.contract.suite.moving import MovingContract
from tests.contract.suite.reading import ReadingContract
from tests.contract.suite.syncing import SyncingContract
from tests.local_mcp.conftest import fill_maildir as fill_maildir
from tests.servers.served_mailbox import open_served
from tests.servers.test_servers_command import free_port

Fill = Callable[[Path, Sequence[Seed]], None]
TOKEN = "a-long-secret"


class OverServer(ReadingContract, SyncingContract, LabelsContract, MovingContract):
    """All of the contract that the tools of a server can carry."""

    blank = ()

    @pytest.fixture(autouse=True)
    def all_approved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of a tool that destroys labels naming the server approves nothing; here its user agreed to all."""

        def agreed(name: str, form: ToolForm) -> bool:
            return True

        monkeypatch.setattr("gaia_email.mailbox.known_tools._is_mild", agreed)

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, fill_maildir: Fill) -> None:
        self.path = tmp_path / "Mail"
        self.fill = fill_maildir

    @property
    def command(self) -> list[str]:
        """What starts the server."""
        module = ["-m", "gaia_local_mcp.server", "--maildir", str(self.path), "--account", self.account]
        return [*module, "--approve", "host"]

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        self.fill(self.path, [seed])

    def test_taking_out_of_trash_what_is_not_in_it_changes_nothing(self) -> None:
        """The tool says so of each, where a mailbox passes over it."""

        async def scenario(mailbox: Mailbox) -> None:
            before = await look(mailbox)
            applied = await mailbox.untrash(list(before))
            assert not applied.ids
            assert {one["id"]: one["error"] for one in applied.failed} == dict.fromkeys(
                before, "it is not in Trash"
            )
            assert await look(mailbox) == before

        self.run(many(2), scenario, needs=Capability.MODIFY)


class TestOverStdio(OverServer):
    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.fill(self.path, seeds)
        return await open_served(StdioServer(name="post", command=sys.executable, args=tuple(self.command)))


@pytest.mark.served
class TestOverHttp(OverServer):
    @pytest.fixture(autouse=True)
    def process(self, folder: None, tmp_path: Path) -> Iterator[None]:
        self.fill(self.path, [])
        self.port = free_port()
        environ = {**os.environ, "GAIA_HTTP_TOKEN": TOKEN, "GAIA_HOME": str(tmp_path / "theirs")}
        command = [sys.executable, *self.command, "--http", f"127.0.0.1:{self.port}"]
        with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as process:
            try:
                self.wait_for(process)
                yield
            finally:
                process.kill()

    def wait_for(self, process: subprocess.Popen[bytes]) -> None:
        """Until the server listens."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert process.poll() is None
            else:
                return

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.fill(self.path, seeds)
        url = f"http://127.0.0.1:{self.port}/mcp"
        return await open_served(HttpServer(name="far", url=url, token=TOKEN))
