"""The agent's server answers several calls at a time, and each as if it were the only one."""

from __future__ import annotations

import asyncio
import threading

import pytest

from gaia_email.app import App
from gaia_email.app.accounts.connect_files import connect_files
from gaia_email.app.services.choosing import connected_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.mcp.served_mailbox import ServedMailbox
from tests.agent_server.conftest import Assistant, Person, talk

PATIENCE_S = 20.0


def test_two_calls_that_read_are_under_way_at_once(sample: SourceSpec) -> None:
    both = threading.Barrier(2)

    def meet(app: App, source: SourceSpec) -> int:
        return both.wait(PATIENCE_S)

    async def main() -> tuple[int, int]:
        served = ServedMailbox(app=App(), source=lambda: sample)
        return await asyncio.gather(served.run(meet), served.run(meet))

    assert sorted(asyncio.run(main())) == [0, 1]


def test_calls_that_change_something_come_one_after_another(sample: SourceSpec) -> None:
    under_way: list[int] = []
    most = 0

    def change(app: App, source: SourceSpec) -> None:
        nonlocal most
        under_way.append(1)
        most = max(most, len(under_way))
        read.wait(PATIENCE_S)
        under_way.pop()

    read = threading.Event()

    async def main() -> None:
        served = ServedMailbox(app=App(), source=lambda: sample)
        changing = [asyncio.ensure_future(served.change(change)) for _ in range(3)]
        await served.run(lambda app, source: read.set())
        await asyncio.gather(*changing)

    asyncio.run(main())
    assert most == 1


@pytest.mark.parametrize("connected", [False, True], ids=["named", "connected"])
def test_many_calls_at_once_are_answered_like_one_by_one(sample: SourceSpec, connected: bool) -> None:
    source = sample
    if connected:
        app = App()
        asyncio.run(connect_files(sample.kind, sample.path, sample.user, app.environ))
        source = connected_source(None, app.environ)

    async def scenario(assistant: Assistant) -> None:
        found = (await assistant.data("search_mail", query="the"))["hits"]
        calls: list[tuple[str, dict[str, str]]] = [
            ("search_mail", {"query": "invoice"}),
            ("list_pending", {}),
            ("get_policy", {}),
        ]
        calls += [
            (tool, {"id": one["id"]}) for one in found[:3] for tool in ("classify_email", "why", "extract")
        ]
        alone = [await assistant.data(tool, **given) for tool, given in calls]
        together = await asyncio.gather(*(assistant.data(tool, **given) for tool, given in calls))
        assert together == alone

    talk(source, scenario, person=Person())
