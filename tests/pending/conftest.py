"""A bench of its own for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pending.asking import AskingBench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[AskingBench]:
    made = AskingBench(tmp_path)
    yield made
    made.ledger.close()
