"""An MCP server over stdio, asked with as little between as there can be. Entry point: `StdioServer`.

A client library would check and convert each answer, and a benchmark of servers would measure that as well.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class StdioServer:
    """A started server that has been greeted; ended with the `with` block.

    Raises:
        RuntimeError: It ended before it answered.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], folder: str) -> None:
        self._command = command
        self._last = 0
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **environ},
        )
        self.request("initialize", _HELLO)
        self._send({"method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def request(self, method: str, params: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Ask, and wait for the answer to it; what the server notifies of meanwhile is passed over.

        Raises:
            RuntimeError: The server ended, or answered with an error.
        """
        self._last += 1
        self._send({"id": self._last, "method": method, **({"params": params} if params is not None else {})})
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"{self._command[0]} ended before it answered {method}")
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._last:
                break
        if "error" in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{self._command[0]} answered {method} with {line[:500]!r}")
        result: dict[str, Any] = answer["result"]
        return result

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Send a `tools/call` request."""
        return self.request("tools/call", {"name": name, "arguments": arguments})

    def processor_ms(self) -> float | None:
        """Processor time its threads have taken so far, system calls included; None where Linux does not tell."""
        tasks = Path(f"/proc/{self._process.pid}/task")
        try:
            spent = [int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()]
        except OSError:
            return None
        return sum(spent) / 1e6

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()
