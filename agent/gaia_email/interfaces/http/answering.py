"""Answers requests by operations: reads the input, asks whose word it is, runs it in a thread. Entry: `Answering`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gaia_email.app import App
from gaia_email.interfaces.http.principal import HttpScope, Principal, principal_of
from gaia_email.interfaces.http.refusals import NeedsPerson, refusal, status_of
from gaia_email.interfaces.http.routes import OperationRoute
from gaia_email.operations.operation import OperationCall, OperationInput, OperationMailbox, OperationRisk
from gaia_email.services.choosing import connected_source, every_source
from gaia_email.services.source import SourceSpec
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval
from gaia_email_registry.extras import missing_extra
from gaia_mail.printable import safe_json

Json = dict[str, Any]
Handler = Callable[[Request], Awaitable[Response]]

AT_ONCE = 4
"""Operations that run side by side; the others wait their turn."""

MOST_NAME = 200
"""Characters of the name of an account, or of the id of a run."""

INTERFACE = "http"
"""What the ledger calls this interface."""

SCOPES: Mapping[OperationRisk, HttpScope] = {
    "read": "read",
    "draft": "draft",
    "restrain": "act",
    "person": "act",
}
"""What a principal needs for an operation, beside a person's word where it takes one."""

HINT = "open the page that `gaia email serve --open` shows, or answer with `gaia email review`."


class Answering:
    """The operations of one server.

    Args:
        app: The running program.
        sample: The sample mailbox, where the server shows nothing else.
        host_approves: Whether the API token's word is a person's, as `--approve host` has it.
    """

    def __init__(self, app: App, *, sample: SourceSpec | None = None, host_approves: bool = False) -> None:
        self.app = app
        self._sample = sample
        self._host_approves = host_approves
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._changing = asyncio.Lock()

    def handler(self, route: OperationRoute) -> Handler:
        """What answers a route."""

        async def handle(request: Request) -> Response:
            return document(await self.run(route, request))

        return answering_errors(handle)

    def sources(self, mailbox: OperationMailbox, account: str) -> tuple[SourceSpec, ...]:
        """The mailboxes that a call is about.

        Raises:
            NeedsAuth: None is connected, or not the one named.
            BadArgument: It has to be said which of several.
        """
        if mailbox == "none":
            return ()
        if self._sample is not None:
            return (self._sample,)
        if mailbox == "all" and not account:
            return tuple(every_source(self.app.environ))
        return (connected_source(account or None, self.app.environ),)

    def is_person(self, principal: Principal) -> bool:
        """Whether what this principal says is the word of a person."""
        return principal.is_person or (self._host_approves and "act" in principal.scopes)

    async def run(self, route: OperationRoute, request: Request) -> Json:
        """The document of an operation.

        Raises:
            MailError: It was refused, or failed.
        """
        operation = route.operation
        by_query = request.method in ("GET", "DELETE")
        given = dict(request.query_params) if by_query else await body_of(request)
        account = "" if operation.mailbox == "none" else account_in(given)
        words = by_query or bool(route.named)
        asked: OperationInput = operation.read(route.value(given, request.path_params), words=words)
        principal = principal_of(request)
        if (scope := SCOPES[operation.risk]) not in principal.scopes:
            raise NeedsApproval(
                f"This key may not be used for that ({scope}).",
                hint="gaia email serve keys list shows its scopes.",
            )
        takes_person = operation.takes_person(asked)
        if takes_person and not self.is_person(principal):
            raise NeedsPerson(f"Only a person may do that: {operation.summary}", hint=HINT)
        call = OperationCall(
            asked=asked,
            actor=INTERFACE,
            by_person=self.is_person(principal),
            sources=self.sources(operation.mailbox, account),
        )
        if not takes_person:
            async with self._turns:
                return dict(await asyncio.to_thread(operation.run, self.app, call))
        async with self._changing:  # an account is open for acting once
            return dict(await asyncio.to_thread(operation.run, self.app, call))


def account_in(given: Json) -> str:
    """Takes the account out of what was given; empty where none was named.

    Raises:
        BadArgument: It is no name of one.
    """
    account = given.pop("account", "")
    if not isinstance(account, str) or len(account) > MOST_NAME:
        raise BadArgument(f"account: a name of at most {MOST_NAME} characters.", argument="/account")
    return account


async def body_of(request: Request) -> Json:
    """The JSON object of a request; an empty body is an empty object.

    Raises:
        BadArgument: It is no JSON object.
    """
    raw = await request.body()
    if not raw.strip():
        return {}
    try:
        value: object = json.loads(raw)
    except (ValueError, RecursionError):
        raise BadArgument("The body is no JSON.", argument="") from None
    if not isinstance(value, dict):
        raise BadArgument("The body is no JSON object.", argument="")
    return cast("Json", value)


def document(value: object, status: int = 200) -> Response:
    """JSON, with what a terminal could take for an order escaped."""
    text = safe_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return Response(text.encode("utf-8", "replace"), status_code=status, media_type="application/json")


def answering_errors(handle: Handler) -> Handler:
    """The handler with errors as answers of one shape; what is unexpected says nothing of itself."""

    async def answer(request: Request) -> Response:
        try:
            return await handle(request)
        except MailError as error:
            return error_response(error)
        except Exception as error:
            missing = missing_extra(error)
            if missing is None:
                raise
            return error_response(missing)

    return answer


def error_response(error: MailError) -> Response:
    """An error as an answer."""
    wait = error.retry_after_s
    headers = {} if wait is None else {"retry-after": str(max(1, round(wait)))}
    return JSONResponse(refusal(error), status_code=status_of(error), headers=headers)
