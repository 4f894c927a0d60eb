"""The first listing of a mailbox, which is done in steps: nothing is missed between them, nothing is asked twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from gaia_imap_mcp.protocol.arguments import CommandArgument
from gaia_imap_mcp.protocol.bounds import ResponseBounds
from gaia_imap_mcp.protocol.connection import CommandParts, Connection
from gaia_imap_mcp.protocol.fetch import fetch_heads
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.protocol.wire import ResponseLine, Wire
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.progress import telling
from tests.contract.suite import look, write_message
from tests.imap.truth import Follower, expected, opened, settings, told
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

STEP, MESSAGES = 10, 35


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_imap_mcp.index.changes.STEP", STEP)


@pytest.fixture
def filled(dovecot: Dovecot, user: str) -> Dovecot:
    dovecot.fill(user, ((write_message(number), "S") for number in range(MESSAGES)))
    return dovecot


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The commands that were sent, with their first argument."""
    found: list[bytes] = []
    send = Wire.send

    def noting(wire: Wire, parts: Sequence[CommandArgument]) -> bytes:
        found.append(b" ".join(parts[:2]))
        return send(wire, parts)

    monkeypatch.setattr(Wire, "send", noting)
    return found


def test_a_folder_is_opened_and_searched_once_for_all_steps(
    filled: Dovecot, user: str, sent: list[bytes]
) -> None:
    async def main() -> None:
        async with opened(settings(filled.port, user)) as mailbox:
            follower = Follower(limit=STEP)
            await follower.follow(mailbox)
            assert len(follower.truth) == MESSAGES

    asyncio.run(main())
    assert sent.count(b'EXAMINE "INBOX"') == 1
    assert [line.startswith(b"UID SEARCH") for line in sent].count(True) == 1
    assert [line.startswith(b"UID FETCH") for line in sent].count(True) == -(-MESSAGES // STEP)


def test_what_others_do_between_two_steps_is_told_in_the_end(filled: Dovecot, user: str) -> None:
    async def main() -> None:
        with OtherClient(filled.port, user) as other:
            async with opened(settings(filled.port, user)) as mailbox:
                follower = Follower(limit=STEP)
                page = await mailbox.changes(None, limit=STEP)
                follower.apply(page)
                uids = other.uids()
                other.append(write_message(100))
                other.expunge([uids[0], uids[-1]])
                other.flag([uids[1], uids[-2]], "\\Flagged")
                while page.more:
                    page = await mailbox.changes(page.cursor, limit=STEP)
                    follower.apply(page)
                truth = expected(other.everything())
                assert follower.truth == truth == await told(mailbox)
                assert (await mailbox.status()).errors == ()

    asyncio.run(main())


@pytest.mark.parametrize("patience", [0.0, 10.0])
def test_other_work_between_two_steps_does_no_harm(
    filled: Dovecot, user: str, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.sync.syncer.GO_ON_S", patience)

    async def main() -> None:
        async with opened(settings(filled.port, user)) as mailbox:
            follower = Follower(limit=STEP)
            page = await mailbox.changes(None, limit=STEP)
            while page.more:
                follower.apply(page)
                await mailbox.read([summary["id"] for summary in page.added[:1]], raw=True)
                page = await mailbox.changes(page.cursor, limit=STEP)
            follower.apply(page)
            assert follower.state == await look(mailbox) and len(follower.truth) == MESSAGES
            assert set(follower.added.values()) == {1}

    asyncio.run(main())


class Canned(Connection):
    """A connection that answers with the same lines to whatever it is asked."""

    def __init__(self, lines: list[ResponseLine]) -> None:
        class Nothing(SocketStream):
            def __init__(self) -> None:
                pass

        super().__init__(Nothing(), settings(143, "me"))
        self._lines = lines

    def stream(self, commands: Sequence[CommandParts], bounds: ResponseBounds) -> Iterator[ResponseLine]:
        return iter(self._lines)


def test_a_head_is_read_the_same_in_whatever_order_its_items_come() -> None:
    raw = write_message(1).replace(b"\n", b"\r\n")
    date = b'INTERNALDATE "17-Jul-1996 02:44:25 -0700"'
    usual = b"* 7 FETCH (UID 9 FLAGS (\\Seen $Junk) " + date + b" RFC822.SIZE 812 BODY[]<0> "
    others = [
        [usual.replace(b"<0>", b""), raw, b")"],
        [b"* 7 FETCH (BODY[]<0> ", raw, b' RFC822.SIZE 812 FLAGS ($Junk \\Seen) UID 9 INTERNALDATE "")'],
        [b"* 7 Fetch (Flags (\\Seen $Junk \\Recent) uid 9 rfc822.size 812 body[]<0> ", raw, b")"],
        [usual.replace(b"FLAGS (", b"MODSEQ (77) FLAGS ("), raw, b")"],
    ]
    (first,) = fetch_heads(Canned([ResponseLine([usual, raw, b")"])]), [9])
    assert first.uid == 9 and first.marks and first.head.size == 812
    for parts in others:
        assert list(fetch_heads(Canned([ResponseLine(parts)]), [9])) == [first]


@pytest.mark.parametrize(
    "line",
    [
        [b"* 7 FETCH (FLAGS (\\Seen))"],
        [b"* 7 FETCH (UID 0 FLAGS () RFC822.SIZE 5 BODY[]<0> ", b"hello", b")"],
        [b"* 7 FETCH (UID 9 FLAGS () BODY[]<0> ", b"hello", b")"],
        [b"* 8 EXISTS"],
        [b"* VANISHED 4:7"],
    ],
)
def test_what_is_no_head_is_passed_over(line: list[bytes]) -> None:
    assert list(fetch_heads(Canned([ResponseLine(line)]), [9])) == []


@pytest.mark.parametrize("ask", ["search", "changes"])
def test_how_far_it_is_is_told_after_each_step_of_the_first_listing_alone(
    filled: Dovecot, user: str, ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.mailbox.STEP", STEP)
    told: list[tuple[float, float | None]] = []

    async def listen(done: float, total: float | None) -> None:
        told.append((done, total))

    async def main() -> None:
        async with opened(settings(filled.port, user)) as mailbox:
            for _ in range(2):
                if ask == "search":
                    async with telling(listen):
                        await mailbox.search(parse_query(""), limit=5)
                    continue
                cursor, more = None, True
                while more:
                    async with telling(listen):
                        page = await mailbox.changes(cursor, limit=STEP)
                    cursor, more = page.cursor, page.more

    asyncio.run(main())
    assert told == [(10, MESSAGES), (20, MESSAGES), (30, MESSAGES)]
