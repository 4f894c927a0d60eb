"""A server over pipes: whole calls, calls in pieces, broken lines, calls that are called off."""

from __future__ import annotations

import asyncio
import json

import pytest

from gaia_mail.query.grammar import Query
from gaia_mail_mcp.mailbox import IdPage
from tests.contract.memory import MemoryMailbox
from tests.surface.pipes import call, cancelled, line, made, run, talking


class Slow(MemoryMailbox):
    """A mailbox whose searches end when they are told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.stopped = False

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        raise AssertionError


def test_a_call_in_pieces_and_one_that_is_long_are_answered(mailbox: MemoryMailbox) -> None:
    async def main() -> tuple[bytes, bytes]:
        async with talking(made(mailbox)) as talk:
            await talk.greet()
            one = call(2, "search_emails", {"query": "lunch"})
            await talk.ask(line(9, "ping") + one[:20])
            split = await talk.ask(one[20:])
            long = await talk.ask(call(3, "search_emails", {"query": "lunch or " + "x" * 100_000}))
            return split, long

    split, long = run(main)
    assert b'"id":2' in split and b'"m1"' in split
    assert b'"id":3' in long and b'"isError":true' in long


@pytest.mark.parametrize("broken", [b"no\n", b"\xff\n", b"[]\n", b'"\\ud800"\n', b"[" * 5_000 + b"\n"])
def test_after_a_line_that_is_no_message_the_next_one_is_answered(
    broken: bytes, mailbox: MemoryMailbox
) -> None:
    async def main() -> list[bytes]:
        async with talking(made(mailbox)) as talk:
            await talk.greet()
            talk.send(broken + call(2, "search_emails", {"query": "lunch"}))
            heard = [await talk.hear()]
            while b'"id":2' not in heard[-1]:
                heard.append(await talk.hear())
            return heard

    assert b'"m1"' in run(main)[-1]


def test_a_cancelled_call_is_stopped() -> None:
    async def main() -> bool:
        slow = Slow()
        async with talking(made(slow)) as talk:
            await talk.greet()
            talk.send(call(7, "search_emails", {"query": "lunch"}))
            await slow.begun.wait()
            talk.send(cancelled(7) + line(8, "ping"))
            while b'"id":8' not in await talk.hear():
                pass
            await talk.leave()
            return slow.stopped

    assert run(main)


def test_what_is_under_way_when_the_client_leaves_is_stopped() -> None:
    async def main() -> bool:
        slow = Slow()
        async with talking(made(slow)) as talk:
            await talk.greet()
            talk.send(call(7, "search_emails", {"query": "lunch"}))
            await slow.begun.wait()
            for said in await talk.leave():
                assert "error" in json.loads(said)
            return slow.stopped

    assert run(main)
