"""On sixty machines the right account comes first, none is invented, and nothing outside the home is opened."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaia_email_registry.discovery.look import discover
from gaia_email_registry.discovery.machine import Machine
from tests.registry.homes import HOMES, Home

opened: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def watched() -> Iterator[None]:
    """An audit hook cannot be taken away again, so it only listens while this file's tests run."""
    codecs.lookup("utf-8-sig")  # Python looks for a codec's module when it is first used
    listening = True

    def listen(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event in ("open", "sqlite3.connect", "os.listdir", "os.scandir") and arguments:
            opened.append(str(arguments[0]))

    sys.addaudithook(listen)
    yield
    listening = False


def made(home: Home, folder: Path) -> Machine:
    for program in home.programs:
        program(folder)
    return Machine(home=folder, platform=home.platform, environ=home.environ)


def test_there_are_sixty_homes_and_twelve_of_them_know_no_account() -> None:
    assert len(HOMES) == len({home.name for home in HOMES}) == 60
    assert sum(not home.first for home in HOMES) == 12


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
def test_the_right_account_comes_first_and_none_is_invented(home: Home, tmp_path: Path) -> None:
    machine = made(home, tmp_path)
    opened.clear()
    found = discover(machine)
    outside = [
        one
        for one in opened
        if not one.startswith(str(tmp_path)) and one != ":memory:" and not one.endswith((".py", ".pyc"))
    ]
    assert outside == []
    assert (found[0].address if found else "") == home.first
    assert "hunter2" not in repr(found)
    assert all("@" in one.address for one in found)
