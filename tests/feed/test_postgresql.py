"""The feed on a PostgreSQL that the tests start, when its connection is lost: `python -m pytest -m postgresql`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import aclosing

import pytest
from sqlalchemy import text

from gaia_email.app import App
from gaia_email.app.services.feed import EventFeed
from gaia_email.ledger import Ledger, NewLedgerEvent, event_log, noticing, open_ledger
from gaia_email_registry.errors import ProviderError
from tests.feed.conftest import numbers, take, take_until
from tests.ledger.postgresql_server import started

pytestmark = [pytest.mark.postgresql, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    with started() as url:
        yield App(environ={**os.environ, "GAIA_EMAIL_DATABASE_URL": url})


@pytest.fixture
def ledger(app: App) -> Iterator[Ledger]:
    with open_ledger(environ=app.environ) as opened:
        yield opened


def write(ledger: Ledger) -> int:
    with ledger.write() as tx:
        return ledger.events.append(tx, NewLedgerEvent(kind="x.y"))[0]


def test_a_connection_that_is_cut_is_an_error_and_who_comes_back_misses_nothing(
    app: App, ledger: Ledger
) -> None:
    async def read() -> None:
        async with EventFeed(app) as feed:
            first = write(ledger)
            async with aclosing(feed.events(after=first - 1)) as events:
                assert numbers(await take(events, 1)) == [first]
                following = asyncio.ensure_future(take(events, 1))
                with ledger.write() as tx:
                    cut = text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                    )
                    assert tx.execute(cut).all()
                with pytest.raises(ProviderError):
                    await following
            second = write(ledger)
            assert numbers(await take_until(feed, second, after=first)) == [second]

    asyncio.run(read())


def test_a_server_that_is_silent_is_asked_and_looked_at_all_the_same(
    app: App, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a program before this one writes, which notifies nobody."""
    monkeypatch.setattr(noticing, "SURE_S", 0.05)
    monkeypatch.setattr(event_log, "notify_written", lambda tx: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]

    async def read() -> None:
        async with EventFeed(app) as feed:
            first = write(ledger)
            async with aclosing(feed.events(after=first - 1)) as events:
                await take(events, 1)
                second = write(ledger)
                assert numbers(await take(events, 1)) == [second]

    asyncio.run(read())
