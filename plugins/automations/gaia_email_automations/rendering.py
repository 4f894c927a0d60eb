"""A small process for untrusted templates, paths and schemas, which is killed if it takes too long.

Entries: `TemplateRenderer`, `outside_process`.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from gaia_email.app.json_values import is_list, kind_of, steps_of
from gaia_email_automations.templates import MOST_OUTPUT, sources_in
from gaia_email_registry.errors import BadArgument, ProviderError

START_S = 30.0
"""Seconds for the process to start on a busy machine."""

ANSWER_S = 5.0
"""Seconds of real time for an answer; the process itself limits the processor time of each template."""

SLOW_S = 60.0
"""Seconds for which a path or schema that took too long is refused."""

TOO_LONG = "it takes too long"


class SandboxedProcess:
    """One process of `sandbox.py`, started on creation and again after it was killed; usable from any thread.

    Args:
        environ: The environment; the process receives only the variables that it needs to start.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environment_of_process = {
            name: environ[name] for name in ("PATH", "PYTHONPATH") if name in environ
        }
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._start()

    def close(self) -> None:
        """Kill the process; may be called twice."""
        with self._lock:
            self._end()

    def _ask(
        self,
        kind: Literal["template", "expression", "path", "schema"],
        sources: Sequence[tuple[str, str]],
        context: Any,
    ) -> list[Any]:
        if not sources:
            return []
        request = {"kind": kind, "sources": [source for _, source in sources], "context": context}
        with self._lock:
            answer = self._answered(json.dumps(request).encode() + b"\n")
        if "values" in answer:
            values: list[Any] = answer["values"]
            return values
        pointer, _ = sources[int(answer.get("failed", 0))]
        raise BadArgument(f"The {kind} at {pointer} cannot be used: {answer['error']}.", argument=pointer)

    def _answered(self, line: bytes) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = self._line(ANSWER_S)
        except BrokenPipeError:
            answer = b""
        if not answer:
            self._end()
            self._start()
            return {"error": TOO_LONG}
        found: dict[str, Any] = json.loads(answer)
        return found

    def _line(self, seconds: float) -> bytes:
        """Return the process's next line; empty if it ended or took longer."""
        assert self._process is not None and self._process.stdout is not None
        pipe, found = self._process.stdout.fileno(), bytearray()
        until = time.monotonic() + seconds
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
            piece = os.read(pipe, 1 << 16) if ready else b""
            if not piece or len(found) > 64 * MOST_OUTPUT:
                return b""
            found += piece
        return bytes(found)

    def _start(self) -> None:
        self._ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gaia_email_automations.sandbox"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment_of_process,
        )

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._start()
        if not self._ready and self._line(START_S) != b"ready\n":
            self._end()
            raise ProviderError(
                "The process that renders templates does not start.", hint="gaia email doctor"
            )
        self._ready = True
        assert self._process is not None
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


class TemplateRenderer(SandboxedProcess):
    """Renders the configurations and conditions of steps."""

    def config(self, config: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        """Render the templates in a step's configuration.

        Raises:
            BadArgument: A template fails or exceeds a limit; `argument` is its JSON Pointer.
        """
        sources = sources_in(config)
        texts = self._ask("template", sources, context)
        whole: dict[str, Any] = json.loads(json.dumps(config))
        for (pointer, _), text in zip(sources, texts, strict=True):
            _put(whole, pointer, text)
        return whole

    def condition(self, source: str, context: Mapping[str, Any]) -> bool:
        """Evaluate a condition.

        Raises:
            BadArgument: It fails, or its value is not true or false.
        """
        (found,) = self._ask("expression", [("/when", source)], context)
        if not isinstance(found, bool):
            raise BadArgument(
                f"when has to give true or false, and gave a value of kind {kind_of(found)}.",
                argument="/when",
            )
        return found


class PayloadProcess(SandboxedProcess):
    """Follows paths in untrusted payloads, and validates them by schemas.

    A path or schema that took too long is refused for a minute, so that requests do not queue for a new process.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(environ)
        self._slow: dict[str, float] = {}

    def first_values(self, paths: Sequence[str], payload: Mapping[str, Any]) -> list[list[Any]]:
        """Return the first value at each path, in a separate list; an empty one if there is none.

        Raises:
            BadArgument: A path cannot be used on this payload, or takes too long.
        """
        return [self._unless_slow("path", path[:60], path, dict(payload)) for path in paths]

    def schema_errors(self, schema: Mapping[str, Any], value: object) -> list[dict[str, str]]:
        """Return every error of a value by a schema, as pointer and message.

        Raises:
            BadArgument: The schema cannot be used, or takes too long on this value.
        """
        return list(self._unless_slow("schema", "/", json.dumps(schema), value))

    def _unless_slow(self, kind: Literal["path", "schema"], name: str, source: str, value: Any) -> Any:
        now = time.monotonic()
        self._slow = {one: until for one, until in self._slow.items() if until > now}
        if source in self._slow:
            raise BadArgument(f"The {kind} at {name} cannot be used: {TOO_LONG}.", argument=name)
        try:
            (found,) = self._ask(kind, [(name, source)], value)
        except BadArgument as error:
            if TOO_LONG in error.message:
                self._slow[source] = now + SLOW_S
            raise
        return found


@cache
def outside_process() -> PayloadProcess:
    """Return this program's process for payloads, started at its first use.

    Runs render in another one, so that no request delays them.
    """
    made = PayloadProcess({"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    atexit.register(made.close)
    return made


def _put(whole: dict[str, Any], pointer: str, text: str) -> None:
    *before, last = steps_of(pointer)
    place: Any = whole
    for name in before:
        place = place[int(name)] if is_list(place) else place[name]
    place[int(last) if is_list(place) else last] = text
