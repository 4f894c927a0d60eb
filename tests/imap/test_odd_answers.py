"""Servers that say odd, huge, late or hostile things: every message is still told, and nothing grows with a number."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Sequence

import pytest

from gaia_imap_mcp.protocol.fetch import read_search, read_vanished_uids
from gaia_imap_mcp.protocol.numbers import read_ranges, read_uid_set
from gaia_imap_mcp.protocol.wire import ResponseLine
from gaia_imap_mcp.sync import syncer
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import opened, settings
from tools.mail_servers.scripted_imap import Script, ScriptedImap

LAST_UID = 4_294_967_295
TRIES = syncer.HESITATIONS + 2
"""How often what is refused for the first time is tried before it is told; the last time on a new connection."""


def test_sets_that_span_all_numbers_cost_nothing() -> None:
    tracemalloc.start()
    try:
        line = ResponseLine([b"* VANISHED (EARLIER) 1:3,5:%d" % LAST_UID])
        assert list(read_vanished_uids(line)) == [(1, 3), (5, LAST_UID)]
        with pytest.raises(ValueError, match="large"):
            read_uid_set(b"1:%d" % LAST_UID)
        with pytest.raises(ValueError, match="large"):
            read_search(ResponseLine([b'* ESEARCH (TAG "g1") UID ALL 1:%d' % LAST_UID]))
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", [b"*", b"x", b"1:*", b"", b"1:2:3", b"-1", b"1,,x"])
def test_sets_that_are_none_are_no_numbers(text: bytes) -> None:
    assert all(low > 0 for low, _ in read_ranges(text))
    with pytest.raises(ValueError):
        read_uid_set(text)


def scripted(*answers: tuple[str, str], extensions: Sequence[str] = ()) -> Script:
    return Script(capabilities=("IMAP4rev1", *extensions), answers=list(answers))


def test_numbers_at_the_end_of_their_range_are_numbers() -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.boxes["INBOX"].uidnext = LAST_UID - 3
            for number in range(3):
                server.store.put(write_message(number, subject=f"high {number}"))
            async with opened(settings(server.port, "bob")) as mailbox:
                assert len(await find(mailbox, "subject:high")) == 3
                ids = await find(mailbox, "in:inbox")
                assert len((await mailbox.trash(ids)).ids) == 3

    asyncio.run(run())


def test_a_search_answer_that_is_missing_removes_nothing() -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.put(write_message(1, subject="one"))
            async with opened(settings(server.port, "bob")) as mailbox:
                server.script.answers += [("UID SEARCH", "{tag} OK done")] * TRIES
                assert await find(mailbox, "in:anywhere") == []
                assert "lists none" in (await mailbox.status()).errors[0]
                server.store.put(write_message(2, subject="two"))
                assert len(await find(mailbox, "in:anywhere")) == 2
                assert (await mailbox.status()).errors == ()

    asyncio.run(run())


@pytest.mark.parametrize(
    "answer", ["{tag} NO [NOPERM] not for you", "{tag} BAD what is that", "{tag} NO [SERVERBUG] oh"]
)
def test_a_folder_that_cannot_be_opened_does_not_hide_the_others(answer: str) -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.create("Locked")
            server.store.put(write_message(3, subject="kept in"), "Locked")
            server.store.put(write_message(4, subject="seen"))
            server.store.create("Zoo")
            server.store.put(write_message(5, subject="seen"), "Zoo")
            server.script.answers += [("EXAMINE .?Locked", answer)] * TRIES
            async with opened(settings(server.port, "bob")) as mailbox:
                assert len(await find(mailbox, "in:anywhere")) == 2
                assert "Locked" in (await mailbox.status()).errors[0]
                assert len(await find(mailbox, "in:anywhere")) == 3

    asyncio.run(run())


def test_a_session_that_insists_that_a_folder_is_gone_is_replaced() -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.create("Anew")
            server.store.put(write_message(1), "Anew")
            server.script.answers += [("EXAMINE .?Anew", "{tag} NO no such folder")] * (TRIES - 1)
            async with opened(settings(server.port, "bob")) as mailbox:
                assert len(await find(mailbox, "in:anywhere")) == 1
                assert (await mailbox.status()).errors == ()
            assert server.accepted == 2

    asyncio.run(run())


def test_what_was_wrong_with_a_folder_that_is_gone_is_forgotten() -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.create("Locked")
            server.store.put(write_message(1), "Locked")
            server.script.answers += [("EXAMINE .?Locked", "{tag} NO [NOPERM] not for you")] * 99
            async with opened(settings(server.port, "bob")) as mailbox:
                await find(mailbox, "in:anywhere")
                asked = len(server.script.commands)
                assert "Locked" in (await mailbox.status()).errors[0]
                await find(mailbox, "in:anywhere")
                opened_again = [line for line in server.script.commands[asked:] if "EXAMINE" in line]
                assert len(opened_again) == 1
                del server.store.boxes["Locked"]
                await find(mailbox, "in:anywhere")
                assert (await mailbox.status()).errors == ()

    asyncio.run(run())


def test_news_and_strangers_in_the_middle_of_a_listing_are_borne() -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.put(write_message(5, subject="one"))
            server.store.put(write_message(6, subject="two"))
            strangers = (
                "* 9 EXISTS\r\n* 1 FETCH (FLAGS (\\Seen))\r\n* 7 FETCH (UID 4294967295 FLAGS (\\Seen))\r\n"
                "* 1 EXPUNGE\r\n* 2 FETCH (UID 2 ENVELOPE (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL))\r\n"
                "* FLAGS (a)\r\n* XYZ what\r\n* 5 FETCH\r\n* 6 FETCH NIL\r\n*\r\n\r\n{tag} OK done"
            )
            server.script.answers.append(("UID FETCH", strangers))
            async with opened(settings(server.port, "bob")) as mailbox:
                await find(mailbox, "in:anywhere")
                server.store.put(write_message(7, subject="three"))
                assert len(await find(mailbox, "in:anywhere")) == 3

    asyncio.run(run())


def test_a_message_the_server_does_not_give_is_told_of_and_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        with ScriptedImap() as server:
            server.store.put(write_message(1, subject="one"))
            server.store.put(write_message(2, subject="two"))
            server.script.answers.append(("UID FETCH", "{tag} OK done"))
            async with opened(settings(server.port, "bob")) as mailbox:
                assert await find(mailbox, "in:anywhere") == []
                assert "2 of its messages" in (await mailbox.status()).errors[0]
                monkeypatch.setattr(syncer, "AGAIN_S", -1.0)
                assert len(await find(mailbox, "in:anywhere")) == 2
                assert (await mailbox.status()).errors == ()

    asyncio.run(run())


RAW_NAMES = [
    b"R&D",
    b"caf\xc3\xa9",
    b"\xff\xfe",
    b"a\r\nb",
    b"&AAo-",
    b'say "x"\\y',
    b"50%",
    b"*",
    b"&2D0-",
    b"B&AOk-",
]


@pytest.mark.parametrize("extensions", [(), ("LITERAL+",)])
def test_folders_are_called_as_the_server_writes_their_names(extensions: Sequence[str]) -> None:
    script = scripted(extensions=extensions)

    async def run() -> None:
        with ScriptedImap(script) as server:
            for number, raw in enumerate(RAW_NAMES):
                server.store.create(raw.decode("latin-1"))
                server.store.put(write_message(number, subject=f"in {raw!r}"), raw.decode("latin-1"))
            async with opened(settings(server.port, "bob")) as mailbox:
                ids = await find(mailbox, "in:anywhere")
                assert len(ids) == len(RAW_NAMES)
                labels = [label["name"] for label in await mailbox.labels() if label["type"] == "user"]
                assert {"R&D", "café", "Bé", "a b"} <= {name.replace("  ", " ") for name in labels}
                server.cut_all()
                assert len(await mailbox.read(ids, raw=True)) == len(RAW_NAMES)
                assert len((await mailbox.modify(ids, add=["STARRED"], remove=[])).ids) == len(RAW_NAMES)
                assert (await mailbox.status()).errors == ()

    asyncio.run(run())
