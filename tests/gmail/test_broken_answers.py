"""Answers that break, lie or never end: nothing is done twice, nothing waits for ever, nothing fills the memory."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import subprocess
import sys
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError, RateLimited
from gaia_gmail_mcp.failures import GmailRefusal
from gaia_mail_mcp.pacing import SharedBalance, TokenBucket
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.tokens import AccessTokens
from tests.contract.suite import find, many, write_message
from tests.gmail.emulator import failures
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.emulator.http import HttpServer, Request, Response
from tests.gmail.support import EmulatedMailbox, Waits, open_emulated

Scenario = Callable[[EmulatedMailbox, Waits], Awaitable[None]]
Play = Callable[..., None]
MAIL = write_message(7, to="ann@example.com")


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Play:
    def play(scenario: Scenario, count: int = 3) -> None:
        async def main() -> None:
            waits = Waits()
            mailbox = await open_emulated(Emulator(), tmp_path, many(count), waits)
            mailbox.emulator.forget_requests()
            try:
                async with asyncio.timeout(20):
                    await scenario(mailbox, waits)
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


UNREAD = {
    "cut after the head": Response(body=b'{"id": "18f0000000000009"}', cut=True),
    "no answer at all": Response(hang_up=True),
    "no JSON": Response(body=b"<html>OK"),
    "nothing": Response(body=b""),
    "no id": Response(body=b"{}"),
    "a list": Response(body=b'["id"]'),
    "nested too deep": Response(body=b"[" * 100_000),
    "a redirect": Response(status=302, headers={"Location": "https://elsewhere.example/"}),
}


@pytest.mark.parametrize("broken", UNREAD.values(), ids=UNREAD)
@pytest.mark.parametrize("what", ["messages.send", "drafts.create", "drafts.send"])
def test_what_was_done_is_not_done_again_whatever_is_answered(
    play: Play, broken: Response, what: str
) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        draft = await mailbox.create_draft(MAIL, None)
        mailbox.emulator.fail(Fault(method=what, answer=broken))
        calls = {
            "messages.send": lambda: mailbox.send(MAIL, None),
            "drafts.create": lambda: mailbox.create_draft(MAIL, None),
            "drafts.send": lambda: mailbox.send_draft(draft.id),
        }
        before = mailbox.emulator.calls[what]
        with pytest.raises(ProviderError) as caught:
            await calls[what]()
        assert mailbox.emulator.calls[what] == before + 1
        if broken.status == 200:
            assert "nobody knows whether it was done; look before repeating it" in caught.value.message
        assert (await mailbox.status()).errors or "cannot be read" in caught.value.message

    play(scenario)


@pytest.mark.parametrize("broken", list(UNREAD.values())[:2], ids=list(UNREAD)[:2])
def test_reading_is_tried_again_over_a_new_connection(play: Play, broken: Response) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", times=2, answer=broken))
        assert await mailbox.labels()
        assert mailbox.emulator.calls["labels.list"] == 3 and waits.slept == [1.0, 2.0]
        mailbox.emulator.fail(Fault(method="labels.list", times=99, answer=broken))
        with pytest.raises(ProviderError, match="check the network"):
            await mailbox.labels()
        assert mailbox.emulator.calls["labels.list"] == 3 + 6

    play(scenario)


def test_a_login_is_not_carried_to_where_a_redirect_leads(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        seen: list[Request] = []

        async def note(request: Request) -> Response:
            seen.append(request)
            return Response(body=b'{"access_token": "stolen"}')

        elsewhere = HttpServer(note)
        root = await elsewhere.start()
        redirect = Response(status=307, headers={"Location": f"{root}/gmail/v1/users/me/labels"})
        try:
            mailbox.emulator.fail(Fault(method="labels.list", answer=redirect))
            with pytest.raises(ProviderError):
                await mailbox.labels()
            mailbox.emulator.oauth.expire()
            mailbox.emulator.fail(Fault(method="token", answer=redirect))
            with pytest.raises(ProviderError):
                await mailbox.labels()
        finally:
            await elsewhere.aclose()
        assert seen == []

    play(scenario)


def test_a_login_service_that_breaks_off_is_asked_again_before_anything_is_sent(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.oauth.expire()
        mailbox.emulator.fail(Fault(method="token", times=2, answer=Response(hang_up=True)))
        await mailbox.send(MAIL, None)
        assert len(mailbox.emulator.account.sent) == 1
        mailbox.emulator.oauth.expire()
        mailbox.emulator.fail(Fault(method="token", times=99, answer=Response(hang_up=True)))
        with pytest.raises(ProviderError, match="check the network") as caught:
            await mailbox.send(MAIL, None)
        assert "nobody knows" not in caught.value.message and len(mailbox.emulator.account.sent) == 1

    play(scenario)


def test_a_token_that_expires_while_throttled_is_renewed(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        wrong = [failures.rate_limited(), ApiError(503, "busy"), failures.rate_limited()]
        for error in [*wrong, failures.unauthenticated()]:
            mailbox.emulator.fail(Fault(method="labels.list", error=error))
        assert await mailbox.labels()
        assert mailbox.emulator.oauth.refreshes == 1 and waits.slept == [1.0, 2.0, 4.0, 0.0]

    play(scenario)


def test_each_part_of_a_batch_has_its_own_number_of_tries(play: Play) -> None:
    """A batch that was throttled goes on in small ones; none of them is given up for the others' failures."""

    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "", page=100)
        mailbox.emulator.forget_requests()
        mailbox.emulator.fail(Fault(method="messages.get", times=175, error=failures.rate_limited()))
        mailbox.emulator.fail(Fault(method="messages.get", skip=95, times=2, error=failures.rate_limited()))
        assert len(await mailbox.read(ids, raw=False)) == 100
        sizes = [len(seen.calls) for seen in mailbox.emulator.requests]
        assert sizes[:4] == [100, 50, 25, 12] and len(sizes) > 10

    play(scenario, 100)


