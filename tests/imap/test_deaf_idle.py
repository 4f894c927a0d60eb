"""An IDLE that keeps mail to itself once is not relied on any more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.protocol.wire import ResponseLine
from gaia_imap_mcp.sync import idle
from gaia_imap_mcp.sync.idle import DEAF_S, POLL_WITHOUT_IDLE_S, IdleWatcher
from tests.contract.suite.seed import write_message
from tests.imap.truth import SOON_S, opened, settings
from tools.mail_servers.scripted_imap import Script, ScriptedImap


class IdleSetup:
    """A watcher whose server listens, and whose clock is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.watcher = IdleWatcher(settings(143, "bob"), clock=lambda: self.now)
        self.watcher.begin_to_listen()

    def look(self, inbox: int, *, after: float) -> bool:
        """Look after some seconds; whether IDLE is taken for deaf then."""
        self.now += after
        self.watcher.note_check(inbox)
        return self.watcher.is_deaf

    def hear(self) -> None:
        """The server tells of a message."""
        self.watcher.hear(ResponseLine([b"* 3 EXISTS"]))

    @property
    def pause_s(self) -> float:
        """How long who waits would wait."""
        return self.watcher.pause_s


@pytest.fixture
def setup() -> Iterator[IdleSetup]:
    """One that has looked once."""
    found = IdleSetup()
    assert not found.look(5, after=1.0)
    yield found
    asyncio.run(found.watcher.aclose())


def test_silence_over_mail_that_came_makes_it_deaf_for_good(setup: IdleSetup) -> None:
    usual = setup.pause_s
    assert usual == settings(143, "bob").poll_s
    assert not setup.look(6, after=DEAF_S)
    assert setup.pause_s == min(POLL_WITHOUT_IDLE_S, usual)
    assert setup.look(6, after=POLL_WITHOUT_IDLE_S)
    setup.hear()
    assert setup.look(7, after=DEAF_S)
    setup.watcher.begin_to_listen()
    assert setup.look(7, after=1.0)


def test_mail_that_is_told_late_leaves_it_trusted(setup: IdleSetup) -> None:
    assert not setup.look(6, after=DEAF_S)
    setup.now += 1.0
    setup.hear()
    assert not setup.look(6, after=POLL_WITHOUT_IDLE_S)
    assert not setup.look(6, after=DEAF_S)


def test_silence_is_no_fault_while_nothing_comes(setup: IdleSetup) -> None:
    for _ in range(9):
        assert not setup.look(5, after=DEAF_S)


def test_mail_that_was_announced_is_no_fault(setup: IdleSetup) -> None:
    for inbox in range(6, 15):
        setup.now += DEAF_S
        setup.hear()
        assert not setup.look(inbox, after=1.0)


def test_mail_from_before_it_listened_is_no_fault(setup: IdleSetup) -> None:
    setup.watcher.listening = False
    assert not setup.look(9, after=DEAF_S)
    setup.watcher.begin_to_listen()
    assert not setup.look(9, after=DEAF_S)


def test_an_account_whose_idle_is_deaf_is_looked_at_soon_from_then_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(idle, "DEAF_S", 0.0)
    monkeypatch.setattr(idle, "POLL_WITHOUT_IDLE_S", 0.02)

    made: list[IdleWatcher] = []

    class Noted(IdleWatcher):
        def start(self) -> None:
            if self not in made:
                made.append(self)
            super().start()

    monkeypatch.setattr("gaia_imap_mcp.mailbox.IdleWatcher", Noted)

    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        cursor = await mailbox.cursor()
        while not (made and made[0].is_deaf):
            server.store.put(write_message(len(server.store.boxes["INBOX"].messages) + 1))
            assert await mailbox.wait(cursor, timeout_s=SOON_S)
            cursor = await mailbox.cursor()
        assert made[0].pause_s == idle.POLL_WITHOUT_IDLE_S < mailbox.settings.poll_s

    async def begin() -> None:
        script = Script(capabilities=("IMAP4rev1", "IDLE"), deaf_idle=True)
        with ScriptedImap(script) as server:
            async with asyncio.timeout(SOON_S), opened(settings(server.port, "bob"), poll_s=0.1) as mailbox:
                await scenario(server, mailbox)

    asyncio.run(begin())
