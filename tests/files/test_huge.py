"""Gigabytes through a bounded memory; run with `make test-huge`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.huge, pytest.mark.timeout(600)]

PROGRAM = """
import json, resource, sys, time
from gaia_mail.files.read import open_source
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = size = problems = 0
longest = 0
started = time.perf_counter()
for mail in getattr(open_source(sys.argv[1]), sys.argv[2])():
    count += 1
    size += mail.size
    problems += bool(mail.problem)
    longest = max(longest, len(mail.raw))
print(json.dumps({
    "count": count, "size": size, "problems": problems, "longest": longest,
    "seconds": time.perf_counter() - started,
    "grown_mb": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
}))
"""
LINE = b"From pat@example.com Mon Mar  2 09:00:00 2026\n"
GIB = 1024**3


def measure(path: Path, how: str, stdin: Path | None = None) -> dict[str, float]:
    with open(stdin if stdin is not None else "/dev/null", "rb") as stream:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(path), how],
            stdin=stream,
            capture_output=True,
            text=True,
            check=True,
            timeout=500,
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("how", ["headers", "messages", "stream"])
def test_an_mbox_of_two_gigabytes_needs_little_memory(tmp_path: Path, how: str) -> None:
    body = b"A line of text that stands for a message, again and again.\n" * 400
    one = LINE + b"From: pat@example.com\nSubject: %08d\n\n" + body + b"\n"
    path = tmp_path / "big.mbox"
    count = 2 * GIB // len(one % 0)
    with path.open("wb") as file:
        for number in range(count):
            file.write(one % number)
    streamed = how == "stream"
    found = measure(
        Path("-") if streamed else path, "messages" if streamed else how, path if streamed else None
    )
    assert found["count"] == count
    assert found["problems"] == 0
    assert found["grown_mb"] < 60
    assert 2 * GIB / 1e6 / found["seconds"] > 100


@pytest.mark.parametrize("name", ["one.eml", "one.mbox", "stream"])
def test_a_message_of_a_hundred_megabytes_is_cut(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        if name != "one.eml":
            file.write(LINE)
        file.write(b"From: pat@example.com\nSubject: large\n\n")
        for _ in range(100):
            file.write(b"x" * 63 + b"\n" + b"y" * (1024 * 1024 - 64))
    streamed = name == "stream"
    found = measure(Path("-") if streamed else path, "messages", path if streamed else None)
    assert found["count"] == 1
    assert found["size"] > 100 * 1024 * 1024
    assert found["longest"] == 32 * 1024 * 1024
    assert found["grown_mb"] < 160


def test_a_header_without_end_and_two_gigabytes_of_holes_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "sparse.eml"
    with path.open("wb") as file:
        file.write(b"Subject: " + b"x" * 10_000_000)
        file.truncate(2 * GIB)
    found = measure(path, "headers")
    assert found["longest"] <= 256 * 1024
    assert found["grown_mb"] < 40


def test_a_directory_of_a_hundred_thousand_files_is_listed_fast(tmp_path: Path) -> None:
    for number in range(100_000):
        (tmp_path / f"{number}.eml").write_bytes(b"Subject: x\n\n")
    found = measure(tmp_path, "headers")
    assert found["count"] == 100_000
    assert found["seconds"] < 60
    assert found["grown_mb"] < 60
