"""Waiting for mail loses no wake-up, whatever happens to the connection that listens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import ConnectionDropped
from gaia_imap_mcp.settings import ImapSettings
from tests.contract.suite.seed import write_message
from tests.imap.truth import SOON_S, Follower, expected, opened, persistently, settings
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.scripted_imap import Script, ScriptedImap

DovecotWith = Callable[[Options], Dovecot]
ScriptedWith = Callable[[Script], ScriptedImap]


async def until(holds: Callable[[], bool]) -> None:
    """Let the threads run until something is so."""
    async with asyncio.timeout(SOON_S):
        while not holds():
            await asyncio.sleep(0.005)


async def woken(mailbox: ImapMailbox, follower: Follower, happening: Callable[[], object]) -> None:
    """Wait, let something happen meanwhile, and follow: `wait` has to have noticed."""
    assert follower.cursor is not None
    waiting = asyncio.ensure_future(mailbox.wait(follower.cursor, timeout_s=SOON_S))
    await asyncio.sleep(0)
    await asyncio.to_thread(happening)
    assert await waiting
    await follower.follow(mailbox)


async def listening(proxy: Proxy, times: int = 1) -> None:
    await until(lambda: proxy.commands.count("IDLE") >= times)


def run(
    port: int, user: str, scenario: Callable[[ImapMailbox, Follower], Awaitable[None]], **changed: object
) -> None:
    async def begin() -> None:
        async with opened(settings(port, user), **changed) as mailbox:
            follower = Follower()
            await follower.follow(mailbox)
            await scenario(mailbox, follower)

    asyncio.run(begin())


def test_idle_tells_of_new_mail_of_flags_and_of_removals(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        uids: list[int] = []
        await woken(mailbox, follower, lambda: uids.append(other.append(write_message(1))))
        await listening(proxy)
        await woken(mailbox, follower, lambda: uids.append(other.append(write_message(2))))
        await woken(mailbox, follower, lambda: other.flag(uids[:1], "\\Seen"))
        await woken(mailbox, follower, lambda: other.expunge(uids[:1]))
        assert follower.truth == expected(other.everything())
        assert set(follower.added.values()) == {1}

    # With polling so seldom only IDLE can have told.
    run(proxy.port, user, scenario, poll_s=600.0)


@pytest.mark.parametrize("how", ["sessions", "server"])
def test_a_server_killed_in_idle_is_waited_for(own_dovecot: Dovecot, how: str) -> None:
    def die_and_deliver() -> None:
        if how == "sessions":
            own_dovecot.kill_sessions()
        else:
            own_dovecot.kill()
            own_dovecot.start()
        with OtherClient(own_dovecot.port, "ann") as other:
            other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=SOON_S))
        await listening(proxy)
        await asyncio.to_thread(die_and_deliver)
        assert await waiting
        await persistently(lambda: follower.follow(mailbox))
        assert follower.added == {"<1@seed.example>": 1}

    with Proxy(own_dovecot.port) as proxy:
        run(proxy.port, "ann", scenario, poll_s=600.0)


def test_mail_that_comes_while_the_listener_is_cut_off_is_noticed(
    proxy: Proxy, other: OtherClient, user: str
) -> None:
    def cut_and_deliver() -> None:
        proxy.cut_all()
        other.append(write_message(1))

    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=SOON_S))
        await listening(proxy)
        await asyncio.to_thread(cut_and_deliver)
        assert await waiting

    run(proxy.port, user, scenario, poll_s=600.0)


def test_news_that_cannot_be_looked_at_at_once_are_looked_at_a_little_later(
    proxy: Proxy, other: OtherClient, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        failures = [ConnectionDropped("The server takes no second connection just now.")]

        link = mailbox._link  # pyright: ignore[reportPrivateUsage]
        connect = link._opening.open  # pyright: ignore[reportPrivateUsage]

        def opener(of: ImapSettings) -> Connection:
            if failures:
                raise failures.pop()
            return connect(of)

        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=3600))
        await listening(proxy)
        monkeypatch.setattr(link._opening, "open", opener)  # pyright: ignore[reportPrivateUsage]
        link.connection().abort()
        await asyncio.to_thread(other.append, write_message(1))
        async with asyncio.timeout(SOON_S):
            assert await waiting
        assert not failures

    run(proxy.port, user, scenario, poll_s=600.0)


def test_a_half_open_idle_is_made_good_by_looking(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        fault = proxy.silence_on_command(rb"IDLE")
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=SOON_S))
        await until(fault.done.is_set)
        await asyncio.to_thread(lambda: other.append(write_message(1)))
        assert await waiting
        await follower.follow(mailbox)
        assert follower.truth == expected(other.everything())

    run(proxy.port, user, scenario, poll_s=0.3)


def test_an_idle_that_lies_is_made_good_by_looking(scripted: ScriptedWith) -> None:
    server = scripted(Script(capabilities=("IMAP4rev1", "IDLE"), deaf_idle=True))

    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=SOON_S))
        await until(lambda: "IDLE" in server.script.commands)
        server.store.put(write_message(1))
        assert await waiting
        await follower.follow(mailbox)
        assert follower.added == {"<1@seed.example>": 1}

    run(server.port, "ann", scenario, poll_s=0.2)


def test_where_idle_is_missing_looking_does(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(capability="IMAP4rev1"))
    with OtherClient(server.port, user) as other, Proxy(server.port) as proxy:

        async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
            await woken(mailbox, follower, lambda: other.append(write_message(1)))
            assert follower.truth == expected(other.everything())

        run(proxy.port, user, scenario, poll_s=0.2)
        assert "IDLE" not in proxy.commands


def test_mail_in_another_folder_is_noticed(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        await woken(mailbox, follower, lambda: other.append(write_message(1), "Archive"))
        assert follower.truth == expected(other.everything())

    # Dovecot has NOTIFY, so the one connection that listens is told of every folder.
    run(proxy.port, user, scenario, poll_s=600.0)


def test_idle_is_issued_again_before_the_server_tires_of_it(
    proxy: Proxy, other: OtherClient, user: str
) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=SOON_S))
        await listening(proxy, times=3)
        assert not waiting.done()
        await asyncio.to_thread(lambda: other.append(write_message(1)))
        assert await waiting

    run(proxy.port, user, scenario, poll_s=600.0, idle_s=0.1)


def test_no_wake_up_is_lost_between_looking_and_waiting(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        for number in range(1, 13):
            # Before, at, and after the moment in which waiting begins.
            writing = asyncio.ensure_future(asyncio.to_thread(other.append, write_message(number)))
            for _ in range(number % 5):
                await asyncio.sleep(0)
            assert await mailbox.wait(follower.cursor or "", timeout_s=SOON_S)
            await writing
            await follower.follow(mailbox)
        assert follower.truth == expected(other.everything())
        assert set(follower.added.values()) == {1}

    run(proxy.port, user, scenario, poll_s=600.0)


def test_nothing_happening_is_told_when_the_time_is_over(dovecot: Dovecot, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        assert not await mailbox.wait(follower.cursor or "", timeout_s=0.05)

    run(dovecot.port, user, scenario)


def test_an_account_uses_two_connections_and_no_more(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        for number in range(1, 6):
            await woken(mailbox, follower, partial(other.append, write_message(number)))
            await listening(proxy)
        assert proxy.accepted == 2

    run(proxy.port, user, scenario, poll_s=600.0)


def test_a_server_that_stays_away_is_said_to_long_before_the_wait_is_over(proxy: Proxy, user: str) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=3600.0))
        await listening(proxy)
        proxy.refuse()
        proxy.cut_all()
        with pytest.raises(ConnectionDropped):
            await waiting

    run(proxy.port, user, scenario, poll_s=600.0)


def test_closing_while_waiting_ends_at_once(proxy: Proxy, user: str) -> None:
    async def begin() -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            waiting = asyncio.ensure_future(mailbox.wait(await mailbox.cursor(), timeout_s=600))
            await listening(proxy)
        async with asyncio.timeout(5):
            await asyncio.wait((waiting,))

    asyncio.run(begin())


@pytest.mark.usefixtures("patient")
def test_closing_does_not_wait_for_an_idle_that_is_half_open(
    proxy: Proxy, other: OtherClient, user: str
) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        silenced = proxy.silence_on_command(rb"IDLE")
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=600.0))
        await until(silenced.done.is_set)
        await mailbox.aclose()
        assert not await waiting

    run(proxy.port, user, scenario, command_timeout_s=600.0, poll_s=600.0)


def test_closing_does_not_wait_for_a_listener_that_nobody_answers_any_more(
    proxy: Proxy, other: OtherClient, user: str
) -> None:
    async def scenario(mailbox: ImapMailbox, follower: Follower) -> None:
        waiting = asyncio.ensure_future(mailbox.wait(follower.cursor or "", timeout_s=600.0))
        await listening(proxy)
        proxy.silence_on_command(rb"DONE")
        await mailbox.aclose()
        assert not await waiting

    run(proxy.port, user, scenario, command_timeout_s=600.0, poll_s=600.0)


def test_closing_while_a_server_that_is_away_is_waited_for_ends_at_once(
    proxy: Proxy, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.mailbox.POLL_WITHOUT_IDLE_S", 3600.0)
    proxy.refuse()

    async def begin() -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            waiting = asyncio.ensure_future(mailbox.wait("", timeout_s=3600))
            await asyncio.sleep(0)
            assert not (
                await mailbox.status()
            ).connected  # asked after the wait has looked for the first time
        assert not await waiting

    asyncio.run(begin())
