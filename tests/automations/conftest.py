"""What automations are tried with: one process that renders, and a mailbox in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.automations.rendering import TemplateRenderer
from tests.automations.bench import AutomationBench


@pytest.fixture(scope="session")
def renderer() -> Iterator[TemplateRenderer]:
    made = TemplateRenderer(os.environ)
    yield made
    made.close()


@pytest.fixture
def bench(tmp_path: Path, renderer: TemplateRenderer) -> Iterator[AutomationBench]:
    made = AutomationBench(tmp_path, renderer)
    yield made
    made.ledger.close()


@pytest.fixture
def other(tmp_path: Path, renderer: TemplateRenderer) -> Iterator[AutomationBench]:
    """A second mailbox with a ledger of its own."""
    made = AutomationBench(tmp_path / "other", renderer)
    yield made
    made.ledger.close()
