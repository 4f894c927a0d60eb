"""Answers requests with operations: reads the input, checks permissions, runs it in a thread. Entry: `Answering`."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app import App
from gaia_email.app.operations.operation import (
    Operation,
    OperationCall,
    OperationInput,
    OperationMailbox,
)
from gaia_email.app.services.choosing import connected_source, every_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.error_handlers import refusal_response
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.refusal import NeedsPerson, refusal_of
from gaia_email.interfaces.http.routes import NOTES, SCOPES, OperationRoute
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.extras import missing_extra
from gaia_mail.printable import safe_json

Json = dict[str, Any]
RouteHandler = Callable[[Request], Awaitable[Response]]
Result = TypeVar("Result")

log = logging.getLogger(__name__)

AT_ONCE = 4
"""Maximum concurrent operations, for programs and for the person separately; further ones wait."""

MOST_NAME = 200
"""Maximum characters of an account name or a run id."""

MOST_NOTES = 20
MOST_NOTE = 200


class Answering:
    """The operations of one server.

    Args:
        app: The running program.
        sample: The sample mailbox, if the server shows nothing else.
    """

    def __init__(self, app: App, *, sample: SourceSpec | None = None) -> None:
        self.app = app
        self._sample = sample
        self._turns = {is_person: asyncio.Semaphore(AT_ONCE) for is_person in (False, True)}
        self._changing = asyncio.Lock()

    @property
    def shows_sample(self) -> bool:
        """True if the server shows only the sample mailbox."""
        return self._sample is not None

    async def turn(
        self, work: Callable[[], Result], *, changes: bool = False, of_person: bool = False
    ) -> Result:
        """Run work in a thread, within the concurrency limit; changes run one at a time.

        Raises:
            MailError: The work failed.
        """
        # An account can be open for changes only once.
        async with self._changing if changes else self._turns[of_person]:
            return await asyncio.to_thread(work)

    def handler(self, route: OperationRoute) -> RouteHandler:
        """Return the handler for a route."""

        async def handle(request: Request) -> Response:
            told: list[str] = []
            answer = document(await self.run(route, request, told.append))
            if told:
                answer.headers[NOTES] = json.dumps([one[:MOST_NOTE] for one in told[:MOST_NOTES]])
            return answer

        return answering_errors(handle)

    def sources(self, mailbox: OperationMailbox, account: str) -> tuple[SourceSpec, ...]:
        """Return the mailboxes for a call.

        Raises:
            NeedsAuth: No account is connected, or not the named one.
            BadArgument: There are several accounts and none was named.
        """
        if mailbox == "none":
            return ()
        if self._sample is not None:
            return (self._sample,)
        if mailbox == "all" and not account:
            return tuple(every_source(self.app.environ))
        return (connected_source(account or None, self.app.environ),)

    async def run(self, route: OperationRoute, request: Request, tell: Callable[[str], None]) -> Json:
        """Run the operation of a route and return its document; `tell` receives notes for the caller.

        Raises:
            MailError: It was refused, or failed.
        """
        by_query = request.method in ("GET", "DELETE")
        given = dict(request.query_params) if by_query else await body_of(request)
        account = "" if route.operation.mailbox == "none" else account_in(given)
        words = by_query or bool(route.named)
        value = route.value(given, request.path_params)
        return await self.perform(request, route.operation, value, account=account, words=words, tell=tell)

    async def perform(
        self,
        request: Request,
        operation: Operation[Any],
        value: Json,
        *,
        account: str = "",
        words: bool = False,
        session_id: str = "",
        tell: Callable[[str], None] = lambda said: None,
    ) -> Json:
        """Run an operation on behalf of the caller and return its document.

        Args:
            request: The request; it identifies the caller.
            operation: The operation to run.
            value: Its input as JSON; with `words`, all values are text.
            account: The account to use; empty for the only one, or for all.
            words: See `value`.
            session_id: Groups actions so that they can be undone together; empty for none.
            tell: Receives notes for the caller.

        Raises:
            MailError: It was refused, or failed.
        """
        asked: OperationInput = operation.read(value, words=words)
        principal = principal_of(request.scope)
        principal.need(SCOPES[operation.risk])
        takes_person = operation.takes_person(asked)
        if takes_person and not principal.decides:
            raise NeedsPerson(f"Only a person may do that: {operation.summary}", hint=person_hint(request))
        call = OperationCall(
            asked=asked,
            origin=principal.origin,
            by_person=principal.decides,
            sources=self.sources(operation.mailbox, account),
            tell=tell,
            session_id=session_id,
        )
        return await self.turn(
            lambda: dict(operation.run(self.app, call)),
            changes=takes_person,
            of_person=principal.kind == "person",
        )


def person_hint(request: Request) -> str:
    """Return a hint for a person: the page of this server, under the host name of the request, or the terminal."""
    where = request.headers.get("host", "")
    page = f"open {request.url.scheme}://{where}/ (gaia email serve --open)" if ":" in where else ""
    return f"{page or 'do it in a terminal'}, or answer with gaia email review."


def account_in(given: Json) -> str:
    """Remove the account from the given fields and return it; empty if none was named.

    Raises:
        BadArgument: It is not an account name.
    """
    account = given.pop("account", "")
    if not isinstance(account, str) or len(account) > MOST_NAME:
        raise BadArgument(f"account: a name of at most {MOST_NAME} characters.", argument="/account")
    return account


async def body_of(request: Request) -> Json:
    """Return the JSON object in a request's body; an empty body counts as an empty object.

    Raises:
        BadArgument: The body is not a JSON object.
    """
    raw = await request.body()
    if not raw.strip():
        return {}
    try:
        value: object = json.loads(raw, parse_float=_number)
    except (ValueError, RecursionError):
        raise BadArgument("The body is no JSON.", argument="") from None
    if not isinstance(value, dict):
        raise BadArgument("The body is no JSON object.", argument="")
    return cast("Json", value)


def _number(text: str) -> float | int:
    """Return a number as JSON Schema reads it: 2.0 is the integer 2."""
    number = float(text)
    return int(number) if number.is_integer() else number


def document(value: object, status: int = 200) -> Response:
    """Return a JSON response, with terminal control sequences escaped."""
    text = safe_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return Response(text.encode("utf-8", "replace"), status_code=status, media_type="application/json")


def answering_errors(handle: RouteHandler) -> RouteHandler:
    """Wrap a handler so that its errors become answers of one shape; unexpected errors reveal no details."""

    async def answer(request: Request) -> Response:
        try:
            return await handle(request)
        except Exception as error:
            return answer_error(missing_extra(error) or error)

    return answer


def answer_error(error: Exception) -> Response:
    """Return the response for an error."""
    refusal = refusal_of(error)
    if refusal.status == 500:
        log.error("A request failed inside: %s", type(error).__name__)
    return refusal_response(refusal)
