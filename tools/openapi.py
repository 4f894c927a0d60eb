"""Writes the contract of the HTTP interface for people and other programs: `docs/openapi.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from gaia_email.interfaces.http.openapi import openapi


def generate() -> Iterator[tuple[Path, str]]:
    """The document as it is served."""
    yield Path("docs/openapi.json"), json.dumps(openapi(), indent=1, ensure_ascii=False) + "\n"
