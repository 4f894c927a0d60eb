"""Starlette error handlers that give errors of routes our common shape. Entry: `error_handlers`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.http.refusal import HttpRefusal, refusal_of
from gaia_email_registry.errors import MailError

ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]

_OF_ROUTER = {
    404: ("not_found", "There is nothing at this address."),
    405: ("bad_method", "This address does not take this method."),
}


def error_handlers() -> dict[type[Exception] | int, ErrorHandler]:
    """Return the application's `exception_handlers`; without them Starlette answers in plain text, before the guard."""
    return dict.fromkeys((HttpRefusal, MailError, HTTPException, Exception), _answer)


async def _answer(request: Request, error: Exception) -> Response:
    refusal = _of_router(error) if isinstance(error, HTTPException) else refusal_of(error)
    return refusal_response(refusal)


def refusal_response(refusal: HttpRefusal) -> Response:
    """Return a refusal as a Starlette response."""
    return Response(refusal.body(), status_code=refusal.status, headers=refusal.answer_headers)


def _of_router(error: HTTPException) -> HttpRefusal:
    code, message = _OF_ROUTER.get(error.status_code, ("refused", "This request is not answered."))
    return HttpRefusal(error.status_code, code, message, headers=error.headers)
