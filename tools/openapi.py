"""Writes the contract of the HTTP interface for people and other programs: `docs/openapi.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from gaia_email.interfaces.http.openapi import openapi


def generate() -> Iterator[tuple[Path, str]]:
    """The document as it is served, with a line for each operation and each schema."""
    yield Path("docs/openapi.json"), "\n".join(_lines(openapi(), 3)) + "\n"


def _lines(part: Any, depth: int) -> Iterator[str]:
    if not depth or not isinstance(part, dict):
        yield json.dumps(part, ensure_ascii=False)
        return
    held = cast("dict[str, Any]", part)
    yield "{"
    for at, (key, value) in enumerate(held.items(), start=1):
        first, *rest = _lines(value, depth - 1)
        lines = [f"{json.dumps(key)}: {first}", *rest]
        yield from (f" {line}" for line in lines[:-1])
        yield f" {lines[-1]}{'' if at == len(held) else ','}"
    yield "}"
