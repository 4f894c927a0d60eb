"""PyPI `amd-gaia` as a stranger: its manager starts our server, and its relay streams our query."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages.page import Page

ROOT = Path(__file__).parents[2]
HOST = """
import dataclasses, sys, threading, time, uuid
from pathlib import Path

import requests, uvicorn
from fastapi import FastAPI
from gaia.daemon.relay import build_relay_router
from gaia.daemon.sidecars.registry import SidecarRegistry
from gaia.daemon.sidecars.spec import builtin_specs

token = "t" * 43
spec = dataclasses.replace(builtin_specs()["email"], dev_src_dir=Path(sys.argv[1]))
registry = SidecarRegistry({"email": spec})
registry.ensure("email", mode="dev")
app = FastAPI()
app.include_router(build_relay_router(token, registry))
server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)
port = server.servers[0].sockets[0].getsockname()[1]
answer = requests.post(
    f"http://127.0.0.1:{port}/v1/email/query",
    json={"query": "what is urgent", "run_id": str(uuid.uuid4()), "context": []},
    headers={"Authorization": f"Bearer {token}"},
    stream=True,
    timeout=60,
)
for line in answer.iter_lines():
    if line.startswith(b"data:"):
        print(line.decode()[5:])
registry.stop("email")
"""

pytestmark = [pytest.mark.install, pytest.mark.timeout(600)]


@pytest.fixture
def host(runners: Path, tmp_path: Path) -> Path:
    """The Python that has GAIA's daemon, in the version of requirements/host.txt."""
    folder, uv = tmp_path / "host", str(runners / "uv")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    pinned = [uv, "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    there = ["--python", str(folder / "bin" / "python"), "-r", str(ROOT / "requirements" / "host.txt")]
    subprocess.run([*pinned, *there], check=True)
    return folder / "bin" / "python"


def test_its_manager_starts_us_and_its_relay_streams_our_query(host: Path, tmp_path: Path) -> None:
    written = Page("docs/http-gaia.md").text.split("```python\n")[1].split("```")[0]
    source = tmp_path / "hub" / "agents" / "email" / "python"
    (source / "packaging").mkdir(parents=True)
    on_sample = written.replace('"serve", ', '"serve", "--demo", ')
    assert on_sample != written
    (source / "packaging" / "server.py").write_text(on_sample, encoding="utf-8")
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(
        [str(host), "-c", HOST, str(source)], capture_output=True, text=True, env=environ, check=False
    )
    assert ran.returncode == 0, ran.stderr[-4_000:]
    events = [json.loads(line) for line in ran.stdout.splitlines() if line.lstrip().startswith("{")]
    assert [one["type"] for one in events] == ["tool_call", "tool_result", "final"]
    assert "urgent" in events[-1]["answer"]
