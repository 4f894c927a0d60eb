"""Absurd numbers: each costs its message or its folder, a sentence says so, and nothing goes on without end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.protocol.bounds import OPENING
from gaia_imap_mcp.protocol.connection import read_select_reply
from gaia_imap_mcp.protocol.numbers import LAST_UID
from gaia_imap_mcp.protocol.wire import CommandReply, ResponseLine
from tests.contract.suite.look import Mirror, find
from tests.contract.suite.seed import write_message
from tests.imap.truth import opened, settings
from tools.mail_servers import hostile
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.scripted_imap import Script, ScriptedImap
from tools.mail_servers.scripted_store import Store

HEAD = (
    '* {at} FETCH (UID {uid} FLAGS () INTERNALDATE "17-Jul-1996 02:44:25 -0700" RFC822.SIZE {size} BODY[]<0> {{27}}\r\n'
    "Subject: message {subject}\r\n\r\nhi\r\n)\r\n"
)


def head(uid: object, size: object = 27, subject: int = 1000) -> str:
    """A FETCH response with these numbers."""
    return HEAD.format(at=1, uid=uid, size=size, subject=subject)


def run(script: Script, scenario: Callable[[ScriptedImap, ImapMailbox], Awaitable[None]]) -> None:
    async def begin() -> None:
        with ScriptedImap(script) as server:
            for number in (1, 2, 3):
                server.store.put(write_message(number, subject=f"seen {number}"))
            async with asyncio.timeout(20), opened(settings(server.port, "bob")) as mailbox:
                await scenario(server, mailbox)

    asyncio.run(begin())


@pytest.mark.parametrize("uid", [0, 4_294_967_296, 99999999999999999999, "-7", "9" * 6000])
def test_a_uid_that_cannot_be_costs_its_message(uid: object) -> None:
    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        assert await find(mailbox, "in:anywhere") == await find(mailbox, "subject:message") != []
        assert "did not give 2 of its messages" in (await mailbox.status()).errors[0]

    assault = hostile.said(head(uid), head(2, subject=1002), "{tag} OK done\r\n")
    run(Script(assaults=[("UID FETCH .*RFC822.SIZE", assault)]), scenario)


@pytest.mark.parametrize("size", [-5, 10**12 * 9, 10**18, 10**30, "9" * 6000, "NIL"])
def test_a_size_that_cannot_be_hides_nothing(size: object) -> None:
    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        ids = await find(mailbox, "subject:message")
        assert len(ids) == 3
        assert len(await mailbox.read(ids, raw=True)) == 3
        assert (await mailbox.status()).errors == ()

    heads = "".join(head(uid, size, 1000 + uid) for uid in (1, 2, 3))
    body = "".join(f"* 1 FETCH (UID {uid} BODY[] {{6}}\r\nA: b\r\n)\r\n" for uid in (1, 2, 3))
    run(
        Script(
            assaults=[
                ("RFC822.SIZE", hostile.said(heads, "{tag} OK done\r\n")),
                ("UID BODY", hostile.said(body, "{tag} OK done\r\n")),
            ]
        ),
        scenario,
    )


@pytest.mark.parametrize("exists", [4_000_000_000, 10**15, 10**30])
def test_a_count_that_cannot_be_costs_its_folder(exists: int) -> None:
    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        server.store.create("Work")
        server.store.put(write_message(4), "Work")
        found = await find(mailbox, "in:anywhere")
        errors = (await mailbox.status()).errors
        assert len(found) == 1
        assert f"INBOX: The server says that it holds {min(exists, LAST_UID):,} messages" in errors[0]

    opening = (
        f"* {exists} EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 9] next\r\n{{tag}} OK open\r\n"
    )
    run(Script(assaults=[("EXAMINE .INBOX", hostile.said(opening))]), scenario)


def test_numbers_of_a_folder_that_cannot_be_are_as_good_as_none() -> None:
    told = [b"UIDVALIDITY 99999999999", b"UIDNEXT -1", b"HIGHESTMODSEQ " + b"9" * 6000]
    lines = [ResponseLine([b"* OK [" + code + b"] told"]) for code in told]
    selected = read_select_reply(
        "x", CommandReply(status="OK", code="", arguments=b"", text="", lines=lines), examined=True
    )
    assert (selected.uidvalidity, selected.uidnext, selected.modseq) == (0, 0, 0)


@dataclass(slots=True)
class Restless(Script):
    """Numbers the inbox anew whenever somebody asks for it."""

    store: Store = field(default_factory=Store)

    def answer_to(self, line: str) -> str | None:
        if line.startswith(("EXAMINE", 'STATUS "INBOX"')):
            self.store.boxes["INBOX"].uidvalidity += 1
        return Script.answer_to(self, line)


def test_a_folder_with_another_uidvalidity_at_every_look_is_read_and_then_left_alone() -> None:
    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        for _ in range(4):
            assert len(await find(mailbox, "in:anywhere")) == 3
        assert "renumbers its messages every time" in (await mailbox.status()).errors[0]
        assert sum("RFC822.SIZE" in line for line in server.script.commands) <= 3

    script = Restless()

    async def begin() -> None:
        with ScriptedImap(script, store=script.store) as server:
            for number in (1, 2, 3):
                server.store.put(write_message(number))
            async with asyncio.timeout(20), opened(settings(server.port, "bob")) as mailbox:
                await scenario(server, mailbox)

    asyncio.run(begin())


def test_a_status_that_never_comes_true_costs_one_look_each_time() -> None:
    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        assert len(await find(mailbox, "in:anywhere")) == 3
        before = server.script.commands.count('EXAMINE "INBOX"')
        assert len(await find(mailbox, "in:anywhere")) == 3
        assert server.script.commands.count('EXAMINE "INBOX"') == before + 1

    lie = '* STATUS "INBOX" (MESSAGES 4000000000 UIDNEXT 4 UIDVALIDITY 1001 UNSEEN 3)\r\n{tag} OK done\r\n'
    run(Script(assaults=[("STATUS .INBOX", hostile.said(lie))]), scenario)


def test_messages_that_are_listed_and_never_given_do_not_keep_anybody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.mailbox.STEP", 2)

    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        assert await find(mailbox, "in:anywhere") == []
        assert "did not give" in (await mailbox.status()).errors[0]

    lie = '* STATUS "INBOX" (MESSAGES 9 UIDNEXT 4 UIDVALIDITY 1001 UNSEEN 3)\r\n{tag} OK done\r\n'
    nothing = hostile.said("{tag} OK done\r\n")
    run(Script(assaults=[("STATUS .INBOX", hostile.said(lie)), ("RFC822.SIZE", nothing)]), scenario)


def test_one_message_that_is_larger_than_it_was_said_to_be_costs_only_itself() -> None:
    async def scenario(server: ScriptedImap, mailbox: ImapMailbox) -> None:
        ids = await find(mailbox, "in:anywhere")
        assert len(ids) == 3
        assert len(await mailbox.read(ids, raw=True)) == 2
        assert len(await mailbox.read(ids, raw=True)) == 2

    assault = hostile.literal_without_end("* 2 FETCH (UID 2 BODY[]", 50_000_000)
    run(Script(assaults=[(r"UID FETCH (1:3|2) \(UID BODY.PEEK", assault)]), scenario)


def test_more_changes_than_an_opening_may_tell_are_listed_instead(
    dovecot: Dovecot, user: str, other: OtherClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    uids = [other.append(write_message(number)) for number in range(1, 31)]

    async def scenario() -> None:
        async with opened(settings(dovecot.port, user)) as mailbox:
            mirror = Mirror()
            await mirror.follow(mailbox)
            other.flag(uids[:25], r"\Flagged")
            other.expunge(uids[28:])
            monkeypatch.setattr("gaia_imap_mcp.protocol.connection.OPENING", replace(OPENING, lines=20))
            await mirror.follow(mailbox)
            assert len(mirror.state) == 28
            assert sum("STARRED" in labels for labels, _ in mirror.state.values()) == 25
            assert (await mailbox.status()).errors == ()

    asyncio.run(scenario())
