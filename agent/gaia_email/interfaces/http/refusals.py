"""Errors as answers over HTTP: one JSON shape, and the status of each kind. Entries: `status_of`, `refusal`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email_registry.errors import BadArgument, ErrorKind, MailError, NeedsApproval, RateLimited

Json = dict[str, object]

STATUSES: Mapping[ErrorKind, int] = {
    "bad_argument": 422,
    "not_found": 404,
    "needs_auth": 503,
    "needs_approval": 403,
    "rate_limited": 429,
    "provider": 502,
    "internal": 500,
}


class Conflict(BadArgument):
    """It cannot be done as things stand: a run's id that was used before, a question that is over."""


class TooManyRequests(RateLimited):
    """More at once than this server takes."""


class NeedsPerson(NeedsApproval):
    """Only a person may do that, in a session of their own."""


def status_of(error: MailError) -> int:
    """The status code (RFC 9110) of an error."""
    return 409 if isinstance(error, Conflict) else STATUSES[error.kind]


def refusal(error: MailError) -> Json:
    """What is answered: the kind, a sentence, and where there are some the JSON Pointer, the wait and the next step."""
    kind = "needs_person" if isinstance(error, NeedsPerson) else error.kind
    known: Json = {
        "kind": "conflict" if isinstance(error, Conflict) else kind,
        "message": error.message,
        "argument": error.argument,
        "retry_after_s": error.retry_after_s,
        "hint": error.hint,
    }
    return {"error": {name: value for name, value in known.items() if value is not None}}
