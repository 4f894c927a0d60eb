"""A desk of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_mail_mcp.memory import MemoryMailbox
from tests.watch.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "watch" / "seen.sqlite", MemoryMailbox())
