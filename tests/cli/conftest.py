"""Runs the command line in this process, as a user would in a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gaia_email.faces.cli.app import gaia
from gaia_email.faces.cli.errors import guarded
from gaia_email.sample.mailbox import write_sample


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*args: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = guarded(lambda: gaia.main(["email", *args], prog_name="gaia", standalone_mode=False))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


SAMPLE_NOW = 1_795_000_000.0


@pytest.fixture(scope="session")
def sample_maildir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "Maildir"
    write_sample(folder, now=SAMPLE_NOW)
    return folder
