"""Pushes of the emulated Graph: who wakes, what keeps a subscription alive, and what a stranger learns at the door."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette

from gaia_email_registry.accounts import Account
from gaia_email_registry.errors import BadArgument
from gaia_graph_mcp.mailbox import GraphMailbox
from gaia_graph_mcp.push import GraphSubscription
from gaia_graph_mcp.push_door import PATH, GraphPushEndpoint
from gaia_graph_mcp.server import SERVER
from gaia_mail_mcp.mailbox import Capability
from tests.contract.suite import write_message
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import throttled
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, let_in, open_emulated

Scenario = Callable[[EmulatedMailbox], Awaitable[None]]


def played(folder: Path, scenario: Scenario) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(), folder)
        let_in(mailbox.emulator, mailbox.graph, folder)
        try:
            async with asyncio.timeout(20):
                await scenario(mailbox)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def later(mailbox: EmulatedMailbox, **by: float) -> None:
    """Have the subscription's clock go ahead."""
    push = mailbox.graph.push
    assert push is not None
    push._now = lambda: dt.datetime.now(dt.UTC) + dt.timedelta(**by)  # pyright: ignore[reportPrivateUsage]


def asked(mailbox: EmulatedMailbox, method: str) -> int:
    return sum(one.method == method and "/subscriptions" in one.path for one in mailbox.emulator.requests)


def test_a_push_wakes_who_waits_and_a_forged_one_nobody(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        emulator = mailbox.emulator
        await mailbox.watch()
        cursor = await mailbox.cursor()
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=15))
        before = len(emulator.requests)
        while len(emulator.requests) == before:
            await asyncio.sleep(0.01)
        emulator.account.put(write_message(5))
        await emulator.subscriptions.push(clientState="guessed")
        done, _ = await asyncio.wait([waiting], timeout=0.3)
        assert not done, "a stranger wakes nobody"
        await emulator.subscriptions.push()
        assert await asyncio.wait_for(waiting, 5)
        assert emulator.subscriptions.statuses == [202, 202], "both are answered alike"

    played(tmp_path, scenario)