@pytest.mark.parametrize("retry_after", ["", "20"])
def test_nobody_waits_much_longer_than_a_minute_however_much_is_throttled(
    play: Play, retry_after: str
) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "", page=500)
        for method in ("messages.get", "labels.list"):
            mailbox.emulator.fail(Fault(method=method, times=9999, error=failures.rate_limited(retry_after)))
        for call in (mailbox.read(ids, raw=False), mailbox.labels()):
            waits.slept.clear()
            with pytest.raises(RateLimited) as caught:
                await call
            assert sum(waits.slept) <= 64 and max(waits.slept) <= 32
            assert caught.value.retry_after_s == float(retry_after or 60)

    play(scenario, 150)


def test_a_batch_answer_that_is_none_is_asked_for_again_and_then_given_up(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "")
        garbled = Response(headers={"Content-Type": "multipart/mixed; boundary=x"}, body=b"--x\r\n\r\nHTTP")
        mailbox.emulator.fail(Fault(method="batch", times=2, answer=garbled))
        assert len(await mailbox.read(ids, raw=False)) == 3
        mailbox.gmail.shared.known.clear("1")
        mailbox.emulator.fail(Fault(method="batch", times=99, answer=Response(body=b"{}")))
        with pytest.raises(ProviderError):
            await mailbox.read(ids, raw=False)

    play(scenario)


BOMB = gzip.compress(bytes(30_000_000), 1)
PACKED = {
    "cut": Response(headers={"Content-Encoding": "gzip"}, body=BOMB[:-20]),
    "not packed": Response(headers={"Content-Encoding": "gzip"}, body=b"{}"),
    "packed twice": Response(headers={"Content-Encoding": "gzip, gzip"}, body=gzip.compress(BOMB)),
    "packed as nobody asked for": Response(headers={"Content-Encoding": "br"}, body=b"{}"),
}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED)
def test_what_cannot_be_unpacked_is_a_broken_connection(play: Play, packed: Response) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", answer=packed))
        assert await mailbox.labels()
        assert waits.slept == [1.0]

    play(scenario)


