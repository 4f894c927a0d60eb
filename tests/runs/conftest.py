"""A Maildir, a ledger and a database of runs for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs.mailbox import Box


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    return Box(tmp_path)
