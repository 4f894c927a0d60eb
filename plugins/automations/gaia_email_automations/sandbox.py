"""The process that runs untrusted templates, expressions, JSONPaths and schemas. Entry: `serve`.

A thread cannot stop a render or a regular expression, but a process can be killed. Each piece of work has a limit of
processor time; exceeding it ends the process, which `rendering.py` starts again.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, BinaryIO

from gaia_email.app.json_schemas import errors_in_process
from gaia_email_automations.paths import first_at
from gaia_email_automations.templates import (
    FAILURES,
    MOST_OUTPUT,
    Overlong,
    evaluate,
    json_text,
    render,
)
from gaia_email_registry.errors import BadArgument

RENDER_S = 0.1
"""Seconds of processor time for one template, expression or path."""

SCHEMA_S = 1.0
"""Seconds of processor time to check a value by a schema."""

MOST_MEMORY = 512 << 20
"""Bytes of address space of the process, if the system can limit it."""


def _schema_errors(source: str, value: Any) -> object:
    return [
        {"pointer": one.pointer, "message": one.message}
        for one in errors_in_process(json.loads(source), value)
    ]


_WORK: Mapping[str, tuple[Callable[[str, Any], object], float, str]] = {
    "template": (render, RENDER_S, ""),
    "expression": (evaluate, RENDER_S, ""),
    "path": (first_at, RENDER_S, "jsonpath"),
    "schema": (_schema_errors, SCHEMA_S, "jsonschema"),
}
"""By kind of work: its function, its time limit, and a library to load before the time starts."""


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    work, seconds, library = _WORK[request["kind"]]
    if library:
        import_module(library)
    values: list[object] = []
    for number, source in enumerate(request["sources"]):
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            found = work(source, request["context"])
            values.append(json.loads(json_text(found)))
        except Overlong:
            return {"failed": number, "error": f"it gives more than {MOST_OUTPUT:,} bytes"}
        except MemoryError:
            return {"failed": number, "error": "it takes too much memory"}
        except RecursionError:
            return {"failed": number, "error": "it is nested too deeply"}
        except BadArgument as error:
            return {"failed": number, "error": error.message.rstrip(".")}
        except FAILURES as error:
            said = " ".join(str(error).split())[:200] or type(error).__name__
            return {"failed": number, "error": said}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return {"values": values}


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, one line of JSON each, until there are no more; work over its time ends the process."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > MOST_MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, most))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    render("{{ inputs.ready }}", {"inputs": {"ready": True}})
    answers.write(b"ready\n")
    answers.flush()
    while line := asked.readline():
        answers.write(json.dumps(_answer(json.loads(line))).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
