"""The quota bucket and backoff of the server framework, in time that only passes while somebody waits."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email_registry.backoff import pause_s
from gaia_mail_mcp.pacing import Backoff, SharedBalance, TokenBucket


class Waits:
    """A clock that sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Pass time."""
        self.now += seconds


def bucket(waits: Waits, **more: float) -> TokenBucket:
    return TokenBucket(
        rate=more.get("rate", 10.0), burst=more.get("burst", 20.0), clock=waits, sleep=waits.sleep
    )


def test_a_burst_is_free_and_the_rest_waits_its_turn() -> None:
    async def scenario() -> None:
        waits = Waits()
        one = bucket(waits)
        assert await one.take(20) == 0
        assert await one.take(5) == 0.5
        waits.now += 100
        assert await one.take(20) == 0, "it fills up, but not above its burst"
        assert await one.take(30) == 3.0

    asyncio.run(scenario())


def test_more_than_the_burst_is_owed_not_refused() -> None:
    async def scenario() -> None:
        waits = Waits()
        assert await bucket(waits).take(120) == 10.0

    asyncio.run(scenario())


@given(st.lists(st.integers(1, 60), min_size=1, max_size=60))
def test_over_its_window_a_bucket_never_gives_more_than_its_limit(takes: list[int]) -> None:
    async def scenario() -> None:
        waits = Waits()
        one = bucket(waits, rate=12.0, burst=90.0)
        given_out: list[tuple[float, int]] = []
        for units in takes:
            await one.take(units)
            given_out.append((waits(), units))
        window = 90.0 / (15.0 - 12.0)
        for start, _ in given_out:
            taken = sum(units for instant, units in given_out if start <= instant < start + window)
            assert taken <= 15.0 * window + max(takes)

    asyncio.run(scenario())


def test_what_was_used_is_forgotten_after_its_window() -> None:
    async def scenario() -> None:
        waits = Waits()
        one = bucket(waits)
        await one.take(7)
        waits.now += 5
        await one.take(3)
        assert one.units_used(30) == 10
        assert one.units_used(4) == 3

    asyncio.run(scenario())


def test_a_shared_balance_is_one_for_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "quota.json"
    one, other = SharedBalance(path), SharedBalance(path)
    assert one.take(5, rate=1, burst=10, now=100) == 5
    assert other.take(5, rate=1, burst=10, now=100) == 0
    assert one.take(1, rate=1, burst=10, now=103) == 2
    assert other.take(1, rate=1, burst=10, now=50) == 1, "a clock that goes back gives nothing"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_balance_that_was_put_away_is_shared_again_soon(tmp_path: Path) -> None:
    path = tmp_path / "quota.json"
    now = 0.0
    one, other = SharedBalance(path, lambda: now), SharedBalance(path, lambda: now)
    one.take(5, rate=1, burst=10, now=100)
    path.unlink()
    now = 1.0
    assert one.take(5, rate=1, burst=10, now=100) == 5
    assert other.take(5, rate=1, burst=10, now=100) == 0


def test_who_was_forked_opens_the_balance_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock is of whoever opened the file, and of their children."""
    balance = SharedBalance(tmp_path / "quota.json", lambda: 0.0)
    opened: list[Path] = []
    real = os.open

    def counted(path: Path, flags: int, mode: int) -> int:
        opened.append(path)
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", counted)
    balance.take(1, rate=1, burst=10, now=100)
    balance.take(1, rate=1, burst=10, now=100)
    assert len(opened) == 1
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert balance.take(1, rate=1, burst=10, now=100) == 7
    assert len(opened) == 2


@pytest.mark.parametrize(("jitter", "factor"), [(0.0, 0.75), (0.5, 1.0), (1.0, 1.25)])
def test_backoff_doubles_up_to_its_longest_with_a_quarter_of_jitter(jitter: float, factor: float) -> None:
    backoff = Backoff(first_s=1, longest_s=8, tries=7, jitter=lambda: jitter)
    delays = [backoff.delay(attempt, None) for attempt in range(1, 8)]
    assert delays == [*(base * factor for base in (1, 2, 4, 8, 8, 8)), None]


def test_a_server_that_is_away_for_weeks_is_still_waited_for() -> None:
    assert pause_s(5000, first_s=1.0, longest_s=300.0, jitter=lambda: 0.5) == 300.0


def test_a_time_named_by_the_provider_is_the_least_and_a_long_one_ends_it() -> None:
    backoff = Backoff(jitter=lambda: 0.5, patience_s=60)
    assert backoff.delay(1, 0.2) == 1.0
    assert backoff.delay(1, 30) == 30
    assert backoff.delay(1, 61) is None
