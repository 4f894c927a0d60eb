"""What automations are tried with: one process that renders, and definitions to change."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from gaia_email.automations.rendering import TemplateRenderer


@pytest.fixture(scope="session")
def renderer() -> Iterator[TemplateRenderer]:
    made = TemplateRenderer(os.environ)
    yield made
    made.close()
