"""Gmail's JSON forms of messages, and partial responses. Entries: `payload`, `masked`."""

from __future__ import annotations

import base64
import html
import re
from email import message_from_bytes
from email.message import Message
from typing import Any

from tests.gmail.emulator.discovery import is_list, is_object

Json = dict[str, Any]

MULTIPART = "multipart/"


def encoded(data: bytes) -> str:
    """base64url, padded, as Gmail writes bytes."""
    return base64.urlsafe_b64encode(data).decode("ascii")


def payload(raw: bytes, message_id: str, wanted: list[str] | None) -> tuple[Json, dict[str, bytes]]:
    """The tree of parts, and the attachments by the ids in it.

    `wanted` None is format `full`; a list is format `metadata` with only those header names (empty: all).
    """
    attachments: dict[str, bytes] = {}
    tree = _part(message_from_bytes(raw), "", message_id, attachments)
    if wanted is not None:
        names = {name.lower() for name in wanted}
        headers = [item for item in tree["headers"] if not names or item["name"].lower() in names]
        return {"mimeType": tree["mimeType"], "headers": headers}, attachments
    return tree, attachments


def _part(part: Message, part_id: str, message_id: str, attachments: dict[str, bytes]) -> Json:
    resource: Json = {
        "partId": part_id,
        "mimeType": part.get_content_type(),
        "filename": part.get_filename() or "",
        "headers": [{"name": name, "value": " ".join(_shown(value).split())} for name, value in part.items()],
        "body": {"size": 0},
    }
    if part.is_multipart():
        children: Any = part.get_payload()
        resource["parts"] = [
            _part(child, f"{part_id}.{number}" if part_id else str(number), message_id, attachments)
            for number, child in enumerate(children)
        ]
        return resource
    content = part.get_payload(decode=True)
    data = content if isinstance(content, bytes) else b""
    body: Json = {"size": len(data)}
    if resource["filename"]:
        body["attachmentId"] = f"ANGjdJ{message_id}{part_id or '0'}"
        attachments[body["attachmentId"]] = data
    else:
        body["data"] = encoded(data)
    return {**resource, "body": body}


def _shown(value: object) -> str:
    """A header as Gmail gives it: raw UTF-8 is kept, what is encoded stays encoded."""
    return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def snippet(text: str) -> str:
    """The beginning of the text, escaped as in HTML."""
    return html.escape(text, quote=True).replace("&#x27;", "&#39;")


def masked(value: Any, mask: str) -> Any:
    """Only what a `fields` mask names: `a,b(c,d),e/f`."""
    return _applied(value, _parse(mask))


Mask = dict[str, "Mask | None"]

_TOKEN = re.compile(r"[A-Za-z0-9_]+|[(),/*]")


def _parse(mask: str) -> Mask:
    tokens = _TOKEN.findall(mask)
    if "".join(tokens) != mask:
        raise ValueError(mask)
    found, end = _list(tokens, 0)
    if end != len(tokens):
        raise ValueError(mask)
    return found


def _list(tokens: list[str], at: int) -> tuple[Mask, int]:
    found: Mask = {}
    while True:
        name, inner, at = _one(tokens, at)
        before = found.get(name)
        found[name] = {**before, **inner} if before is not None and inner is not None else inner
        if at >= len(tokens) or tokens[at] != ",":
            return found, at
        at += 1


def _one(tokens: list[str], at: int) -> tuple[str, Mask | None, int]:
    name = tokens[at]
    if not name[0].isalnum():
        raise ValueError(name)
    at += 1
    if at < len(tokens) and tokens[at] == "/":
        child, inner, at = _one(tokens, at + 1)
        return name, {child: inner}, at
    if at < len(tokens) and tokens[at] == "(":
        inner, at = _list(tokens, at + 1)
        if tokens[at] != ")":
            raise ValueError(name)
        return name, inner, at + 1
    return name, None, at


def _applied(value: Any, mask: Mask) -> Any:
    if is_list(value):
        return [_applied(item, mask) for item in value]
    if not is_object(value):
        return value
    return {
        name: item if mask[name] is None else _applied(item, mask[name] or {})
        for name, item in value.items()
        if name in mask
    }
