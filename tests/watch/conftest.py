"""A watch of its own for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gaia_email.app import App
from tests.contract.memory import MemoryMailbox
from tests.watch.setup import WatchSetup


@pytest.fixture
def setup() -> Iterator[WatchSetup]:
    with App().ledger() as ledger:
        yield WatchSetup(ledger, MemoryMailbox())
