"""The systemd unit and the container file of `docs/watch` run a command that exists, with options it knows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pages.page import parses

DOCS = Path(__file__).resolve().parents[2] / "docs" / "watch"
UNIT = DOCS / "gaia-email-watch@.service"


def settings(section: str) -> dict[str, str]:
    body = UNIT.read_text().partition(f"[{section}]\n")[2].partition("\n[")[0]
    return dict(re.findall(r"^(\w+)=(.*)$", body, re.M))


def test_the_unit_starts_a_command_that_exists() -> None:
    program, *words = shlex.split(settings("Service")["ExecStart"])
    assert program.endswith("/gaia")
    parses(words)


def test_the_unit_does_not_start_again_what_needs_a_person() -> None:
    assert settings("Service")["RestartPreventExitStatus"] == "2 4"
    assert settings("Service")["Restart"] == "on-failure"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not here")
    program = shlex.split(settings("Service")["ExecStart"])[0]
    unit = tmp_path / "gaia-email-watch@me.service"
    unit.write_text(UNIT.read_text().replace(program, "/bin/true"))
    answer = subprocess.run(
        [analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in answer.stderr.splitlines() if unit.name in line]
    assert not complaints


def test_the_container_runs_a_command_that_exists() -> None:
    text = (DOCS / "Containerfile").read_text()
    lines = [line for line in re.sub(r"\\\n", " ", text).splitlines() if line and not line.startswith("#")]
    known = {"FROM", "COPY", "RUN", "USER", "ENV", "VOLUME", "STOPSIGNAL", "ENTRYPOINT", "CMD"}
    instructions = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}
    assert set(instructions) <= known
    program, *words = json.loads(instructions["ENTRYPOINT"]) + json.loads(instructions["CMD"])
    assert program == "gaia"
    parses(words)
    assert instructions["USER"] != "root"
    for comment in re.findall(r"gaia-email ((?:watch|connect) .*)$", text, re.M):
        parses(["email", *shlex.split(comment)])
