"""One call of Microsoft Graph, as data. Entries: `GraphCall`, `get`, `post`, `patch`, `delete`, `path_of_link`."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard, cast
from urllib.parse import quote, urlencode, urlsplit

from gaia_email_registry.errors import NotFound, ProviderError

Resource = dict[str, Any]
"""A JSON object of Microsoft's."""

PAGE = 100
"""Items a page of delta; Graph gives ten when it is not asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCall:
    """Method, path below the API's root, and body; `repeatable` says that doing it twice is as doing it once."""

    method: str
    path: str
    """With its query, escaped."""
    body: bytes | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    raw: bool = False
    """Whether bytes are answered instead of JSON."""


def get(*path: str, query: Mapping[str, str] | None = None, raw: bool = False) -> GraphCall:
    """A reading call."""
    return GraphCall(method="GET", path=_path(path, query or {}), raw=raw)


def delta(path: str) -> GraphCall:
    """A page of news, by the path of a link or the first path."""
    return GraphCall(method="GET", path=path, headers={"Prefer": f"odata.maxpagesize={PAGE}"})


def post(*path: str, body: Mapping[str, object] | None = None, repeatable: bool = False) -> GraphCall:
    """A call that makes or does something."""
    content = None if body is None else json.dumps(body).encode()
    return GraphCall(method="POST", path=_path(path, {}), body=content, repeatable=repeatable)


def post_mime(*path: str, raw: bytes) -> GraphCall:
    """A message handed over as it is: base64 as plain text, as Graph wants it."""
    return GraphCall(
        method="POST",
        path=_path(path, {}),
        body=base64.b64encode(raw),
        content_type="text/plain",
        repeatable=False,
    )


def patch(*path: str, body: Mapping[str, object], etag: str = "") -> GraphCall:
    """A call that changes parts of something, with `etag` only while that is what it was when it was read."""
    headers = {"If-Match": etag} if etag else {}
    return GraphCall(method="PATCH", path=_path(path, {}), body=json.dumps(body).encode(), headers=headers)


def delete(*path: str) -> GraphCall:
    """A call that removes something."""
    return GraphCall(method="DELETE", path=_path(path, {}))


def subscriptions(method: str, *path: str, body: Mapping[str, object] | None = None) -> GraphCall:
    """A call about what Microsoft pushes, which belongs to no mailbox; making one twice makes two."""
    return GraphCall(
        method=method,
        path="/" + "/".join(["subscriptions", *(_segment(segment) for segment in path)]),
        body=None if body is None else json.dumps(body).encode(),
        repeatable=method != "POST",
    )


def path_of_link(link: object, root: str) -> str:
    """The path of a link out of an answer, taken verbatim; never one to another host.

    Raises:
        ProviderError: It leads elsewhere than to the API's root.
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
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def objects(value: object) -> list[Resource]:
    """The objects of a list; none where it is no list."""
    if not isinstance(value, list):
        return []
    return [item for item in cast(list[object], value) if is_object(item)]


def _path(path: tuple[str, ...], query: Mapping[str, str]) -> str:
    full = "/me/" + "/".join(_segment(segment) for segment in path)
    return f"{full}?{urlencode(query, quote_via=quote, safe='$,')}" if query else full


def _segment(text: str) -> str:
    """One path segment, whatever a client gave as an id: it can neither end the path nor climb in it."""
    if text in ("", ".", ".."):
        raise NotFound("There is nothing with that id.")
    return quote(text, safe="$=-_")
