"""Runs `gaia email` in this process and reads what it printed. Entry points: `runner`, `document`, `fits`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gaia_email.app import App
from gaia_email.app.documents.schemas import schema
from gaia_email.interfaces.cli import person
from gaia_email.interfaces.cli.app import gaia
from gaia_email.interfaces.cli.errors import run_guarded


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


def scripts_say_yes(app: App) -> bool:
    """As after `policy scripts on`."""
    return True


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run(*arguments, stdin=bytes)` as a user would in a pipe who let scripts answer (`policy scripts on`).

    Without that, which makes a ledger, see tests/cli/test_person.py.
    """
    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_yes)

    def run(*args: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = run_guarded(lambda: gaia.main(["email", *args], prog_name="gaia", standalone_mode=False))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def document(run: Run, name: str, *args: str, code: int = 0) -> dict[str, Any]:
    """What the command prints with `--json`, which has the form published under `name`."""
    result = run(*args, "--json")
    assert result.code == code, result.err
    found: dict[str, Any] = json.loads(result.out)
    fits(found, name)
    return found


def fits(found: object, name: str) -> None:
    """It has the form published under `name`; that all of them are JSON Schemas is a test of its own."""
    _form(name).validate(found)  # pyright: ignore[reportUnknownMemberType]


@cache
def _form(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))
