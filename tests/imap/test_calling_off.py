"""Whoever asked gives up, or the program ends, at any moment: nothing is half done, lost or stuck."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.filing import UNFILED, Filer
from gaia_imap_mcp.imap_mailbox import AccountChangers, ImapMailbox
from gaia_imap_mcp.protocol.errors import CommandRefused, ConnectionDropped
from gaia_imap_mcp.protocol.link import HeldConnection
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.settings import LoginSecret
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from gaia_imap_mcp.sync import idle
from gaia_mail.query.grammar import parse_query
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import opened, settings
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.scripted_imap import ScriptedImap
from tools.mail_servers.smtp_sink import SmtpSink


def test_calls_cancelled_at_any_moment_leave_the_mailbox_as_good_as_new(dovecot: Dovecot, user: str) -> None:
    dovecot.fill(user, ((write_message(number, body="word " * 500), "") for number in range(300)))

    async def run() -> None:
        with Proxy(dovecot.port) as proxy:
            async with opened(settings(proxy.port, user)) as mailbox:
                for turn in range(40):
                    calls = [
                        mailbox.search(parse_query("wörd"), limit=400),
                        mailbox.changes(None, limit=50),
                        mailbox.search(parse_query("word"), limit=400),
                        mailbox.cursor(),
                    ]
                    task = asyncio.ensure_future(calls[turn % 4])
                    for call in calls[: turn % 4] + calls[turn % 4 + 1 :]:
                        call.close()
                    for _ in range(turn * 3):
                        await asyncio.sleep(0)
                    if turn > 20:
                        await asyncio.wait([task], timeout=0.002 * turn)
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
                ids = await find(mailbox, "in:inbox")
                assert len(ids) == 300
                assert len(await mailbox.read(ids[:20], raw=True)) == 20
                assert proxy.accepted == 1

    asyncio.run(run())


def test_changes_cancelled_at_any_moment_are_whole(dovecot: Dovecot, user: str) -> None:
    dovecot.fill(user, ((write_message(number), "") for number in range(30)))

    async def run() -> None:
        async with opened(settings(dovecot.port, user)) as mailbox:
            ids = await find(mailbox, "in:inbox")
            for turn in range(10):
                task = asyncio.ensure_future((mailbox.trash if turn % 2 else mailbox.untrash)(ids))
                await asyncio.wait([task], timeout=0.004 * turn)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await mailbox.trash(ids)
            assert sorted(await find(mailbox, "in:trash")) == sorted(ids)

    asyncio.run(run())
    with OtherClient(dovecot.port, user) as other:
        assert len(other.uids("Trash")) == 30
        assert len(other.uids("INBOX")) == 0


def sender_to(sink: SmtpSink, user: str) -> SmtpSender:
    endpoint = Endpoint("127.0.0.1", sink.port, "none")
    return SmtpSender(SmtpSettings(endpoint=endpoint, user=user, secret=lambda: PASSWORD))


def test_a_message_that_leaves_is_filed_though_the_caller_gives_up(dovecot: Dovecot, user: str) -> None:
    async def run() -> None:
        leaving, go_on = threading.Event(), threading.Event()

        def deliver(recipients: object, raw: bytes) -> None:
            leaving.set()
            go_on.wait(10)

        with SmtpSink(deliver=deliver) as sink:
            mailbox = ImapMailbox(settings(dovecot.port, user), sender_to(sink, user))
            task = asyncio.ensure_future(mailbox.send(write_message(1), None))
            await asyncio.to_thread(leaving.wait, 10)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            go_on.set()
            await mailbox.aclose()
            assert len(sink.received) == 1

    asyncio.run(run())
    with OtherClient(dovecot.port, user) as other:
        assert len(other.uids("Sent")) == 1


def test_a_draft_that_is_sent_twice_at_once_leaves_once(dovecot: Dovecot, user: str) -> None:
    async def run() -> None:
        leaving, go_on = threading.Event(), threading.Event()

        def deliver(recipients: object, raw: bytes) -> None:
            leaving.set()
            go_on.wait(10)

        with SmtpSink(deliver=deliver) as sink:
            mailbox = ImapMailbox(settings(dovecot.port, user), sender_to(sink, user))
            draft = await mailbox.create_draft(write_message(1), None)
            first = asyncio.ensure_future(mailbox.send_draft(draft.id))
            await asyncio.to_thread(leaving.wait, 10)
            with pytest.raises(BadArgument, match="being sent"):
                await mailbox.send_draft(draft.id)
            go_on.set()
            assert await first
            with pytest.raises(NotFound):
                await mailbox.send_draft(draft.id)
            await mailbox.aclose()
            assert len(sink.received) == 1

    asyncio.run(run())
    with OtherClient(dovecot.port, user) as other:
        assert (len(other.uids("Sent")), other.uids("Drafts")) == (1, [])


def test_a_draft_that_was_sent_and_cannot_be_filed_is_not_sent_again(
    dovecot_with: Callable[[Options], Dovecot], user: str
) -> None:
    server = dovecot_with(Options(quota_kb=30))
    raw = write_message(1, body=("x" * 70 + "\n") * 250)

    async def run() -> None:
        with SmtpSink() as sink:
            mailbox = ImapMailbox(settings(server.port, user), sender_to(sink, user))
            draft = await mailbox.create_draft(raw, None)
            with pytest.raises(ProviderError, match="was sent, but its copy is not in Sent"):
                await mailbox.send_draft(draft.id)
            with pytest.raises(BadArgument, match="was sent already"):
                await mailbox.send_draft(draft.id)
            await mailbox.aclose()
            assert len(sink.received) == 1

    asyncio.run(run())


def test_closing_does_not_wait_for_a_server_that_says_nothing() -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as deaf:
            slow = replace(
                settings(deaf.getsockname()[1], "bob"), connect_timeout_s=3600.0, command_timeout_s=3600.0
            )
            mailbox = ImapMailbox(slow)
            waiting = asyncio.ensure_future(mailbox.wait("x", timeout_s=3600.0))
            there, _ = await asyncio.to_thread(deaf.accept)
            watcher = idle.IdleWatcher(slow)
            watcher.start()
            also, _ = await asyncio.to_thread(deaf.accept)
            await asyncio.wait_for(watcher.aclose(), 30)
            await asyncio.wait_for(mailbox.aclose(), 30)
            await asyncio.gather(waiting, return_exceptions=True)
            there.close()
            also.close()

    asyncio.run(run())


def test_listening_begins_again_when_a_login_is_accepted_again() -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.script.capabilities = ("IMAP4rev1", "IDLE")
            word = ["wrong"]

            def secret(fresh: bool) -> LoginSecret:
                return LoginSecret(value=word[0])

            there = replace(settings(server.port, "bob"), secret=secret)
            watcher = idle.IdleWatcher(there)
            watcher.start()
            while not watcher.was_refused:
                await asyncio.sleep(0.001)
            word[0] = PASSWORD
            watcher.start()
            while not watcher.listening:
                await asyncio.sleep(0.001)
            await watcher.aclose()

    asyncio.run(asyncio.wait_for(run(), 20))


class Recorder:
    """In place of a socket: how much it was given at once."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def sendall(self, data: bytes) -> None:
        self.sizes.append(len(data))


