"""A bench of its own for every test, with a ledger copied from one that was made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.ledger import open_ledger
from tests.actions.account import Bench


@pytest.fixture(scope="session")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "ledger.db"
    open_ledger(url=f"sqlite:///{path}").close()
    return path


@pytest.fixture
def bench(tmp_path: Path, empty_ledger: Path) -> Iterator[Bench]:
    shutil.copy(empty_ledger, tmp_path / "ledger.db")
    made = Bench(tmp_path)
    yield made
    made.ledger.close()
