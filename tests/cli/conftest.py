"""The command line in this process, and the sample mailbox as a Maildir."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email.app.sample.mailbox import write_sample
from tests.cli.printed import Run, runner


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


SAMPLE_NOW = 1_795_000_000.0


@pytest.fixture(scope="session")
def sample_maildir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "Maildir"
    write_sample(folder, now=SAMPLE_NOW)
    return folder
