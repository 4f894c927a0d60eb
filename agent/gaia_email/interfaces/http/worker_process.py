"""The server's side of a conversation's process. Entry: `WorkerProcess`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

LINE_BYTES = 32 * 1024 * 1024
"""Maximum bytes of a worker's line, which may contain a page of rows, or the text of one message."""


@dataclass(slots=True)
class WorkerProcess:
    """A `conversation_worker`; until it is `greeted`, it waits for the line that names the mailbox."""

    process: asyncio.subprocess.Process
    greeted: bool = False

    @classmethod
    async def start(cls, environ: Mapping[str, str]) -> WorkerProcess:
        """Start a worker in its own process group."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "gaia_email.interfaces.http.conversation_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=dict(environ),
            start_new_session=True,
            limit=LINE_BYTES,
        )
        return cls(process)

    @property
    def is_alive(self) -> bool:
        """True if the process is not known to have ended."""
        return self.process.returncode is None

    async def tell(self, line: Mapping[str, object]) -> None:
        """Write a line to the process; ignored if it has ended."""
        assert self.process.stdin is not None
        with suppress(ConnectionError):
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            await self.process.stdin.drain()

    async def heard(self) -> Json | None:
        """Return its next line; None if it has ended."""
        assert self.process.stdout is not None
        with suppress(ValueError, ConnectionError):
            if line := await self.process.stdout.readline():
                read: Json = json.loads(line)
                return read
        return None

    async def end(self) -> None:
        """Kill the process and everything it started; pending actions are settled as after any kill."""
        assert self.process.stdin is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.stdin.close()
        with suppress(ConnectionError):
            await self.process.communicate()