def test_a_bomb_is_refused_and_the_next_answer_is_read(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        await mailbox.gmail.shared.client.http.aclose()
        mailbox.gmail.shared.client.http = HttpClient("Google", most=1_000_000)
        bomb = Response(headers={"Content-Encoding": "gzip"}, body=BOMB)
        mailbox.emulator.fail(Fault(method="labels.list", answer=bomb))
        tracemalloc.start()
        try:
            with pytest.raises(ProviderError, match="larger than"):
                await mailbox.labels()
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()
        assert await mailbox.labels()

    play(scenario)


def test_a_body_that_comes_a_byte_now_and_then_ends_some_time(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        await mailbox.gmail.shared.client.http.aclose()
        mailbox.gmail.shared.client.http = HttpClient("Google", whole_s=0.05)
        mailbox.emulator.fail(Fault(method="labels.list", drip_s=0.02, times=6))
        with pytest.raises(ProviderError, match="check the network"):
            await mailbox.labels()
        assert len(waits.slept) == 5

    play(scenario)


def test_a_server_that_keeps_us_hanging_is_not_asked_again_and_again(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ticks = itertools.count(step=60.0)
        mailbox.gmail.shared.client.elapsed = lambda: next(ticks)
        mailbox.emulator.fail(Fault(method="labels.list", times=99, answer=Response(hang_up=True)))
        with pytest.raises(ProviderError, match="check the network"):
            await mailbox.labels()
        assert mailbox.emulator.calls["labels.list"] == 2

    play(scenario)


@pytest.mark.parametrize(
    "given", ["-1", "9" * 400, "Mon, 99 Foo 2026", "Fri, 31 Dec 9999 23:59:59 -2359", "٣", "1e9"]
)
def test_a_retry_after_that_is_none_is_no_reason_to_fail(given: str) -> None:
    refusal = GmailRefusal.of(429, {"retry-after": given}, b"{}", 0.0)
    assert refusal.retry_after_s is None or refusal.retry_after_s >= 0


@pytest.mark.parametrize(
    "content", ["[NaN, 1]", "[-1e300, 1]", "[1, Infinity]", "[]", '{"a": 1}', "\x00", '["x", 2]']
)
def test_a_damaged_balance_is_a_full_one(tmp_path: Path, content: str) -> None:
    (tmp_path / "q.json").write_text(content)
    balance = SharedBalance(tmp_path / "q.json")
    assert balance.take(5, rate=10, burst=20, now=1000.0) == 15


def test_a_clock_that_is_put_back_or_forward_gives_no_more_and_loses_nothing(tmp_path: Path) -> None:
    waits = Waits()
    bucket = TokenBucket(
        rate=10, burst=20, balance=SharedBalance(tmp_path / "q.json"), clock=waits, sleep=waits.sleep
    )

    async def main() -> None:
        assert await bucket.take(20) == 0
        waits.now -= 86_400
        assert await bucket.take(10) == 1.0
        assert bucket.units_used(30) == 10
        waits.now += 2 * 86_400
        assert await bucket.take(20) == 0 and await bucket.take(10) == 1.0

    asyncio.run(main())


SPENDER = """
import sys
from pathlib import Path
from gaia_mail_mcp.pacing import SharedBalance
balance = SharedBalance(Path(sys.argv[1]))
for _ in range(50):
    left = balance.take(2, rate=10, burst=100, now=1000.0)
print(left)
"""


def test_two_processes_spend_one_balance(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SPENDER, str(tmp_path / "quota.json")]
    spenders = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    assert min(float(spender.communicate(timeout=30)[0]) for spender in spenders) == -100


def test_who_gives_up_waiting_for_a_login_does_not_keep_others_from_it(tmp_path: Path) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(), tmp_path)
        tokens = mailbox.gmail.shared.client.tokens
        assert isinstance(tokens, AccessTokens)
        try:
            mailbox.emulator.oauth.expire()
            tokens.distrust(await tokens.access())
            with tokens.store.storage.alone(), pytest.raises(TimeoutError):
                await asyncio.wait_for(tokens.access(), 0.05)
            assert await asyncio.wait_for(tokens.access(), 10)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def test_a_refused_refresh_says_which_command_connects_again(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.oauth.expire()
        body = b'{"error": "bad\\u001b[31m thing", "error_description": "no"}'
        mailbox.emulator.fail(Fault(method="token", answer=Response(status=400, body=body)))
        with pytest.raises(NeedsAuth) as caught:
            await mailbox.labels()
        assert caught.value.message.isprintable() and "gaia-gmail-mcp auth" in str(caught.value.hint)
        with pytest.raises(MailError):
            mailbox.emulator.oauth.revoked = True
            await mailbox.labels()

    play(scenario)
