"""Pacing, batches, retries: what the client does when Gmail is slow, strict or broken."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import (
    BadArgument,
    MailError,
    NeedsApproval,
    NeedsAuth,
    NotFound,
    ProviderError,
    RateLimited,
)
from gaia_gmail_mcp.endpoints import Endpoints
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.tokens import AccessTokens
from tests.contract.suite import find, many, write_message
from tests.gmail.emulator import failures
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.support import EmulatedMailbox, Waits, open_emulated, write_files

Scenario = Callable[[EmulatedMailbox, Waits], Awaitable[None]]


@pytest.fixture(name="play")
def play_fixture(tmp_path: Path) -> Callable[[Scenario, int], None]:
    """Runs a scenario on an emulated account of so many messages, in time that only passes while waiting."""

    def play(scenario: Scenario, count: int = 3) -> None:
        async def main() -> None:
            waits = Waits()
            mailbox = await open_emulated(Emulator(), tmp_path, many(count), waits)
            try:
                mailbox.emulator.forget_requests()
                await asyncio.wait_for(_awaited(scenario(mailbox, waits)), 20)
            finally:
                await mailbox.aclose()

        asyncio.run(main())

    return play


async def _awaited(result: Awaitable[None]) -> None:
    await result


Play = Callable[..., None]


def test_a_hundred_summaries_take_one_list_and_one_batch(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "", page=100)
        assert len(await mailbox.read(ids, raw=False)) == 100
        assert [seen.path for seen in mailbox.emulator.requests] == ["/gmail/v1/users/me/messages", "/batch"]
        assert mailbox.emulator.units == 5 + 100 * 5
        assert mailbox.emulator.connections == 1
        assert waits.slept == []

    play(scenario, 100)


def test_what_was_read_is_not_read_again(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "")
        await mailbox.read(ids, raw=False)
        await mailbox.modify(ids, add=["STARRED"], remove=["UNREAD"])
        mailbox.emulator.account.mailbox.receive(write_message(9))
        inner = [mailbox.emulator.account.inner(ids[0])]
        await mailbox.emulator.account.modify(inner, ["IMPORTANT"], ["INBOX"])
        await mailbox.emulator.account.settle()
        mailbox.emulator.forget_requests()
        stored = await mailbox.read(ids, raw=False)
        assert stored[0].summary["labels"] == ["IMPORTANT", "STARRED"]
        assert stored[1].summary["labels"] == ["INBOX", "STARRED"]
        assert dict(mailbox.emulator.calls) == {"history.list": 1}
        assert mailbox.emulator.units == 2

    play(scenario, 20)


def test_a_whole_message_is_fetched_once(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "")
        mailbox.emulator.forget_requests()
        first = await mailbox.read(ids[:2], raw=True)
        await mailbox.modify(ids[:1], add=["STARRED"], remove=[])
        again = await mailbox.read(ids, raw=True)
        assert [item.raw for item in again[:2]] == [item.raw for item in first]
        assert "STARRED" in again[0].summary["labels"]
        assert mailbox.emulator.calls["messages.get"] == 3
        mailbox.gmail.shared.known.put_raw(ids[0], bytes(5_000_000))
        assert mailbox.gmail.shared.known.raw(ids[0]) is None

    play(scenario)


def test_a_thousand_messages_are_changed_by_one_request(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "gaia_gmail_mcp.cache_refresh.TRUSTED_S", 600.0
    )  # however long a busy machine reads them

    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "", page=500)
        await mailbox.read(ids, raw=False)
        mailbox.emulator.forget_requests()
        applied = await mailbox.modify(ids, add=["STARRED"], remove=["INBOX"])
        assert len(applied.ids) == 1000
        assert [seen.calls for seen in mailbox.emulator.requests] == [("messages.batchModify",)]
        assert mailbox.emulator.units == 50

    play(scenario, 1000)


def test_reading_stays_below_150_units_a_second(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        start = waits()
        ids = await find(mailbox, "", page=500)
        await mailbox.read(ids, raw=False)
        await mailbox.read(ids, raw=True)
        assert mailbox.emulator.units > 5_000
        assert mailbox.emulator.units / (waits() - start) <= 150
        assert len(mailbox.emulator.requests) <= 500 / 20

    play(scenario, 500)


def test_parts_of_a_batch_that_failed_are_asked_for_again_and_no_others(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "")
        mailbox.emulator.forget_requests()
        mailbox.emulator.fail(Fault(method="messages.get", skip=2, error=failures.rate_limited()))
        mailbox.emulator.fail(Fault(method="messages.get", skip=3, error=ApiError(500, "Internal")))
        stored = await mailbox.read([*ids, "f00"], raw=False)
        assert [item.summary["id"] for item in stored] == ids
        assert [len(seen.calls) for seen in mailbox.emulator.requests] == [21, 2]
        assert mailbox.gmail.shared.client.batch_size == 50 + 10
        assert waits.slept == [1.0]

    play(scenario, 20)


def test_a_batch_grows_again_when_all_is_well(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "", page=100)
        client = mailbox.gmail.shared.client
        client.batch_size = 10
        await mailbox.read(ids, raw=False)
        assert client.batch_size == 60

    play(scenario, 150)


def test_a_refused_batch_is_tried_again_after_a_growing_wait(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "")
        mailbox.emulator.fail(Fault(method="batch", times=3, error=failures.rate_limited()))
        assert len(await mailbox.read(ids, raw=False)) == 3
        assert waits.slept == [1.0, 2.0, 4.0]
        (told,) = (await mailbox.status()).errors
        assert "throttled this server 3 times" in told

    play(scenario)


@pytest.mark.parametrize(("given", "waited"), [("7", 7.0), ("0", 1.0), ("soon", 1.0), ("", 1.0)])
def test_retry_after_is_obeyed(play: Play, given: str, waited: float) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", error=failures.rate_limited(given)))
        assert await mailbox.labels()
        assert waits.slept == [waited]

    play(scenario)


def test_who_is_told_to_wait_for_long_is_told_at_once(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", error=failures.rate_limited("3600")))
        with pytest.raises(RateLimited) as caught:
            await mailbox.labels()
        assert caught.value.retry_after_s == 3600
        assert waits.slept == []

    play(scenario)


def test_the_time_in_gmails_own_message_counts_as_retry_after(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.gmail.shared.client.health.clock = waits
        text = "User-rate limit exceeded.  Retry after 2026-03-02T09:00:30.000Z"
        mailbox.emulator.fail(Fault(method="labels.list", error=ApiError(429, text, "rateLimitExceeded")))
        waits.now = 1_772_442_000.0
        assert await mailbox.labels()
        assert waits.slept == [pytest.approx(30.0)]

    play(scenario)


REFUSALS = [
    (ApiError(400, "Bad thing"), BadArgument, 1),
    (failures.no_scope(), NeedsApproval, 1),
    (failures.daily_limit(), RateLimited, 1),
    (failures.user_rate_limited(), RateLimited, 6),
    (failures.rate_limited(), RateLimited, 6),
    (ApiError(403, "Mail service not enabled", "failedPrecondition"), ProviderError, 1),
    (ApiError(404, "gone"), NotFound, 1),
    (ApiError(409, "conflict"), BadArgument, 1),
    (ApiError(412, "changed"), BadArgument, 1),
    (ApiError(500, "broken"), ProviderError, 6),
    (ApiError(503, "busy"), ProviderError, 6),
    (failures.unauthenticated(), NeedsAuth, 3),
]


@pytest.mark.parametrize(
    ("error", "kind", "tries"), REFUSALS, ids=[f"{item[0].status} {item[0].reason}" for item in REFUSALS]
)
def test_a_refusal_becomes_the_error_one_can_act_on(
    play: Play, error: ApiError, kind: type[MailError], tries: int
) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", times=99, error=error))
        with pytest.raises(MailError) as caught:
            await mailbox.labels()
        assert type(caught.value) is kind
        assert mailbox.emulator.calls["labels.list"] == tries
        assert all(wait <= 32 for wait in waits.slept)

    play(scenario)


def test_what_may_have_been_sent_is_not_sent_twice(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        busy = ApiError(503, "busy")
        for fault in (Fault(method="messages.send", error=busy), Fault(method="messages.send", cut=True)):
            mailbox.emulator.fail(fault)
            with pytest.raises(ProviderError, match="nobody knows whether it was done"):
                await mailbox.send(write_message(7, to="ann@example.com"), None)
        assert mailbox.emulator.calls["messages.send"] == 2

    play(scenario)


def test_a_send_that_was_throttled_is_sent_once(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="messages.send", error=failures.rate_limited()))
        await mailbox.send(write_message(7, to="ann@example.com"), None)
        assert len(mailbox.emulator.account.sent) == 1

    play(scenario)


def test_a_cut_connection_is_opened_again(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", cut=True))
        assert await mailbox.labels()
        assert mailbox.emulator.calls["labels.list"] == 2
        assert mailbox.emulator.connections == 2

    play(scenario)


def test_a_body_that_drips_is_read_or_given_up_on(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.emulator.fail(Fault(method="labels.list", drip_s=0.002))
        assert await mailbox.labels()
        await mailbox.gmail.shared.client.http.aclose()
        mailbox.gmail.shared.client.http = HttpClient("Google", read_s=0.02)
        mailbox.emulator.fail(Fault(method="labels.list", drip_s=5, times=6))
        with pytest.raises(ProviderError, match="connection to Google broke"):
            await mailbox.labels()

    play(scenario)


def test_nobody_listening_is_a_plain_error(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        mailbox.gmail.shared.client.root = "http://127.0.0.1:9"
        with pytest.raises(ProviderError, match="check the network"):
            await mailbox.labels()

    play(scenario)


def test_an_expired_token_in_the_middle_of_a_batch_is_renewed(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        ids = await find(mailbox, "")
        mailbox.emulator.oauth.expire()
        assert len(await mailbox.read(ids, raw=False)) == 3
        assert mailbox.emulator.oauth.refreshes == 1

    play(scenario)


def test_answers_are_compressed_and_partial(play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        await mailbox.read((await find(mailbox, ""))[:1], raw=False)
        for seen in mailbox.emulator.requests:
            assert "gzip" in seen.headers["accept-encoding"]
            assert "gzip" in seen.headers["user-agent"]

    play(scenario)


@pytest.mark.parametrize(
    "given", ["..", "../labels", "a/b", "a?fields=x", "a b", "%2e%2e", "x" * 300, "", "a\r\nX: y"]
)
def test_an_id_leads_nowhere_but_to_a_message(play: Play, given: str) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        assert await mailbox.read([given], raw=False) == []
        for call in (
            mailbox.thread(given),
            mailbox.delete_draft(given),
            mailbox.send_draft(given),
            mailbox.delete_label(given),
            mailbox.delete_filter(given),
        ):
            with pytest.raises(MailError):
                await call
        mutating = {"POST", "PUT", "PATCH", "DELETE"}
        done = [seen.path for seen in mailbox.emulator.requests if seen.method in mutating]
        assert set(done) <= {"/gmail/v1/users/me/drafts/send"}

    play(scenario)


def test_two_servers_of_one_account_share_its_quota(tmp_path: Path) -> None:
    from gaia_mail_mcp.pacing import SharedBalance, TokenBucket

    async def main() -> None:
        waits = Waits()
        one, other = (
            TokenBucket(
                rate=10, burst=20, balance=SharedBalance(tmp_path / "q.json"), clock=waits, sleep=waits.sleep
            )
            for _ in range(2)
        )
        assert await one.take(20) == 0
        assert await other.take(10) == 1.0
        assert await one.take(5) == 0.5
        assert (one.units_used(100), other.units_used(100)) == (25, 10)
        (tmp_path / "q.json").write_text("rubbish")
        assert await one.take(20) == 0
        assert (tmp_path / "q.json").stat().st_mode & 0o777 == 0o600

    asyncio.run(main())


def test_endpoints_come_from_the_environment_and_are_never_in_the_clear() -> None:
    endpoints = Endpoints.from_environment({"GAIA_GMAIL_API_ROOT": "http://127.0.0.1:9/x/"})
    assert endpoints.gmail == "http://127.0.0.1:9/x"
    assert endpoints.tokens == ("https://oauth2.googleapis.com/token",)
    for bad in ("http://gmail.example", "ftp://x", "gmail.googleapis.com", "https://u:p@x.example"):
        with pytest.raises(BadArgument):
            Endpoints.from_environment({"GAIA_GOOGLE_OAUTH_ROOT": bad})


def test_a_server_without_a_profile_is_asked_in_other_ways(tmp_path: Path) -> None:
    async def main() -> None:
        emulator = Emulator(batches=False, profiles=False)
        mailbox = await open_emulated(emulator, tmp_path, many(2))
        try:
            assert mailbox.account == emulator.account.address
            cursor = await mailbox.cursor()
            assert not (await mailbox.changes(cursor, limit=10)).reset
            assert not await mailbox.wait(cursor, timeout_s=0)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def test_no_secret_is_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str], play: Play) -> None:
    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        tokens = mailbox.gmail.shared.client.tokens
        assert isinstance(tokens, AccessTokens)
        store = tokens.store
        content = json.loads((tmp_path / "credentials.json").read_text())
        secrets = [content["access_token"], content["refresh_token"], store.keys().client_secret]
        mailbox.emulator.oauth.revoked = True
        mailbox.emulator.oauth.expire()
        with pytest.raises(NeedsAuth) as caught:
            await mailbox.labels()
        status = await mailbox.status()
        out, err = capfd.readouterr()
        shown = f"{caught.value.message} {caught.value.hint} {status} {store.keys()!r} {store.login()!r} {out} {err}"
        assert not any(secret in shown for secret in secrets)

    play(scenario)


def test_keys_of_the_files_are_private(tmp_path: Path) -> None:
    async def main() -> None:
        emulator = Emulator()
        mailbox = await open_emulated(emulator, tmp_path)
        try:
            write_files(emulator, tmp_path)
            emulator.oauth.expire()
            await mailbox.labels()
            assert (tmp_path / "credentials.json").stat().st_mode & 0o777 == 0o600
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def test_whole_messages_are_fetched_in_batches_of_bounded_size(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_gmail_mcp.reading.RAW_BYTES_AT_ONCE", 160_000)

    async def scenario(mailbox: EmulatedMailbox, waits: Waits) -> None:
        for number in range(4):
            large = write_message(100 + number, attachment=("a.bin", b"x" * 50_000))
            mailbox.emulator.account.mailbox.put(large)
        await mailbox.emulator.account.settle()
        ids = await find(mailbox, "")
        await mailbox.read(ids, raw=False)
        mailbox.emulator.forget_requests()
        assert len(await mailbox.read(ids, raw=True)) == 34
        assert [len(seen.calls) for seen in mailbox.emulator.requests] == [2, 32]

    play(scenario, 30)
