"""Fixtures for automations: one process that renders, a mailbox in memory, and the sample over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email_automations.rendering import TemplateRenderer
from tests.http.conftest import demo, is_hosted, sample, seen_sample
from tests.plugins.automations.bench import AutomationBench

__all__ = ["bench", "demo", "is_hosted", "other", "renderer", "sample", "seen_sample"]


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
