"""Microsoft Graph calls as data. Entries: `GraphCall`, `get`, `post`, `patch`, `delete`, `path_of_link`."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard, cast
from urllib.parse import quote, urlencode, urlsplit

from gaia_email_registry.errors import NotFound, ProviderError

Resource = dict[str, Any]
"""A JSON object from Graph."""

PAGE = 100
"""Items per page of a delta query; Graph's default is 10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCall:
    """Method, path below the API's root, and body; `repeatable` is True if repeating has no further effect."""

    method: str
    path: str
    """Path and query, percent-encoded."""
    body: bytes | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    raw: bool = False
    """True if the response is bytes instead of JSON."""


def get(*path: str, query: Mapping[str, str] | None = None, raw: bool = False) -> GraphCall:
    """Return a GET call."""
    return GraphCall(method="GET", path=_path(path, query or {}), raw=raw)


def delta(path: str) -> GraphCall:
    """Return a call for a page of a delta query, from the path of a link or the first path."""
    return GraphCall(method="GET", path=path, headers={"Prefer": f"odata.maxpagesize={PAGE}"})


def post(*path: str, body: Mapping[str, object] | None = None, repeatable: bool = False) -> GraphCall:
    """Return a POST call."""
    content = None if body is None else json.dumps(body).encode()
    return GraphCall(method="POST", path=_path(path, {}), body=content, repeatable=repeatable)


def post_mime(*path: str, raw: bytes) -> GraphCall:
    """Return a call that sends a whole message as base64 in plain text, as Graph requires."""
    return GraphCall(
        method="POST",
        path=_path(path, {}),
        body=base64.b64encode(raw),
        content_type="text/plain",
        repeatable=False,
    )


def patch(*path: str, body: Mapping[str, object], etag: str = "") -> GraphCall:
    """Return a PATCH call; with `etag` it succeeds only if the item has not changed since it was read."""
    headers = {"If-Match": etag} if etag else {}
    return GraphCall(method="PATCH", path=_path(path, {}), body=json.dumps(body).encode(), headers=headers)


def delete(*path: str) -> GraphCall:
    """Return a DELETE call."""
    return GraphCall(method="DELETE", path=_path(path, {}))


def subscriptions(method: str, *path: str, body: Mapping[str, object] | None = None) -> GraphCall:
    """Return a call on subscriptions, which have a path outside the mailbox. Repeating a POST creates a second one."""
    return GraphCall(
        method=method,
        path="/" + "/".join(["subscriptions", *(_segment(segment) for segment in path)]),
        body=None if body is None else json.dumps(body).encode(),
        repeatable=method != "POST",
    )


def path_of_link(link: object, root: str) -> str:
    """Return the path of a link in a response, unchanged; refuse links to other hosts.

    Raises:
        ProviderError: The link does not lead to the API's root.
    """
    wanted = urlsplit(root)
    if isinstance(link, str) and link.startswith(root.rstrip("/") + "/"):
        found = urlsplit(link)
        if (found.scheme, found.netloc) == (wanted.scheme, wanted.netloc) and ".." not in found.path:
            return link[len(root.rstrip("/")) :]
    raise ProviderError(
        "Microsoft's answer leads to another server, where no login is sent; try again later."
    )


def is_object(value: object) -> TypeGuard[Resource]:
    """Return True if the value is a JSON object."""
    return isinstance(value, dict)


def objects(value: object) -> list[Resource]:
    """Return the objects in a list; empty if the value is not a list."""
    if not isinstance(value, list):
        return []
    return [item for item in cast(list[object], value) if is_object(item)]


def _path(path: tuple[str, ...], query: Mapping[str, str]) -> str:
    full = "/me/" + "/".join(_segment(segment) for segment in path)
    return f"{full}?{urlencode(query, quote_via=quote, safe='$,')}" if query else full


def _segment(text: str) -> str:
    """Escape an id from a client as one path segment, so that it can neither end the path nor climb in it."""
    if text in ("", ".", ".."):
        raise NotFound("There is nothing with that id.")
    return quote(text, safe="$=-_")