def test_a_push_between_looking_and_waiting_is_not_missed(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.watch()
        cursor = await mailbox.cursor()
        looks = 0
        refresh = mailbox.graph.refresh

        async def refreshed(*, within_s: float = 0.0) -> None:
            nonlocal looks
            looks += 1
            await refresh(within_s=within_s)
            if looks == 1:
                mailbox.emulator.account.put(write_message(5))
                await mailbox.emulator.subscriptions.push()

        mailbox.graph.refresh = refreshed  # type: ignore[method-assign]
        assert await asyncio.wait_for(mailbox.wait(cursor, timeout_s=15), 5)
        assert looks == 2

    played(tmp_path, scenario)


def test_less_than_a_day_before_its_end_a_subscription_is_renewed(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.watch()
        assert await mailbox.graph.is_pushed() and asked(mailbox, "PATCH") == 0
        later(mailbox, hours=47)
        assert await mailbox.graph.is_pushed() and asked(mailbox, "PATCH") == 1
        assert await mailbox.graph.is_pushed() and asked(mailbox, "PATCH") == 1, "once is enough"
        assert asked(mailbox, "POST") == 1 and len(mailbox.emulator.subscriptions.stored) == 1

    played(tmp_path, scenario)


def test_a_renewal_that_fails_is_tried_again_later_and_pushes_still_count(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.watch()
        later(mailbox, hours=47)

        def fault(request: Request) -> Response | None:
            return Response(status=400) if request.method == "PATCH" else None

        mailbox.emulator.fault = fault
        assert await mailbox.graph.is_pushed()
        assert await mailbox.graph.is_pushed() and asked(mailbox, "PATCH") == 1
        later(mailbox, hours=47, minutes=11)
        mailbox.emulator.fault = lambda request: None
        assert await mailbox.graph.is_pushed() and asked(mailbox, "PATCH") == 2
        later(mailbox, hours=47 + 70 - 25)
        assert await mailbox.graph.is_pushed() and asked(mailbox, "PATCH") == 2, "the renewal counts"

    played(tmp_path, scenario)


def test_one_that_ran_out_is_made_again_and_one_that_cannot_be_is_no_reason_to_stop_asking(
    tmp_path: Path,
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.watch()
        mailbox.emulator.subscriptions.stored.clear()
        later(mailbox, hours=71)
        assert await mailbox.graph.is_pushed()
        assert asked(mailbox, "POST") == 2 and len(mailbox.emulator.subscriptions.stored) == 1
        mailbox.emulator.subscriptions.stored.clear()
        later(mailbox, days=30)
        mailbox.emulator.fault = lambda request: throttled(9999) if "subscr" in request.path else None
        assert not await mailbox.graph.is_pushed(), "it is asked every half minute again"

    played(tmp_path, scenario)


@pytest.mark.parametrize(
    ("event", "renewed", "made"),
    [("missed", 0, 1), ("reauthorizationRequired", 1, 1), ("subscriptionRemoved", 0, 2)],
)
def test_what_microsoft_says_of_a_subscription_is_done(
    tmp_path: Path, event: str, renewed: int, made: int
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        subscriptions = mailbox.emulator.subscriptions
        await mailbox.watch()
        cursor = await mailbox.cursor()
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=15))
        await asyncio.sleep(0)
        mailbox.emulator.account.put(write_message(5))
        await subscriptions.push(lifecycleEvent=event)
        assert await asyncio.wait_for(waiting, 5), "who waits looks at once"
        assert await mailbox.graph.is_pushed()
        assert (asked(mailbox, "PATCH"), asked(mailbox, "POST")) == (renewed, made)
        before = list(subscriptions.stored)
        await subscriptions.push(lifecycleEvent=event, clientState="guessed")
        assert await mailbox.graph.is_pushed()
        assert (asked(mailbox, "PATCH"), asked(mailbox, "POST")) == (renewed, made), "not for a stranger"
        assert list(subscriptions.stored) == before

    played(tmp_path, scenario)


def test_the_secret_of_a_subscription_is_private_and_in_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.watch()
        await mailbox.emulator.subscriptions.push()
        kept = tmp_path / "watch.json"
        state = json.loads(kept.read_text())["state"]
        assert len(state) > 30 and kept.stat().st_mode & 0o077 == 0
        assert state not in caplog.text
        assert await mailbox.unwatch()
        assert not kept.exists() and mailbox.emulator.subscriptions.stored == {}

    played(tmp_path, scenario)


def test_the_door_proves_itself_in_plain_text_and_lets_everything_else_by(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.watch()
        state = json.loads((tmp_path / "watch.json").read_text())["state"]
        door = GraphPushEndpoint(Starlette(), [mailbox.graph])
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(door), base_url="https://mail.example"
        ) as stranger:
            proof = await stranger.post(f"{PATH}?validationToken=%3Cscript%3E")
            assert (proof.text, proof.headers["content-type"]) == ("<script>", "text/plain; charset=utf-8")
            assert proof.headers["x-content-type-options"] == "nosniff"
            heard = mailbox.graph._heard  # pyright: ignore[reportPrivateUsage]
            for content, status in (
                (b"not json", 202),
                (b"[]", 202),
                (b'{"value": [7, {"clientState": 7}, {}]}', 202),
                (json.dumps({"value": {"clientState": state}}).encode(), 202),
                (b"x" * 1_000_001, 413),
            ):
                assert (await stranger.post(PATH, content=content)).status_code == status
            assert (await stranger.get(PATH)).status_code == 405
            assert (await stranger.post(f"{PATH}?validationToken={'x' * 4001}")).status_code == 400
            assert (await stranger.post("/elsewhere")).status_code == 404
            assert mailbox.graph._heard == heard  # pyright: ignore[reportPrivateUsage]

    played(tmp_path, scenario)


def test_without_an_address_it_says_what_to_set_and_one_without_tls_is_refused(tmp_path: Path) -> None:
    account = Account(id="me@example.org", provider="outlook", address="me@example.org", server="graph")
    home = {"GAIA_HOME": str(tmp_path)}
    plain = SERVER.source(SERVER.known_login(account, home))
    assert Capability.PUSH not in plain.capabilities and SERVER.push_door(home, []) is None
    mailbox = plain.open()
    assert isinstance(mailbox, GraphMailbox)
    with pytest.raises(BadArgument, match="No address") as caught:
        asyncio.run(mailbox.watch())
    assert "GAIA_GRAPH_NOTIFICATION_URL" in (caught.value.hint or "")
    with pytest.raises(BadArgument, match="https"):
        SERVER.source(
            SERVER.known_login(
                account, {**home, "GAIA_GRAPH_NOTIFICATION_URL": "http://mail.example/push/graph"}
            )
        )


def test_a_server_with_an_address_has_a_door_and_one_without_http_goes_on_asking(tmp_path: Path) -> None:
    account = Account(id="me@example.org", provider="outlook", address="me@example.org", server="graph")
    environ = {"GAIA_HOME": str(tmp_path), "GAIA_GRAPH_NOTIFICATION_URL": "https://mail.example/push/graph"}
    live: list[GraphMailbox] = []
    served = SERVER.source(SERVER.known_login(account, environ), live=live)
    alone = SERVER.source(SERVER.known_login(account, environ))
    assert Capability.PUSH in served.capabilities and SERVER.push_door(environ, live) is not None
    heard, deaf = served.open(), alone.open()
    assert isinstance(heard, GraphMailbox) and isinstance(deaf, GraphMailbox)
    assert live == [heard] and heard.hears and isinstance(heard.push, GraphSubscription)
    assert not deaf.hears, "another program's door wakes nobody here"
