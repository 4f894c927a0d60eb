"""From process start to the answer of the first `tools/list`, against an empty FastMCP server. Entry: `rows`.

The servers take turns, so that a busy machine slows all of them alike; the median of the rounds counts. The
convention's Node server is started with dummy keys where `npm` can fetch it, else left out.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.measure import Row
from benchmarks.stdio_server import StdioServer
from tests.gmail.archived import install, script

ROUNDS = 7
LIMIT = 1.3
"""How many times an empty FastMCP server's time ours may take."""

_EMPTY = "from fastmcp import FastMCP\nFastMCP('empty').run(show_banner=False)"
_OURS = "import sys; from gaia_local_mcp.server import main; main(sys.argv[1:])"
_KEYS = {"installed": {"client_id": "x", "client_secret": "x", "redirect_uris": ["http://localhost"]}}


def rows(*, quick: bool = False) -> list[Row]:
    """Our server against the empty one (with the target), and against the convention's."""
    typical = measure(3 if quick else ROUNDS)
    empty, ours = typical["empty FastMCP"], typical["gaia-local-mcp"]
    found = [_row("gaia-local-mcp", ours, "empty FastMCP", empty, LIMIT)]
    for name, seconds in typical.items():
        if name not in ("empty FastMCP", "gaia-local-mcp"):
            found.append(_row("gaia-local-mcp", ours, name, seconds, None))
    return found


def _row(name: str, ours: float, peer: str, theirs: float, limit: float | None) -> Row:
    ratio = ours / theirs
    return Row(
        name=f"first tools/list of {name} against {peer}",
        ours=f"{ours * 1000:.0f} ms",
        theirs=f"{theirs * 1000:.0f} ms",
        ratio=ratio,
        target=f"<= {limit}" if limit else "",
        met=ratio <= limit if limit else None,
    )


def measure(rounds: int) -> dict[str, float]:
    """The median seconds of each server, the servers taking turns."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        commands = _commands(folder)
        times: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, (command, environ) in commands.items():
                times.setdefault(name, []).append(first_list(command, environ, folder))
    return {name: statistics.median(found) for name, found in times.items()}


def _commands(folder: Path) -> dict[str, tuple[Sequence[str], Mapping[str, str]]]:
    for name in ("cur", "new", "tmp"):
        (folder / "mail" / name).mkdir(parents=True)
    ours = (sys.executable, "-c", _OURS, "--maildir", str(folder / "mail"))
    commands: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
        "empty FastMCP": ((sys.executable, "-c", _EMPTY), {}),
        "gaia-local-mcp": (ours, {}),
        "gaia-local-mcp --enabled-tools core": ((*ours, "--enabled-tools", "core"), {}),
    }
    node = _node_server(folder)
    if node is not None:
        keys = folder / "keys.json"
        keys.write_text(json.dumps(_KEYS), encoding="utf-8")
        environ = {"GMAIL_OAUTH_PATH": str(keys), "GMAIL_CREDENTIALS_PATH": str(folder / "none.json")}
        commands["convention's Node server"] = (node, environ)
    return commands


def _node_server(folder: Path) -> Sequence[str] | None:
    """The command that starts it; None where it cannot be had."""
    if shutil.which("npm") is None:
        return None
    try:
        install(folder)
    except subprocess.CalledProcessError:
        return None
    return ("node", str(script(folder)))


def first_list(command: Sequence[str], environ: Mapping[str, str], folder: Path) -> float:
    """Seconds from starting `command` to its answer to `tools/list`."""
    start = perf_counter()
    with StdioServer(command, environ, str(folder)) as server:
        server.request("tools/list")
        return perf_counter() - start