def test_large_messages_are_sent_in_pieces_each_of_which_has_all_the_time() -> None:
    recorder = Recorder()
    SocketStream(recorder).send(b"x" * 1_000_000)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert sum(recorder.sizes) == 1_000_000 and max(recorder.sizes) <= 1 << 16


def test_a_sent_message_is_filed_though_the_clock_was_set_back_and_another_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ScriptedImap() as server:
        account = ImapAccount(settings(server.port, "bob"), HeldConnection(settings(server.port, "bob")))
        filer = AccountChangers(account).filer
        filer.keep(write_message(1), "")
        filer.keep(write_message(2), "")
        assert filer.file_left() == [] and len(account.index.notes(UNFILED)) == 2
        monkeypatch.setattr("gaia_imap_mcp.change.filing.time.time", lambda: 1000.0)
        append = Filer.append

        def picky(self: Filer, raw: bytes, label: str, flags: list[str]) -> str:
            if b"<1@seed.example>" in raw:
                raise CommandRefused("too large")
            return append(self, raw, label, flags)

        monkeypatch.setattr(Filer, "append", picky)
        filer.file_left()
        assert [message.raw for message in server.store.boxes["Sent"].messages.values()] == [write_message(2)]
        assert len(account.index.notes(UNFILED)) == 1
        filer.file_left()  # refused a moment ago, so not uploaded again at once
        account.close()


def test_an_ended_opening_opens_nothing() -> None:
    link = HeldConnection(settings(1, "bob"))
    link.abort()
    with pytest.raises(ConnectionDropped, match="closed"):
        link.connection()
