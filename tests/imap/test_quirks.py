"""Servers that leave things out, put them elsewhere, or refuse what they announce: the mailbox is the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest

from gaia_mail_mcp.mailbox import WriteOutcome
from tests.contract.suite.look import find
from tests.contract.suite.seed import write_message
from tests.imap.truth import opened, settings
from tools.mail_servers.scripted_imap import Script, ScriptedImap

Rewrite = Callable[[bytes], bytes]


def _is_fetch(response: bytes) -> bool:
    return b" FETCH (" in response[:24]


def _with_list_name(make: Callable[[bytes], bytes]) -> Rewrite:
    def rewrite(response: bytes) -> bytes:
        return re.sub(
            rb'^(\* (?:LIST \([^)]*\) "/"|STATUS)) "([^"]*)"',
            lambda found: found[1] + b" " + make(found[2]),
            response,
        )

    return rewrite


def _atom(name: bytes) -> bytes:
    return name


def _without_uid(response: bytes) -> bytes:
    return re.sub(rb"\(UID \d+ ", b"(", response) if _is_fetch(response) else response


def _uid_last(response: bytes) -> bytes:
    found = re.match(rb"(?s)^(\* \d+ FETCH \()UID (\d+) (.*)\)\r\n$", response)
    return found[1] + found[3] + b" UID " + found[2] + b")\r\n" if found else response


def _split(response: bytes, *, between: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Number and UID, the message, and the other items of an answer that has all three."""
    found = re.match(rb"(?s)\* (\d+) FETCH \((.*?)(BODY\[\](?:<\d+>)?) \{(\d+)\}\r\n(.*)$", response)
    if found is None:
        return None
    size = int(found[4])
    others = found[2] + b" " + found[5][size:]
    uid = re.search(rb"UID \d+", others)
    assert uid is not None
    kept = re.findall(rb'FLAGS \([^)]*\)|RFC822\.SIZE \d+|INTERNALDATE "[^"]*"', others)
    start = b"* %s FETCH (" % found[1]
    return start, uid[0] + b" " + found[3] + b" {%d}\r\n" % size + found[5][:size], b" ".join(kept) + between


def _items_on_the_next_line(response: bytes) -> bytes:
    parts = _split(response, between=b")\r\n")
    return parts[0] + parts[1] + b")\r\n " + parts[2] if parts else response


def _items_behind_the_parenthesis(response: bytes) -> bytes:
    parts = _split(response, between=b")\r\n")
    return parts[0] + parts[1] + b") " + parts[2] if parts else response


def _uid_and_items_on_the_next_line(response: bytes) -> bytes:
    parts = _split(response, between=b")\r\n")
    if parts is None:
        return response
    uid, body = parts[1].split(b" BODY", 1)
    return parts[0] + b"BODY" + body + b")\r\n " + uid + b" " + parts[2]


def _with_news(response: bytes) -> bytes:
    """Flags of a message that was not asked for, without its UID, before every answer."""
    return b"* 2 FETCH (FLAGS ())\r\n" + response if _is_fetch(response) else response


def _lower_case(response: bytes) -> bytes:
    return re.sub(rb"^\* (LIST|STATUS) ", lambda found: b"* " + found[1].lower() + b" ", response)


