"""One call of a Google API, as data. Entries: `GmailCall`, `get`, `post`, `put`, `patch`, `upload`, `delete`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeGuard
from urllib.parse import quote, urlencode

from gaia_email_registry.errors import NotFound

Resource = dict[str, Any]
"""A JSON object of Google's."""

USER = ("gmail", "v1", "users", "me")
CALENDAR = ("calendar", "v3")
"""What paths begin with."""

QueryParameters = Mapping[str, object]
"""Query parameters; a sequence of texts is a repeated one, None and empty text are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GmailCall:
    """Method, path and body; `repeatable` says that doing it twice is as doing it once."""

    method: str
    target: str
    """Path and query, escaped."""
    units: int
    body: bytes | None = None
    content_type: str = "application/json"
    repeatable: bool = True


def get(
    *path: str,
    units: int,
    query: QueryParameters | None = None,
    fields: str = "",
    under: Sequence[str] = USER,
) -> GmailCall:
    """A reading call; `fields` is Google's mask of what to answer."""
    target = _target(path, {**(query or {}), "fields": fields or None}, under)
    return GmailCall(method="GET", target=target, units=units)


def post(
    *path: str,
    units: int,
    body: Mapping[str, object] | None = None,
    fields: str = "",
    query: QueryParameters | None = None,
    repeatable: bool = True,
    under: Sequence[str] = USER,
) -> GmailCall:
    """A call that makes or changes something."""
    query = {**(query or {}), "fields": fields or None}
    return _writing("POST", (*under, *path), units, body, query, repeatable)


def put(*path: str, units: int, body: Mapping[str, object], fields: str = "") -> GmailCall:
    """A call that replaces something."""
    return _writing("PUT", (*USER, *path), units, body, {"fields": fields or None}, True)


def patch(
    *path: str,
    units: int,
    body: Mapping[str, object],
    fields: str = "",
    query: QueryParameters | None = None,
    under: Sequence[str] = USER,
) -> GmailCall:
    """A call that changes parts of something."""
    query = {**(query or {}), "fields": fields or None}
    return _writing("PATCH", (*under, *path), units, body, query, True)


def upload(
    method: str, *path: str, units: int, body: Mapping[str, object], raw: bytes, fields: str = ""
) -> GmailCall:
    """A call that hands over a large message beside its JSON, as `multipart/related`."""
    boundary = f"upload_{secrets.token_hex(12)}"
    head = (
        f"--{boundary}\r\nContent-Type: application/json\r\n\r\n{json.dumps(body)}\r\n"
        f"--{boundary}\r\nContent-Type: message/rfc822\r\n\r\n"
    )
    return GmailCall(
        method=method,
        target="/upload" + _target(path, {"uploadType": "multipart", "fields": fields or None}),
        units=units,
        body=head.encode() + raw + f"\r\n--{boundary}--\r\n".encode(),
        content_type=f"multipart/related; boundary={boundary}",
        repeatable=method == "PUT",
    )


def delete(
    *path: str, units: int, query: QueryParameters | None = None, under: Sequence[str] = USER
) -> GmailCall:
    """A call that removes something."""
    return GmailCall(method="DELETE", target=_target(path, query or {}, under), units=units)


def _writing(
    method: str,
    path: Sequence[str],
    units: int,
    body: Mapping[str, object] | None,
    query: QueryParameters,
    repeatable: bool,
) -> GmailCall:
    return GmailCall(
        method=method,
        target=_target(path, query, ()),
        units=units,
        body=None if body is None else json.dumps(body).encode(),
        repeatable=repeatable,
    )


def is_repeated(value: object) -> TypeGuard[Sequence[object]]:
    """Whether a query parameter is given more than once."""
    return isinstance(value, (list, tuple))


def _target(path: Sequence[str], query: QueryParameters, under: Sequence[str] = USER) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None or value == "":
            continue
        if isinstance(value, bool):
            pairs.append((name, "true" if value else "false"))
        elif is_repeated(value):
            pairs.extend((name, str(item)) for item in value)
        else:
            pairs.append((name, str(value)))
    full = "/".join([_segment(segment) for segment in (*under, *path)])
    return f"/{full}?{_escaped(tuple(pairs))}" if pairs else f"/{full}"


@lru_cache(maxsize=64)
def _escaped(pairs: tuple[tuple[str, str], ...]) -> str:
    """What is asked of messages is the same for most of them."""
    return urlencode(pairs, quote_via=quote)


def _segment(text: str) -> str:
    """One path segment, whatever a client gave as an id: it can neither end the path nor climb in it."""
    if text in ("", ".", ".."):
        raise NotFound("There is nothing with that id.")
    return text if text.isalnum() and text.isascii() else quote(text, safe="")
