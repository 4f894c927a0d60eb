"""Whatever happens to server and network while mail is read: nothing lost, nothing twice, the right sentence."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_imap_mcp.protocol.login import log_in
from gaia_imap_mcp.settings import LoginSecret
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import SOON_S, Follower, always, expected, opened, persistently, settings, told
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.dovecot_config import Options, token
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.scripted_imap import Script, ScriptedImap

DovecotWith = Callable[[Options], Dovecot]
ScriptedWith = Callable[[Script], ScriptedImap]

MANY = [(write_message(number, body="x" * 2000), "S") for number in range(1, 601)]


@pytest.mark.parametrize("after", [2_000, 150_000, 700_000, 1_100_000])
def test_a_connection_cut_in_the_first_listing(dovecot: Dovecot, proxy: Proxy, user: str, after: int) -> None:
    dovecot.fill(user, MANY)

    async def scenario() -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            follower = Follower()
            proxy.cut_after(after)
            await persistently(lambda: follower.follow(mailbox))
            assert set(follower.added.values()) == {1}
            assert len(follower.added) == len(MANY)

    asyncio.run(scenario())


def test_a_server_killed_in_fetch_comes_back(own_dovecot: Dovecot) -> None:
    own_dovecot.fill("ann", MANY)

    def restart() -> None:
        own_dovecot.kill()
        own_dovecot.start()

    async def scenario(port: int) -> None:
        async with opened(settings(port, "ann")) as mailbox:
            follower = Follower()
            await persistently(lambda: follower.follow(mailbox))
            assert len(follower.added) == len(MANY)
            assert set(follower.added.values()) == {1}

    with Proxy(own_dovecot.port) as proxy:
        fault = proxy.call_on_answer(rb"FETCH \(", restart)
        asyncio.run(scenario(proxy.port))
        assert fault.done.is_set()


def test_a_half_open_connection_is_given_up_and_replaced(proxy: Proxy, other: OtherClient, user: str) -> None:
    async def scenario() -> None:
        async with opened(settings(proxy.port, user), command_timeout_s=0.5) as mailbox:
            follower = Follower()
            await follower.follow(mailbox)
            other.append(write_message(1))
            proxy.silence_on_command(rb"EXAMINE|SELECT")
            await persistently(lambda: follower.follow(mailbox))
            assert follower.truth == expected(other.everything())

    asyncio.run(scenario())


def test_a_connection_that_went_dead_while_it_was_not_used_is_replaced_before_it_gets_work(
    proxy: Proxy, other: OtherClient, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.protocol.link.STALE_S", 0.0)
    monkeypatch.setattr("gaia_imap_mcp.protocol.link.PROBE_S", 0.3)

    async def scenario() -> None:
        async with opened(settings(proxy.port, user), command_timeout_s=600.0) as mailbox:
            await mailbox.labels()
            other.append(write_message(1))
            silenced = proxy.silence_on_command(rb"NOOP")
            assert len(await find(mailbox, "in:inbox")) == 1
            assert silenced.done.is_set()

    asyncio.run(asyncio.wait_for(scenario(), SOON_S))


@pytest.mark.parametrize("said", [rb"LOGIN|AUTHENTICATE", rb"CAPABILITY"])
def test_a_server_that_falls_silent_during_the_login_is_given_up_soon(
    proxy: Proxy, user: str, said: bytes
) -> None:
    async def scenario() -> None:
        async with opened(
            settings(proxy.port, user), connect_timeout_s=0.3, command_timeout_s=0.5
        ) as mailbox:
            proxy.silence_on_command(said)
            with pytest.raises(ProviderError, match="does not answer; check"):
                await mailbox.labels()
            await persistently(mailbox.labels)

    asyncio.run(asyncio.wait_for(scenario(), SOON_S))


def test_the_system_finds_out_when_the_other_side_is_gone(dovecot: Dovecot, user: str) -> None:
    connected = log_in(settings(dovecot.port, user)).socket
    try:
        assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert 0 < connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
            assert 0 < connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 60
    finally:
        connected.close()


def test_two_seconds_of_silence_are_waited_for(dovecot: Dovecot, other: OtherClient, user: str) -> None:
    other.append(write_message(1))
    truth = expected(other.everything())

    async def scenario(answer: bytes) -> None:
        with Proxy(dovecot.port) as proxy:
            async with opened(settings(proxy.port, user)) as mailbox:
                follower = Follower()
                fault = proxy.stall_on_answer(answer, 2.0)
                await follower.follow(mailbox)
                assert fault.done.is_set(), answer
                assert follower.truth == truth, answer
            assert proxy.accepted == 1, answer

    async def together() -> None:
        await asyncio.gather(*map(scenario, (rb"\* STATUS", rb"FETCH", rb"HIGHESTMODSEQ")))

    asyncio.run(together())


def test_a_server_that_says_goodbye_is_asked_again(scripted: ScriptedWith) -> None:
    server = scripted(Script())
    server.store.put(write_message(1))
    server.script.answers += [
        ("EXAMINE|SELECT", "* BYE going down for a moment"),
        ("FETCH", "* BYE and again"),
    ]

    async def scenario() -> None:
        async with opened(settings(server.port, "ann")) as mailbox:
            follower = Follower()
            await persistently(lambda: follower.follow(mailbox))
            assert follower.added == {"<1@seed.example>": 1}

    asyncio.run(scenario())
    assert server.script.answers == []


def test_a_connection_that_was_lost_is_made_again_without_a_word(own_dovecot: Dovecot) -> None:
    async def scenario() -> None:
        async with opened(settings(own_dovecot.port, "ann")) as mailbox:
            await mailbox.labels()
            own_dovecot.restart()
            await mailbox.labels()
            own_dovecot.kill_sessions()
            assert (await mailbox.changes(None, limit=10)).added == ()

    asyncio.run(scenario())


@pytest.mark.usefixtures("patient")
def test_a_server_that_cannot_be_reached_is_named_and_not_stormed(dovecot: Dovecot, user: str) -> None:
    async def scenario(proxy: Proxy) -> None:
        async with opened(settings(proxy.port, user)) as mailbox:
            for _ in range(20):
                with pytest.raises(ProviderError, match=r"127\.0\.0\.1"):
                    await find(mailbox, "")
            assert not (await mailbox.status()).connected
            assert proxy.accepted == 1

    with Proxy(dovecot.port) as proxy:
        proxy.refuse()
        asyncio.run(scenario(proxy))


def test_a_wrong_password_is_tried_once_and_said_in_a_sentence(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(failed_login_s=2))

    async def scenario(proxy: Proxy) -> None:
        wrong = replace(settings(proxy.port, user), secret=always("hunter2"))
        async with opened(wrong) as mailbox:
            for _ in range(10):
                with pytest.raises(NeedsAuth, match=f"does not accept the password of {user}") as caught:
                    await find(mailbox, "")
                assert "hunter2" not in caught.value.message
            with pytest.raises(NeedsAuth):
                await mailbox.wait("", timeout_s=SOON_S)
            status = await mailbox.status()
            assert not status.connected and "password" in status.errors[0]
        assert proxy.accepted == 1

    with Proxy(server.port) as proxy:
        asyncio.run(scenario(proxy))


def test_an_expired_token_is_renewed_once(dovecot_with: DovecotWith, user: str) -> None:
    key = b"k" * 32
    server = dovecot_with(Options(token_key=key))
    asked: list[bool] = []

    def renewable(fresh: bool) -> LoginSecret:
        asked.append(fresh)
        return LoginSecret(kind="xoauth2", value=token(key, user, lifetime_s=600 if fresh else -10))

    async def scenario() -> None:
        async with opened(replace(settings(server.port, user), secret=renewable)) as mailbox:
            assert await find(mailbox, "") == []
        assert asked == [False, True]

    asyncio.run(scenario())


def test_a_token_that_cannot_be_renewed_needs_the_person(dovecot_with: DovecotWith, user: str) -> None:
    key = b"k" * 32
    server = dovecot_with(Options(token_key=key))

    def expired(_: bool) -> LoginSecret:
        return LoginSecret(kind="oauthbearer", value=token(key, user, lifetime_s=-10))

    async def scenario() -> None:
        async with opened(replace(settings(server.port, user), secret=expired)) as mailbox:
            with pytest.raises(NeedsAuth, match="renewed"):
                await find(mailbox, "")

    asyncio.run(scenario())


@pytest.mark.parametrize("capability", [None, "IMAP4rev1"])
def test_uids_dealt_anew_while_away_change_nothing_for_who_follows(
    dovecot_with: DovecotWith, user: str, tmp_path: Path, capability: str | None
) -> None:
    server = dovecot_with(Options(capability=capability))
    with OtherClient(server.port, user) as other:
        uids = [other.append(write_message(number), "Archive") for number in range(1, 8)]
        follower = Follower()

        async def look() -> set[str]:
            async with opened(settings(server.port, user), cache=tmp_path / "index.sqlite") as mailbox:
                await follower.follow(mailbox)
                return set(await find(mailbox, "in:anywhere"))

        before = asyncio.run(look())
        other.expunge(uids[:2], "Archive")
        other.append(write_message(9), "Archive")
    server.renumber(user, "Archive")
    after = asyncio.run(look())
    with OtherClient(server.port, user) as other:
        assert follower.truth == expected(other.everything())
    assert len(before & after) == 5
    assert set(follower.added.values()) == {1} or follower.resets


def test_ten_thousand_messages_expunged_while_away(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    one = write_message(0)
    dovecot.fill(user, ((one.replace(b"<0@", b"<%d@" % number), "S") for number in range(10_000)))
    follower = Follower(limit=5000)

    async def look() -> None:
        async with opened(settings(dovecot.port, user), cache=tmp_path / "index.sqlite") as mailbox:
            await follower.follow(mailbox)
            if len(follower.state) < 100:  # asking for each of the many would take longest of all
                assert follower.truth == await told(mailbox)

    asyncio.run(look())
    assert len(follower.state) == 10_000
    for path in sorted((dovecot.folder(user) / "cur").iterdir())[5:]:
        path.unlink()
    asyncio.run(look())
    with OtherClient(dovecot.port, user) as other:
        assert follower.truth == expected(other.everything())
        assert len(follower.state) == 5


def test_a_folder_renamed_and_one_deleted_while_away(
    other: OtherClient, dovecot: Dovecot, user: str, tmp_path: Path
) -> None:
    for folder in ("Old", "Gone"):
        other.create(folder)
    other.append(write_message(1), "Old")
    other.append(write_message(2), "Gone")
    other.append(write_message(3))
    follower = Follower()

    async def look() -> None:
        async with opened(settings(dovecot.port, user), cache=tmp_path / "index.sqlite") as mailbox:
            await follower.follow(mailbox)
            assert follower.truth == await told(mailbox)

    asyncio.run(look())
    other.rename("Old", "New")
    other.delete_folder("Gone")
    asyncio.run(look())
    assert (
        follower.truth
        == expected(other.everything())
        == {
            "<1@seed.example>": frozenset({"New", "UNREAD"}),
            "<3@seed.example>": frozenset({"INBOX", "UNREAD"}),
        }
    )


def test_a_cursor_of_another_server_starts_over_and_says_why(
    dovecot: Dovecot, own_dovecot: Dovecot, user: str
) -> None:
    for server in (dovecot, own_dovecot):
        server.fill(user, [(write_message(1), "")])

    async def scenario() -> None:
        follower = Follower()
        async with opened(settings(dovecot.port, user)) as mailbox:
            await follower.follow(mailbox)
        async with opened(settings(own_dovecot.port, user)) as mailbox:
            (page,) = await follower.follow(mailbox)
            assert page.reset and page.reason
            assert len(follower.state) == 1

    asyncio.run(scenario())


def test_nothing_beyond_the_plainest_server_is_used_where_nothing_is_offered(scripted: ScriptedWith) -> None:
    server = scripted(Script())
    for number in range(1, 30):
        server.store.put(write_message(number), flags=["\\Seen"] if number % 2 else [])

    async def scenario() -> None:
        async with opened(settings(server.port, "ann")) as mailbox:
            follower = Follower()
            await follower.follow(mailbox)
            assert len(follower.state) == 29
            server.store.remove(3)
            server.store.put(write_message(40))
            server.store.boxes["INBOX"].messages[5].flags.add("\\Flagged")
            await follower.follow(mailbox)
            assert follower.truth == await told(mailbox)
            assert follower.truth["<5@seed.example>"] == {"INBOX", "STARRED"}
            assert "<3@seed.example>" not in follower.truth and "<40@seed.example>" in follower.truth

    asyncio.run(scenario())
