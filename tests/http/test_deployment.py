"""The systemd unit, the launchd file and the container file of `docs/http` run a command that exists."""

from __future__ import annotations

import json
import plistlib
import re
import shlex
from pathlib import Path

from tests.pages.page import parses

DOCS = Path(__file__).resolve().parents[2] / "docs" / "http"


def test_the_unit_starts_a_command_that_exists() -> None:
    text = (DOCS / "gaia-email-serve.service").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    program, *words = shlex.split(line)
    assert program.endswith("/gaia")
    parses(words)


def test_the_launchd_file_starts_a_command_that_exists() -> None:
    read = plistlib.loads((DOCS / "com.gaia.email.serve.plist").read_bytes())
    shell, option, line = read["ProgramArguments"]
    assert (shell, option) == ("/bin/sh", "-c")
    exec_, program, *words = shlex.split(line)
    assert (exec_, program) == ("exec", "$HOME/.local/bin/gaia")
    parses(words)
    assert read["Umask"] == 0o77


def test_the_container_starts_a_command_that_exists() -> None:
    text = (DOCS / "Containerfile").read_text(encoding="utf-8")
    entry = json.loads(re.findall(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)[0])
    command = json.loads(re.findall(r"^CMD (.*)$", text, re.MULTILINE)[0])
    assert entry == ["gaia", "email"]
    parses(["email", *command])
