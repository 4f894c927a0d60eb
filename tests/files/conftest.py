"""Small mail files to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., bytes]
MakeMaildir = Callable[[Path], Path]


@pytest.fixture
def message() -> Write:
    """Bytes of a message with a number, a body and further header lines."""

    def write(number: int = 1, body: str = "Hello there.\n", extra: str = "") -> bytes:
        head = f"From: Pat <pat@example.com>\nTo: me@example.org\nSubject: Number {number}\n"
        return f"{head}Message-ID: <{number}@example.com>\n{extra}\n{body}".encode()

    return write


@pytest.fixture
def make_maildir() -> MakeMaildir:
    """Makes a directory a Maildir folder."""

    def make(path: Path) -> Path:
        for part in ("cur", "new", "tmp"):
            (path / part).mkdir(parents=True)
        return path

    return make
