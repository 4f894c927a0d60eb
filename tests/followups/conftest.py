"""A mailbox of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.followups.mailbox import Mailbox


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    return Mailbox(tmp_path / "Mail")
