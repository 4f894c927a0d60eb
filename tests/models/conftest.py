"""The command line, as the tests of the command line have it."""

from __future__ import annotations

import pytest

from tests.cli.conftest import run
from tests.plugins.bundled import is_installed

__all__ = ["patient_probe", "run"]

collect_ignore = [] if is_installed("evals") else ["test_enemy.py", "test_morning.py"]
"""These read labelled messages, which the plug-in evals does."""


@pytest.fixture(autouse=True)
def patient_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model server of a test is waited for longer than a person would wait: other tests run at the same time."""
    monkeypatch.setattr("gaia_email.models.servers.PROBE_S", 10.0)
