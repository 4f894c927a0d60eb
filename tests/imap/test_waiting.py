from __future__ import annotations

import asyncio
import time

import pytest

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_imap_mcp.errors import Dropped
from gaia_imap_mcp.idle import Watcher
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings, Secret
from gaia_mail_mcp.testing import write_message
from tests.imap.conftest import DovecotWith
from tests.imap.test_sync import reader, run
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

LONG_S = 20.0


def settings(port: int, user: str, *, poll_s: float = 3600.0, password: str = PASSWORD) -> ImapSettings:
    return ImapSettings(
        host="127.0.0.1",
        port=port,
        security="none",
        user=user,
        secret=lambda _: Secret(value=password),
        poll_s=poll_s,
    )


async def listening(mailbox: ImapMailbox) -> Watcher:
    """The watcher of a mailbox that somebody waits for, once it is in IDLE."""
    async with asyncio.timeout(LONG_S):
        while (watcher := mailbox._watcher) is None or not watcher.listening:  # pyright: ignore[reportPrivateUsage]
            await asyncio.sleep(0.01)
    return watcher


@pytest.mark.parametrize("folder", ["INBOX", "Archive"])
def test_an_announcement_ends_the_wait_whatever_the_folder(dovecot: Dovecot, user: str, folder: str) -> None:
    with OtherClient(dovecot.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            cursor = await mailbox.cursor()
            waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=LONG_S))
            await listening(mailbox)
            await asyncio.to_thread(other.append, write_message(1), folder)
            assert await waiting

        run(ImapMailbox(settings(dovecot.port, user)), scenario)


def test_a_wait_outlives_the_loss_of_its_connections(own_dovecot: Dovecot, user: str) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        cursor = await mailbox.cursor()
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=LONG_S))
        await listening(mailbox)
        await asyncio.to_thread(own_dovecot.stop)
        await asyncio.to_thread(own_dovecot.start)
        with OtherClient(own_dovecot.port, user) as other:
            await asyncio.to_thread(other.append, write_message(1))
            assert await waiting
        (added,) = (await mailbox.changes(cursor, limit=10)).added
        assert added["message_id"] == "<1@seed.example>"

    run(ImapMailbox(settings(own_dovecot.port, user)), scenario)


def test_without_idle_the_mailbox_is_looked_at_now_and_then(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(capability="IMAP4rev1"))
    with OtherClient(server.port, user) as other:

        async def scenario(mailbox: ImapMailbox) -> None:
            cursor = await mailbox.cursor()
            waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=LONG_S))
            await asyncio.sleep(0)
            await asyncio.to_thread(other.append, write_message(1))
            assert await waiting

        run(ImapMailbox(settings(server.port, user, poll_s=0.2)), scenario)


def test_nothing_happening_is_told_when_the_time_is_over(dovecot: Dovecot, user: str) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        assert not await mailbox.wait(await mailbox.cursor(), timeout_s=0.05)

    run(reader(dovecot.port, user), scenario)


def test_a_wrong_password_is_tried_once_and_remembered(own_dovecot: Dovecot, user: str) -> None:
    # A server of its own, because Dovecot lets everybody wait after a failed login.
    async def scenario(mailbox: ImapMailbox) -> None:
        for _ in range(3):
            with pytest.raises(NeedsAuth, match="does not accept the password") as failure:
                await mailbox.labels()
            assert "wrong" not in failure.value.message
        with pytest.raises(NeedsAuth):
            await mailbox.wait("", timeout_s=LONG_S)
        status = await mailbox.status()
        assert not status.connected and "password" in status.errors[0]
        assert proxy.accepted == 1

    with Proxy(own_dovecot.port) as proxy:
        run(ImapMailbox(settings(proxy.port, user, password="wrong")), scenario)


def test_a_server_that_is_away_is_not_asked_all_the_time(own_dovecot: Dovecot, user: str) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        await mailbox.labels()
        await asyncio.to_thread(own_dovecot.stop)
        with pytest.raises(Dropped, match=r"127\.0\.0\.1"):
            await mailbox.labels()
        began = time.monotonic()
        for _ in range(50):
            with pytest.raises(ProviderError):
                await mailbox.labels()
        assert not (await mailbox.status()).connected
        assert time.monotonic() - began < LONG_S

    run(reader(own_dovecot.port, user), scenario)


def test_a_connection_that_was_lost_is_made_again_without_a_word(own_dovecot: Dovecot, user: str) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        await mailbox.labels()
        await asyncio.to_thread(own_dovecot.restart)
        await mailbox.labels()
        await asyncio.to_thread(own_dovecot.kill_sessions)
        assert (await mailbox.changes(None, limit=10)).added == ()

    run(reader(own_dovecot.port, user), scenario)


def test_a_mailbox_is_closed_in_the_middle_of_a_wait(dovecot: Dovecot, user: str) -> None:
    async def scenario(mailbox: ImapMailbox) -> None:
        cursor = await mailbox.cursor()
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=LONG_S))
        await listening(mailbox)
        await mailbox.aclose()
        assert not await waiting

    run(reader(dovecot.port, user), scenario)
