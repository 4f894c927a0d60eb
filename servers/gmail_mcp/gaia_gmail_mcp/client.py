"""Calls of Google's APIs, paced, batched, retried. Entry: `Client`.

What is throttled is tried again after a wait that grows; what may have been carried out is tried again only
when that does no harm. Of a batch only the parts that failed are tried again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from gaia_email_registry.errors import MailError, ProviderError
from gaia_gmail_mcp import batch
from gaia_gmail_mcp.batch import Answer
from gaia_gmail_mcp.calls import Call, Resource
from gaia_gmail_mcp.failures import Refusal
from gaia_gmail_mcp.files import is_object
from gaia_gmail_mcp.health import Health
from gaia_gmail_mcp.tokens import Tokens
from gaia_gmail_mcp.wire import LostConnection, TooLarge, Wire
from gaia_mail_mcp.pacing import Backoff, Bucket

PARALLEL = 6
"""Calls at once to a server that takes no batches."""

_FEWEST = 10

Outcome = Resource | MailError
"""What came of one call of many."""


@dataclass(slots=True, kw_only=True)
class Client:
    """One account at one API root; not shared between event loops."""

    root: str
    wire: Wire
    tokens: Tokens
    bucket: Bucket
    health: Health = field(default_factory=Health)
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    batch_size: int = batch.MOST
    """Calls a batch; smaller after Gmail found one too large, larger again with each that went well."""
    batches: bool = True
    service: str = "Gmail"
    """As people are told that it failed."""
    _used: str = ""
    """The token of the answer that came last; another call may have got a newer one meanwhile."""

    async def call(self, call: Call) -> Resource:
        """The answer of one call; empty when it answers nothing.

        Raises:
            MailError: It was refused, or did not work in time.
        """
        outcome = await self._tried(call)
        if isinstance(outcome, MailError):
            raise outcome
        return outcome

    async def many(self, calls: Sequence[Call], *, most: int = batch.MOST) -> list[Outcome]:
        """The outcome of each call, in their order; `most` bounds a batch whose answers are large.

        Raises:
            MailError: Nothing could be called at all, for example without a login.
        """
        outcomes: list[Outcome] = []
        while len(outcomes) < len(calls):
            rest = calls[len(outcomes) :]
            size = min(self.batch_size, most)
            if len(rest) == 1:
                outcomes.append(await self._tried(rest[0]))
            elif self.batches:
                outcomes += await self._batched(rest[:size])
            else:
                outcomes += await self._side_by_side(rest)
        return outcomes

    async def _side_by_side(self, calls: Sequence[Call]) -> list[Outcome]:
        gate = asyncio.Semaphore(PARALLEL)

        async def one(call: Call) -> Outcome:
            async with gate:
                return await self._tried(call)

        return list(await asyncio.gather(*(one(call) for call in calls)))

    async def _batched(self, calls: Sequence[Call]) -> list[Outcome]:
        """One batch; its failed parts again, and again, in smaller ones."""
        outcomes: dict[int, Outcome] = {}
        waiting = list(range(len(calls)))
        attempt = 0
        while waiting:
            attempt += 1
            places, waiting = waiting[: self.batch_size], waiting[self.batch_size :]
            try:
                answers = await self._sent_together([calls[place] for place in places])
            except TooLarge as error:
                waiting = self._in_halves(places, error, outcomes) + waiting
                continue
            if answers is None:
                rest = places + waiting
                return await self._without_batches(calls, rest, outcomes)
            again, wait = self._sorted(calls, places, answers, outcomes, attempt)
            if again:
                self.batch_size = max(self.batch_size // 2, _FEWEST)
                await self.sleep(wait)
            elif not waiting:
                self.batch_size = min(self.batch_size + _FEWEST, batch.MOST)
            waiting = again + waiting
        return [outcomes[place] for place in range(len(calls))]

    def _in_halves(self, places: Sequence[int], error: TooLarge, outcomes: dict[int, Outcome]) -> list[int]:
        """Where to go on after a batch whose answer was too large: in smaller ones, unless one call is too much."""
        self.batch_size = max(len(places) // 2, 1)
        if len(places) > 1:
            return list(places)
        outcomes[places[0]] = error
        return []

    async def _without_batches(
        self, calls: Sequence[Call], places: Sequence[int], outcomes: dict[int, Outcome]
    ) -> list[Outcome]:
        self.batches = False
        done = await self._side_by_side([calls[place] for place in places])
        outcomes.update(zip(places, done, strict=True))
        return [outcomes[place] for place in range(len(calls))]

    def _sorted(
        self,
        calls: Sequence[Call],
        places: Sequence[int],
        answers: Sequence[Answer | None],
        outcomes: dict[int, Outcome],
        attempt: int,
    ) -> tuple[list[int], float]:
        """Keep what is settled; answers which places to try again, and how long to wait before."""
        again: list[int] = []
        longest = 0.0
        for place, answer in zip(places, answers, strict=True):
            outcome = self._read(answer) if answer is not None else _MISSING
            if not isinstance(outcome, Refusal):
                outcomes[place] = outcome
                continue
            wait = self._wait(calls[place], outcome, attempt)
            if wait is None:
                outcomes[place] = self._given_up(calls[place], outcome)
                continue
            again.append(place)
            longest = max(longest, wait)
        return again, longest

    async def _sent_together(self, calls: Sequence[Call]) -> list[Answer | None] | None:
        """The answers of one batch request; None when the server takes no batches."""
        content_type, body = batch.written(calls)
        whole = Call(
            method="POST",
            target="/batch",
            units=sum(call.units for call in calls),
            body=body,
            content_type=content_type,
            repeatable=all(call.repeatable for call in calls),
        )
        answer = await self._exchanged(whole)
        if isinstance(answer, Refusal):
            if answer.status in (404, 405, 501):
                return None
            raise self._given_up(whole, answer)
        return batch.read(answer, len(calls))

    async def _tried(self, call: Call) -> Outcome:
        try:
            answer = await self._exchanged(call)
        except MailError as error:
            return error
        return self._given_up(call, answer) if isinstance(answer, Refusal) else _parsed(answer)

    async def _exchanged(self, call: Call) -> Answer | Refusal:
        """Send until it succeeds, or is refused for good.

        Raises:
            MailError: There is no login, or the network is broken.
        """
        attempt = 0
        while True:
            attempt += 1
            await self.bucket.take(call.units)
            try:
                answer = await self._sent(call, await self.tokens.access())
            except LostConnection as error:
                wait = self.backoff.delay(attempt, None) if call.repeatable or not error.sent else None
                if wait is None:
                    self.health.fail(error.message)
                    raise _lost(call, error) from None
            else:
                if 200 <= answer.status < 300:
                    return answer
                refusal = self._refusal(answer)
                wait = self._wait(call, refusal, attempt)
                if wait is None:
                    return refusal
            await self.sleep(wait)

    async def _sent(self, call: Call, token: str) -> Answer:
        headers = {"Authorization": f"Bearer {token}"}
        if call.body is not None:
            headers["Content-Type"] = call.content_type
        answer = await self.wire.send(call.method, self.root + call.target, headers, call.body)
        self._used = token
        return answer

    def _read(self, answer: Answer) -> Outcome | Refusal:
        return _parsed(answer) if 200 <= answer.status < 300 else self._refusal(answer)

    def _refusal(self, answer: Answer) -> Refusal:
        refusal = Refusal.of(answer.status, answer.headers, answer.body, self.health.clock())
        if refusal.throttled:
            self.health.throttle()
        return refusal

    def _wait(self, call: Call, refusal: Refusal, attempt: int) -> float | None:
        """Seconds before the next try, None when there is none."""
        if refusal.unauthenticated and attempt <= 2:  # first another process's token, then a new one
            self.tokens.distrust(self._used)
            return 0.0
        if refusal.throttled or (refusal.transient and call.repeatable):
            return self.backoff.delay(attempt, refusal.retry_after_s)
        return None

    def _given_up(self, call: Call, refusal: Refusal) -> MailError:
        error = refusal.error(uncertain=not call.repeatable, service=self.service)
        if error.kind in ("rate_limited", "provider", "needs_auth"):
            self.health.fail(error.message)
        return error


_MISSING = Refusal(status=503, reason="", message="")
"""A part of a batch that was not answered."""


def _parsed(answer: Answer) -> Outcome:
    if not answer.body:
        return {}
    try:
        found: object = json.loads(answer.body)
    except (ValueError, RecursionError):
        found = None
    return found if is_object(found) else ProviderError("Google's answer cannot be read; try again later.")


def _lost(call: Call, error: LostConnection) -> ProviderError:
    if call.repeatable or not error.sent:
        return error
    return ProviderError(
        "The connection to Google broke and nobody knows whether it was done; look before repeating it."
    )
