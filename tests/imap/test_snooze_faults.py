"""Snoozing and waking while connections break, programs die and others do the same: once, and lost by nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from gaia_email_registry.errors import MailError
from gaia_imap_mcp.change.snoozer import AGAIN_S
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings
from tests.contract.suite import write_message
from tests.contract.suite.look import find, only
from tests.imap.sleeping import MARK, START, UNTIL, Clock, Lying, lying
from tests.imap.truth import persistently, settings
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Fault, Proxy

LATE = START + 7200.0
ASLEEP: Lying = {("Snoozed", frozenset({MARK}))}
BACK: Lying = {("INBOX", frozenset())}

STEPS = [
    pytest.param(None, "command", rb"UID STORE", id="before the mark"),
    pytest.param(None, "answer", rb"Store completed", id="marked, answer lost"),
    pytest.param(None, "command", rb"UID MOVE", id="before MOVE"),
    pytest.param(None, "answer", rb"COPYUID", id="MOVE done, answer lost"),
    pytest.param("IMAP4rev1", "command", rb"UID COPY", id="before COPY"),
    pytest.param("IMAP4rev1", "answer", rb"Copy completed", id="COPY done, answer lost"),
    pytest.param(
        "IMAP4rev1", "command", rb"UID STORE \S+ \+FLAGS.SILENT \(.Deleted", id="between COPY and removal"
    ),
    pytest.param("IMAP4rev1", "command", rb"EXPUNGE", id="before EXPUNGE"),
]
steps = pytest.mark.parametrize(("capability", "side", "pattern"), STEPS)


@pytest.fixture
def server(capability: str | None, dovecot_with: Callable[[Options], Dovecot]) -> Dovecot:
    return dovecot_with(Options(capability=capability))


def cut(proxy: Proxy, side: str, pattern: bytes) -> Fault:
    return proxy.cut_on_command(pattern) if side == "command" else proxy.cut_on_answer(pattern)


async def late(of: ImapSettings) -> None:
    """A program that starts when it is late, and looks."""
    mailbox = ImapMailbox(of, clock=Clock(LATE))
    try:
        await mailbox.labels()
    finally:
        await mailbox.aclose()


async def asleep(of: ImapSettings) -> None:
    """A program that snoozes the one message there is."""
    mailbox = ImapMailbox(of, clock=Clock())
    try:
        id_ = await only(mailbox)
        applied = await persistently(lambda: mailbox.snooze([id_], UNTIL))
        assert applied.ids == (id_,)
    finally:
        await mailbox.aclose()


@steps
def test_a_snooze_that_is_cut_off_is_gone_on_with_and_leaves_one_message(
    server: Dovecot, user: str, side: str, pattern: bytes
) -> None:
    with Proxy(server.port) as proxy, OtherClient(server.port, user) as other:
        other.append(write_message(1))
        fault = cut(proxy, side, pattern)
        asyncio.run(asleep(settings(proxy.port, user)))
        assert fault.done.is_set()
        assert lying(other) == ASLEEP


@steps
def test_a_waking_that_is_cut_off_is_gone_on_with_and_leaves_one_message(
    server: Dovecot, user: str, side: str, pattern: bytes
) -> None:
    async def scenario(proxy: Proxy) -> None:
        clock = Clock(LATE)
        mailbox = ImapMailbox(settings(proxy.port, user), clock=clock)
        fault = cut(proxy, side, pattern)
        try:
            await persistently(mailbox.labels)
            clock.now += AGAIN_S
            await persistently(mailbox.labels)
            assert fault.done.is_set()
            assert len(await find(mailbox, "in:inbox is:unread")) == 1
        finally:
            await mailbox.aclose()

    with Proxy(server.port) as proxy, OtherClient(server.port, user) as other:
        other.append(write_message(1), flags=["\\Seen"])
        asyncio.run(asleep(settings(server.port, user)))
        asyncio.run(scenario(proxy))
        assert lying(other) == BACK


def dies(of: ImapSettings, proxy: Proxy, side: str, pattern: bytes, *, waking: bool) -> None:
    """A program that wakes what is due, or snoozes what is there, and is cut off from its server at that step."""

    async def scenario() -> None:
        clock = Clock()
        mailbox = ImapMailbox(of, clock=clock)
        try:
            id_ = await only(mailbox)
            proxy.refuse()
            fault = cut(proxy, side, pattern)
            clock.now = LATE if waking else START
            with suppress(MailError):
                await (mailbox.labels() if waking else mailbox.snooze([id_], UNTIL))
            assert fault.done.is_set()
        finally:
            await mailbox.aclose()
            proxy.refuse(False)

    asyncio.run(scenario())


@steps
def test_a_program_that_dies_while_it_wakes_is_finished_by_the_next_one(
    server: Dovecot, user: str, side: str, pattern: bytes, tmp_path: Path
) -> None:
    with Proxy(server.port) as proxy, OtherClient(server.port, user) as other:
        of = replace(settings(proxy.port, user), cache=tmp_path / "index.sqlite")
        other.append(write_message(1), flags=["\\Seen"])
        asyncio.run(asleep(of))
        dies(of, proxy, side, pattern, waking=True)
        asyncio.run(late(of))
        assert lying(other) == BACK


@steps
def test_a_program_that_dies_while_it_snoozes_leaves_a_message_that_can_be_snoozed_or_comes_back(
    server: Dovecot, user: str, side: str, pattern: bytes, tmp_path: Path
) -> None:
    with Proxy(server.port) as proxy, OtherClient(server.port, user) as other:
        of = replace(settings(proxy.port, user), cache=tmp_path / "index.sqlite")
        other.append(write_message(1))
        dies(of, proxy, side, pattern, waking=False)
        assert lying(other)
        asyncio.run(asleep(of))
        assert lying(other) == ASLEEP
        asyncio.run(late(of))
        assert lying(other) == BACK


def test_a_message_that_a_broken_snooze_left_in_two_folders_is_one_in_the_inbox_when_it_is_due(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1), flags=[MARK])
    other.create("Snoozed")
    other.copy(other.uids(), "Snoozed")
    asyncio.run(late(settings(dovecot.port, user)))
    assert lying(other) == BACK


def test_of_several_programs_that_wake_it_at_once_one_does(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    of = settings(dovecot.port, user)
    asyncio.run(asleep(of))

    async def scenario() -> None:
        await asyncio.gather(*(late(of) for _ in range(6)))

    asyncio.run(scenario())
    assert lying(other) == BACK


def test_without_move_several_programs_of_one_machine_bring_back_one_copy(
    dovecot_with: Callable[[Options], Dovecot], user: str, tmp_path: Path
) -> None:
    server = dovecot_with(Options(capability="IMAP4rev1"))
    of = replace(settings(server.port, user), cache=tmp_path / "index.sqlite")
    with OtherClient(server.port, user) as other:
        other.append(write_message(1))
        asyncio.run(asleep(of))

        async def scenario() -> None:
            await asyncio.gather(*(late(of) for _ in range(6)))

        asyncio.run(scenario())
        assert lying(other) == BACK
