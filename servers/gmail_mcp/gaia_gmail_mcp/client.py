"""Client for Google's APIs with pacing, batching and retries. Entries: `GmailClient`, `open_client`.

Throttled calls are retried with growing waits. A call that may already have been carried out is retried only if
repeating it does no harm. In a batch, only the failed parts are retried.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from gaia_email_registry.egress.rows import Why
from gaia_email_registry.errors import MailError, ProviderError
from gaia_gmail_mcp import batch
from gaia_gmail_mcp.calls import GmailCall, Resource
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.failures import GmailRefusal
from gaia_mail_mcp.pacing import Backoff, TokenBucket
from gaia_mail_mcp.web.http import HttpClient, HttpResponse, LostConnection, ResponseTooLarge
from gaia_mail_mcp.web.json_files import is_object
from gaia_mail_mcp.web.login_store import LoginStore
from gaia_mail_mcp.web.token_source import ScopedTokens
from gaia_mail_mcp.web.tokens import AccessTokens

PARALLEL = 6
"""Calls in parallel to a server that does not accept batches."""

_FEWEST = 10
_RECENT_S = 3600.0

GmailOutcome = Resource | MailError
"""Result of one of several calls."""

_UNCERTAIN = "and nobody knows whether it was done; look before repeating it."


@dataclass(slots=True)
class Patience:
    """Seconds left to wait before giving up, shared by calls that wait together."""

    left: float


@dataclass(slots=True)
class Tries:
    """Failures of a call so far, and refusals of its token."""

    patience: Patience
    failed: int = 0
    refused: int = 0


@dataclass(slots=True, kw_only=True)
class Health:
    """Failures and throttling of this process; contains no message content."""

    service: str
    """Display name of the service."""
    clock: Callable[[], float] = time.time
    throttled: deque[float] = field(default_factory=lambda: deque[float](maxlen=1000))
    """Times at which a call was throttled, in seconds since the epoch."""
    failures: deque[str] = field(default_factory=lambda: deque[str](maxlen=5))
    last_sync: str | None = None

    def throttle(self) -> None:
        """Record that a call was throttled."""
        self.throttled.append(self.clock())

    def fail(self, message: str) -> None:
        """Record that a call finally failed."""
        self.failures.append(f"{self._shown(self.clock())}: {message}")

    def note_sync(self) -> None:
        """Record that the mailbox is synced up to now."""
        self.last_sync = self._shown(self.clock())

    def errors(self) -> tuple[str, ...]:
        """Return the errors for `server_status`, throttling in the last hour first."""
        recent = [instant for instant in self.throttled if instant > self.clock() - _RECENT_S]
        if not recent:
            return tuple(self.failures)
        times = "once" if len(recent) == 1 else f"{len(recent)} times"
        return (
            f"{self.service} throttled this server {times} in the last hour, last at {self._shown(recent[-1])}.",
            *self.failures,
        )

    def _shown(self, instant: float) -> str:
        return dt.datetime.fromtimestamp(instant, dt.UTC).isoformat(timespec="seconds")


@dataclass(slots=True, kw_only=True)
class GmailClient:
    """Client for one account at one API root; must not be shared between event loops."""

    root: str
    http: HttpClient
    tokens: ScopedTokens
    bucket: TokenBucket
    health: Health = field(default_factory=lambda: Health(service="Gmail"))
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    elapsed: Callable[[], float] = time.monotonic
    batch_size: int = batch.MOST
    """Calls per batch: reduced when parts are throttled or a response is too large, raised after each success."""
    batches: bool = True
    service: str = "Gmail"
    """Name of the service in error messages."""
    _used: str = ""
    """Token of the latest response; another call may have renewed it in the meantime."""

    async def call(self, call: GmailCall) -> Resource:
        """Make one call and return its response, empty if it has no body.

        Raises:
            MailError: The call was refused, or did not succeed in time.
        """
        outcome = await self._try(call)
        if isinstance(outcome, MailError):
            raise outcome
        return outcome

    async def many(self, calls: Sequence[GmailCall], *, most: int = batch.MOST) -> list[GmailOutcome]:
        """Make several calls and return their outcomes in order; `most` bounds batches with large responses.

        Raises:
            MailError: No call could be made at all, for example because there is no login.
        """
        outcomes: list[GmailOutcome] = []
        patience = Patience(self.backoff.patience_s)
        while len(outcomes) < len(calls):
            rest = calls[len(outcomes) :]
            size = min(self.batch_size, most)
            if len(rest) == 1:
                outcomes.append(await self._try(rest[0]))
            elif self.batches:
                outcomes += await self._send_batch(rest[:size], patience)
            else:
                outcomes += await self._side_by_side(rest)
        return outcomes

    async def _side_by_side(self, calls: Sequence[GmailCall]) -> list[GmailOutcome]:
        gate = asyncio.Semaphore(PARALLEL)

        async def one(call: GmailCall) -> GmailOutcome:
            async with gate:
                return await self._try(call)

        return list(await asyncio.gather(*(one(call) for call in calls)))

    async def _send_batch(self, calls: Sequence[GmailCall], patience: Patience) -> list[GmailOutcome]:
        """Send one batch, then resend its failed parts in smaller batches."""
        outcomes: dict[int, GmailOutcome] = {}
        waiting = list(range(len(calls)))
        tries = [Tries(patience) for _ in calls]
        while waiting:
            positions, waiting = waiting[: self.batch_size], waiting[self.batch_size :]
            try:
                answers = await self._sent_together([calls[position] for position in positions])
            except ResponseTooLarge as error:
                waiting = self._in_halves(positions, error, outcomes) + waiting
                continue
            if answers is None:
                rest = positions + waiting
                return await self._without_batches(calls, rest, outcomes)
            again, wait = self._sort_answers(calls, positions, answers, outcomes, tries)
            if again:
                self.batch_size = max(self.batch_size // 2, _FEWEST)
                patience.left -= wait
                await self.sleep(wait)
            elif not waiting:
                self.batch_size = min(self.batch_size + _FEWEST, batch.MOST)
            waiting = again + waiting
        return [outcomes[position] for position in range(len(calls))]

    def _in_halves(
        self, positions: Sequence[int], error: ResponseTooLarge, outcomes: dict[int, GmailOutcome]
    ) -> list[int]:
        """Return the calls to repeat in smaller batches after a response that was too large; a single call fails."""
        self.batch_size = max(len(positions) // 2, 1)
        if len(positions) > 1:
            return list(positions)
        outcomes[positions[0]] = error
        return []

    async def _without_batches(
        self, calls: Sequence[GmailCall], positions: Sequence[int], outcomes: dict[int, GmailOutcome]
    ) -> list[GmailOutcome]:
        self.batches = False
        done = await self._side_by_side([calls[position] for position in positions])
        outcomes.update(zip(positions, done, strict=True))
        return [outcomes[position] for position in range(len(calls))]

    def _sort_answers(
        self,
        calls: Sequence[GmailCall],
        positions: Sequence[int],
        answers: Sequence[HttpResponse | None],
        outcomes: dict[int, GmailOutcome],
        tries: Sequence[Tries],
    ) -> tuple[list[int], float]:
        """Store final outcomes; return the positions to retry, and how many seconds to wait first."""
        again: list[int] = []
        longest = 0.0
        for position, answer in zip(positions, answers, strict=True):
            outcome = self._read(calls[position], answer) if answer is not None else _MISSING
            if not isinstance(outcome, GmailRefusal):
                outcomes[position] = outcome
                continue
            wait = self._wait(calls[position], outcome, tries[position])
            if wait is None:
                outcomes[position] = self._given_up(calls[position], outcome)
                continue
            again.append(position)
            longest = max(longest, wait)
        return again, longest

    async def _sent_together(self, calls: Sequence[GmailCall]) -> list[HttpResponse | None] | None:
        """Return the responses of one batch request; None if the server does not accept batches."""
        content_type, body = batch.write(calls)
        whole = GmailCall(
            method="POST",
            target="/batch",
            units=sum(call.units for call in calls),
            body=body,
            content_type=content_type,
            repeatable=all(call.repeatable for call in calls),
        )
        answer = await self._exchange(whole)
        if isinstance(answer, GmailRefusal):
            if answer.status in (404, 405, 501):
                return None
            raise self._given_up(whole, answer)
        return batch.read(answer, len(calls))

    async def _try(self, call: GmailCall) -> GmailOutcome:
        try:
            answer = await self._exchange(call)
        except MailError as error:
            return error
        return self._given_up(call, answer) if isinstance(answer, GmailRefusal) else _parse(call, answer)

    async def _exchange(self, call: GmailCall) -> HttpResponse | GmailRefusal:
        """Send the call until it succeeds or is finally refused.

        Raises:
            MailError: There is no login, or the network is broken.
        """
        tries = Tries(Patience(self.backoff.patience_s))
        while True:
            await self.bucket.take(call.units)
            started = self.elapsed()
            try:
                answer = await self._sent(call, await self.tokens.access())
            except LostConnection as error:
                tries.patience.left -= self.elapsed() - started
                wait = self._wait_for_connection(call, error, tries)
                if wait is None:
                    self.health.fail(error.message)
                    raise _lost(call, error) from None
            else:
                if 200 <= answer.status < 300:
                    return answer
                refusal = self._refusal(answer)
                wait = self._wait(call, refusal, tries)
                if wait is None:
                    return refusal
            tries.patience.left -= wait
            await self.sleep(wait)

    def _wait_for_connection(self, call: GmailCall, error: LostConnection, tries: Tries) -> float | None:
        """Like `_wait`, for a lost connection. Time spent hanging counts, so a hanging server gets fewer retries."""
        tries.failed += 1
        if error.is_final or (error.sent and not call.repeatable):
            return None
        wait = self.backoff.delay(tries.failed, None)
        return wait if wait is not None and wait <= tries.patience.left else None

    async def _sent(self, call: GmailCall, token: str) -> HttpResponse:
        headers = {"Authorization": f"Bearer {token}"}
        if call.body is not None:
            headers["Content-Type"] = call.content_type
        answer = await self.http.send(call.method, self.root + call.target, headers, call.body)
        self._used = token
        return answer

    def _read(self, call: GmailCall, answer: HttpResponse) -> GmailOutcome | GmailRefusal:
        return _parse(call, answer) if 200 <= answer.status < 300 else self._refusal(answer)

    def _refusal(self, answer: HttpResponse) -> GmailRefusal:
        refusal = GmailRefusal.of(answer.status, answer.headers, answer.body, self.health.clock())
        if refusal.throttled:
            self.health.throttle()
        return refusal

    def _wait(self, call: GmailCall, refusal: GmailRefusal, tries: Tries) -> float | None:
        """Return the seconds until the next try; None to give up."""
        if refusal.unauthenticated:
            tries.refused += 1
            if tries.refused > 2:  # first with another process's token, then with a new one
                return None
            self.tokens.distrust(self._used)
            return 0.0
        tries.failed += 1
        if refusal.throttled or (refusal.transient and call.repeatable):
            wait = self.backoff.delay(tries.failed, refusal.retry_after_s)
            return wait if wait is not None and wait <= tries.patience.left else None
        return None

    def _given_up(self, call: GmailCall, refusal: GmailRefusal) -> MailError:
        error = refusal.error(uncertain=not call.repeatable, service=self.service)
        if error.kind in ("needs_auth", "needs_approval"):
            error.hint = self.tokens.again or error.hint
        if error.kind in ("rate_limited", "provider", "needs_auth"):
            self.health.fail(error.message)
        return error


_MISSING = GmailRefusal(status=503, reason="", message="")
"""Placeholder for a part of a batch without a response."""


def _parse(call: GmailCall, answer: HttpResponse) -> GmailOutcome:
    """Parse a response. A call that creates or sends something must return an id."""
    found: object = {}
    if answer.body:
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError):
            found = None
    if is_object(found) and (call.repeatable or "id" in found):
        return found
    if call.repeatable:
        return ProviderError("Google's answer cannot be read; try again later.")
    return ProviderError(f"Google's answer cannot be read {_UNCERTAIN}")


def _lost(call: GmailCall, error: LostConnection) -> ProviderError:
    if call.repeatable or not error.sent:
        return error
    return ProviderError(f"The connection to Google broke {_UNCERTAIN}")


def open_client(
    endpoints: Endpoints, login: LoginStore | ScopedTokens, *, account: str = "", why: Why = "mail"
) -> GmailClient:
    """Return a client for a login's mailbox. A stored login renews its tokens; other tokens are used as they are."""
    http = HttpClient(GOOGLE.company, account=account, why=why)
    return GmailClient(
        root=endpoints.gmail,
        http=http,
        tokens=AccessTokens(login, endpoints.tokens, http.post_form, GOOGLE)
        if isinstance(login, LoginStore)
        else login,
        bucket=TokenBucket(rate=1.0, burst=100.0),  # for the first call, which finds out whose quota applies
    )
