"""Whose turn it is at a model server: one model at a time, people first, and no turn for the dead."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from gaia_email.models.broker import OLD_S, STALE_S, Broker

PLACE = "http://127.0.0.1:8080"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def switches(uses: list[str]) -> int:
    return sum(before != after for before, after in pairwise(uses))


def test_two_programs_with_two_models_switch_at_most_once_a_batch(tmp_path: Path) -> None:
    uses: list[str] = []

    async def program(model: str, batches: int) -> None:
        broker = Broker(tmp_path / "leases.db")
        for _ in range(batches):
            async with broker.lease(PLACE, model, interactive=True):
                for _ in range(5):
                    uses.append(model)
                    await asyncio.sleep(0)

    async def both() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(program("a", 3))
            group.create_task(program("b", 3))

    asyncio.run(both())
    assert len(uses) == 30
    assert switches(uses) <= 6


def test_who_wants_the_model_that_is_in_use_shares_it_unless_another_waited_before(tmp_path: Path) -> None:
    async def work() -> None:
        broker = Broker(tmp_path / "leases.db")
        order: list[str] = []

        async def use(name: str, model: str) -> None:
            async with broker.lease(PLACE, model, interactive=True):
                order.append(name)

        async with broker.lease(PLACE, "a", interactive=True) as first:
            assert not first.switched
            async with broker.lease(PLACE, "a", interactive=True):
                pass
            other = asyncio.create_task(use("other", "b"))
            await asyncio.sleep(0.1)
            late = asyncio.create_task(use("late", "a"))
            await asyncio.sleep(0.1)
            assert order == []
        await asyncio.gather(other, late)
        assert sorted(order) == ["late", "other"]

    asyncio.run(work())


def test_a_person_comes_before_background_work(tmp_path: Path) -> None:
    async def work() -> list[str]:
        broker = Broker(tmp_path / "leases.db")
        order: list[str] = []

        async def use(model: str, interactive: bool) -> None:
            async with broker.lease(PLACE, model, interactive=interactive):
                order.append(model)

        async with broker.lease(PLACE, "a", interactive=True):
            background = asyncio.create_task(use("background", False))
            await asyncio.sleep(0.1)
            person = asyncio.create_task(use("person", True))
            await asyncio.sleep(0.1)
        await asyncio.gather(background, person)
        return order

    assert asyncio.run(work()) == ["person", "background"]


def test_servers_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async def work() -> None:
        broker = Broker(tmp_path / "leases.db")
        async with (
            asyncio.timeout(5),
            broker.lease(PLACE, "a", interactive=True),
            broker.lease("unix:/run/other", "b", interactive=True) as lease,
        ):
            assert not lease.switched

    asyncio.run(work())


def insert(file: Path, *, pid: int, beat: float, running: int = 1) -> None:
    with closing(sqlite3.connect(file)) as database:
        row = (pid, PLACE, "x", 1, running, beat, beat)
        database.execute(
            "INSERT INTO leases (pid, place, model, interactive, running, asked, beat) VALUES (?,?,?,?,?,?,?)",
            row,
        )
        database.commit()


@pytest.mark.parametrize(("pid", "age"), [(2**22 + 7, 0.0), (1, STALE_S + 1)])
def test_the_turn_of_a_program_that_died_or_hangs_is_void(pid: int, age: float, tmp_path: Path) -> None:
    clock, file = Clock(), tmp_path / "leases.db"
    broker = Broker(file, clock=clock)

    async def work() -> None:
        async with broker.lease(PLACE, "x", interactive=True):
            pass
        insert(file, pid=pid, beat=clock.now - age)
        async with asyncio.timeout(5), broker.lease(PLACE, "y", interactive=True) as lease:
            assert lease.switched

    asyncio.run(work())


def test_who_waits_is_told_once_and_a_living_program_is_waited_for(tmp_path: Path) -> None:
    clock, file, told = Clock(), tmp_path / "leases.db", list[int]()
    broker = Broker(file, clock=clock)

    async def work() -> None:
        async with broker.lease(PLACE, "x", interactive=True):
            with pytest.raises(TimeoutError):
                async with (
                    asyncio.timeout(0.3),
                    broker.lease(PLACE, "y", interactive=True, waits=lambda: told.append(1)),
                ):
                    pass
        assert told == [1]
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("SELECT count(*) FROM leases").fetchone() == (0,)

    asyncio.run(work())
    assert OLD_S > STALE_S
