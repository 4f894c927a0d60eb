"""Servers that give less of a message than they say there is: it is asked for again alone, and never stored blank."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from gaia_email_registry.contract.wire import Label
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.protocol.fetch import is_short
from gaia_imap_mcp.sync.intake import SAMPLE
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import opened, settings
from tools.mail_servers.scripted_imap import Script, ScriptedImap
from tools.mail_servers.scripted_store import fetched

Cut = Callable[[int, bytes], bytes]
"""UID and literal, and what is given instead of it."""


def several(text: str) -> bool:
    """Whether a FETCH names more than one message."""
    return re.match(r"UID FETCH \d+ ", text) is None


def giving(server: ScriptedImap, line: str, cut: Cut, tag: str) -> Iterable[bytes]:
    """The answer to a FETCH of the inbox, with each literal cut."""
    box = server.store.boxes["INBOX"]
    found = re.search(r"UID FETCH (\S+) \((.*)\)", line)
    assert found is not None
    for uid, message in box.messages.items():
        if any(
            int(low) <= uid <= int(high or low)
            for low, _, high in (part.partition(":") for part in found[1].split(","))
        ):
            answer = fetched(message, uid, found[2].split())
            start, _, literal = answer.partition(b"}\r\n")
            short = cut(uid, literal[:-1])
            yield b"* %d FETCH %b{%d}\r\n%b)\r\n" % (uid, start.rpartition(b"{")[0], len(short), short)
    yield tag.encode() + b" OK done\r\n"


class Stingy(Script):
    """Answers every FETCH of a body by `cut` where `of` says so of the command line."""

    server: ScriptedImap
    cut: Cut
    of: Callable[[str], bool]

    def assault_on(self, line: str) -> Callable[[str], Iterable[bytes]] | None:
        if "BODY.PEEK" not in line or not self.of(line):
            return super().assault_on(line)
        return partial(giving, self.server, line, self.cut)


def run(
    cut: Cut,
    of: Callable[[str], bool],
    scenario: Callable[[ImapMailbox, Stingy], Awaitable[None]],
    *,
    count: int = 5,
) -> None:
    script = Stingy()
    script.cut, script.of = cut, of

    async def begin() -> None:
        with ScriptedImap(script) as server:
            script.server = server
            for number in range(1, count + 1):
                server.store.put(write_message(number, subject=f"whole {number % 10}"))
            async with asyncio.timeout(30), opened(settings(server.port, "bob")) as mailbox:
                await scenario(mailbox, script)

    asyncio.run(begin())


def nothing(uid: int, literal: bytes) -> bytes:
    return b""


def blank(uid: int, literal: bytes) -> bytes:
    return b"\r\n"


def test_heads_that_come_empty_when_several_are_asked_for_are_asked_for_alone() -> None:
    async def scenario(mailbox: ImapMailbox, script: Stingy) -> None:
        ids = await find(mailbox, "subject:whole")
        assert len(ids) == 5
        assert len(await mailbox.read(ids, raw=True)) == 5
        assert (await mailbox.status()).errors == ()

    for cut in (nothing, blank):
        run(cut, several, scenario)


def test_a_message_whose_header_never_comes_is_told_of_and_not_stored() -> None:
    async def scenario(mailbox: ImapMailbox, script: Stingy) -> None:
        assert len(await find(mailbox, "in:anywhere")) == len(await find(mailbox, "subject:whole")) == 4
        assert "did not give 1 of its messages" in (await mailbox.status()).errors[0]
        labels: list[Label] = await mailbox.labels()
        assert labels

    run(lambda uid, literal: b"" if uid == 2 else literal, lambda line: True, scenario)


def test_a_body_that_comes_empty_is_read_alone_or_missing() -> None:
    async def scenario(mailbox: ImapMailbox, script: Stingy) -> None:
        ids = await find(mailbox, "in:anywhere")
        script.of = lambda line: several(line)
        stored = await mailbox.read(ids, raw=True)
        assert all(b"Subject: whole" in (item.raw or b"") and not item.left_out for item in stored)
        assert len(stored) == 5
        script.of = lambda line: True
        assert await mailbox.read(ids, raw=True) == []

    run(nothing, lambda line: False, scenario)


def test_a_message_that_stays_shorter_than_it_is_said_to_be_is_read_and_says_so() -> None:
    async def scenario(mailbox: ImapMailbox, script: Stingy) -> None:
        ids = await find(mailbox, "in:anywhere")
        assert len(ids) == 5
        assert "5 of its messages are shorter than the server says" in (await mailbox.status()).errors[0]
        for stored in await mailbox.read(ids, raw=True):
            assert stored.left_out == 100
            assert (stored.raw or b"").startswith(b"From: ")

    run(lambda uid, literal: literal[:-100], lambda line: True, scenario)


def test_a_server_that_estimates_sizes_is_not_asked_for_everything_twice() -> None:
    async def scenario(mailbox: ImapMailbox, script: Stingy) -> None:
        count = len(await find(mailbox, "in:anywhere"))
        assert count == 550
        assert (await mailbox.status()).errors == ()
        alone = [line for line in script.commands if "RFC822.SIZE" in line and not several(line)]
        assert len(alone) == SAMPLE

    run(lambda uid, literal: literal[:-3], lambda line: True, scenario, count=550)


def test_where_some_are_whole_when_asked_for_alone_all_are_asked_for_alone() -> None:
    async def scenario(mailbox: ImapMailbox, script: Stingy) -> None:
        assert len(await find(mailbox, "in:anywhere")) == 60
        assert (await mailbox.status()).errors == ()
        alone = [line for line in script.commands if "RFC822.SIZE" in line and not several(line)]
        assert len(alone) == 60

    run(lambda uid, literal: literal[:-100], several, scenario, count=60)


def test_what_lacks_little_is_whole() -> None:
    assert not is_short(0, 0)
    assert not is_short(3, 100)
    assert is_short(6, 100)
    assert is_short(100, 100)
