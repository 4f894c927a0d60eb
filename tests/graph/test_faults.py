"""Batches of which any part fails, broken lines, throttling: nothing is done twice and nothing is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError, RateLimited
from tests.contract.suite import find, many, write_message
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import Refused, refusal, throttled
from tests.graph.support import EmulatedMailbox
from tests.graph.test_sync import run, truth

FAILURES = {
    "throttled": throttled(7),
    "unavailable": throttled(7, 503),
    "broken": refusal(Refused(500, "InternalServerError", "Sorry.")),
    "depends": refusal(Refused(424, "FailedDependency", "Another part failed.")),
    "unanswered": Response(hang_up=True),
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", FAILURES)
def test_parts_of_a_batch_that_fail_are_done_again_alone(tmp_path: Path, kind: str, seed: int) -> None:
    chance = random.Random(seed)

    async def scenario(mailbox: EmulatedMailbox) -> None:
        ids = await find(mailbox, "")
        failing = {id_ for id_ in ids if chance.random() < 0.5} or {ids[0]}
        failed: set[str] = set()

        def fault(request: Request) -> Response | None:
            id_ = next((one for one in failing if f"/messages/{one}/move" in request.path), None)
            if id_ is None or id_ in failed:
                return None
            failed.add(id_)
            return FAILURES[kind]

        mailbox.emulator.fault = fault
        mailbox.emulator.parts.clear()
        applied = await mailbox.modify(ids, add=[], remove=["INBOX"])
        assert set(applied.ids) == set(ids) and not applied.failed
        moves = [part.path for part in mailbox.emulator.parts if part.path.endswith("/move")]
        assert len(moves) == len(set(moves)) == len(ids), "each was carried out once"
        assert not any("INBOX" in labels for labels in truth(mailbox.emulator.account).values())
        assert await find(mailbox, "in:archive") == ids

    run(tmp_path, scenario, seeds=many(25))


def test_a_part_that_is_refused_for_good_is_named_and_the_others_are_done(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        ids = await find(mailbox, "")

        def fault(request: Request) -> Response | None:
            wanted = f"/messages/{ids[1]}" in request.path and request.method == "PATCH"
            return refusal(Refused(400, "ErrorInvalidRequest", "Never.")) if wanted else None

        mailbox.emulator.fault = fault
        applied = await mailbox.modify(ids, add=["STARRED"], remove=[])
        assert applied.ids == (ids[0], ids[2])
        assert [(one["id"], "Never." in one["error"]) for one in applied.failed] == [(ids[1], True)]

    run(tmp_path, scenario)


def test_throttling_without_end_is_told_with_how_long_to_wait(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mailbox.emulator.fault = lambda request: throttled(40)
        with pytest.raises(RateLimited) as caught:
            await mailbox.cursor()
        assert caught.value.retry_after_s == 40

    run(tmp_path, scenario)


def test_a_token_that_is_refused_again_and_again_asks_to_connect(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.cursor()
        mailbox.emulator.token = "another"
        with pytest.raises(NeedsAuth):
            await mailbox.cursor()

    run(tmp_path, scenario)


def test_a_full_mailbox_can_be_read_and_says_why_nothing_can_be_changed(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        def full(request: Request) -> Response | None:
            refused = Refused(403, "ErrorQuotaExceeded", "Quota.")
            return refusal(refused) if request.method == "PATCH" else None

        mailbox.emulator.fault = full
        ids = await find(mailbox, "")
        with pytest.raises(ProviderError, match="full"):
            await mailbox.modify(ids, add=["STARRED"], remove=[])
        assert len(await mailbox.read(ids, raw=True)) == 3

    run(tmp_path, scenario)


def _is_send(request: Request) -> bool:
    return request.method == "POST" and request.path.endswith("/send")


def test_a_line_that_breaks_after_sending_sends_once(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        account = mailbox.emulator.account

        def broken(request: Request) -> Response | None:
            if not _is_send(request):
                return None
            account.send(account.items[request.segments[-2]])
            return Response(hang_up=True)

        mailbox.emulator.fault = broken
        sent = await mailbox.send(write_message(7, to="ann@example.com"), None)
        assert len(account.sent) == 1
        assert await find(mailbox, "in:sent") == [sent]

    run(tmp_path, scenario)


@pytest.mark.parametrize("answer", [Response(hang_up=True), FAILURES["broken"]], ids=["line", "500"])
def test_a_line_that_breaks_before_sending_leaves_a_draft_and_says_so(
    tmp_path: Path, answer: Response
) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        mailbox.emulator.fault = lambda request: answer if _is_send(request) else None
        with pytest.raises(MailError, match="look"):
            await mailbox.send(write_message(7, to="ann@example.com"), None)
        assert mailbox.emulator.account.sent == []
        (draft,) = await mailbox.drafts(limit=10)
        mailbox.emulator.fault = lambda request: None
        await mailbox.send_draft(draft.id)
        assert len(mailbox.emulator.account.sent) == 1

    run(tmp_path, scenario)


def test_throttled_sending_is_tried_again_and_sends_once(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        waits = [throttled(3), throttled(3)]
        mailbox.emulator.fault = lambda request: waits.pop() if waits and _is_send(request) else None
        await mailbox.send(write_message(7, to="ann@example.com"), None)
        assert len(mailbox.emulator.account.sent) == 1

    run(tmp_path, scenario)


def test_a_search_looks_only_into_bodies_that_can_still_matter(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.cursor()
        mailbox.emulator.parts.clear()
        assert await find(mailbox, "subject:3 text") == [await _only(mailbox, "subject:3")]
        fetched = [part for part in mailbox.emulator.parts if part.path.endswith("$value")]
        assert len(fetched) == 1

    run(tmp_path, scenario)


async def _only(mailbox: EmulatedMailbox, query: str) -> str:
    (found,) = await find(mailbox, query)
    return found
