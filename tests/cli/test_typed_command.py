"""Commands that the program tells a person to type work as typed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email.interfaces.cli import typed_command
from gaia_email.interfaces.cli.typed_command import make_runnable
from tests.cli.printed import Run


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """`gaia` in a folder that is not on the PATH, started from the folder above."""
    (tmp_path / "bin").mkdir()
    path = tmp_path / "bin" / "gaia"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path)
    typed_command._program.cache_clear()  # pyright: ignore[reportPrivateUsage]
    yield path
    typed_command._program.cache_clear()  # pyright: ignore[reportPrivateUsage]


def test_what_is_not_on_the_path_is_named_by_its_path(program: Path) -> None:
    assert make_runnable("gaia email why 1") == "bin/gaia email why 1"
    assert make_runnable("Look (gaia email review), or gaia email stop.") == (
        "Look (bin/gaia email review), or bin/gaia email stop."
    )


def test_from_elsewhere_the_whole_path_is_named(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert make_runnable("gaia email why 1") == f"{program} email why 1"


def test_what_the_shell_finds_needs_no_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    assert make_runnable("gaia email why 1") == "gaia email why 1"


def test_another_program_of_that_name_is_not_taken_for_ours(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / "gaia"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\nexit 3\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert make_runnable("gaia email why 1") == "bin/gaia email why 1"


@pytest.mark.usefixtures("plain_terminal", "program")
def test_the_card_of_the_demo_and_errors_name_what_works(run: Run) -> None:
    card = run("demo", "--card")
    assert card.code == 0, card.err
    assert "next  bin/gaia email why 1" in card.out and "bin/gaia email connect" in card.out
    assert "bin/gaia email" in run("inbox").err
