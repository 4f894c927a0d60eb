"""What a server may cost that others made: bytes, seconds, processes, lines of a log; and what it is told."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.mcp_servers import ServerInspection, find_servers, look_at
from gaia_email.mailbox.server_log import LINES, log_file, without_secrets
from gaia_email_registry.paths import servers_file
from gaia_email_registry.vault import open_vault
from tests.cli.printed import Run

HOSTILE = Path(__file__).with_name("hostile.py")

FAULTS = {
    "floods": "more than 8 MB at once",
    "chatters": "more than 16 MB at once",
    "deep": "it gave no list of its tools: Connection closed",
    "dies": "it gave no list of its tools: Connection closed",
    "crashes": "does not speak MCP: Connection closed",
    "lies": "it is not MCP",
    "hangs": "did not answer within 5 seconds",
    "clings": "did not answer within 5 seconds",
}
"""Faults of which nothing of the server is used, and what is said of each."""


@pytest.fixture(autouse=True)
def home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GAIA_VAULT", "file")


PROGRAM = (sys.executable, "-I", "-S", str(HOSTILE))


def entry(fault: str, *more: str) -> dict[str, object]:
    return {"command": PROGRAM[0], "args": [*PROGRAM[1:], fault, *more]}


def write(**entries: dict[str, object]) -> None:
    path = servers_file(os.environ)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")


def looks(seconds: float = 20.0) -> dict[str, ServerInspection]:
    return {one.name: one for one in look_at(App(), find_servers(App()), within_s=seconds)}


MEASURE = """
import json, resource, time
import mcp.client.streamable_http
from gaia_email.app import App
from gaia_email.app.services.mcp_servers import find_servers, look_at
app = App()
servers = find_servers(app)
look_at(app, [one for one in servers if one.name == "honest-0"])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
before, begun = peak(), time.monotonic()
found = look_at(app, servers)
took = time.monotonic() - begun
failed = {one.name: one.failed for one in found if one.failed}
usable = [one.name for one in found if not one.failed and one.tools]
print(json.dumps({"usable": usable, "failed": failed, "memory_mb": peak() - before, "took_s": took}))
"""


def test_nine_honest_servers_are_usable_beside_every_fault_at_once_and_memory_is_bounded(
    tmp_path: Path,
) -> None:
    pids = tmp_path / "pids"
    honest = {f"honest-{number}": entry("honest") for number in range(9)}
    write(**honest, **{fault: entry(fault, str(pids)) for fault in FAULTS})
    command = [sys.executable, "-c", MEASURE]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["usable"] == list(honest)
    assert set(told["failed"]) == set(FAULTS)
    for fault, said in FAULTS.items():
        assert said.casefold() in told["failed"][fault].casefold()
    assert told["memory_mb"] <= 64
    assert told["took_s"] <= 15  # 5 s for who hangs, 2 s to end who will not, and a busy machine
    assert done.stderr == ""
    assert [pid for pid in pids.read_text(encoding="ascii").split() if is_running(pid)] == []


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def http(body: bytes, headers: Mapping[str, str], heard: list[str] | None = None) -> Generator[str]:
    """A web server that answers everything with `body`, over and over where it is a stream of events."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if heard is not None:
                heard.append(f"{self.headers['X-API-Key']} {self.headers['X-Team']}")
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(int(headers.get("status", "200")))
            for name, value in headers.items():
                if name != "status":
                    self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(body)
                    if headers.get("Content_Type") != "text/event-stream":
                        return
            except OSError:
                return  # whoever asked has had enough

        do_GET = do_POST

        def log_message(self, format: str, *args: object) -> None:
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{served.server_address[1]}/mcp"
    finally:
        served.shutdown()
        served.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        (b" " * 9_000_000, {"Content_Type": "application/json"}, "more than 8 MB"),
        (b"x" * 60_000, {"Content_Type": "text/event-stream"}, "limit"),
        (
            gzip.compress(b" " * 90_000_000),
            {"Content_Type": "application/json", "Content_Encoding": "gzip"},
            "packs its answers",
        ),
        (b"<html>", {"Content_Type": "text/html"}, "does not speak MCP"),
        (b"", {"status": "302", "Location": "http://127.0.0.1:9/elsewhere"}, "does not speak MCP"),
        (b"", {"status": "500"}, "does not speak MCP"),
    ],
)
def test_over_http_too_a_fault_costs_only_its_server(body: bytes, headers: dict[str, str], said: str) -> None:
    with http(body, headers) as url:
        write(web={"url": url}, honest=entry("honest"))
        found = looks()
    assert said in found["web"].failed
    assert found["honest"].tools


def test_every_header_of_an_entry_is_sent() -> None:
    heard: list[str] = []
    reference = open_vault(os.environ).put("server/web/X-API-Key", "planted")
    with http(b"<html>", {"Content_Type": "text/html"}, heard) as url:
        write(web={"url": url, "headers": {"X-API-Key": f"vault:{reference}", "X-Team": "mail"}})
        looks()
    assert "planted mail" in heard


def test_a_program_of_others_is_told_no_secret_that_its_entry_does_not_name(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "planted-one")
    words = ("servers", "add", "nosy", "--secret", "ITS_TOKEN", "--", *PROGRAM, "whispers")
    told = run(*words, stdin="planted-two\n")
    assert told.code == 0, told.err
    log = log_file("nosy", os.environ)
    kept = log.read_text(encoding="utf-8")
    assert "PATH" in kept and "ITS_TOKEN" in kept
    assert "OTHER_API_KEY" not in kept and "planted" not in kept and "of-bad-news" not in kept
    assert log.stat().st_mode & 0o077 == 0
    assert run("servers", "logs", "nosy").out.count("•••") >= 2


def test_of_a_server_that_writes_without_end_the_last_lines_are_kept() -> None:
    write(shouts=entry("shouts"))
    assert looks()["shouts"].tools
    lines = log_file("shouts", os.environ).read_text(encoding="utf-8").splitlines()
    assert len(lines) == LINES and lines[-1].startswith("line 1999 ")
    assert max(map(len, lines)) <= 2_000


@pytest.mark.parametrize(
    "line",
    [
        "password=hunter22",
        'config: {"api_key": "hunter22"}',
        "Authorization: Bearer hunter22",
        "GITHUB_TOKEN: hunter22",
        "using sk-hunter22hunter22hunter22",
        "ghp_hunter22hunter22hunter22",
        "https://me:hunter22@example.org/",
        "it said hunter22",
    ],
)
def test_what_is_or_looks_like_a_secret_is_hidden(line: str) -> None:
    assert "hunter22" not in without_secrets(line, ["hunter22"])
    if "it said" not in line:
        assert "hunter22" not in without_secrets(line)


def test_a_line_without_secrets_stays_as_it_is() -> None:
    line = "loaded 3 tools in 20 ms from /home/ann/token-bucket/server.py"
    assert without_secrets(line, ["short"]) == line
