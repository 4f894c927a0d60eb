"""Google's `/batch` form: many requests in one `multipart/mixed` body. Entries: `split`, `joined`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.gmail.emulator.failures import ApiError
from tests.gmail.emulator.http import REASONS, Request, Response

MAX_PARTS = 100

_LINE = re.compile(rb"\A\r?\n")
_BLANK = re.compile(rb"\r?\n\r?\n")
"""Google's own client ends lines with a line feed alone."""


def split(request: Request) -> list[tuple[str, Request]]:
    """The requests inside, each with its `Content-ID`.

    Raises:
        ApiError: It is not such a body, or holds too many.
    """
    found = re.fullmatch(r'multipart/mixed;\s*boundary="?([^";]+)"?', request.headers.get("content-type", ""))
    if found is None:
        raise ApiError(400, "Failed to parse batch request: no boundary.")
    parts = request.body.split(b"--" + found[1].encode())[1:-1]
    if not parts or len(parts) > MAX_PARTS:
        raise ApiError(400, f"The batch request holds {len(parts)} calls.", "batchSizeTooLarge")
    return [_inner(_LINE.sub(b"", part, count=1), request) for part in parts]


def _inner(part: bytes, outer: Request) -> tuple[str, Request]:
    head, rest = _BLANK.split(part, maxsplit=1)
    outer_headers = _headers(head.splitlines())
    if outer_headers.get("content-type") != "application/http":
        raise ApiError(400, "A part of a batch is application/http.")
    inner_head, *others = _BLANK.split(rest, maxsplit=1)
    body = others[0] if others else b""
    first, *lines = inner_head.splitlines()
    method, target = first.decode("ascii").split(" ")[:2]
    headers = {"authorization": outer.headers.get("authorization", ""), **_headers(lines)}
    return outer_headers.get("content-id", ""), Request(
        method=method, target=target, headers=headers, body=body.strip(b"\r\n")
    )


def _headers(lines: Sequence[bytes]) -> dict[str, str]:
    pairs = (line.decode("latin-1").partition(":") for line in lines)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def joined(answers: Sequence[tuple[str, Response]]) -> Response:
    """One answer of many, in any order: here the reverse, since nothing is promised."""
    boundary = "batch_emulated"
    pieces: list[bytes] = []
    for content_id, answer in reversed(answers):
        lines = [
            f"--{boundary}",
            "Content-Type: application/http",
            f"Content-ID: <response-{content_id.strip('<>')}>",
            "",
            f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, 'Error')}",
            "Content-Type: application/json; charset=UTF-8",
            *(f"{name}: {value}" for name, value in answer.headers.items()),
            "",
            "",
        ]
        pieces.append("\r\n".join(lines).encode() + answer.body + b"\r\n")
    body = b"".join(pieces) + f"--{boundary}--\r\n".encode()
    return Response(headers={"Content-Type": f"multipart/mixed; boundary={boundary}"}, body=body)
