"""Errors in the peer's shape, `{"detail": …}`, and validation of requests. Entries: `peer_error`, `read_input`."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.http.answering import body_of, document
from gaia_email.interfaces.http.refusal import HttpRefusal, refusal_of
from gaia_email_gaia.answers import InvalidAnswer, InvalidPart, RefusedAnswer
from gaia_email_registry.errors import BadArgument, ErrorKind, InternalError, MailError, StateConflict
from gaia_email_registry.extras import missing_extra

log = logging.getLogger(__name__)

Asked = TypeVar("Asked", bound=msgspec.Struct)

STATUSES: Mapping[ErrorKind, int] = {
    "bad_argument": 400,
    "not_found": 404,
    "needs_auth": 503,
    "needs_approval": 403,
    "rate_limited": 429,
    "provider": 502,
    "internal": 500,
}

_STEP = re.compile(r"\[(\d+)\]|\.([^.\[\]]+)")
_FIELD = re.compile(r"(missing required|contains unknown) field `([^`]*)`")


class PeerMisfit(BadArgument):
    """A request that violates the contract; `invalid` describes the first violation."""

    def __init__(self, invalid: InvalidPart) -> None:
        super().__init__(invalid["msg"])
        self.invalid = invalid


class NotHere(InternalError):
    """A part of the contract that this program does not support."""


def peer_error(error: Exception) -> Response:
    """Return the answer for an error; of foreign errors only the type is shown, since the text may come from a mail."""
    if isinstance(error, PeerMisfit):
        return document(InvalidAnswer(detail=[error.invalid]), 422)
    refusal = refusal_of(missing_extra(error) or error)
    if refusal.status == 500 and not isinstance(error, NotHere):
        log.error("A request failed inside: %s", type(error).__name__)
    status = refusal.status
    if isinstance(error, NotHere):
        status = 501
    elif isinstance(error, MailError) and not isinstance(error, StateConflict):
        status = STATUSES[error.kind]
    headers = {"cache-control": "no-store", **refusal.headers}
    return Response(peer_body(refusal), status, headers=headers, media_type="application/json")


def peer_body(refusal: HttpRefusal) -> bytes:
    """Return a refusal in the peer's shape."""
    hint = f" ({refusal.hint.rstrip('.')})" if refusal.hint else ""
    return json.dumps(RefusedAnswer(detail=f"{refusal.message}{hint}")).encode()


async def read_input(request: Request, kind: type[Asked]) -> Asked:
    """Return the input of a request: its body, or the query for GET and DELETE.

    Raises:
        PeerMisfit: The input violates the contract.
    """
    if request.method in ("GET", "DELETE"):
        return _converted(dict(request.query_params), kind, "query")
    if not (await request.body()).strip():
        raise PeerMisfit(InvalidPart(loc=["body"], msg="Field required", type="missing"))
    try:
        given = await body_of(request)
    except BadArgument as error:
        raise PeerMisfit(InvalidPart(loc=["body"], msg=error.message, type="json_invalid")) from None
    payloads = [given.get("payload"), *(items if isinstance(items := given.get("items"), list) else ())]  # pyright: ignore[reportUnknownVariableType]
    for payload in payloads:  # pyright: ignore[reportUnknownVariableType]
        if isinstance(payload, dict) and "kind" not in payload:  # the default depends on the other fields
            payload["kind"] = "thread" if "messages" in payload else "single"
    return _converted(given, kind, "body")


def _converted(given: Mapping[str, Any], kind: type[Asked], where: str) -> Asked:
    try:
        return msgspec.convert(given, kind, strict=where == "body")
    except msgspec.ValidationError as error:
        raise PeerMisfit(_invalid(str(error), where)) from None


def _invalid(said: str, where: str) -> InvalidPart:
    """Convert msgspec's message (`Expected …` - at `$.a[0].b`) to FastAPI's form."""
    what, _, at = said.partition(" - at `")
    steps = [int(number) if number else name for number, name in _STEP.findall(at.rstrip("`"))]
    found = _FIELD.search(what)
    if found is None:
        return InvalidPart(loc=[where, *steps], msg=what, type="value_error")
    kind = "missing" if found[1].startswith("missing") else "extra_forbidden"
    message = "Field required" if kind == "missing" else "Extra inputs are not permitted"
    return InvalidPart(loc=[where, *steps, found[2]], msg=message, type=kind)