QUIRKS: dict[str, Rewrite] = {
    "none": bytes,
    "names as atoms": _with_list_name(_atom),
    "names as literals": _with_list_name(lambda name: b"{%d}\r\n%s" % (len(name), name)),
    "lower case": _lower_case,
    "no UID": _without_uid,
    "UID last": _uid_last,
    "items on the next line": _items_on_the_next_line,
    "items behind the parenthesis": _items_behind_the_parenthesis,
    "UID on the next line": _uid_and_items_on_the_next_line,
    "news in between": _with_news,
    "news and no UID": lambda response: _without_uid(_with_news(response)),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_mailbox_is_the_same_with_any_quirk(quirk: str) -> None:
    async def main() -> None:
        script = Script(capabilities=("IMAP4rev1", "UIDPLUS"), rewrite=QUIRKS[quirk])
        with ScriptedImap(script) as server:
            for number in (1, 2):
                server.store.put(write_message(number, subject=f"alpha {number}"))
            for number, name in enumerate(("NIL", "nil", "Work", "Sent Items 2", "123"), 3):
                server.store.create(name)
                server.store.put(write_message(number, subject=f"alpha {number}"), name)
            async with opened(settings(server.port, "bob")) as mailbox:
                ids = await find(mailbox, "subject:alpha")
                assert len(ids) == 7
                read = await mailbox.read(ids, raw=True)
                assert sorted(
                    (one.summary["subject"], one.raw is not None and b"alpha" in one.raw) for one in read
                ) == [(f"alpha {number}", True) for number in range(1, 8)]
                first = await find(mailbox, "subject:1")
                assert (await mailbox.modify(first, add=["STARRED"], remove=["UNREAD"])).ids == tuple(first)
                assert await find(mailbox, "is:starred") == first
                assert (await mailbox.trash(first)).ids == tuple(first)
                assert len(await find(mailbox, "in:trash")) == 1 and len(await find(mailbox, "in:inbox")) == 1
                assert (await mailbox.status()).errors == ()
        subjects = [b"alpha 1" in one.raw for one in server.store.boxes["Trash"].messages.values()]
        assert subjects == [True], "the right one"

    asyncio.run(main())


def test_a_message_that_goes_while_uids_are_counted_shifts_none_of_the_others() -> None:
    """A server that names no UID says between two answers that the first message is gone."""
    gone = [False]

    def rewrite(response: bytes) -> bytes:
        response = _without_uid(response)
        if not _is_fetch(response) or not gone[0]:
            return response
        number = int(response.split()[1])
        return b"" if number == 1 else re.sub(rb"^\* \d+", b"* %d" % (number - 1), response)

    async def main() -> None:
        script = Script(rewrite=rewrite)
        with ScriptedImap(script) as server:
            for number in (1, 2, 3):
                server.store.put(write_message(number, subject=f"alpha {number}"))
            async with opened(settings(server.port, "bob")) as mailbox:
                ids = await find(mailbox, "subject:alpha")
                gone[0] = True
                first = rewrite

                def with_expunge(response: bytes) -> bytes:
                    if response.startswith(b"* 1 FETCH ("):
                        return b"* 1 EXPUNGE\r\n"
                    return first(response)

                script.rewrite = with_expunge
                read = await mailbox.read(ids, raw=True)
                assert all(one.raw is None or one.summary["subject"].encode() in one.raw for one in read), (
                    "no text of another message"
                )

    asyncio.run(main())


REFUSED = "{tag} NO not possible here"


def _moved(*refused: str, extensions: tuple[str, ...]) -> tuple[WriteOutcome, dict[str, int]]:
    async def main() -> tuple[WriteOutcome, dict[str, int]]:
        script = Script(capabilities=("IMAP4rev1", *extensions))
        with ScriptedImap(script) as server:
            server.store.put(write_message(1))
            server.store.put(write_message(2))
            async with opened(settings(server.port, "bob")) as mailbox:
                ids = await find(mailbox, "in:inbox")
                script.answers += [(pattern, REFUSED) for pattern in refused for _ in range(9)]
                outcome = await mailbox.trash(ids[:1])
                shown = {place: len(await find(mailbox, f"in:{place}")) for place in ("inbox", "trash")}
                assert (await mailbox.status()).errors == ()
                return outcome, shown

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("refused", "extensions"),
    [
        (["UID EXPUNGE"], ("UIDPLUS",)),
        (["UID EXPUNGE", "^EXPUNGE"], ("UIDPLUS",)),
        (["^EXPUNGE"], ()),
        (["UID MOVE"], ("MOVE", "UIDPLUS")),
        (["UID MOVE", "UID EXPUNGE"], ("MOVE", "UIDPLUS")),
        (["UID MOVE", "UID EXPUNGE", "^EXPUNGE"], ("MOVE", "UIDPLUS")),
        (["UID MOVE", "^EXPUNGE"], ("MOVE",)),
    ],
)
def test_a_message_that_is_in_trash_is_told_as_done_whatever_was_refused_on_the_way(
    refused: list[str], extensions: tuple[str, ...]
) -> None:
    outcome, shown = _moved(*refused, extensions=extensions)
    assert len(outcome.ids) == 1 and not outcome.failed
    assert shown == {"inbox": 1, "trash": 1}


@pytest.mark.parametrize("refused", ["UID COPY", "UID STORE"])
def test_a_message_that_is_still_in_the_inbox_is_told_as_failed(refused: str) -> None:
    outcome, shown = _moved(refused, extensions=("UIDPLUS",))
    assert not outcome.ids and "not possible here" in outcome.failed[0]["error"]
    assert shown == ({"inbox": 2, "trash": 0} if refused == "UID COPY" else {"inbox": 1, "trash": 1})


def test_a_message_that_is_only_marked_is_not_told_as_deleted_for_good() -> None:
    async def main() -> None:
        script = Script(capabilities=("IMAP4rev1", "UIDPLUS"))
        with ScriptedImap(script) as server:
            server.store.put(write_message(1))
            async with opened(settings(server.port, "bob")) as mailbox:
                ids = await find(mailbox, "in:inbox")
                script.answers += [
                    (pattern, REFUSED) for pattern in ("UID EXPUNGE", "^EXPUNGE") for _ in range(9)
                ]
                outcome = await mailbox.delete(ids)
                assert not outcome.ids and "marked as deleted" in outcome.failed[0]["error"]
                assert await find(mailbox, "in:inbox") == []

    asyncio.run(main())
