"""Client for Graph with pacing, retries and batches of 20. Entry: `GraphClient`.

Throttled calls are retried when the service allows it. A call that may already have been carried out is retried only if
repeating it does no harm. In a batch, only the failed parts are retried. All calls ask for immutable ids.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from gaia_email_registry.errors import MailError, ProviderError
from gaia_graph_mcp.calls import GraphCall, Resource, is_object, objects
from gaia_graph_mcp.failures import GraphRefusal
from gaia_graph_mcp.turn import BatchTurn
from gaia_mail_mcp.pacing import Backoff, TokenBucket
from gaia_mail_mcp.web.http import HttpClient, HttpResponse, LostConnection
from gaia_mail_mcp.web.token_source import TokenSource

MOST_PARTS = 20
"""Most calls in one batch (https://learn.microsoft.com/graph/json-batching)."""

MOST_ANSWERED = 250_000_000
"""Largest response in bytes: Exchange's largest message, 150 MB, in base64."""

IMMUTABLE = 'IdType="ImmutableId"'

RATE, BURST = 15.0, 900.0
"""Requests per second and burst size: 9,900 in the ten minutes for which Outlook allows 10,000."""

GraphOutcome = Resource | bytes | MailError
"""Result of one of several calls: JSON, the bytes of a raw call, or an error."""

_UNCERTAIN = "and nobody knows whether it was done; look before repeating it."


@dataclass(slots=True, kw_only=True)
class GraphClient:
    """Client for one account at one API root; must not be shared between event loops."""

    root: str
    http: HttpClient
    tokens: TokenSource
    turn: BatchTurn = field(default_factory=BatchTurn)
    bucket: TokenBucket = field(default_factory=lambda: TokenBucket(rate=RATE, burst=BURST))
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    shared: str = ""
    """Address of a mailbox shared with this account; empty for the account's own mailbox."""

    async def call(self, call: GraphCall) -> Resource:
        """Make one call and return its JSON response, empty if it has no body.

        Raises:
            MailError: The call was refused, or did not succeed in time.
        """
        outcome = await self._alone(call)
        if isinstance(outcome, MailError):
            raise outcome
        return outcome if isinstance(outcome, dict) else {}

    async def raw(self, call: GraphCall) -> bytes:
        """Make one call and return the bytes of its response.

        Raises:
            MailError: The call was refused, or did not succeed in time.
        """
        outcome = await self._alone(call)
        if isinstance(outcome, MailError):
            raise outcome
        return outcome if isinstance(outcome, bytes) else b""

    async def exchange_once(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> HttpResponse:
        """Send one request to any URL, without the access token and without retries.

        Raises:
            LostConnection: The response did not arrive completely.
        """
        await self.bucket.take(1)
        async with self.turn:
            return await self.http.send(method, url, headers, body)

    async def many(self, calls: Sequence[GraphCall]) -> list[GraphOutcome]:
        """Make several calls and return their outcomes in order.

        Raises:
            MailError: No call could be made at all, for example because there is no login.
        """
        outcomes: list[GraphOutcome] = []
        for start in range(0, len(calls), MOST_PARTS):
            outcomes += await self._send_batch(calls[start : start + MOST_PARTS])
        return outcomes

    async def _alone(self, call: GraphCall) -> GraphOutcome:
        try:
            answer = await self._exchange(call)
        except MailError as error:
            return error
        if isinstance(answer, GraphRefusal):
            return answer.error(uncertain=not call.repeatable, shared=bool(self.shared))
        return answer.body if call.raw else _parse(call, answer.body)

    async def _send_batch(self, calls: Sequence[GraphCall]) -> list[GraphOutcome]:
        """Send one batch, then resend its failed parts."""
        if len(calls) == 1:
            return [await self._alone(calls[0])]
        outcomes: dict[int, GraphOutcome] = {}
        waiting = list(range(len(calls)))
        failed = [0] * len(calls)
        patience = self.backoff.patience_s
        while waiting:
            answers = await self._sent_together([calls[position] for position in waiting])
            again: list[int] = []
            longest = 0.0
            for position, answer in zip(waiting, answers, strict=True):
                outcome = _read_part(calls[position], answer)
                if not isinstance(outcome, GraphRefusal):
                    outcomes[position] = outcome
                    continue
                failed[position] += 1
                wait = self._wait(calls[position], outcome, failed[position], patience)
                if wait is None:
                    outcomes[position] = outcome.error(
                        uncertain=not calls[position].repeatable, shared=bool(self.shared)
                    )
                    continue
                again.append(position)
                longest = max(longest, wait)
            waiting = again
            if waiting:
                patience -= longest
                await self.sleep(longest)
        return [outcomes[position] for position in range(len(calls))]

    async def _sent_together(self, calls: Sequence[GraphCall]) -> list[Resource | None]:
        """Return the responses of one batch in call order; None for a call without a response."""
        parts = [
            _part(str(number), replace(call, path=self._at(call.path))) for number, call in enumerate(calls)
        ]
        whole = GraphCall(
            method="POST",
            path="/$batch",
            body=json.dumps({"requests": parts}).encode(),
            repeatable=all(call.repeatable for call in calls),
        )
        answer = await self._exchange(whole, len(calls))
        if isinstance(answer, GraphRefusal):
            raise answer.error(uncertain=not whole.repeatable, shared=bool(self.shared))
        parsed = _parse(whole, answer.body)
        if isinstance(parsed, MailError):
            raise parsed
        responses = objects(parsed.get("responses")) if isinstance(parsed, dict) else []
        found = {str(one.get("id")): one for one in responses}
        return [found.get(str(number)) for number in range(len(calls))]

    async def _exchange(self, call: GraphCall, units: int = 1) -> HttpResponse | GraphRefusal:
        """Send the call until it succeeds or is finally refused.

        Raises:
            MailError: There is no login, or the network is broken.
        """
        failed = refused = 0
        patience = self.backoff.patience_s
        while True:
            await self.bucket.take(units)
            token = await self.tokens.access()
            try:
                async with self.turn:
                    answer = await self.http.send(
                        call.method, self.root + self._at(call.path), _headers(call, token), call.body
                    )
            except LostConnection as error:
                failed += 1
                wait = self.backoff.delay(failed, None)
                is_over = error.is_final or (error.sent and not call.repeatable)
                if is_over or wait is None or wait > patience:
                    raise _lost(call, error) from None
            else:
                if 200 <= answer.status < 300:
                    return answer
                refusal = GraphRefusal.of(answer.status, answer.headers, answer.body)
                if refusal.unauthenticated and refused < 2:  # first another process's token, then a new one
                    refused += 1
                    self.tokens.distrust(token)
                    continue
                failed += 1
                wait = self._wait(call, refusal, failed, patience)
                if wait is None:
                    return refusal
            patience -= wait
            await self.sleep(wait)

    def _at(self, path: str) -> str:
        """Return the path in the shared mailbox, if there is one; settings are always read from the account's own."""
        if not self.shared or not path.startswith("/me/") or path.startswith("/me/mailboxSettings"):
            return path
        return f"/users/{quote(self.shared, safe='@')}{path.removeprefix('/me')}"

    def _wait(self, call: GraphCall, refusal: GraphRefusal, failed: int, patience: float) -> float | None:
        """Return the seconds until the next try; None to give up."""
        if refusal.throttled or (refusal.transient and call.repeatable):
            wait = self.backoff.delay(failed, refusal.retry_after_s)
            return wait if wait is not None and wait <= patience else None
        return None


_MISSING = GraphRefusal(status=504)
"""Placeholder for a part of a batch without a response."""


def _headers(call: GraphCall, token: str) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}", **call.headers}
    headers["Prefer"] = ", ".join(filter(None, (IMMUTABLE, call.headers.get("Prefer", ""))))
    if call.body is not None:
        headers["Content-Type"] = call.content_type
    return headers


def _part(number: str, call: GraphCall) -> Resource:
    headers: Mapping[str, str] = {
        **call.headers,
        "Prefer": ", ".join(filter(None, (IMMUTABLE, call.headers.get("Prefer", "")))),
    }
    part: Resource = {"id": number, "method": call.method, "url": call.path, "headers": dict(headers)}
    if call.body is not None:
        part["headers"]["Content-Type"] = call.content_type
        part["body"] = json.loads(call.body)
    return part


def _read_part(call: GraphCall, answer: Resource | None) -> GraphOutcome | GraphRefusal:
    if answer is None:
        return _MISSING
    status, body = answer.get("status"), answer.get("body")
    if not isinstance(status, int) or not 200 <= status < 300:
        headers = answer.get("headers")
        return GraphRefusal.of(
            status if isinstance(status, int) else 502,
            {str(name): str(value) for name, value in headers.items()} if is_object(headers) else {},
            body,
        )
    if not call.raw:
        return body if is_object(body) else {}
    try:
        return base64.b64decode(body, validate=True) if isinstance(body, str) else b""
    except (binascii.Error, ValueError):
        return ProviderError("Microsoft's answer cannot be read; try again later.")


def _parse(call: GraphCall, body: bytes) -> GraphOutcome:
    if not body:
        return {}
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if is_object(found):
        return found
    if call.repeatable:
        return ProviderError("Microsoft's answer cannot be read; try again later.")
    return ProviderError(f"Microsoft's answer cannot be read {_UNCERTAIN}")


def _lost(call: GraphCall, error: LostConnection) -> ProviderError:
    if call.repeatable or not error.sent:
        return error
    return OutcomeUnknown(f"The connection to Microsoft broke {_UNCERTAIN}")


class OutcomeUnknown(ProviderError):
    """A request was sent, and its outcome is unknown."""
