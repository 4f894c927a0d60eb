"""Google API calls as data. Entries: `GmailCall`, `get`, `post`, `put`, `patch`, `upload`, `delete`."""

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
"""A JSON object from Google's API."""

USER = ("gmail", "v1", "users", "me")
CALENDAR = ("calendar", "v3")
"""Path prefixes."""

QueryParameters = Mapping[str, object]
"""Query parameters: a sequence repeats the parameter; None and empty strings are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GmailCall:
    """Method, path and body; `repeatable` is True if repeating the call has no further effect."""

    method: str
    target: str
    """Path and query, percent-encoded."""
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
    """Return a GET call; `fields` is Google's mask for partial responses."""
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
    """Return a POST call."""
    query = {**(query or {}), "fields": fields or None}
    return _writing("POST", (*under, *path), units, body, query, repeatable)


def put(*path: str, units: int, body: Mapping[str, object], fields: str = "") -> GmailCall:
    """Return a PUT call."""
    return _writing("PUT", (*USER, *path), units, body, {"fields": fields or None}, True)


def patch(
    *path: str,
    units: int,
    body: Mapping[str, object],
    fields: str = "",
    query: QueryParameters | None = None,
    under: Sequence[str] = USER,
) -> GmailCall:
    """Return a PATCH call."""
    query = {**(query or {}), "fields": fields or None}
    return _writing("PATCH", (*under, *path), units, body, query, True)


def upload(
    method: str, *path: str, units: int, body: Mapping[str, object], raw: bytes, fields: str = ""
) -> GmailCall:
    """Return a call that uploads a large message together with its JSON, as `multipart/related`."""
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
    """Return a DELETE call."""
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
    """Return True if the query parameter has several values."""
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
    return f"/{full}?{_encode(tuple(pairs))}" if pairs else f"/{full}"


@lru_cache(maxsize=64)
def _encode(pairs: tuple[tuple[str, str], ...]) -> str:
    """Encode a query; cached because most message calls share the same one."""
    return urlencode(pairs, quote_via=quote)


def _segment(text: str) -> str:
    """Escape an id from a client as one path segment, so that it can neither end the path nor climb in it."""
    if text in ("", ".", ".."):
        raise NotFound("There is nothing with that id.")
    return text if text.isalnum() and text.isascii() else quote(text, safe="")
