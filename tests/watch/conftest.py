"""A watch of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.memory import MemoryMailbox
from tests.watch.setup import WatchSetup


@pytest.fixture
def setup(tmp_path: Path) -> WatchSetup:
    return WatchSetup(tmp_path / "watch" / "seen.sqlite", MemoryMailbox())
