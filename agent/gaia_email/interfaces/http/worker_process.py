"""The process of a conversation, from the server's side. Entry: `WorkerProcess`."""

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
"""The longest line of a worker; one has a page of rows, or the text of one message."""


@dataclass(slots=True)
class WorkerProcess:
    """A `conversation_worker`, which waits for the line that says which mailbox until it was `greeted`."""

    process: asyncio.subprocess.Process
    greeted: bool = False

    @classmethod
    async def start(cls, environ: Mapping[str, str]) -> WorkerProcess:
        """A new one, in a process group of its own."""
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
        """Whether it has not ended yet, as far as is known."""
        return self.process.returncode is None

    async def tell(self, line: Mapping[str, object]) -> None:
        """Write a line to it; one that has ended hears nothing."""
        assert self.process.stdin is not None
        with suppress(ConnectionError):
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            await self.process.stdin.drain()

    async def heard(self) -> Json | None:
        """Its next line; None where it has ended."""
        assert self.process.stdout is not None
        with suppress(ValueError, ConnectionError):
            if line := await self.process.stdout.readline():
                read: Json = json.loads(line)
                return read
        return None

    async def end(self) -> None:
        """Kill it and whatever it started; what it had planned is settled as after any kill."""
        assert self.process.stdin is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.stdin.close()
        with suppress(ConnectionError):
            await self.process.communicate()
